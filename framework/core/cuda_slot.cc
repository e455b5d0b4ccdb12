#include "wick/framework/core/cuda_slot.h"

#include "wick/framework/core/error.h"

namespace wick {

// Defined by the backend, where it is linked.
[[gnu::weak]] const CudaSlot* install_cuda();

const CudaSlot* cuda_slot() {
  static const CudaSlot* const slot = install_cuda ? install_cuda() : nullptr;
  return slot;
}

Device resolve_device(Device device) {
  if (WICK_LIKELY(device.is_cpu())) return Device(kCPU);
  if (!device.is_cuda()) return device;
  const CudaSlot* cuda = cuda_slot();
  WICK_CHECK(cuda,
             "PyTorch is not linked with support for cuda devices\n  This build of wick has no CUDA backend: build it with --config=cuda.");
  const int count = cuda->device_count();
  WICK_CHECK(count > 0, "No CUDA GPUs are available");
  const int index = device.has_index() ? device.index() : cuda->current_device();
  WICK_CHECK(index < count, "CUDA error: invalid device ordinal\n  ", device, ": this machine has ", count, " CUDA devices.");
  return Device(kCUDA, static_cast<DeviceIndex>(index));
}

}  // namespace wick
