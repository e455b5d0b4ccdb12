// Events: marks in a stream that another stream or the host can wait for, and whose distance in time can be asked for.
//
//   cuda::Event start(true), end(true);
//   start.record();
//   f();
//   end.record();
//   end.synchronize();
//   double ms = start.elapsed_time(end);
//
// Without a CUDA device work is done when its call returns, and an event is a look at the clock: the same program times it.
#pragma once

#include <cstdint>
#include <source_location>
#include <utility>

#include "wick/framework/cuda/stream.h"

struct CUevent_st;

namespace wick::cuda {

class Event {
 public:
  // Only an event with timing has a time.
  explicit Event(bool enable_timing = false) : timing_(enable_timing) {}
  ~Event() { reset(); }
  Event(Event&& other) noexcept { swap(other); }
  Event& operator=(Event&& other) noexcept { return swap(other), *this; }

  // Marks the current stream, or another one, where it is now. A second time moves the mark.
  void record();
  void record(const Stream& stream);
  // Whether what stood before the mark is done; true for an event that was not recorded.
  bool query() const;
  // Waits until it is.
  void synchronize(std::source_location where = std::source_location::current()) const;
  // Lets a stream wait; the host does not.
  void wait(const Stream& stream) const;
  // Milliseconds from this mark to the other, both of which must have been reached.
  double elapsed_time(const Event& end) const;

  bool recorded() const { return recorded_; }
  CUevent_st* event() const { return handle_; }

 private:
  void swap(Event& other) {
    std::swap(handle_, other.handle_);
    std::swap(device_, other.device_);
    std::swap(timing_, other.timing_);
    std::swap(recorded_, other.recorded_);
    std::swap(host_ns_, other.host_ns_);
  }
  void reset() noexcept;

  CUevent_st* handle_ = nullptr;
  int device_ = 0;
  bool timing_ = false, recorded_ = false;
  int64_t host_ns_ = 0;  // without a device
};

}  // namespace wick::cuda
