#include "wick/framework/cuda/runtime/allocator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <set>
#include <unordered_map>
#include <vector>

#include "wick/framework/core/allocator.h"
#include "wick/framework/cuda.h"
#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/runtime/generator.h"
#include "wick/framework/cuda/runtime/pinned.h"
#include "wick/framework/cuda/runtime/wait.h"

namespace wick::cuda {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kAlignment = 512;
constexpr size_t kSmall = kMiB;  // up to here blocks share segments of kSmallSegment
constexpr size_t kSmallSegment = 2 * kMiB;
constexpr size_t kMedium = 10 * kMiB;  // up to here, of kMediumSegment
constexpr size_t kMediumSegment = 20 * kMiB;
constexpr int kMaxDevices = 16;

size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

bool caching() {
  static const bool on = [] {
    const char* off = std::getenv("WICK_CUDA_NO_CACHING");
    return off == nullptr || *off == '\0' || std::strcmp(off, "0") == 0;
  }();
  return on;
}

struct Block {
  char* data = nullptr;
  size_t size = 0;
  cudaStream_t stream = nullptr;
  int device = 0;
  MemoryPool::Blocks* pool = nullptr;
  bool small = false;  // of a kSmallSegment
  bool free = false;
  Block *before = nullptr, *after = nullptr;  // neighbours in the segment
  std::vector<cudaStream_t> users = {};       // other streams
  int pending = 0;                            // of their events, when the block has been freed
};

struct BySize {
  bool operator()(const Block* a, const Block* b) const {
    if (a->stream != b->stream) return std::less<>()(a->stream, b->stream);
    if (a->size != b->size) return a->size < b->size;
    return std::less<>()(a->data, b->data);
  }
};
using FreeBlocks = std::set<Block*, BySize>;

}  // namespace

struct MemoryPool::Blocks {
  bool of_graph = false;
  FreeBlocks free[2];  // [1]: of small segments
};

namespace {

constinit thread_local MemoryPool::Blocks* t_pool = nullptr;

// All state, under one lock. Never destroyed, since the destructors of static objects still free blocks.
class Allocator {
 public:
  static Allocator& get() {
    static Allocator& allocator = *new Allocator;
    return allocator;
  }

  Block* allocate(size_t bytes, int device, cudaStream_t stream);
  void free(Block* block) noexcept;
  void use(Block* block, cudaStream_t stream);
  void release_cached();
  void release(MemoryPool::Blocks& pool) noexcept;
  MemoryStats stats(int device) {
    std::lock_guard lock(mutex_);
    return stats_[device];
  }
  void reset_peaks(int device) {
    std::lock_guard lock(mutex_);
    stats_[device].peak_allocated = stats_[device].allocated;
    stats_[device].peak_reserved = stats_[device].reserved;
  }

  // Blocks that are known by their address alone.
  void remember(Block* block) {
    std::lock_guard lock(mutex_);
    by_address_[block->data] = block;
  }
  Block* find(void* data, bool forget) {
    std::lock_guard lock(mutex_);
    const auto found = by_address_.find(data);
    if (found == by_address_.end()) return nullptr;
    Block* block = found->second;
    if (forget) by_address_.erase(found);
    return block;
  }

 private:
  struct Pending {
    cudaEvent_t event;
    Block* block;
  };

  static FreeBlocks& list_of(const Block& block) { return block.pool->free[block.small]; }
  Block* new_segment(size_t bytes, size_t size, int device, cudaStream_t stream, MemoryPool::Blocks& pool);
  void cut(Block* block, size_t size);
  void give_back(Block* block) noexcept;
  void join(Block* block, Block* next) noexcept;
  void poll() noexcept;
  void finish_pending() noexcept;
  void release_segments(MemoryPool::Blocks& pool) noexcept;
  void release_segment(Block* block) noexcept;
  [[noreturn]] void raise_out_of_memory(size_t bytes, int device);
  void note_allocated(int device, int64_t bytes) {
    MemoryStats& s = stats_[device];
    s.allocated += bytes;
    s.peak_allocated = std::max(s.peak_allocated, s.allocated);
  }
  void note_reserved(int device, int64_t bytes) {
    MemoryStats& s = stats_[device];
    s.reserved += bytes;
    s.peak_reserved = std::max(s.peak_reserved, s.reserved);
  }

