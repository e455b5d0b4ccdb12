// Normalisation: batch, layer, group and instance norm are one kernel, with the statistics taken over different parts.
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

// x as a contiguous [outer, groups, inner]: each of the groups has a mean and a variance of its own, over outer * inner elements. The
// element at position p of [groups * inner] is scaled by weight number p / spatial % channels.
struct NormShape {
  int64_t outer, groups, inner;
  int64_t spatial, channels;
  int64_t count() const { return outer * inner; }
  int64_t stride() const { return groups * inner; }
};

// y = (x - mean) * rstd * weight + bias with rstd = 1 / sqrt(variance + eps), the variance with divisor count(). Unless `fixed`, mean and
// rstd are computed first, and the running statistics, unless null, become
//   momentum * (mean, variance with divisor count() - 1) + (1 - momentum) * what they are.
struct NormArgs {
  static constexpr Access access[8] = {Access::kWrite, Access::kReadWrite, Access::kReadWrite, Access::kRead,
                                       Access::kRead,  Access::kRead,      Access::kReadWrite, Access::kReadWrite};

  Buffer buffers[8];  // y, mean, rstd, x; null or: weight, bias, running mean, running variance
  ScalarType dtype;   // float or double, of all of them
  bool fixed;
  double eps, momentum;
  NormShape shape;
};
extern constinit Kernel<NormArgs> norm_kernel;

// The gradients of x, weight and bias as far as they are not null, from that of y.
struct NormBackwardArgs {
  static constexpr Access access[8] = {Access::kWrite, Access::kWrite, Access::kWrite, Access::kRead,
                                       Access::kRead,  Access::kRead,  Access::kRead,  Access::kRead};

  Buffer buffers[8];  // null or: gx, gweight, gbias; gy, x, mean, rstd; null or: weight
  ScalarType dtype;
  bool fixed;  // mean and rstd do not depend on x
  NormShape shape;
};
extern constinit Kernel<NormBackwardArgs> norm_backward_kernel;

}  // namespace wick
