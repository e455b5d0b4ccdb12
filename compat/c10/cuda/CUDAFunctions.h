// The number of GPUs and the current one, under LibTorch's names.
#pragma once

#include "wick/framework/cuda.h"

namespace c10::cuda {

using DeviceIndex = wick::DeviceIndex;

inline DeviceIndex device_count() { return static_cast<DeviceIndex>(wick::cuda::device_count()); }
inline DeviceIndex current_device() { return static_cast<DeviceIndex>(wick::cuda::current_device()); }
inline void set_device(DeviceIndex device) { wick::cuda::set_device(device); }
inline void device_synchronize(std::source_location where = std::source_location::current()) { wick::cuda::synchronize(-1, where); }

}  // namespace c10::cuda
