#include "wick/framework/cuda/event.h"

#include <cuda_runtime_api.h>

#include <chrono>

#include "wick/framework/cuda.h"
#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/runtime/wait.h"

namespace wick::cuda {

void Event::reset() noexcept {
  if (handle_) static_cast<void>(cudaEventDestroy(handle_));
  handle_ = nullptr;
}

void Event::record() {
  if (is_available()) return record(current_stream());
  recorded_ = true;
  host_ns_ = std::chrono::steady_clock::now().time_since_epoch().count();
}

void Event::record(const Stream& stream) {
  const DeviceGuard guard(stream.device_index());
  if (handle_ && device_ != stream.device_index()) reset();
  if (!handle_) check(cudaEventCreateWithFlags(&handle_, timing_ ? cudaEventDefault : cudaEventDisableTiming), "Event");
  check(cudaEventRecord(handle_, stream), "Event::record");
  device_ = stream.device_index();
  recorded_ = true;
}

bool Event::query() const {
  if (!handle_) return true;
  const cudaError_t error = cudaEventQuery(handle_);
  if (error == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  check(error, "Event::query");
  return true;
}

void Event::synchronize(std::source_location where) const {
  if (handle_) wait_for_device("Event::synchronize", where, [&] { return cudaEventSynchronize(handle_); });
}

void Event::wait(const Stream& stream) const {
  if (!handle_) return;
  const DeviceGuard guard(stream.device_index());
  check(cudaStreamWaitEvent(stream, handle_, 0), "Event::wait");
}

double Event::elapsed_time(const Event& end) const {
  WICK_CHECK(timing_ && end.timing_, "Both events must be created with argument 'enable_timing=True'.");
  WICK_CHECK(recorded_ && end.recorded_, "Both events must be recorded before calculating elapsed time.");
  if (!handle_) return static_cast<double>(end.host_ns_ - host_ns_) * 1e-6;
  WICK_CHECK(query() && end.query(), "Both events must be completed before calculating elapsed time.");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, handle_, end.handle_), "Event::elapsed_time");
  return milliseconds;
}

}  // namespace wick::cuda
