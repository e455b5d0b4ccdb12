// Capture and replay.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "wick/tests/cuda_sim/control.h"
#include "wick/tests/cuda_sim/test_kernels.h"
#include "wick/tests/cuda_sim/test_memory.h"

namespace cuda_sim {
namespace {

using Floats = std::vector<float>;

class Graph {
 public:
  ~Graph() {
    if (exec_) cudaGraphExecDestroy(exec_);
    if (graph_) cudaGraphDestroy(graph_);
  }
  cudaError_t capture(cudaStream_t stream, const std::function<void()>& work) {
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    work();
    const cudaError_t error = cudaStreamEndCapture(stream, &graph_);
    if (error == cudaSuccess) {
      EXPECT_EQ(cudaGraphInstantiate(&exec_, graph_, 0), cudaSuccess);
    }
    cudaGetLastError();
    return error;
  }
  void launch(cudaStream_t stream) { EXPECT_EQ(cudaGraphLaunch(exec_, stream), cudaSuccess); }
  size_t size() const {
    size_t count = 0;
    cudaGraphGetNodes(graph_, nullptr, &count);
    return count;
  }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

// z = 2 x + 3 x over two streams, captured once and replayed with other inputs. `joined`: with the event that says so.
Floats replayed(bool joined) {
  const TestStream first, second;
  const TestEvent begun, done;
  const DeviceArray<float> x(Floats{1, 2}), y(Floats{0, 0}), z(Floats{0, 0}), w(Floats{0, 0});
  Graph graph;
  const cudaError_t error = graph.capture(first, [&] {
    start_scale(x, y, 2, 2, first);
    cudaEventRecord(begun, first);
    cudaStreamWaitEvent(second, begun, 0);
    start_scale(x, z, 3, 2, second);
    cudaEventRecord(done, second);
    if (joined) cudaStreamWaitEvent(first, done, 0);
    start_sum(y, z, w, 2, first);
    if (!joined) cudaStreamWaitEvent(first, done, 0);  // too late for the sum
  });
  EXPECT_EQ(error, cudaSuccess);
  EXPECT_EQ(graph.size(), 3u);
  EXPECT_EQ(w.values(), (Floats{0, 0}));  // nothing ran while it was captured
  const Floats inputs{10, 20};
  cudaMemcpy(x, inputs.data(), 8, cudaMemcpyHostToDevice);
  graph.launch(first);
  cudaStreamSynchronize(first);
  return w.values();
}

TEST(Graph, ReplaysWithOtherInputsInBothOrders) {
  EXPECT_EQ(replayed(true), (Floats{50, 100}));
  EXPECT_EQ(replayed(false), (Floats{50, 100}));  // by luck
  Options other = options();
  other.deferred = true;
  const OptionsGuard guard(other);
  EXPECT_EQ(replayed(true), (Floats{50, 100}));
  EXPECT_NE(replayed(false), (Floats{50, 100}));
}

TEST(Graph, OutlivesItsSourceWhileALaunchIsUnderWay) {
  Options other = options();
  other.deferred = true;
  const OptionsGuard guard(other);
  const TestStream stream;
  const DeviceArray<float> x(Floats{1});
  {
    Graph graph;
    graph.capture(stream, [&] { start_add(x, 1, 1, stream); });
    graph.launch(stream);
    graph.launch(stream);
  }
  cudaStreamSynchronize(stream);
  EXPECT_EQ(x.values()[0], 3.0f);
}

TEST(Graph, RefusesWhatCannotBeCaptured) {
  const TestStream stream, other;
  const TestEvent event;
  const DeviceArray<float> x(Floats{1});
  const PinnedArray<float> pinned(1);
  float pageable = 0;
  void* p = nullptr;
  const std::pair<cudaError_t, std::function<cudaError_t()>> calls[] = {
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaMalloc(&p, 4); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaStreamSynchronize(stream); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaStreamSynchronize(other); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaDeviceSynchronize(); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaMemcpy(&pageable, x, 4, cudaMemcpyDeviceToHost); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaMemcpyAsync(&pageable, x, 4, cudaMemcpyDeviceToHost, stream); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaStreamQuery(stream); }},
      {cudaErrorCapturedEvent, [&] { return cudaEventRecord(event, stream), cudaEventQuery(event); }},
      {cudaErrorCapturedEvent, [&] { return cudaEventRecord(event, stream), cudaEventSynchronize(event); }},
  };
  for (const auto& [error, call] : calls) {
    Graph graph;
    EXPECT_EQ(graph.capture(stream, [&] { EXPECT_EQ(call(), error) << cudaGetErrorString(error); }), cudaErrorStreamCaptureInvalidated);
  }
  // The stream is as before.
  start_add(x, 1, 1, stream);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(x.values()[0], 2.0f);
  Graph graph;
  EXPECT_EQ(graph.capture(stream, [&] { cudaMemcpyAsync(pinned, x, 4, cudaMemcpyDeviceToHost, stream); }), cudaSuccess);
  graph.launch(stream);
  cudaStreamSynchronize(stream);
  EXPECT_EQ(pinned[0], 2.0f);
}

TEST(Graph, StreamsMustBeJoined) {
  const TestStream first, second;
  const TestEvent begun;
  const DeviceArray<float> x(Floats{1});
  Graph graph;
  const cudaError_t error = graph.capture(first, [&] {
    cudaEventRecord(begun, first);
    cudaStreamWaitEvent(second, begun, 0);
    start_add(x, 1, 1, second);
  });
  EXPECT_EQ(error, cudaErrorStreamCaptureUnjoined);
}

TEST(Graph, CaptureIsForItsThreadUnlessTheModeSaysOtherwise) {
  const TestStream stream, blocking(cudaStreamDefault);
  cudaStreamCaptureStatus status{};
  void* p = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_EQ(cudaMalloc(&p, 4), cudaSuccess);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  cudaGraphDestroy(graph);
  cudaFree(p);
  cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMemsetAsync(p, 0, 0, nullptr), cudaSuccess);
  const DeviceArray<float> x(1);
  start_fill(x, 1, 1, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(cudaStreamEndCapture(blocking, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
}

}  // namespace
}  // namespace cuda_sim
