// Copies and fills.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "wick/tests/cuda_sim/graphs.h"
#include "wick/tests/cuda_sim/memory.h"
#include "wick/tests/cuda_sim/runtime.h"
#include "wick/tests/cuda_sim/streams.h"

namespace cuda_sim {
namespace {

enum class Place { kDevice, kPinned, kPageable };

Place place_of(const void* p, size_t bytes) {
  if (is_device_address(p)) return Place::kDevice;
  return is_pinned(p, bytes) ? Place::kPinned : Place::kPageable;
}

struct Copy {
  void* target;
  const void* source;
  size_t bytes;
  Place to, from;

  bool crosses() const { return (to == Place::kDevice) != (from == Place::kDevice); }
};

cudaError_t check_kind(const Copy& copy, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return cudaSuccess;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  if (from_device != (copy.from == Place::kDevice)) {
    return refuse(cudaErrorInvalidValue, std::string("the kind of copy says that the source is on the ") +
                                             (from_device ? "device, it is on the host" : "host, it is on the device"));
  }
  if (to_device != (copy.to == Place::kDevice)) {
    return refuse(cudaErrorInvalidValue, std::string("the kind of copy says that the target is on the ") +
                                             (to_device ? "device, it is on the host" : "host, it is on the device"));
  }
  return cudaSuccess;
}

cudaError_t make_copy(void* target, const void* source, size_t bytes, cudaMemcpyKind kind, Copy& copy) {
  CUDA_SIM_TRY(check_range(target, bytes, "the target of a copy"));
  CUDA_SIM_TRY(check_range(source, bytes, "the source of a copy"));
  copy = {target, source, bytes, place_of(target, bytes), place_of(source, bytes)};
  if (copy.crosses()) ++mutable_counters().copies;
  return check_kind(copy, kind);
}

// What was freed between the call and now is a fault as in a kernel.
bool still_there(const void* p, size_t bytes, const char* what) {
  if (check_range(p, bytes, what) == cudaSuccess) return true;
  set_fault(cudaErrorIllegalAddress, std::string(what) + " was gone when the stream came to it: " + describe_address(p));
  return false;
}

void run_copy(const Copy& copy) {
  if (!still_there(copy.target, copy.bytes, "the target of a copy") || !still_there(copy.source, copy.bytes, "the source of a copy"))
    return;
  OpenMemory open;
  std::memmove(copy.target, copy.source, copy.bytes);
}

// A pageable source is read at the call: the driver stages it.
Work staged_copy(const Copy& copy) {
  const char* const source = static_cast<const char*>(copy.source);
  auto staged = std::make_shared<std::vector<char>>(source, source + copy.bytes);
  const auto run = [staged, copy] { run_copy({copy.target, staged->data(), copy.bytes, copy.to, Place::kPinned}); };
  return {WorkKind::kCopy, run, copy.crosses(), nullptr};
}

cudaError_t copy_async(const Copy& copy, cudaStream_t stream) {
  if (copy.bytes == 0) return cudaSuccess;
  std::shared_ptr<Queue> queue;
  CUDA_SIM_TRY(find_queue(stream, queue));
  const bool pageable = copy.to == Place::kPageable || copy.from == Place::kPageable;
  if (queue->capture && pageable)
    return lose_capture(*queue->capture, cudaErrorStreamCaptureUnsupported, "a copy from or to pageable memory of the host");
  if (copy.from == Place::kPageable) {
    CUDA_SIM_TRY(submit(stream, staged_copy(copy)));
  } else {
    // Whoever reads the target before the copy is done sees that it was too early.
    if (options().deferred && copy.to == Place::kPinned && !queue->capture) std::memset(copy.target, 0xff, copy.bytes);
    CUDA_SIM_TRY(submit(stream, {WorkKind::kCopy, [copy] { run_copy(copy); }, copy.crosses(), nullptr}));
  }
  return copy.to == Place::kPageable ? wait_for(stream) : cudaSuccess;
}

cudaError_t copy_now(const Copy& copy) {
  CUDA_SIM_TRY(forbid_in_capture("a synchronous copy"));
  if (copy.bytes == 0) return cudaSuccess;
  CUDA_SIM_TRY(submit(nullptr, {WorkKind::kCopy, [copy] { run_copy(copy); }, copy.crosses(), nullptr}));
  return copy.to == Place::kDevice && copy.from == Place::kDevice ? cudaSuccess : wait_for(nullptr);
}

cudaError_t fill(void* p, int value, size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  CUDA_SIM_TRY(check_range(p, bytes, "the target of a fill"));
  if (!is_device_address(p) && !is_pinned(p, bytes))
    return refuse(cudaErrorInvalidValue, "the target of a fill is pageable memory of the host");
  const auto run = [=] {
    if (!still_there(p, bytes, "the target of a fill")) return;
    OpenMemory open;
    std::memset(p, value, bytes);
  };
  return submit(stream, {WorkKind::kFill, run, false, nullptr});
}

}  // namespace
}  // namespace cuda_sim

using namespace cuda_sim;

extern "C" {

cudaError_t cudaMemcpy(void* target, const void* source, size_t bytes, cudaMemcpyKind kind) {
  return api([&]() -> cudaError_t {
    Copy copy;
    CUDA_SIM_TRY(make_copy(target, source, bytes, kind, copy));
    return copy_now(copy);
  });
}

cudaError_t cudaMemcpyAsync(void* target, const void* source, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return api([&]() -> cudaError_t {
    Copy copy;
    CUDA_SIM_TRY(make_copy(target, source, bytes, kind, copy));
    return copy_async(copy, stream);
  });
}

cudaError_t cudaMemcpyPeer(void* target, int, const void* source, int, size_t bytes) {
  return cudaMemcpy(target, source, bytes, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* target, int, const void* source, int, size_t bytes, cudaStream_t stream) {
  return cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemset(void* p, int value, size_t bytes) {
  return api([&]() -> cudaError_t {
    CUDA_SIM_TRY(forbid_in_capture("a synchronous fill"));
    return fill(p, value, bytes, nullptr);
  });
}
cudaError_t cudaMemsetAsync(void* p, int value, size_t bytes, cudaStream_t stream) {
  return api([&] { return fill(p, value, bytes, stream); });
}

}  // extern "C"
