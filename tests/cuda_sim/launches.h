// A kernel with the arguments of one launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "wick/tests/cuda_sim/hooks.h"

namespace cuda_sim {

struct KernelCall {
  const KernelEntry* kernel;
  dim3 grid, block;
  size_t shared;
  std::vector<std::max_align_t> storage;  // the arguments' copies
  std::vector<void*> args;                // into it
};

// Copies the arguments. Refuses what a device of this kind would.
cudaError_t make_kernel_call(const void* function, const dim3& grid, const dim3& block, void** args, size_t shared, KernelCall& call);
void run_kernel_call(const KernelCall& call);

}  // namespace cuda_sim
