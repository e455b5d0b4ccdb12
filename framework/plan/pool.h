// Pooling: the largest element, or the mean, of the windows of each plane of a contiguous [planes, input...].
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

inline constexpr int kPoolDims = 3;

// Where there are fewer than three dimensions the first ones have size 1. Window o of a dimension begins at o * stride - padding and
// has kernel elements, dilation apart. An adaptive one has [floor(o * input / output), ceil((o + 1) * input / output)), whatever the
// rest says.
struct PoolShape {
  int64_t planes;
  int64_t input[kPoolDims], output[kPoolDims];
  int64_t kernel[kPoolDims], stride[kPoolDims], padding[kPoolDims], dilation[kPoolDims];
  bool adaptive;

  int64_t input_size() const { return input[0] * input[1] * input[2]; }
  int64_t output_size() const { return output[0] * output[1] * output[2]; }
};

// The largest element of each window, NaN where it has one. The first of equals counts, the last of NaNs. float, double, int32, int64.
struct MaxPoolArgs {
  static constexpr Access access[3] = {Access::kWrite, Access::kWrite, Access::kRead};

  Buffer buffers[3];  // y; int64 places of the elements in their plane, or null; x
  ScalarType dtype;
  PoolShape shape;
};
extern constinit Kernel<MaxPoolArgs> max_pool_kernel;

// gx = the sum of gy over the windows that chose the element. float, double.
struct MaxPoolBackwardArgs {
  static constexpr Access access[3] = {Access::kWrite, Access::kRead, Access::kRead};

  Buffer buffers[3];  // gx, gy, x
  ScalarType dtype;
  PoolShape shape;
};
extern constinit Kernel<MaxPoolBackwardArgs> max_pool_backward_kernel;

// The sum of each window over its divisor: divisor_override unless 0, else the number of its elements, those in the padding (but not
// beyond it) included where count_include_pad. float, double; no dilation.
struct AvgPoolArgs {
  static constexpr Access access[2] = {Access::kWrite, Access::kRead};

  Buffer buffers[2];  // y, x; backward: gx, gy
  ScalarType dtype;
  bool count_include_pad;
  int64_t divisor_override;
  PoolShape shape;
};
extern constinit Kernel<AvgPoolArgs> avg_pool_kernel;
extern constinit Kernel<AvgPoolArgs> avg_pool_backward_kernel;

}  // namespace wick
