// Who touched a word of memory last.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wick/tests/cuda_sim/accesses.h"

namespace cuda_sim {

inline constexpr size_t kWordBytes = 4;

struct AccessRecord {
  struct Entry {
    uint32_t interval, warp_interval;
    uint64_t pointer : 48, thread : 10, bytes : kWordBytes, is_location : 1;  // bytes: which of the word, a bit each

    Site site() const { return Site::from_bits(pointer, is_location); }
    void set_site(const Site& site) { pointer = site.bits(), is_location = site.is_location(); }
  };
  Entry write, atomic;
  // Of the reads in one interval the first thread's and the latest other one's: whoever writes next is at most one of the two.
  Entry read, other_read;
};
static_assert(sizeof(AccessRecord) == 64);

// Records of `bytes` bytes of memory, as if never touched. They take memory only where they are used.
AccessRecord* new_records(size_t bytes);
void delete_records(AccessRecord* records, size_t bytes);

}  // namespace cuda_sim
