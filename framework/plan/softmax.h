// Softmax and the losses on class indices: n elements of each of outer * inner problems, as a contiguous [outer, n, inner].
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

struct ClassShape {
  int64_t outer, n, inner;
  int64_t problems() const { return outer * inner; }
};
// Along dimension dim of x; a 0-dim tensor is one problem of one element.
ClassShape class_shape(const TensorBase& x, int64_t dim);

// y = softmax(x), or its logarithm. float or double.
struct SoftmaxArgs {
  static constexpr Access access[2] = {Access::kWrite, Access::kRead};

  Buffer buffers[2];  // y, x
  ScalarType dtype;
  bool log;
  ClassShape shape;
};
extern constinit Kernel<SoftmaxArgs> softmax_kernel;

// gx = y (g - sum g y), or g - exp(y) sum g where y is the logarithm.
struct SoftmaxBackwardArgs {
  static constexpr Access access[3] = {Access::kWrite, Access::kRead, Access::kRead};

  Buffer buffers[3];  // gx, g, y
  ScalarType dtype;
  bool log;
  ClassShape shape;
};
extern constinit Kernel<SoftmaxBackwardArgs> softmax_backward_kernel;

enum class LossReduction : uint8_t { kNone, kMean, kSum };

// With a target class t for each problem, and its weight w_t (1 without weights, 0 where t is ignore_index):
//   cross_entropy_kernel   loss = -w_t log softmax(x)_t
//   nll_kernel             loss = -w_t x_t
// Each loss is written, or their sum, or their sum over that of the weights. The losses are added in an order that depends on the
// shape alone. `slope`, unless null, becomes the derivative of the result (of the problem's own loss) with respect to x.
// Throws where a target is no class, before anything is written.
struct ClassLossArgs {
  static constexpr Access access[5] = {Access::kWrite, Access::kWrite, Access::kRead, Access::kRead, Access::kRead};

  Buffer buffers[5];  // losses or loss; slope, as x; x; targets, int64 [outer, inner]; null or the weights of the n classes
  ScalarType dtype;   // float or double, of all but the targets
  LossReduction reduction;
  int64_t ignore_index;
  ClassShape shape;
};
extern constinit Kernel<ClassLossArgs> cross_entropy_kernel;
extern constinit Kernel<ClassLossArgs> nll_kernel;

// PyTorch's sentence for a target that is no class.
[[noreturn]] WICK_COLD void target_error(int64_t target, int64_t classes);

}  // namespace wick
