// What every call into the CUDA runtime is wrapped in, and the record of recent launches that its errors quote.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>

#include "wick/framework/core/macros.h"

namespace wick::cuda {

namespace detail {

// A kernel fails long after its launch, at a call that has nothing to do with it: the names of the latest launches narrow it down.
struct LaunchLog {
  static constexpr uint64_t kRecent = 8;

  std::atomic<uint64_t> count{0};
  std::atomic<const char*> recent[kRecent] = {};
};
extern constinit LaunchLog launch_log;

[[noreturn]] WICK_COLD void raise_cuda_error(cudaError_t error, const char* what);
bool launch_blocking();  // WICK_CUDA_LAUNCH_BLOCKING=1
void wait_for_launch(cudaStream_t stream, const char* what);

}  // namespace detail

// Throws wick::Error (OutOfMemoryError for want of memory) where a call into CUDA failed. `what` names the operation or the kernel. The
// error may stem from a kernel that was launched earlier; the message names the latest ones.
WICK_INLINE void check(cudaError_t error, const char* what) {
  if (WICK_UNLIKELY(error != cudaSuccess)) detail::raise_cuda_error(error, what);
}

// To be called for whatever starts work on the device: launch() does, a call into a library must. `what` is a literal, or lives as long.
// With WICK_CUDA_LAUNCH_BLOCKING=1 in the environment it waits for the work, so that an error surfaces at the call that caused it.
inline void note_launch(const char* what, cudaStream_t stream) {
  detail::LaunchLog& log = detail::launch_log;
  log.recent[log.count.fetch_add(1, std::memory_order_relaxed) % detail::LaunchLog::kRecent].store(what, std::memory_order_relaxed);
  if (WICK_UNLIKELY(detail::launch_blocking())) detail::wait_for_launch(stream, what);
}

}  // namespace wick::cuda
