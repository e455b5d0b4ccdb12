// The one function in which the host waits for a device.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/runtime/device_error.h"
#include "wick/framework/cuda/sync.h"

namespace wick::cuda {

// Calls `blocking`, which waits, on the account of `op` called at `where`; throws what it returns, and what kernels have reported.
template <class F>
void wait_for_device(const char* op, const std::source_location& where, F blocking) {
  cudaError_t error;
  {
    Wait wait(op, where);
    error = blocking();
  }
  check(error, op);
  check_device_error();
}

}  // namespace wick::cuda
