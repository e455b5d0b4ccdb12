// StorageImpl: the memory behind one or several tensors.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "wick/framework/core/device.h"
#include "wick/framework/core/ref.h"

namespace wick {

// Views of one storage share its version counter: an in-place write through any of them makes what autograd saved of all of them
// stale. That is why the counter lives here and not in the tensor.
struct StorageImpl : RefCounted {
  using FreeFn = void (*)(StorageImpl*) noexcept;  // returns the memory and the StorageImpl itself

  std::atomic<uint32_t> version{0};
  Device device{kCPU};
  void* data = nullptr;
  size_t nbytes = 0;
  bool pinned = false;      // host memory that a device copies from and to by itself
  FreeFn free = nullptr;
  void* context = nullptr;  // belongs to `free`

  // Only one thread may write a tensor at a time, so a plain increment is enough; it is atomic for readers' sake.
  void bump_version() { version.store(version.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
};

inline void destroy(StorageImpl* storage) { storage->free(storage); }

// Memory for nbytes on the device (none on meta), aligned to 64 bytes, not initialised. Throws OutOfMemoryError.
Ref<StorageImpl> allocate_storage(size_t nbytes, Device device);
// The same on the host, pinned: copies between it and a CUDA device need no wait. Throws where there is no such device.
Ref<StorageImpl> allocate_pinned_storage(size_t nbytes);
// Somebody else's memory. The deleter, when there is one, is called with `data` after the last tensor has gone.
Ref<StorageImpl> borrow_storage(void* data, size_t nbytes, Device device, std::function<void(void*)> deleter);
// Moves the storage to a block of at least nbytes, keeping its contents. Borrowed memory cannot grow: an error.
void resize_storage(StorageImpl& storage, size_t nbytes);

}  // namespace wick
