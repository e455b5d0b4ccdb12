#include "wick/tests/cuda_sim/graphs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "wick/tests/cuda_sim/launches.h"
#include "wick/tests/cuda_sim/runtime.h"

// What a launch runs: the nodes' work in an order that their dependencies allow.
struct CUgraphExec_st::Program {
  std::vector<cuda_sim::Work> work;          // of each node
  std::vector<const CUgraphNode_st*> nodes;  // of the graph it was made from, to be named in updates
  std::vector<size_t> order;
};

namespace cuda_sim {
namespace {

std::vector<std::shared_ptr<Capture>> g_captures;
unsigned long long g_next_id = 1;
thread_local cudaStreamCaptureMode t_mode = cudaStreamCaptureModeGlobal;

std::vector<size_t> merged(std::vector<size_t> a, const std::vector<size_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  a.erase(std::unique(a.begin(), a.end()), a.end());
  return a;
}

// The order of capture; in deferred order the contrary: of what may run, the youngest first, so that a dependency nobody stated shows.
std::vector<size_t> execution_order(const CUgraph_st& graph) {
  std::vector<size_t> order;
  std::vector<bool> done(graph.nodes.size(), false);
  const auto may_run = [&](size_t i) {
    const auto& after = graph.nodes[i]->after;
    return !done[i] && std::all_of(after.begin(), after.end(), [&](size_t j) { return done[j]; });
  };
  while (order.size() < done.size()) {
    size_t chosen = done.size();
    for (size_t i = 0; i < done.size(); ++i) {
      if (!may_run(i)) continue;
      chosen = i;
      if (!options().deferred) break;
    }
    done[chosen] = true;
    order.push_back(chosen);
  }
  return order;
}

// Streams that took part and were not joined to the origin again.
bool is_joined(const Capture& capture) {
  std::set<size_t> followed;
  for (const auto& node : capture.graph->nodes) followed.insert(node->after.begin(), node->after.end());
  const std::vector<size_t>& tails = capture.origin->tails;
  for (size_t i = 0; i < capture.graph->nodes.size(); ++i) {
    if (!followed.contains(i) && std::find(tails.begin(), tails.end(), i) == tails.end()) return false;
  }
  return true;
}

cudaError_t begin_capture(const std::shared_ptr<Queue>& queue, cudaStreamCaptureMode mode) {
  if (is_legacy(*queue)) return refuse(cudaErrorStreamCaptureUnsupported, "stream 0 cannot be captured");
  if (queue->capture) return refuse(cudaErrorIllegalState, "the stream is in capture already");
  queue->capture =
      std::make_shared<Capture>(Capture{std::make_unique<CUgraph_st>(), queue, mode, std::this_thread::get_id(), g_next_id++, {}});
  queue->tails.clear();
  g_captures.push_back(queue->capture);
  return cudaSuccess;
}

cudaError_t end_capture(const std::shared_ptr<Queue>& queue, cudaGraph_t* graph) {
  *graph = nullptr;
  const std::shared_ptr<Capture> capture = queue->capture;
  if (!capture) return refuse(cudaErrorIllegalState, "the stream is not in capture");
  if (capture->origin != queue) return refuse(cudaErrorStreamCaptureUnmatched, "the capture was begun on another stream");
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id()) {
    return refuse(cudaErrorStreamCaptureWrongThread, "the capture was begun by another thread");
  }
  const bool joined = is_joined(*capture);
  abandon_capture(capture);
  if (!capture->lost.empty()) return refuse(cudaErrorStreamCaptureInvalidated, capture->lost);
  if (!joined) return refuse(cudaErrorStreamCaptureUnjoined, "a stream that was captured along was not joined to the one captured first");
  *graph = capture->graph.release();
  return cudaSuccess;
}

}  // namespace

cudaError_t add_to_capture(Queue& queue, Work work) {
  Capture& capture = *queue.capture;
  if (!capture.lost.empty()) return refuse(cudaErrorStreamCaptureInvalidated, capture.lost);
  capture.graph->nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{std::move(work), queue.tails}));
  queue.tails = {capture.graph->nodes.size() - 1};
  return cudaSuccess;
}

cudaError_t join_capture(Queue& queue, const std::shared_ptr<Capture>& capture, const std::vector<size_t>& tails) {
  if (std::find(g_captures.begin(), g_captures.end(), capture) == g_captures.end()) {
    return refuse(cudaErrorInvalidResourceHandle, "the event was recorded in a capture that has ended");
  }
  if (queue.capture && queue.capture != capture)
    return lose_capture(*queue.capture, cudaErrorStreamCaptureMerge, "two captures would become one");
  if (!queue.capture) {
    queue.capture = capture;
    queue.tails.clear();
  }
  queue.tails = merged(queue.tails, tails);
  return cudaSuccess;
}

