// Plugging the backend in.
#include <cuda_runtime_api.h>

#include "wick/framework/core/cuda_slot.h"
#include "wick/framework/cuda.h"
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/fused.h"
#include "wick/framework/cuda/libraries/epilogue.h"
#include "wick/framework/cuda/runtime/allocator.h"
#include "wick/framework/cuda/runtime/copy.h"
#include "wick/framework/cuda/runtime/generator.h"
#include "wick/framework/cuda/runtime/graph.h"
#include "wick/framework/cuda/runtime/pinned.h"

namespace wick {
namespace {

int count_devices() {
  static const int count = [] {
    int n = 0;  // an error leaves it as it is
    if (cudaGetDeviceCount(&n) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      return 0;
    }
    return n;
  }();
  return count;
}

constexpr CudaSlot kSlot = {
    .device_count = count_devices,
    .current_device = cuda::current_device,
    .set_device = cuda::set_device,
    .allocate = [](size_t nbytes, Device device) {
      return device.is_cpu() ? cuda::allocate_pinned_storage(nbytes) : cuda::allocate_device_storage(nbytes, device);
    },
    .copy = cuda::copy_bytes,
    .seed = cuda::seed_generators,
    .capture = cuda::capture_graph,
    .epilogue_of = cuda::epilogue_of,
    .is_fused = cuda::is_fused,
};

}  // namespace

// Called by cuda_slot(), once, where the linker finds it.
const CudaSlot* install_cuda();
const CudaSlot* install_cuda() {
  cuda::install();
  return &kSlot;
}

}  // namespace wick
