// What a kernel may touch, and when.
//
// The kernels' files are compiled with -fsanitize=thread but not linked with its runtime: the calls that g++ inserts before each load and
// store come here (callbacks.cc). An access past the end of a block or to a freed one, through a null or host pointer, misaligned, past
// the dynamic shared memory, a read of shared memory that the block never wrote, and races are reported with both source lines.
//
// For races, each word keeps who wrote, read and atomically changed it last, in which interval between barriers (fibers.h:
// LogicalTime). Two accesses by different threads of a block in one interval, at least one a plain write or one atomic and one plain,
// are a race, unless both lie in one warp with a __syncwarp or another warp operation in between. So are, in global memory, two such
// accesses by different blocks of one launch, unless __threadfence() published the first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>

#include "wick/tests/cuda_sim/report.h"

namespace cuda_sim {

enum class AccessKind { kRead, kWrite, kAtomic };

// The place of an access in the source: the address its callback returns to, or what the compiler says of the call.
class Site {
 public:
  explicit Site(const void* return_address) : bits_(reinterpret_cast<uintptr_t>(return_address)), is_location_(false) {}
  explicit Site(const std::source_location& where) : bits_(std::bit_cast<uint64_t>(where)), is_location_(true) {}
  static Site from_bits(uint64_t bits, bool is_location) {
    return is_location ? Site(std::bit_cast<std::source_location>(bits)) : Site(reinterpret_cast<const void*>(bits));
  }

  bool is_location() const { return is_location_; }
  uint64_t bits() const { return bits_; }  // an address: the upper 16 are 0
  std::string text() const {
    return is_location_ ? source_line(std::bit_cast<std::source_location>(bits_)) : source_line(reinterpret_cast<const void*>(bits_));
  }

 private:
  uint64_t bits_;
  bool is_location_;
};

// The kernel's threads run from now on.
void enter_kernel(const void* function);
struct Access {
  AccessKind kind;
  const char* address;
  size_t bytes, alignment;
  Site site;
};
// To be called by the running thread of a kernel before it touches the memory. Does not return where that is a fault.
void check_access(const Access& access);

}  // namespace cuda_sim
