#include "wick/framework/cuda/runtime/copy.h"

#include <cuda_runtime_api.h>

#include <cstring>

#include "wick/framework/cuda.h"
#include "wick/framework/cuda/runtime/allocator.h"
#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/runtime/pinned.h"
#include "wick/framework/cuda/runtime/wait.h"

namespace wick::cuda {
namespace {

constexpr size_t kLargestStaged = size_t{32} << 20;

// The wait is booked, or refused, before anything is enqueued.
void copy_and_wait(void* data, const void* source, size_t nbytes, cudaMemcpyKind kind, const char* op, const std::source_location& where) {
  const cudaStream_t stream = current_stream();
  wait_for_device(op, where, [&] {
    const cudaError_t error = cudaMemcpyAsync(data, source, nbytes, kind, stream);
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
  });
}

void copy_pinned(void* data, const void* source, size_t nbytes, cudaMemcpyKind kind, PinnedBlock* block, const char* op) {
  const Stream stream = current_stream();
  check(cudaMemcpyAsync(data, source, nbytes, kind, stream), op);
  note_pinned_use(block, stream.device_index(), stream);
}

void copy_to_device(void* data, const StorageImpl& from, const void* source, size_t nbytes, bool blocking, const char* op,
                    const std::source_location& where) {
  PinnedBlock* const pinned = pinned_block(from);
  if (pinned && !blocking) return copy_pinned(data, source, nbytes, cudaMemcpyHostToDevice, pinned, op);
  if (nbytes > kLargestStaged) return copy_and_wait(data, source, nbytes, cudaMemcpyHostToDevice, op, where);
  struct Staging {
    ~Staging() { free_pinned(block); }
    PinnedBlock* block;
  } staging{allocate_pinned(nbytes)};
  std::memcpy(data_of(staging.block), source, nbytes);
  copy_pinned(data, data_of(staging.block), nbytes, cudaMemcpyHostToDevice, staging.block, op);
}

void copy_to_host(const StorageImpl& to, void* data, const void* source, size_t nbytes, bool blocking, const char* op,
                  const std::source_location& where) {
  PinnedBlock* const pinned = pinned_block(to);
  if (pinned && !blocking) return copy_pinned(data, source, nbytes, cudaMemcpyDeviceToHost, pinned, op);
  copy_and_wait(data, source, nbytes, cudaMemcpyDeviceToHost, op, where);
}

// Enqueued for the source, which the target's stream waits for, and the other way round: the target may still be in use.
void copy_between(const StorageImpl& to, void* data, const StorageImpl& from, const void* source, size_t nbytes, const char* op) {
  const Stream here = current_stream(from.device.index()), there = current_stream(to.device.index());
  const DeviceGuard guard(from.device);
  here.wait_stream(there);
  check(cudaMemcpyAsync(data, source, nbytes, cudaMemcpyDefault, here), op);
  there.wait_stream(here);
}

}  // namespace

void copy_bytes(const StorageImpl& to, void* data, const StorageImpl& from, const void* source, size_t nbytes, bool blocking,
                const char* op, const std::source_location& where) {
  if (nbytes == 0) return;
  if (to.device.is_cuda() && from.device.is_cuda()) return copy_between(to, data, from, source, nbytes, op);
  const DeviceGuard guard(to.device.is_cuda() ? to.device : from.device);
  if (to.device.is_cuda()) return copy_to_device(data, from, source, nbytes, blocking, op, where);
  if (from.device.is_cuda()) return copy_to_host(to, data, source, nbytes, blocking, op, where);
  std::memcpy(data, source, nbytes);
}

}  // namespace wick::cuda
