// Starting kernels in the simulator's own tests: LAUNCH(kernel, Shape{grid, block}, args...).
#pragma once

#include "wick/tests/cuda_sim/cuda_sim.h"
#include "wick/tests/cuda_sim/test_memory.h"

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

}  // namespace cuda_sim
