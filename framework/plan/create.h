// The kernels of the ranges: arange and linspace.
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

// y[i] for i in [0, n), one after the other.
struct RangeArgs {
  static constexpr Access access[1] = {Access::kWrite};

  Buffer buffers[1];
  ScalarType dtype;
  int64_t n;
  double start, end, step;  // arange: start + i * step. linspace: from start to end, whatever step is
  int64_t first, stride;    // arange of an integer dtype: first + i * stride
};

extern constinit Kernel<RangeArgs> arange_kernel, linspace_kernel;

}  // namespace wick
