// Graphs: work with dependencies instead of an order, captured from streams.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "wick/tests/cuda_sim/streams.h"

namespace cuda_sim {

// A capture under way. Its nodes are those of the graph that it will become.
struct Capture {
  std::unique_ptr<CUgraph_st> graph;
  std::shared_ptr<Queue> origin;  // the stream captured first
  cudaStreamCaptureMode mode;
  std::thread::id thread;
  unsigned long long id;
  std::string lost;  // why it can no longer become a graph
};

// Adds the work to the capture, after the queue's tails, and makes it the queue's tail.
cudaError_t add_to_capture(Queue& queue, Work work);
// The stream waits for what `tails` of the capture stand for: it becomes part of the capture.
cudaError_t join_capture(Queue& queue, const std::shared_ptr<Capture>& capture, const std::vector<size_t>& tails);
// Refuses what cannot be captured, and with it the capture.
cudaError_t lose_capture(Capture& capture, cudaError_t error, const std::string& why);

// No stream is captured into it any more.
void abandon_capture(const std::shared_ptr<Capture>& capture);

// Refuses what must not happen while this thread captures, or any thread in global mode: memory, synchronous copies, waits.
cudaError_t forbid_in_capture(const std::string& what);
// Refuses work on stream 0 while a stream that waits for it is captured.
cudaError_t forbid_implicit_wait(const Queue& queue);

}  // namespace cuda_sim

struct CUgraphNode_st {
  cuda_sim::Work work;
  std::vector<size_t> after;  // numbers of nodes of the same graph, all smaller than its own
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

struct CUgraphExec_st {
  struct Program;
  std::shared_ptr<Program> program;  // shared with launches under way
};
