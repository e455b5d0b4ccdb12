// The kernel behind LossLog: appends values to a ring.
#pragma once

#include <array>

#include "wick/framework/core/launch.h"

namespace wick {

inline constexpr int kLogBlock = 128;

struct LogArgs {
  static constexpr auto access = [] {
    std::array<Access, 1 + kLogBlock> access{Access::kReadWrite};
    return access;
  }();

  Buffer buffers[1 + kLogBlock];  // the ring, float64 [capacity + 1], whose last element counts; the values, null from `count` on
  int64_t capacity;
  int count;
  ScalarType dtype;  // of the values: kFloat or kDouble
};
extern constinit Kernel<LogArgs> log_kernel;

}  // namespace wick
