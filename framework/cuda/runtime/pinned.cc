#include "wick/framework/cuda/runtime/pinned.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "wick/framework/core/allocator.h"
#include "wick/framework/cuda.h"
#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/runtime/graph.h"

namespace wick::cuda {

struct PinnedBlock {
  char* data = nullptr;
  int size_class = 0;  // log2 of the size
  bool of_slab = false;
  std::vector<std::pair<int, cudaStream_t>> users = {};
  int pending = 0;
};

namespace {

// Sizes are powers of two. Small blocks share slabs, since the driver gives whole pages.
constexpr int kSmallest = 9, kSlab = 16;

struct Pending {
  cudaEvent_t event;
  PinnedBlock* block;
};

struct Cache {
  std::mutex mutex;
  std::vector<PinnedBlock*> free[64];
  std::deque<Pending> pending;

  void poll() noexcept {
    while (!is_capturing() && !pending.empty() && cudaEventQuery(pending.front().event) != cudaErrorNotReady) {
      const Pending next = pending.front();
      pending.pop_front();
      static_cast<void>(cudaEventDestroy(next.event));
      if (--next.block->pending == 0) free[next.block->size_class].push_back(next.block);
    }
    if (!pending.empty()) static_cast<void>(cudaGetLastError());  // "not ready" is no error
  }
};

// Never destroyed: tensors of static objects come back late.
Cache& cache() {
  static Cache& cache = *new Cache;
  return cache;
}

char* allocate_host(size_t bytes) {
  void* data = nullptr;
  check(cudaHostAlloc(&data, bytes, cudaHostAllocPortable), "pinned memory");
  return static_cast<char*>(data);
}

void free_storage(StorageImpl* storage) noexcept {
  if (storage->context) free_pinned(static_cast<PinnedBlock*>(storage->context));
  storage->~StorageImpl();
  cpu_free(storage, sizeof(StorageImpl));
}

}  // namespace

PinnedBlock* allocate_pinned(size_t bytes) {
  const int size_class = std::max(kSmallest, static_cast<int>(std::bit_width(bytes - 1)));
  std::lock_guard lock(cache().mutex);
  cache().poll();
  auto& list = cache().free[size_class];
  if (list.empty() && size_class < kSlab) {
    char* slab = allocate_host(size_t{1} << kSlab);
    for (size_t at = 0; at < size_t{1} << kSlab; at += size_t{1} << size_class) {
      list.push_back(new PinnedBlock{slab + at, size_class, true});
    }
  } else if (list.empty()) {
    list.push_back(new PinnedBlock{allocate_host(size_t{1} << size_class), size_class});
  }
  PinnedBlock* block = list.back();
  list.pop_back();
  return block;
}

void* data_of(PinnedBlock* block) { return block->data; }

void note_pinned_use(PinnedBlock* block, int device, cudaStream_t stream) {
  std::lock_guard lock(cache().mutex);
  const std::pair user(device, stream);
  if (std::find(block->users.begin(), block->users.end(), user) == block->users.end()) block->users.push_back(user);
}

void free_pinned(PinnedBlock* block) noexcept {
  std::lock_guard lock(cache().mutex);
  for (const auto& [device, stream] : block->users) {
    const DeviceGuard guard(device);
    cudaEvent_t event = nullptr;
    if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess) continue;  // the process ends
    static_cast<void>(cudaEventRecord(event, stream));
    cache().pending.push_back({event, block});
    ++block->pending;
  }
  block->users.clear();
  if (block->pending == 0) cache().free[block->size_class].push_back(block);
}

void release_pinned_cache() {
  std::lock_guard lock(cache().mutex);
  cache().poll();
  for (auto& list : cache().free) {
    std::erase_if(list, [](PinnedBlock* block) {
      if (block->of_slab) return false;
      static_cast<void>(cudaFreeHost(block->data));
      delete block;
      return true;
    });
  }
}

Ref<StorageImpl> allocate_pinned_storage(size_t nbytes) {
  PinnedBlock* block = nbytes ? allocate_pinned(nbytes) : nullptr;
  auto* storage = new (cpu_allocate(sizeof(StorageImpl))) StorageImpl;
  storage->nbytes = nbytes;
  storage->data = block ? block->data : nullptr;
  storage->pinned = true;
  storage->context = block;
  storage->free = free_storage;
  return Ref<StorageImpl>::adopt(storage);
}

PinnedBlock* pinned_block(const StorageImpl& storage) {
  return storage.free == free_storage ? static_cast<PinnedBlock*>(storage.context) : nullptr;
}

}  // namespace wick::cuda
