#include "wick/framework/cuda/stream.h"

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <mutex>

#include "wick/framework/cuda.h"
#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/runtime/wait.h"

namespace wick::cuda {
namespace {

constexpr int kMaxDevices = 16;
constexpr int kStreamsPerPool = 32;

constinit thread_local cudaStream_t t_current[kMaxDevices] = {};

struct StreamPool {
  std::once_flag made;
  std::array<cudaStream_t, kStreamsPerPool> streams;
  std::atomic<unsigned> next{0};
};
constinit StreamPool pools[kMaxDevices][2];

int index_or_current(int device) { return device < 0 ? current_device() : device; }

}  // namespace

bool Stream::query() const {
  const DeviceGuard guard(device_);
  const cudaError_t error = cudaStreamQuery(handle_);
  if (error == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  check(error, "Stream::query");
  return true;
}

void Stream::synchronize(std::source_location where) const {
  const DeviceGuard guard(device_);
  wait_for_device("Stream::synchronize", where, [&] { return cudaStreamSynchronize(handle_); });
}

void Stream::wait_stream(const Stream& other) const {
  if (*this == other) return;
  Event event;
  event.record(other);
  event.wait(*this);
}

void Stream::wait_event(const Event& event) const { event.wait(*this); }

Stream current_stream(int device) {
  const int index = index_or_current(device);
  return Stream(index, t_current[index]);
}

Stream default_stream(int device) { return Stream(index_or_current(device), nullptr); }

Stream stream_from_pool(bool high_priority, int device) {
  WICK_CHECK(is_available(), "No CUDA GPUs are available");
  const int index = index_or_current(device);
  StreamPool& pool = pools[index][high_priority];
  const DeviceGuard guard(index);
  std::call_once(pool.made, [&] {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "stream_from_pool");
    for (cudaStream_t& stream : pool.streams) {
      check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, high_priority ? greatest : least), "stream_from_pool");
    }
  });
  return Stream(index, pool.streams[pool.next.fetch_add(1) % kStreamsPerPool]);
}

void set_current_stream(const Stream& stream) { t_current[stream.device_index()] = stream.stream(); }

StreamGuard::StreamGuard(const Stream& stream) : device_before_(current_device()), before_(current_stream(stream.device_index())) {
  if (stream.device_index() != device_before_) set_device(stream.device_index());
  set_current_stream(stream);
}

StreamGuard::~StreamGuard() {
  set_current_stream(before_);
  if (current_device() != device_before_) set_device(device_before_);
}

}  // namespace wick::cuda
