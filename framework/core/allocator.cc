#include "wick/framework/core/allocator.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "wick/framework/core/error.h"

namespace wick {
namespace detail {

constinit thread_local ThreadCache* thread_cache __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

constexpr size_t kMagazineBytes = size_t{128} << 10;
constexpr size_t kHugePage = size_t{2} << 20;
// From here on fresh memory asks for huge pages: touching 64 MiB for the first time takes 11 ms instead of 33.
constexpr size_t kHugePageBlock = size_t{4} << 20;
constexpr int64_t kReserveFloor = int64_t{1} << 30;
constexpr int64_t kPublishStep = int64_t{1} << 20;

constexpr uint32_t magazine_capacity(size_t size_class) {
  return static_cast<uint32_t>(std::min<size_t>(Magazine::kSlots, kMagazineBytes / class_bytes(size_class)));
}
static_assert(magazine_capacity(kThreadClasses - 1) >= 2, "a batch is half a magazine");

// A counter with one writer, which other threads may read: it needs no locked instruction.
class OwnCounter {
 public:
  int64_t get() const { return value_.load(std::memory_order_relaxed); }
  void set(int64_t value) { value_.store(value, std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

void raise_to(std::atomic<int64_t>& peak, int64_t candidate) {
  int64_t seen = peak.load(std::memory_order_relaxed);
  while (seen < candidate && !peak.compare_exchange_weak(seen, candidate, std::memory_order_relaxed)) {
  }
}

// What a thread adds to its magazines: its unpublished statistics and its place in the list of threads.
struct LocalCache : ThreadCache {
  OwnCounter balance;       // bytes allocated less bytes freed since the last publication
  OwnCounter balance_peak;  // the largest balance since then
  OwnCounter allocations;
  LocalCache* previous = nullptr;
  LocalCache* next = nullptr;

  LocalCache() {
    for (size_t c = 0; c < kThreadClasses; ++c) {
      magazines[c].count = 0;
      magazines[c].capacity = magazine_capacity(c);
    }
  }
  void note_allocation(int64_t bytes) {
    allocations.set(allocations.get() + 1);
    const int64_t now = balance.get() + bytes;
    balance.set(now);
    if (WICK_UNLIKELY(now > balance_peak.get())) {
      balance_peak.set(now);
      if (now >= kPublishStep) publish();
    }
  }
  void note_free(int64_t bytes) {
    const int64_t now = balance.get() - bytes;
    balance.set(now);
    if (WICK_UNLIKELY(now <= -kPublishStep)) publish();
  }
  void publish();
};

LocalCache* local_cache() { return static_cast<LocalCache*>(thread_cache); }

struct FreeList {
  void** blocks;
  size_t count;
  size_t capacity;

  // False when there is no memory for a longer list.
  bool push(void* block) noexcept {
    if (count == capacity) {
      const size_t longer = capacity == 0 ? 64 : 2 * capacity;
      void** moved = static_cast<void**>(std::realloc(blocks, longer * sizeof(void*)));
      if (moved == nullptr) return false;
      blocks = moved;
      capacity = longer;
    }
    blocks[count++] = block;
    return true;
  }
  void* pop() { return count == 0 ? nullptr : blocks[--count]; }
};

// Never destroyed, since the destructors of static objects still free blocks. The mutex guards `lists` and `threads`.
struct Central {
  std::mutex mutex;
  FreeList lists[kClasses];
  LocalCache* threads;
  std::atomic<int64_t> allocated;
  std::atomic<int64_t> peak;
  std::atomic<int64_t> allocations;
  std::atomic<int64_t> misses;  // allocations that no cached block could serve
  std::atomic<int64_t> reserved;
  std::atomic<int64_t> system_allocations;
};
constinit Central central{};

void LocalCache::publish() {
  const int64_t base = central.allocated.fetch_add(balance.get(), std::memory_order_relaxed);
  raise_to(central.peak, base + balance_peak.get());
  balance.set(0);
  balance_peak.set(0);
}

bool caching() {
  static const bool enabled = [] {
    const char* off = std::getenv("WICK_NO_CACHING");
    return off == nullptr || *off == '\0' || std::strcmp(off, "0") == 0;
  }();
  return enabled;
}

void* system_allocate(size_t bytes) {
  void* block = nullptr;
  if (posix_memalign(&block, bytes >= kHugePageBlock ? kHugePage : kBlockAlignment, bytes) != 0) return nullptr;
  if (bytes >= kHugePageBlock) madvise(block, bytes, MADV_HUGEPAGE);
  return block;
}

void release_to_system(void* block, size_t size_class) noexcept {
  const size_t bytes = class_bytes(size_class);
  unpoison(block, bytes);
  std::free(block);
  central.reserved.fetch_sub(static_cast<int64_t>(bytes), std::memory_order_relaxed);
}

// Moves the `n` blocks that were freed first. The caller holds the lock.
void move_to_central(Magazine& magazine, size_t size_class, uint32_t n) noexcept {
  for (uint32_t i = 0; i < n; ++i) {
    if (!central.lists[size_class].push(magazine.blocks[i])) release_to_system(magazine.blocks[i], size_class);
  }
  magazine.count -= n;
  std::copy_n(magazine.blocks + n, magazine.count, magazine.blocks);
}

void move_all_to_central(ThreadCache& cache) noexcept {
  for (size_t c = 0; c < kThreadClasses; ++c) move_to_central(cache.magazines[c], c, cache.magazines[c].count);
}

// Releases cached blocks of at least `bytes` together, if there are so many: the smallest that are as large as those of
// `size_class` first, then smaller ones.
void release_cached(size_t size_class, size_t bytes) noexcept {
  const size_t above = kClasses - size_class;
  size_t released = 0;
  for (size_t i = 0; i < kClasses; ++i) {
    const size_t c = i < above ? size_class + i : kClasses - 1 - i;
    while (released < bytes) {
      void* block;
      {
        std::lock_guard lock(central.mutex);
        block = central.lists[c].pop();
      }
      if (block == nullptr) break;
      release_to_system(block, c);
      released += class_bytes(c);
    }
  }
}

// Its destruction at a thread's end hands the thread's blocks and statistics over.
struct ThreadEnd {
  constinit static thread_local bool reached;

  ~ThreadEnd() {
    LocalCache* cache = local_cache();
    thread_cache = nullptr;
    reached = true;
    std::lock_guard lock(central.mutex);
    move_all_to_central(*cache);
    cache->publish();
    central.allocations.fetch_add(cache->allocations.get(), std::memory_order_relaxed);
    (cache->previous != nullptr ? cache->previous->next : central.threads) = cache->next;
    if (cache->next != nullptr) cache->next->previous = cache->previous;
    delete cache;
  }
};
constinit thread_local bool ThreadEnd::reached = false;

// The calling thread's cache, made on first use. Null when the thread is ending, caching is off or there is no memory for it.
LocalCache* ensure_local_cache() {
  if (thread_cache != nullptr || ThreadEnd::reached || !caching()) return local_cache();
  LocalCache* cache = new (std::nothrow) LocalCache;
  if (cache == nullptr) return nullptr;
  // A child process must not inherit a lock that another thread holds.
  static const int forks = pthread_atfork([] { central.mutex.lock(); }, [] { central.mutex.unlock(); }, [] { central.mutex.unlock(); });
  static_cast<void>(forks);
  static thread_local ThreadEnd at_thread_end;
  thread_cache = cache;
  std::lock_guard lock(central.mutex);
  cache->next = central.threads;
  if (cache->next != nullptr) cache->next->previous = cache;
  central.threads = cache;
  return cache;
}

[[noreturn]] WICK_COLD void raise_out_of_memory(size_t asked) {
  const MemoryStats stats = memory_stats();
  raise<OutOfMemoryError>("DefaultCPUAllocator: can't allocate memory: you tried to allocate ", asked,
                          " bytes. Error code 12 (Cannot allocate memory)\n  wick holds ", stats.reserved, " bytes of memory, of which ",
                          stats.allocated, " are in use (peak ", stats.peak_allocated,
                          "); cached blocks were released before giving up. Use smaller batches, or free tensors first.");
}

void* fresh_block(size_t size_class, size_t asked) {
  const size_t bytes = class_bytes(size_class);
  const int64_t size = static_cast<int64_t>(bytes);
  const int64_t peak = central.peak.load(std::memory_order_relaxed);
  const int64_t limit = std::max(kReserveFloor, peak + peak / 4);
  if (central.reserved.load(std::memory_order_relaxed) + size > limit) release_cached(size_class, bytes);
  void* block = system_allocate(bytes);
  if (block == nullptr) {
    empty_cache();
    block = system_allocate(bytes);
    if (block == nullptr) raise_out_of_memory(asked != 0 ? asked : bytes);
  }
  poison(block, bytes);
  central.reserved.fetch_add(size, std::memory_order_relaxed);
  central.system_allocations.fetch_add(1, std::memory_order_relaxed);
  if (asked != 0) central.misses.fetch_add(1, std::memory_order_relaxed);
  return block;
}

// Fills half of the empty magazine from the central list, after a block for the caller.
void* take_from_central(LocalCache* cache, size_t size_class) {
  std::lock_guard lock(central.mutex);
  FreeList& list = central.lists[size_class];
  void* block = list.pop();
  if (cache != nullptr) {
    Magazine& magazine = cache->magazines[size_class];
    while (magazine.count < magazine.capacity / 2 && list.count != 0) magazine.blocks[magazine.count++] = list.pop();
  }
  return block;
}

void note_allocation(int64_t bytes) {
  if (LocalCache* cache = local_cache(); WICK_LIKELY(cache != nullptr)) return cache->note_allocation(bytes);
  central.allocations.fetch_add(1, std::memory_order_relaxed);
  raise_to(central.peak, central.allocated.fetch_add(bytes, std::memory_order_relaxed) + bytes);
}

void note_free(int64_t bytes) {
  if (LocalCache* cache = local_cache(); WICK_LIKELY(cache != nullptr)) return cache->note_free(bytes);
  central.allocated.fetch_sub(bytes, std::memory_order_relaxed);
}

}  // namespace

void* take_block_slowly(size_t size_class, size_t asked) {
  LocalCache* cache = ensure_local_cache();
  void* block = take_from_central(size_class < kThreadClasses ? cache : nullptr, size_class);
  return block != nullptr ? block : fresh_block(size_class, asked);
}

void give_block_slowly(void* block, size_t size_class) noexcept {
  LocalCache* cache = ensure_local_cache();
  bool kept = false;
  if (caching()) {
    std::lock_guard lock(central.mutex);
    if (cache != nullptr && size_class < kThreadClasses) {
      Magazine& magazine = cache->magazines[size_class];
      if (magazine.count == magazine.capacity) move_to_central(magazine, size_class, magazine.capacity / 2);
      magazine.blocks[magazine.count++] = block;
      kept = true;
    } else {
      kept = central.lists[size_class].push(block);
    }
  }
  if (!kept) release_to_system(block, size_class);
}

}  // namespace detail

void* cpu_allocate(size_t bytes) {
  if (bytes == 0) return nullptr;
  if (WICK_UNLIKELY(bytes > detail::kLargestBlock)) detail::raise_out_of_memory(bytes);
  const size_t size_class = detail::size_class(bytes);
  void* block = WICK_LIKELY(size_class < detail::kThreadClasses) ? detail::take_block(size_class, bytes)
                                                                 : detail::take_block_slowly(size_class, bytes);
  detail::unpoison(block, bytes);
  detail::note_allocation(static_cast<int64_t>(bytes));
  return block;
}

void cpu_free(void* block, size_t bytes) noexcept {
  if (block == nullptr) return;
  const size_t size_class = detail::size_class(bytes);
  detail::note_free(static_cast<int64_t>(bytes));
  if (WICK_LIKELY(size_class < detail::kThreadClasses)) return detail::give_block(block, size_class);
  detail::poison(block, detail::class_bytes(size_class));
  detail::give_block_slowly(block, size_class);
}

MemoryStats memory_stats() {
  using detail::central;
  std::lock_guard lock(central.mutex);
  MemoryStats stats;
  stats.allocated = central.allocated.load(std::memory_order_relaxed);
  stats.allocations = central.allocations.load(std::memory_order_relaxed);
  int64_t highest = stats.allocated;
  for (const detail::LocalCache* cache = central.threads; cache != nullptr; cache = cache->next) {
    stats.allocated += cache->balance.get();
    highest += cache->balance_peak.get();
    stats.allocations += cache->allocations.get();
  }
  stats.peak_allocated = std::max({central.peak.load(std::memory_order_relaxed), highest, stats.allocated});
  stats.reserved = central.reserved.load(std::memory_order_relaxed);
  stats.cached_hits = stats.allocations - central.misses.load(std::memory_order_relaxed);
  stats.system_allocations = central.system_allocations.load(std::memory_order_relaxed);
  return stats;
}

void reset_peak_memory_stats() {
  using detail::central;
  std::lock_guard lock(central.mutex);
  int64_t allocated = central.allocated.load(std::memory_order_relaxed);
  for (detail::LocalCache* cache = central.threads; cache != nullptr; cache = cache->next) {
    const int64_t balance = cache->balance.get();
    cache->balance_peak.set(balance);
    allocated += balance;
  }
  central.peak.store(allocated, std::memory_order_relaxed);
}

void empty_cache() {
  if (detail::local_cache() != nullptr) {
    std::lock_guard lock(detail::central.mutex);
    detail::move_all_to_central(*detail::local_cache());
  }
  detail::release_cached(0, SIZE_MAX);
#ifdef __GLIBC__
  malloc_trim(0);  // free() keeps the smaller ones for itself otherwise
#endif
}

}  // namespace wick