  std::mutex mutex_;
  MemoryPool::Blocks pools_[kMaxDevices];
  MemoryStats stats_[kMaxDevices];
  std::deque<Pending> pending_;
  std::unordered_map<void*, Block*> by_address_;
};

Block* Allocator::allocate(size_t bytes, int device, cudaStream_t stream) {
  std::lock_guard lock(mutex_);
  poll();
  WICK_CHECK_AS(OutOfMemoryError, bytes <= (size_t{1} << 47), "CUDA out of memory. Tried to allocate ", bytes, " bytes.");
  MemoryPool::Blocks& pool = t_pool ? *t_pool : pools_[device];
  const size_t size = caching() ? round_up(bytes, kAlignment) : bytes;
  FreeBlocks& list = pool.free[size <= kSmall];
  Block wanted;
  wanted.stream = stream;
  wanted.size = size;
  const auto found = caching() ? list.lower_bound(&wanted) : list.end();
  Block* block;
  if (found != list.end() && (*found)->stream == stream) {
    block = *found;
    list.erase(found);
  } else {
    block = new_segment(bytes, size, device, stream, pool);
  }
  cut(block, size);
  block->free = false;
  ++stats_[device].allocations;
  note_allocated(device, static_cast<int64_t>(block->size));
  return block;
}

Block* Allocator::new_segment(size_t bytes, size_t size, int device, cudaStream_t stream, MemoryPool::Blocks& pool) {
  const bool small = size <= kSmall;
  const size_t segment = !caching() ? size : small ? kSmallSegment : size <= kMedium ? kMediumSegment : round_up(size, kSmallSegment);
  const DeviceGuard guard(device);
  void* data = nullptr;
  cudaError_t error = cudaMalloc(&data, segment);
  if (error == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    ++stats_[device].retries;
    if (!t_pool) finish_pending();
    release_segments(pools_[device]);
    error = cudaMalloc(&data, segment);
    if (error == cudaErrorMemoryAllocation) raise_out_of_memory(bytes, device);
  }
  check(error, "allocate");
  ++stats_[device].device_allocations;
  note_reserved(device, static_cast<int64_t>(segment));
  auto* block = new Block;
  block->data = static_cast<char*>(data);
  block->size = segment;
  block->stream = stream;
  block->device = device;
  block->pool = &pool;
  block->small = small;
  return block;
}

void Allocator::raise_out_of_memory(size_t bytes, int device) {
  static_cast<void>(cudaGetLastError());
  size_t available = 0, total = 0;
  static_cast<void>(cudaMemGetInfo(&available, &total));
  const MemoryStats& s = stats_[device];
  wick::detail::raise<OutOfMemoryError>(
      "CUDA out of memory. Tried to allocate ", bytes, " bytes on cuda:", device, ", which has ", total, " bytes, of which ", available,
      " are free.\n  wick holds ", s.reserved, " bytes (reserved), of which ", s.allocated, " are in use (allocated; peak ",
      s.peak_allocated, "). Cached segments were given back before giving up. Use smaller batches, or free tensors first.");
}

// What a block has beyond the size asked for becomes a free block, where it is worth it.
void Allocator::cut(Block* block, size_t size) {
  const size_t rest = block->size - size;
  if (!caching() || (block->small ? rest < kAlignment : rest <= kSmall)) return;
  auto* tail = new Block(*block);
  tail->data += size;
  tail->size = rest;
  tail->free = true;
  tail->before = block;
  if (tail->after) tail->after->before = tail;
  block->after = tail;
  block->size = size;
  list_of(*tail).insert(tail);
}

void Allocator::use(Block* block, cudaStream_t stream) {
  if (stream == block->stream) return;
  std::lock_guard lock(mutex_);
  if (std::find(block->users.begin(), block->users.end(), stream) == block->users.end()) block->users.push_back(stream);
}

void Allocator::free(Block* block) noexcept {
  std::lock_guard lock(mutex_);
  note_allocated(block->device, -static_cast<int64_t>(block->size));
  const DeviceGuard guard(block->device);
  for (cudaStream_t user : block->users) {
    cudaEvent_t event = nullptr;
    if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess) continue;  // the process ends
    static_cast<void>(cudaEventRecord(event, user));
    pending_.push_back({event, block});
    ++block->pending;
  }
  block->users.clear();
  if (block->pending == 0) give_back(block);
}

void Allocator::give_back(Block* block) noexcept {
  block->free = true;
  if (!caching() && !block->pool->of_graph) return release_segment(block);
  if (block->after && block->after->free) {
    list_of(*block->after).erase(block->after);
    join(block, block->after);
  }
  if (block->before && block->before->free) {
    Block* before = block->before;
    list_of(*before).erase(before);
    join(before, block);
    block = before;
  }
  list_of(*block).insert(block);
}

