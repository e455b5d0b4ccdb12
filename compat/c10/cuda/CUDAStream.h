// Streams under LibTorch's names.
#pragma once

#include <c10/cuda/CUDAFunctions.h>

namespace c10::cuda {

using CUDAStream = wick::cuda::Stream;

inline CUDAStream getStreamFromPool(const bool isHighPriority = false, DeviceIndex device = -1) {
  return wick::cuda::stream_from_pool(isHighPriority, device);
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex device_index = -1) { return wick::cuda::default_stream(device_index); }
inline CUDAStream getCurrentCUDAStream(DeviceIndex device_index = -1) { return wick::cuda::current_stream(device_index); }
inline void setCurrentCUDAStream(CUDAStream stream) { wick::cuda::set_current_stream(stream); }

}  // namespace c10::cuda

namespace at::cuda {
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::getDefaultCUDAStream;
using c10::cuda::getStreamFromPool;
using c10::cuda::setCurrentCUDAStream;
}  // namespace at::cuda
