// The kernels behind the slots of plan/index.h.
#pragma once

#include "wick/framework/plan/index.h"

#define WICK_INDEX_KERNELS              \
  void run_offsets(const OffsetsArgs&); \
  void run_take(const TakeArgs&);       \
  void run_put(const PutArgs&);         \
  void run_put_add(const PutArgs&);     \
  void run_put_multiply(const PutArgs&); \
  void run_put_max(const PutArgs&);     \
  void run_put_min(const PutArgs&);     \
  void run_masked_fill(const MaskedFillArgs&); \
  void run_count_true(const CountTrueArgs&);   \
  void run_list_true(const ListTrueArgs&);

namespace wick::cpu {
namespace avx2 {
WICK_INDEX_KERNELS
}
namespace avx512 {
WICK_INDEX_KERNELS
}
}  // namespace wick::cpu

#undef WICK_INDEX_KERNELS
