// Streams: queues of work for a device. The work of one stream is done in order; that of several may overlap.
//
//   cuda::Stream side = cuda::stream_from_pool();
//   {
//     cuda::StreamGuard guard(side);
//     side.wait_stream(before);       // what x needs
//     y = f(x);                       // enqueued on `side`
//   }
//   before.wait_stream(side);         // from here on y may be used again
//   x.record_stream(side);            // x was made on another stream: its memory must outlive the use
#pragma once

#include <source_location>

#include "wick/framework/core/device.h"

struct CUstream_st;
typedef CUstream_st* cudaStream_t;  // as in CUDA's headers, which may come before or after

namespace wick::cuda {

class Event;

// A handle; copies stand for the same stream. The streams themselves live as long as the process.
class Stream {
 public:
  Stream(int device, cudaStream_t handle) : device_(device), handle_(handle) {}

  cudaStream_t stream() const { return handle_; }
  operator cudaStream_t() const { return handle_; }
  Device device() const { return Device(kCUDA, static_cast<DeviceIndex>(device_)); }
  int device_index() const { return device_; }

  // Whether all that was enqueued is done.
  bool query() const;
  // Waits until it is.
  void synchronize(std::source_location where = std::source_location::current()) const;
  // What is enqueued on this stream from now on starts after what the other, or the event, has to do now. The host does not wait.
  void wait_stream(const Stream& other) const;
  void wait_event(const Event& event) const;

  friend bool operator==(const Stream& a, const Stream& b) { return a.device_ == b.device_ && a.handle_ == b.handle_; }

 private:
  int device_;
  cudaStream_t handle_;
};

// The stream on which this thread's work for a device, by default the current one, is enqueued: the default stream at first.
Stream current_stream(int device = -1);
Stream default_stream(int device = -1);
// One of 32 streams that are handed out in turn.
Stream stream_from_pool(bool high_priority = false, int device = -1);
// For this thread and the stream's device.
void set_current_stream(const Stream& stream);

// Makes a stream, and its device, the current one of this thread for as long as it lives.
class StreamGuard {
 public:
  explicit StreamGuard(const Stream& stream);
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

 private:
  int device_before_;
  Stream before_;
};

}  // namespace wick::cuda
