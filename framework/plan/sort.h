// Sorting of rows.
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

// The first `k` elements of each row of x in ascending or descending order, and where they stood. NaN counts as larger than any number;
// equal elements keep their order. All contiguous: x is [rows, n], values and indices are [rows, k].
struct SortArgs {
  static constexpr Access access[3] = {Access::kWrite, Access::kWrite, Access::kRead};

  Buffer buffers[3];  // values of x's dtype; indices, int64; x
  ScalarType dtype;
  bool descending;
  int64_t rows, n, k;
};
extern constinit Kernel<SortArgs> sort_kernel;

// For each of the m values of a row, how many elements of its ascending row are below it (with `right`: not above it; NaN is above all
// numbers): sorted is [rows, n], values and counts (int64) are [rows, m].
struct SearchArgs {
  static constexpr Access access[3] = {Access::kWrite, Access::kRead, Access::kRead};

  Buffer buffers[3];  // counts, sorted, values
  ScalarType dtype;   // of sorted and values
  bool right;
  int64_t rows, n, m;
};
extern constinit Kernel<SearchArgs> search_kernel;

}  // namespace wick