void abandon_capture(const std::shared_ptr<Capture>& capture) {
  end_capture_of_streams(capture);
  std::erase(g_captures, capture);
}

cudaError_t lose_capture(Capture& capture, cudaError_t error, const std::string& why) {
  if (capture.lost.empty()) capture.lost = why;
  return refuse(error, why);
}

cudaError_t forbid_in_capture(const std::string& what) {
  if (t_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  for (const auto& capture : g_captures) {
    const bool own = capture->thread == std::this_thread::get_id();
    const bool forbids = capture->mode == cudaStreamCaptureModeGlobal ? own || t_mode == cudaStreamCaptureModeGlobal
                                                                      : capture->mode == cudaStreamCaptureModeThreadLocal && own;
    if (forbids) return lose_capture(*capture, cudaErrorStreamCaptureUnsupported, what + " while a stream is captured");
  }
  return cudaSuccess;
}

cudaError_t forbid_implicit_wait(const Queue& queue) {
  if (!is_legacy(queue)) return cudaSuccess;
  for (const auto& capture : g_captures) {
    if (capture->origin->blocking)
      return lose_capture(*capture, cudaErrorStreamCaptureImplicit, "work on stream 0, which waits for a stream in capture");
  }
  return cudaSuccess;
}

}  // namespace cuda_sim

using namespace cuda_sim;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return api([&]() -> cudaError_t {
    std::shared_ptr<Queue> queue;
    CUDA_SIM_TRY(find_queue(stream, queue));
    return begin_capture(queue, mode);
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api([&]() -> cudaError_t {
    std::shared_ptr<Queue> queue;
    CUDA_SIM_TRY(find_queue(stream, queue));
    return end_capture(queue, graph);
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges, size_t* num_dependencies) {
  return api([&]() -> cudaError_t {
    std::shared_ptr<Queue> queue;
    CUDA_SIM_TRY(find_queue(stream, queue));
    if (dependencies || edges || num_dependencies)
      return refuse(cudaErrorNotSupported, "the simulator does not tell a capture's dependencies");
    const Capture* const capture = queue->capture.get();
    *status = !capture                ? cudaStreamCaptureStatusNone
              : capture->lost.empty() ? cudaStreamCaptureStatusActive
                                      : cudaStreamCaptureStatusInvalidated;
    if (id) *id = capture ? capture->id : 0;
    if (graph) *graph = capture ? capture->graph.get() : nullptr;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, t_mode);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  return api([&] {
    auto program = std::make_shared<CUgraphExec_st::Program>();
    for (const auto& node : graph->nodes) {
      program->work.push_back(node->work);
      program->nodes.push_back(node.get());
    }
    program->order = execution_order(*graph);
    *exec = new CUgraphExec_st{std::move(program)};
    return cudaSuccess;
  });
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
  return api([] { return cudaSuccess; });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return api([&] {
    ++mutable_counters().graph_launches;
    const auto run = [program = exec->program] {
      for (const size_t i : program->order) {
        if (program->work[i].run && fault() == cudaSuccess) program->work[i].run();
      }
    };
    const std::vector<Work>& work = exec->program->work;
    const bool crosses = std::any_of(work.begin(), work.end(), [](const Work& w) { return w.crosses; });
    return submit(stream, {WorkKind::kGraph, run, crosses, nullptr});
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api([&] {
    if (nodes) {
      for (size_t i = 0; i < *count; ++i) nodes[i] = i < graph->nodes.size() ? graph->nodes[i].get() : nullptr;
    }
    *count = graph->nodes.size();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return api([&] {
    switch (node->work.kind) {
      case WorkKind::kKernel:
      case WorkKind::kLibrary: *type = cudaGraphNodeTypeKernel; break;
      case WorkKind::kCopy: *type = cudaGraphNodeTypeMemcpy; break;
      case WorkKind::kFill: *type = cudaGraphNodeTypeMemset; break;
      case WorkKind::kHost: *type = cudaGraphNodeTypeHost; break;
      case WorkKind::kGraph: *type = cudaGraphNodeTypeGraph; break;
      case WorkKind::kEmpty: *type = cudaGraphNodeTypeEmpty; break;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return api([&] {
    delete exec;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api([&] {
    delete graph;
    return cudaSuccess;
  });
}

}  // extern "C"
