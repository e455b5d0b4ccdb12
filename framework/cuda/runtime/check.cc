#include "wick/framework/cuda/runtime/check.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "wick/framework/core/error.h"
#include "wick/framework/cuda/runtime/graph.h"
#include "wick/framework/cuda/runtime/wait.h"

namespace wick::cuda {

int64_t launches() { return static_cast<int64_t>(detail::launch_log.count.load(std::memory_order_relaxed)); }

namespace detail {

constinit LaunchLog launch_log;

namespace {

std::string recent_launches() {
  const uint64_t count = launch_log.count.load(std::memory_order_relaxed);
  std::string text;
  for (uint64_t i = 1; i <= std::min(count, LaunchLog::kRecent); ++i) {
    const char* name = launch_log.recent[(count - i) % LaunchLog::kRecent].load(std::memory_order_relaxed);
    text += (i == 1 ? "" : ", ") + std::string(name);
  }
  return text;
}

}  // namespace

void raise_cuda_error(cudaError_t error, const char* what) {
  const std::string sentence = cudaGetErrorString(error);
  static_cast<void>(cudaGetLastError());  // an error that does not stick is dealt with
  if (error == cudaErrorMemoryAllocation) wick::detail::raise<OutOfMemoryError>("CUDA out of memory.\n  In ", what, ": ", sentence);
  wick::detail::raise<Error>(
      "CUDA error: ", sentence,
      "\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect."
      "\n  Seen in ", what, ". Launched before it, the latest first: ", recent_launches(),
      ".\n  WICK_CUDA_LAUNCH_BLOCKING=1 in the environment makes it surface at the launch that caused it.");
}

bool launch_blocking() {
  static const bool on = [] {
    const char* value = std::getenv("WICK_CUDA_LAUNCH_BLOCKING");
    return value && *value != '\0' && std::strcmp(value, "0") != 0;
  }();
  return on;
}

void wait_for_launch(cudaStream_t stream, const char* what) {
  if (is_capturing()) return;
  wait_for_device(what, {}, [&] { return cudaStreamSynchronize(stream); });
}

}  // namespace detail
}  // namespace wick::cuda
