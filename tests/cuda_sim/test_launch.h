// Starting kernels in the simulator's own tests: LAUNCH(kernel, Shape{grid, block}, args...).
#pragma once

#include <vector>

#include "wick/tests/cuda_sim/cuda_sim.h"

namespace cuda_sim {

struct Shape {
  unsigned blocks = 1, threads = 1;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
};

template <class... P, class... A>
void launch_named(const char* name, void (*kernel)(P...), const Shape& shape, A... args) {
  register_kernel(name, kernel);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks);
  config.blockDim = dim3(shape.threads);
  config.dynamicSmemBytes = shape.shared;
  config.stream = shape.stream;
  cudaLaunchKernelEx(&config, kernel, args...);
}
#define LAUNCH(kernel, ...) cuda_sim::launch_named(#kernel, &kernel, __VA_ARGS__)

// Device memory for the length of a test.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t n) : size_(n) { cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T)); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;

  operator T*() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> copy(size_);
    cudaMemcpy(copy.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return copy;
  }

 private:
  T* data_ = nullptr;
  size_t size_;
};

}  // namespace cuda_sim
