#include "wick/framework/cuda/runtime/graph.h"

#include <cuda_runtime_api.h>

#include "wick/framework/cuda.h"
#include "wick/framework/cuda/runtime/allocator.h"
#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/runtime/generator.h"

namespace wick::cuda {
namespace {

constinit thread_local bool t_capturing = false;

class CapturedGraph final : public DeviceGraph {
 public:
  explicit CapturedGraph(int device) : device_(device) {}
  ~CapturedGraph() override {
    if (exec_) static_cast<void>(cudaGraphExecDestroy(exec_));
  }

  void capture(const std::function<void()>& issue) {
    const DeviceGuard device(device_);
    // The default stream cannot be captured.
    const StreamGuard stream(stream_from_pool());
    const MemoryPool::Scope pool(pool_);
    const GraphGenerator::Scope random(generator_);
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(current_stream(), cudaStreamCaptureModeRelaxed), "graph capture");
    try {
      t_capturing = true;
      issue();
      t_capturing = false;
    } catch (...) {
      t_capturing = false;
      static_cast<void>(cudaStreamEndCapture(current_stream(), &graph));
      if (graph) static_cast<void>(cudaGraphDestroy(graph));
      static_cast<void>(cudaGetLastError());
      throw;
    }
    check(cudaStreamEndCapture(current_stream(), &graph), "graph capture");
    const cudaError_t error = cudaGraphInstantiate(&exec_, graph, 0);
    static_cast<void>(cudaGraphDestroy(graph));
    check(error, "graph instantiation");
  }

  void launch() override {
    const DeviceGuard device(device_);
    const cudaStream_t stream = current_stream();
    generator_.refresh(stream);
    check(cudaGraphLaunch(exec_, stream), "graph");
    note_launch("graph", stream);
  }

 private:
  int device_;
  MemoryPool pool_;
  GraphGenerator generator_;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace

bool is_capturing() { return t_capturing; }

std::unique_ptr<DeviceGraph> capture_graph(Device device, const std::function<void()>& issue) {
  auto graph = std::make_unique<CapturedGraph>(device.index());
  graph->capture(issue);
  return graph;
}

}  // namespace wick::cuda
