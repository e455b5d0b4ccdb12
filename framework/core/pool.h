// Pools of small objects of fixed size: tensors, storages, graph nodes. Allocating one takes about a nanosecond.
//
// A pool is not an object of its own: the free blocks lie in the thread's magazines of allocator.h, whose size class is a constant
// here. So its rules hold (any thread may free, lists are bounded, a thread's end loses nothing, AddressSanitizer sees a use after
// free). Pooled memory counts in MemoryStats::reserved, not in `allocated`.
#pragma once

#include "wick/framework/core/allocator.h"

namespace wick {

// Memory for an object of Size bytes, aligned to 64 bytes. Throws OutOfMemoryError.
template <size_t Size>
WICK_INLINE void* pool_allocate() {
  static_assert(Size > 0 && Size <= detail::kLargestThreadBlock, "pools are for small objects");
  void* block = detail::take_block(detail::size_class(Size), 0);
  detail::unpoison(block, Size);
  return block;
}

// `block` may be null.
template <size_t Size>
WICK_INLINE void pool_free(void* block) noexcept {
  static_assert(Size > 0 && Size <= detail::kLargestThreadBlock, "pools are for small objects");
  if (block != nullptr) detail::give_block(block, detail::size_class(Size));
}

}  // namespace wick
