// Guards: another device, or another stream, for as long as one lives.
#pragma once

#include <optional>

#include <c10/cuda/CUDAStream.h>

namespace c10::cuda {

// Makes a device the current one until it goes.
class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex device) : original_(current_device()), guard_(device) {}
  explicit CUDAGuard(wick::Device device) : original_(current_device()), guard_(device) {}

  void set_device(wick::Device device) { c10::cuda::set_device(device.index()); }
  void set_index(DeviceIndex device) { c10::cuda::set_device(device); }
  wick::Device original_device() const { return wick::Device(wick::kCUDA, original_); }

 private:
  DeviceIndex original_;
  wick::cuda::DeviceGuard guard_;
};

class OptionalCUDAGuard {
 public:
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<wick::Device> device) {
    if (device) guard_.emplace(*device);
  }
  void set_device(wick::Device device) {
    if (guard_) guard_->set_device(device);
    else guard_.emplace(device);
  }
  void reset() { guard_.reset(); }

 private:
  std::optional<CUDAGuard> guard_;
};

// Makes a stream, and its device, the current one until it goes.
class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(const CUDAStream& stream) : original_(getCurrentCUDAStream()), current_(stream), guard_(stream) {}

  CUDAStream original_stream() const { return original_; }
  CUDAStream current_stream() const { return current_; }

 private:
  CUDAStream original_, current_;
  wick::cuda::StreamGuard guard_;
};

}  // namespace c10::cuda

namespace at::cuda {
using c10::cuda::CUDAGuard;
using c10::cuda::CUDAStreamGuard;
using c10::cuda::OptionalCUDAGuard;
}  // namespace at::cuda
