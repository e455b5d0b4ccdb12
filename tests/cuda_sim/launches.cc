// Launching kernels, and what can be asked about them.
#include "wick/tests/cuda_sim/launches.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>

#include "wick/tests/cuda_sim/fibers.h"
#include "wick/tests/cuda_sim/memory.h"
#include "wick/tests/cuda_sim/runtime.h"
#include "wick/tests/cuda_sim/streams.h"

namespace cuda_sim {
namespace {

constexpr int kDefaultDynamicShared = 48 << 10;  // more must be asked for: cudaFuncSetAttribute

struct Kernel {
  KernelEntry entry{};  // without a function while only its attributes were asked about
  int max_dynamic_shared = kDefaultDynamicShared;
};

std::unordered_map<const void*, Kernel>& kernels() {
  static auto* const map = new std::unordered_map<const void*, Kernel>;
  return *map;
}

cudaError_t find_kernel(const void* function, Kernel*& kernel) {
  kernel = &kernels()[function];
  if (kernel->entry.function) return cudaSuccess;
  return refuse(cudaErrorInvalidDeviceFunction, "the kernel was never given to cuda_sim::register_kernel()");
}

std::string text(const dim3& d) { return coordinates({d.x, d.y, d.z}); }

cudaError_t check_configuration(const Kernel& kernel, const dim3& grid, const dim3& block, size_t shared) {
  const auto threads = uint64_t{block.x} * block.y * block.z;
  if (threads == 0 || threads > kMaxThreads || block.z > 64) {
    return refuse(cudaErrorInvalidConfiguration, std::string("block ") + text(block) + " of kernel " + kernel.entry.name +
                                                     "; at most (1024,1024,64), 1024 threads in all");
  }
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535) {
    return refuse(cudaErrorInvalidConfiguration,
                  std::string("grid ") + text(grid) + " of kernel " + kernel.entry.name + "; at most (2147483647,65535,65535)");
  }
  if (shared > static_cast<size_t>(kernel.max_dynamic_shared)) {
    return refuse(cudaErrorInvalidValue, std::to_string(shared) + " bytes of dynamic shared memory for kernel " + kernel.entry.name +
                                             ", which may have " + std::to_string(kernel.max_dynamic_shared) +
                                             "; cudaFuncSetAttribute(MaxDynamicSharedMemorySize) allows up to " +
                                             std::to_string(kMaxDynamicShared));
  }
  return cudaSuccess;
}

cudaError_t launch(const void* function, const dim3& grid, const dim3& block, void** args, size_t shared, cudaStream_t stream) {
  return api([&]() -> cudaError_t {
    auto call = std::make_shared<KernelCall>();
    CUDA_SIM_TRY(make_kernel_call(function, grid, block, args, shared, *call));
    ++mutable_counters().launches;
    return submit(stream, {WorkKind::kKernel, [call] { run_kernel_call(*call); }, false, call});
  });
}

}  // namespace

void add_kernel(const KernelEntry& kernel) {
  std::lock_guard lock(runtime_lock());
  kernels()[kernel.function].entry = kernel;
}

cudaError_t make_kernel_call(const void* function, const dim3& grid, const dim3& block, void** args, size_t shared, KernelCall& call) {
  Kernel* kernel = nullptr;
  CUDA_SIM_TRY(find_kernel(function, kernel));
  CUDA_SIM_TRY(check_configuration(*kernel, grid, block, shared));
  const KernelEntry& entry = kernel->entry;
  constexpr size_t kUnit = sizeof(std::max_align_t);
  size_t units = 0;
  for (unsigned i = 0; i < entry.num_parameters; ++i) units += (entry.sizes[i] + kUnit - 1) / kUnit;
  call = {&entry, grid, block, shared, std::vector<std::max_align_t>(units), {}};
  std::max_align_t* place = call.storage.data();
  for (unsigned i = 0; i < entry.num_parameters; ++i) {
    std::memcpy(place, args[i], entry.sizes[i]);
    call.args.push_back(place);
    place += (entry.sizes[i] + kUnit - 1) / kUnit;
  }
  return cudaSuccess;
}

void run_kernel_call(const KernelCall& call) {
  OpenMemory open;
  run_kernel({call.kernel, call.grid, call.block, call.shared, const_cast<void**>(call.args.data())});
}

}  // namespace cuda_sim

using namespace cuda_sim;

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** args, size_t shared, cudaStream_t stream) {
  return launch(function, grid, block, args, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** args) {
  return launch(function, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, config->stream);
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return api([&]() -> cudaError_t {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || value > static_cast<int>(kMaxDynamicShared))
      return refuse(cudaErrorInvalidValue, "at most 232448 bytes of dynamic shared memory");
    kernels()[function].max_dynamic_shared = value;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api([&] {
    *attributes = {};
    attributes->maxThreadsPerBlock = kMaxThreads;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = kernels()[function].max_dynamic_shared;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return api([&]() -> cudaError_t {
    Kernel* kernel = nullptr;
    CUDA_SIM_TRY(find_kernel(function, kernel));
    *name = kernel->entry.name;
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int threads, size_t shared, unsigned) {
  return api([&]() -> cudaError_t {
    if (threads < 1 || threads > static_cast<int>(kMaxThreads)) return refuse(cudaErrorInvalidValue, "a block has 1 to 1024 threads");
    const int by_threads = 2048 / ((threads + 31) / 32 * 32);
    const int by_memory = shared == 0 ? 32 : static_cast<int>((size_t{228} << 10) / (shared + 1024));
    *blocks = std::min({32, by_threads, by_memory});
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

}  // extern "C"