void Allocator::join(Block* block, Block* next) noexcept {
  block->size += next->size;
  block->after = next->after;
  if (block->after) block->after->before = block;
  delete next;
}

// Gives back the blocks whose other users are done. Not while a graph is captured, when no event may be asked.
void Allocator::poll() noexcept {
  while (!t_pool && !pending_.empty() && cudaEventQuery(pending_.front().event) != cudaErrorNotReady) {
    const Pending next = pending_.front();
    pending_.pop_front();
    static_cast<void>(cudaEventDestroy(next.event));
    if (--next.block->pending == 0) give_back(next.block);
  }
  if (!pending_.empty()) static_cast<void>(cudaGetLastError());  // "not ready" is no error
}

void Allocator::finish_pending() noexcept {
  for (const Pending& next : pending_) static_cast<void>(cudaEventSynchronize(next.event));
  poll();
}

void Allocator::release_segment(Block* block) noexcept {
  const DeviceGuard guard(block->device);
  static_cast<void>(cudaFree(block->data));
  note_reserved(block->device, -static_cast<int64_t>(block->size));
  delete block;
}

void Allocator::release_segments(MemoryPool::Blocks& pool) noexcept {
  for (FreeBlocks& list : pool.free) {
    for (auto it = list.begin(); it != list.end();) {
      Block* block = *it;
      if (block->before || block->after) {
        ++it;
      } else {
        it = list.erase(it);
        release_segment(block);
      }
    }
  }
}

void Allocator::release_cached() {
  std::lock_guard lock(mutex_);
  finish_pending();
  for (MemoryPool::Blocks& pool : pools_) release_segments(pool);
}

void Allocator::release(MemoryPool::Blocks& pool) noexcept {
  std::lock_guard lock(mutex_);
  release_segments(pool);
}

int checked(int device) { return device < 0 ? current_device() : std::min(device, kMaxDevices - 1); }

// A tensor's memory: the header is a block of the CPU's.
constexpr size_t kHeader = 64;
static_assert(sizeof(StorageImpl) <= kHeader);

void free_storage(StorageImpl* storage) noexcept {
  if (storage->context) Allocator::get().free(static_cast<Block*>(storage->context));
  storage->~StorageImpl();
  cpu_free(storage, kHeader);
}

}  // namespace

void* allocate(size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return nullptr;
  Block* block = Allocator::get().allocate(bytes, current_device(), stream);
  Allocator::get().remember(block);
  return block->data;
}

void free(void* block) noexcept {
  if (!block) return;
  if (Block* found = Allocator::get().find(block, true)) Allocator::get().free(found);
}

void record_stream(void* block, cudaStream_t stream) {
  if (Block* found = Allocator::get().find(block, false)) Allocator::get().use(found, stream);
}

Ref<StorageImpl> allocate_device_storage(size_t nbytes, Device device) {
  Block* block = nbytes ? Allocator::get().allocate(nbytes, device.index(), current_stream(device.index())) : nullptr;
  auto* storage = new (cpu_allocate(kHeader)) StorageImpl;
  storage->device = device;
  storage->nbytes = nbytes;
  storage->data = block ? block->data : nullptr;
  storage->context = block;
  storage->free = free_storage;
  return Ref<StorageImpl>::adopt(storage);
}

void record_stream(const StorageImpl& storage, cudaStream_t stream) {
  if (storage.free == free_storage && storage.context) Allocator::get().use(static_cast<Block*>(storage.context), stream);
}

MemoryStats memory_stats(int device) { return Allocator::get().stats(checked(device)); }
void reset_peak_memory_stats(int device) { Allocator::get().reset_peaks(checked(device)); }

void empty_cache() {
  if (!is_available()) return;
  wait_for_device("empty_cache", {}, [] {
    Allocator::get().release_cached();
    return cudaSuccess;
  });
  release_pinned_cache();
}

MemoryPool::MemoryPool() : blocks_(std::make_unique<Blocks>()) { blocks_->of_graph = true; }
MemoryPool::~MemoryPool() { Allocator::get().release(*blocks_); }
MemoryPool::Scope::Scope(MemoryPool& pool) : before_(t_pool) { t_pool = pool.blocks_.get(); }
MemoryPool::Scope::~Scope() { t_pool = before_; }

}  // namespace wick::cuda
