// Errors, options, and the host threads that call in.
#include "wick/tests/cuda_sim/runtime.h"

#include <cstdlib>
#include <utility>

#include "wick/tests/cuda_sim/streams.h"

namespace cuda_sim {
namespace {

thread_local cudaError_t t_last_error = cudaSuccess;
// What more there is to say about the thread's latest refusal.
thread_local cudaError_t t_refused = cudaSuccess;
thread_local std::string t_refusal;

struct ErrorName {
  cudaError_t error;
  const char *name, *text;
};
#define CUDA_SIM_ERROR(NAME, TEXT) \
  { NAME, #NAME, TEXT }
constexpr ErrorName kErrors[] = {
    CUDA_SIM_ERROR(cudaSuccess, "no error"),
    CUDA_SIM_ERROR(cudaErrorInvalidValue, "invalid argument"),
    CUDA_SIM_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    CUDA_SIM_ERROR(cudaErrorInitializationError, "initialization error"),
    CUDA_SIM_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    CUDA_SIM_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    CUDA_SIM_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    CUDA_SIM_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    CUDA_SIM_ERROR(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    CUDA_SIM_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    CUDA_SIM_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    CUDA_SIM_ERROR(cudaErrorNotReady, "device not ready"),
    CUDA_SIM_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    CUDA_SIM_ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    CUDA_SIM_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    CUDA_SIM_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    CUDA_SIM_ERROR(cudaErrorNotSupported, "operation not supported"),
    CUDA_SIM_ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    CUDA_SIM_ERROR(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    CUDA_SIM_ERROR(cudaErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    CUDA_SIM_ERROR(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    CUDA_SIM_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    CUDA_SIM_ERROR(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    CUDA_SIM_ERROR(cudaErrorStreamCaptureImplicit, "operation would make the legacy stream depend on a capturing blocking stream"),
    CUDA_SIM_ERROR(cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    CUDA_SIM_ERROR(cudaErrorStreamCaptureWrongThread, "attempt to terminate a thread-local capture sequence from another thread"),
};
#undef CUDA_SIM_ERROR

const ErrorName& name_of(cudaError_t error) {
  static constexpr ErrorName kUnknown{cudaErrorUnknown, "cudaErrorUnknown", "unknown error"};
  for (const ErrorName& entry : kErrors) {
    if (entry.error == error) return entry;
  }
  return kUnknown;
}

double number_from_environment(const char* name, double otherwise) {
  const char* const text = std::getenv(name);
  return text && *text ? std::atof(text) : otherwise;
}

Options options_from_environment() {
  Options options;
  options.deferred = number_from_environment("WICK_SIM_DEFERRED", 0) != 0;
  options.global_races = number_from_environment("WICK_SIM_GLOBAL_RACES", 1) != 0;
  options.launch_us = number_from_environment("WICK_SIM_LAUNCH_US", 0);
  options.copy_us = number_from_environment("WICK_SIM_COPY_US", 0);
  options.memory_bytes = static_cast<size_t>(number_from_environment("WICK_SIM_MEMORY_MB", 8192) * (1 << 20));
  return options;
}

}  // namespace

std::recursive_mutex& runtime_lock() {
  static auto* const lock = new std::recursive_mutex;
  return *lock;
}

Options& options() {
  static Options instance = options_from_environment();
  return instance;
}

Counters& mutable_counters() {
  static Counters instance;
  return instance;
}
Counters counters() {
  std::lock_guard lock(runtime_lock());
  return mutable_counters();
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) t_last_error = error;
  return error;
}

cudaError_t refuse(cudaError_t error, std::string why) {
  t_refused = error;
  t_refusal = std::move(why);
  return error;
}

std::string take_fault() {
  std::lock_guard lock(runtime_lock());
  finish_all_work();
  std::string text = fault_text();
  clear_fault();
  t_last_error = cudaSuccess;
  return text;
}

void spin_until(Time end) {
  while (std::chrono::steady_clock::now() < end) {}
}
void spin_for(double microseconds) {
  if (microseconds <= 0) return;
  spin_until(std::chrono::steady_clock::now() + std::chrono::nanoseconds(static_cast<int64_t>(microseconds * 1000)));
}

}  // namespace cuda_sim

using namespace cuda_sim;

extern "C" {

cudaError_t cudaPeekAtLastError() {
  std::lock_guard lock(runtime_lock());
  return fault() != cudaSuccess ? fault() : t_last_error;
}
cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  t_last_error = cudaSuccess;
  return error;
}

const char* cudaGetErrorName(cudaError_t error) { return name_of(error).name; }

// CUDA's sentence, and what the simulator knows beyond it.
const char* cudaGetErrorString(cudaError_t error) {
  thread_local std::string text;
  std::lock_guard lock(runtime_lock());
  text = name_of(error).text;
  if (error == fault() && error != cudaSuccess) {
    text += ": " + fault_text();
  } else if (error == t_refused && error != cudaSuccess) {
    text += ": " + t_refusal;
  }
  return text.c_str();
}

}  // extern "C"
