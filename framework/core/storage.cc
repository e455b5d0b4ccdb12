#include "wick/framework/core/storage.h"

#include <cstring>
#include <new>

#include "wick/framework/core/allocator.h"
#include "wick/framework/core/cuda_slot.h"
#include "wick/framework/core/error.h"

namespace wick {
namespace {

// Header and payload share one block: one allocation for a tensor's memory, and the payload stays aligned to a cache line.
constexpr size_t kHeader = 64;
static_assert(sizeof(StorageImpl) <= kHeader);

void free_inline(StorageImpl* storage) noexcept {
  const size_t block = kHeader + storage->nbytes;
  storage->~StorageImpl();
  cpu_free(storage, block);
}

void free_header(StorageImpl* storage) noexcept {
  storage->~StorageImpl();
  cpu_free(storage, kHeader);
}

// After a resize: the payload has a block of its own, while the header keeps the one it came with (context holds its size).
void free_resized(StorageImpl* storage) noexcept {
  cpu_free(storage->data, storage->nbytes);
  const size_t block = reinterpret_cast<size_t>(storage->context);
  storage->~StorageImpl();
  cpu_free(storage, block);
}

void free_borrowed(StorageImpl* storage) noexcept {
  auto* deleter = static_cast<std::function<void(void*)>*>(storage->context);
  if (deleter) {
    if (*deleter) (*deleter)(storage->data);
    delete deleter;
  }
  free_header(storage);
}

}  // namespace

Ref<StorageImpl> allocate_storage(size_t nbytes, Device device) {
  if (WICK_UNLIKELY(device.is_cuda())) return device = resolve_device(device), cuda_slot()->allocate(nbytes, device);
  const bool has_data = device.is_cpu();
  WICK_CHECK_AS(OutOfMemoryError, nbytes <= SIZE_MAX - kHeader, "cannot allocate ", nbytes, " bytes");
  void* block = cpu_allocate(has_data ? kHeader + nbytes : kHeader);
  auto* storage = new (block) StorageImpl;
  storage->device = device;
  storage->nbytes = nbytes;
  storage->data = has_data ? static_cast<char*>(block) + kHeader : nullptr;
  storage->free = has_data ? free_inline : free_header;
  return Ref<StorageImpl>::adopt(storage);
}

Ref<StorageImpl> allocate_pinned_storage(size_t nbytes) {
  WICK_CHECK(cuda_slot() && cuda_slot()->device_count() > 0, "Cannot access accelerator device when none is available.\n"
             "  Memory is pinned for a CUDA device, and this build of wick or this machine has none.");
  return cuda_slot()->allocate(nbytes, kCPU);
}

Ref<StorageImpl> borrow_storage(void* data, size_t nbytes, Device device, std::function<void(void*)> deleter) {
  auto* kept = deleter ? new std::function<void(void*)>(std::move(deleter)) : nullptr;
  auto* storage = new (cpu_allocate(kHeader)) StorageImpl;
  storage->device = device;
  storage->nbytes = nbytes;
  storage->data = data;
  storage->context = kept;
  storage->free = free_borrowed;
  return Ref<StorageImpl>::adopt(storage);
}

void resize_storage(StorageImpl& storage, size_t nbytes) {
  if (nbytes <= storage.nbytes) return;
  WICK_CHECK(storage.free != free_borrowed, "Trying to resize storage that is not resizable");
  if (storage.device.is_meta()) {
    storage.nbytes = nbytes;
    return;
  }
  if (WICK_UNLIKELY(storage.device.is_cuda() || storage.pinned)) {
    const Ref<StorageImpl> larger = storage.pinned ? allocate_pinned_storage(nbytes) : allocate_storage(nbytes, storage.device);
    cuda_slot()->copy(*larger, larger->data, storage, storage.data, storage.nbytes, true, "resize_", std::source_location::current());
    std::swap(storage.data, larger->data);
    std::swap(storage.context, larger->context);
    std::swap(storage.nbytes, larger->nbytes);
    return;
  }
  void* data = cpu_allocate(nbytes);
  if (storage.nbytes) std::memcpy(data, storage.data, storage.nbytes);
  if (storage.free == free_resized) {
    cpu_free(storage.data, storage.nbytes);
  } else {
    storage.context = reinterpret_cast<void*>(kHeader + storage.nbytes);
    storage.free = free_resized;
  }
  storage.data = data;
  storage.nbytes = nbytes;
}

}  // namespace wick
