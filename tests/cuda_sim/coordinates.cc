// threadIdx, blockIdx, blockDim, gridDim. CUDA's header declares them `extern "C" const`; here they change, which is sound since a kernel
// is called through a pointer, once for each thread. This file therefore must not include that header, nor may it be optimised together
// with the kernels at link time.
#include <vector_types.h>

// A section of their own: accesses.cc takes every other writable variable that a kernel reads for shared memory.
#define CUDA_SIM_COORDINATE [[gnu::section("cuda_sim_coordinates"), gnu::used]]

extern "C" {
CUDA_SIM_COORDINATE uint3 threadIdx = {0, 0, 0};
CUDA_SIM_COORDINATE uint3 blockIdx = {0, 0, 0};
CUDA_SIM_COORDINATE dim3 blockDim = {1, 1, 1};
CUDA_SIM_COORDINATE dim3 gridDim = {1, 1, 1};
CUDA_SIM_COORDINATE int warpSize = 32;
}

namespace cuda_sim {

void set_thread_index(const uint3& index) { threadIdx = index; }
void set_block_index(const uint3& index) { blockIdx = index; }
void set_grid(const dim3& grid, const dim3& block) { gridDim = grid, blockDim = block; }

}  // namespace cuda_sim
