// Linear algebra on the host: the matrices come over, Eigen does the work, the results go back. The host waits for the device meanwhile.
#include "wick/framework/plan/linalg.h"

#include <iterator>
#include <vector>

#include "wick/framework/core/isa.h"
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/runtime/graph.h"
#include "wick/framework/cuda/runtime/wait.h"
#include "wick/framework/cuda/stream.h"

namespace wick::cuda {
namespace {

// From the buffer to the end of its storage: what it has at most.
size_t extent(const Buffer& buffer) {
  const StorageImpl& storage = *buffer.storage;
  return storage.nbytes - static_cast<size_t>(static_cast<char*>(buffer.data) - static_cast<char*>(storage.data));
}

void run_on_host(const KernelInfo& kernel, const void* raw_args) {
  WICK_CHECK(!is_capturing(), kernel.name, " cannot be captured on CUDA: it is computed on the host, which has to wait for the device.");
  const auto& args = *static_cast<const LinalgArgs*>(raw_args);
  const cudaStream_t stream = current_stream();
  constexpr size_t kBuffers = std::size(LinalgArgs::access);
  std::vector<char> memory[kBuffers];
  LinalgArgs on_host = args;
  for (size_t i = 0; i < kBuffers; ++i) {
    if (!args.buffers[i].data) continue;
    memory[i].resize(extent(args.buffers[i]));
    on_host.buffers[i].data = memory[i].data();
    if (LinalgArgs::access[i] != Access::kRead) continue;
    check(cudaMemcpyAsync(memory[i].data(), args.buffers[i].data, memory[i].size(), cudaMemcpyDeviceToHost, stream), kernel.name);
  }
  wait_for_device(kernel.name, std::source_location(), [stream] { return cudaStreamSynchronize(stream); });
  kernel.cpu[static_cast<int>(isa())](kernel, &on_host);
  for (size_t i = 0; i < kBuffers; ++i) {
    if (!args.buffers[i].data || LinalgArgs::access[i] == Access::kRead) continue;
    // Pageable memory is copied into CUDA's own before this returns.
    check(cudaMemcpyAsync(args.buffers[i].data, memory[i].data(), memory[i].size(), cudaMemcpyHostToDevice, stream), kernel.name);
  }
}

}  // namespace

void install_linalg() {
#define WICK_INSTALL(name) linalg_##name##_kernel.cuda = run_on_host;
  WICK_LINALG_KERNELS(WICK_INSTALL)
#undef WICK_INSTALL
}

}  // namespace wick::cuda
