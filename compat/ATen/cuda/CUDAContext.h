// What at::cuda says of the GPUs of a machine.
#pragma once

#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAStream.h>

namespace at::cuda {

inline bool is_available() { return wick::cuda::is_available(); }
inline int64_t getNumGPUs() { return wick::cuda::device_count(); }
inline wick::cuda::DeviceProperties getDeviceProperties(int64_t device) {
  return wick::cuda::get_device_properties(static_cast<int>(device));
}

}  // namespace at::cuda
