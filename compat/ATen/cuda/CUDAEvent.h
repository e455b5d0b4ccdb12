// at::cuda::CUDAEvent over wick::cuda::Event.
#pragma once

#include <c10/cuda/CUDAStream.h>

namespace at::cuda {

// Flags are CUDA's: an event has no time unless it is made with cudaEventDefault, 0.
class CUDAEvent {
 public:
  CUDAEvent() = default;
  explicit CUDAEvent(unsigned int flags) : event_((flags & 2) == 0) {}

  bool isCreated() const { return event_.recorded(); }
  bool query() const { return event_.query(); }
  void record() { event_.record(); }
  void record(const CUDAStream& stream) { event_.record(stream); }
  void recordOnce(const CUDAStream& stream) {
    if (!isCreated()) record(stream);
  }
  void block(const CUDAStream& stream) { event_.wait(stream); }
  // Milliseconds.
  float elapsed_time(const CUDAEvent& other) const { return static_cast<float>(event_.elapsed_time(other.event_)); }
  void synchronize(std::source_location where = std::source_location::current()) const { event_.synchronize(where); }
  CUevent_st* event() const { return event_.event(); }

 private:
  wick::cuda::Event event_;
};

}  // namespace at::cuda
