// A range of addresses.
#pragma once

#include <cstddef>

namespace cuda_sim {

struct Range {
  const char* begin = nullptr;
  size_t size = 0;

  // Whether all of `bytes` bytes at p lie inside.
  bool contains(const void* p, size_t bytes = 1) const {
    const auto offset = static_cast<size_t>(static_cast<const char*>(p) - begin);
    return offset < size && bytes <= size - offset;
  }
};

}  // namespace cuda_sim
