// The caching allocator of the CPU. Storages take their memory from it, pool.h takes tensors and graph nodes from the same lists.
//
// Block sizes are rounded up to size classes: steps of 64 bytes up to 1 KiB, then eight classes per power of two (at most 12.5 % are
// lost). A freed block stays in the process and is reused, the last one freed first, so that a training step that repeats makes no
// system call, takes no page fault and leaves malloc alone.
//
// Each thread keeps a bounded magazine of free blocks for every class up to 64 KiB (62 blocks and 128 KiB for a class, 6 MiB in
// all) and touches no lock while it lasts. Full magazines hand half of their blocks to a central list, empty ones fetch a batch from
// it. So a block freed by another thread than the one that allocated it returns through the central list, and a thread that ends
// hands over all it holds. Larger blocks go to the central list directly. The central list may hold what it likes until the memory
// reserved reaches max(1 GiB, 1.25 * peak allocated); from then on a new block is paid for by releasing cached ones.
//
// WICK_NO_CACHING=1 in the environment returns every block to the system at once. Under AddressSanitizer cached blocks, and the part
// of a block beyond the size asked for, are poisoned, so that a use after free or past the end is reported.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "wick/framework/core/macros.h"

#if defined(__SANITIZE_ADDRESS__)
#define WICK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WICK_ASAN 1
#endif
#endif
#ifdef WICK_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace wick {

// Uninitialised memory, aligned to 64 bytes; nullptr for zero bytes. Throws OutOfMemoryError when the system has no more, after the
// cached blocks have been returned to it.
void* cpu_allocate(size_t bytes);

// Frees a block of cpu_allocate, from any thread, also while the process or the thread ends. `bytes` is the size that was asked for.
void cpu_free(void* block, size_t bytes) noexcept;

// What the CPU allocator did so far. With one thread all numbers are exact. With several, `peak_allocated` may be off by 1 MiB for
// each thread, since a thread publishes its balance in steps of that size.
struct MemoryStats {
  int64_t allocated = 0;           // bytes asked for and not yet freed, without pooled objects
  int64_t reserved = 0;            // bytes held from the system: live and cached blocks, pooled objects included
  int64_t peak_allocated = 0;      // the largest `allocated` since the start or the last reset_peak_memory_stats()
  int64_t allocations = 0;         // blocks handed out by cpu_allocate
  int64_t cached_hits = 0;         // those of them that were reused blocks
  int64_t system_allocations = 0;  // blocks requested from the system, pooled objects included
};
MemoryStats memory_stats();

// Lets `peak_allocated` start again from what is allocated now.
void reset_peak_memory_stats();

// Returns the cached blocks of the central list and of the calling thread to the system. Other threads keep theirs.
void empty_cache();

namespace detail {

inline constexpr size_t kBlockAlignment = 64;
inline constexpr size_t kLargestBlock = size_t{1} << 47;        // the address space of a process on x86-64
inline constexpr size_t kLargestThreadBlock = size_t{64} << 10;

// The class of a block of 1 to kLargestBlock bytes.
constexpr size_t size_class(size_t bytes) {
  const size_t last = bytes - 1;
  if (last < 1024) return last / 64;
  const size_t power = static_cast<size_t>(std::bit_width(last)) - 1;
  return 16 + (power - 10) * 8 + ((last >> (power - 3)) & 7);
}

// The size of the blocks of a class.
constexpr size_t class_bytes(size_t size_class) {
  if (size_class < 16) return (size_class + 1) * 64;
  const size_t step = size_class - 16;
  return (9 + step % 8) << (step / 8 + 7);
}

inline constexpr size_t kClasses = size_class(kLargestBlock) + 1;
inline constexpr size_t kThreadClasses = size_class(kLargestThreadBlock) + 1;

// A thread's free blocks of one class. The addresses lie outside the blocks, which may therefore be poisoned as a whole.
struct Magazine {
  static constexpr uint32_t kSlots = 62;
  uint32_t count;
  uint32_t capacity;
  void* blocks[kSlots];
};

struct ThreadCache {
  Magazine magazines[kThreadClasses];
};

// Null before a thread's first use of the allocator and after its end. The model "initial-exec" spares shared libraries a call per
// access.
extern constinit thread_local ThreadCache* thread_cache __attribute__((tls_model("initial-exec")));

// `asked` is the size requested through cpu_allocate, 0 for a pooled object.
void* take_block_slowly(size_t size_class, size_t asked);
void give_block_slowly(void* block, size_t size_class) noexcept;

WICK_INLINE void poison([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) {
#ifdef WICK_ASAN
  ASAN_POISON_MEMORY_REGION(block, bytes);
#endif
}

WICK_INLINE void unpoison([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) {
#ifdef WICK_ASAN
  ASAN_UNPOISON_MEMORY_REGION(block, bytes);
#endif
}

// Takes a block of a class below kThreadClasses; all of it is still poisoned.
WICK_INLINE void* take_block(size_t size_class, size_t asked) {
  if (ThreadCache* cache = thread_cache; WICK_LIKELY(cache != nullptr)) {
    Magazine& magazine = cache->magazines[size_class];
    if (WICK_LIKELY(magazine.count != 0)) return magazine.blocks[--magazine.count];
  }
  return take_block_slowly(size_class, asked);
}

WICK_INLINE void give_block(void* block, size_t size_class) noexcept {
  poison(block, class_bytes(size_class));
  if (ThreadCache* cache = thread_cache; WICK_LIKELY(cache != nullptr)) {
    Magazine& magazine = cache->magazines[size_class];
    if (WICK_LIKELY(magazine.count != magazine.capacity)) {
      magazine.blocks[magazine.count++] = block;
      return;
    }
  }
  give_block_slowly(block, size_class);
}

}  // namespace detail
}  // namespace wick
