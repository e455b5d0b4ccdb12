// What the simulator's definitions of CUDA's functions have in common: one lock, the errors, the options.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <mutex>
#include <string>

#include "wick/tests/cuda_sim/control.h"
#include "wick/tests/cuda_sim/report.h"

namespace cuda_sim {

std::recursive_mutex& runtime_lock();
Counters& mutable_counters();

// Keeps an error for cudaGetLastError and passes it on.
cudaError_t remember(cudaError_t error);
// An error whose cudaGetErrorString() says more, until the thread's next.
cudaError_t refuse(cudaError_t error, std::string why);
// Signals of this host thread are handled on a stack of their own.
void prepare_host_thread();

// The body of a function that says what earlier work came to before it does anything.
template <class F>
cudaError_t api(F body) {
  std::lock_guard lock(runtime_lock());
  prepare_host_thread();
  const cudaError_t earlier = fault();
  return remember(earlier != cudaSuccess ? earlier : body());
}

// Keeps the host busy.
void spin_until(std::chrono::steady_clock::time_point end);
void spin_for(double microseconds);

}  // namespace cuda_sim

// For the body of api(): passes an error on.
#define CUDA_SIM_TRY(...)                                                               \
  do {                                                                                  \
    if (const cudaError_t error_ = (__VA_ARGS__); error_ != cudaSuccess) return error_; \
  } while (false)
