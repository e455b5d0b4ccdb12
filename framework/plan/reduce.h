// Reductions: how the elements that make up one result lie in memory.
//
// Every reduction that the kernels know is one of x[outer, n, inner] over n, each of the three with a stride of its own:
//   all      outer = inner = 1   one result
//   row      inner = 1           each result from elements that follow each other
//   column   inner > 1           neighbouring results from neighbouring elements
// Anything else is general: the caller makes a contiguous copy with the reduced dimensions last, which is a row reduction.
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

enum class ReduceCase : uint8_t { kAll, kRow, kColumn, kGeneral };

struct ReducePlan {
  ReduceCase kind;
  int64_t outer, n, inner;
  int64_t outer_stride, n_stride, inner_stride;  // in elements
  // The elements of a result are cut into `chunks` pieces of `chunk` (the last one shorter), which may be reduced at once by several
  // threads and are joined in order. Both depend on the shape alone.
  int64_t chunk, chunks;

  int64_t results() const { return outer * inner; }
};

// Dimension d of x is reduced where bit d of `reduced` is set.
ReducePlan make_reduce_plan(const TensorBase& x, uint32_t reduced);

// What happens to a reduced value v before it is written.
enum class Finish : uint8_t {
  kNone,
  kDivide,   // v / divisor
  kRoot,     // sqrt(v / divisor)
  kLog,      // log(v) + center
};

struct ReduceArgs {
  static constexpr Access access[4] = {Access::kWrite, Access::kRead, Access::kRead, Access::kWrite};

  Buffer buffers[4];  // the results, contiguous; x; null or `center`, one number per result in the compute type; the workspace
  ScalarType in, out; // of x and of the results
  ScalarType compute; // compute_type of x: kFloat, kDouble or kLong
  Finish finish;
  double divisor;
  ReducePlan plan;
};

// What a reduction of these element types computes in. float sums are joined in double.
constexpr ScalarType reduce_compute_type(ScalarType t) { return t == kDouble ? kDouble : is_floating(t) ? kFloat : kLong; }
// The partial results of the chunks, where there are several: results() * chunks elements of this type, 0 for a single chunk.
constexpr ScalarType workspace_type(ScalarType compute) { return compute == kLong ? kLong : kDouble; }
inline int64_t workspace_size(const ReducePlan& plan) { return plan.chunks > 1 ? plan.results() * plan.chunks : 0; }

// X(name, how two values combine, what is done to an element before): the slot of each is <name>_kernel.
#define WICK_REDUCTIONS(X)               \
  X(sum, Add, Itself)                    \
  X(prod, Multiply, Itself)              \
  X(max, Max, Itself)                    \
  X(min, Min, Itself)                    \
  X(all, And, NonZero)                   \
  X(any, Or, NonZero)                    \
  X(count_nonzero, Add, NonZero)         \
  X(sum_abs, Add, Absolute)              \
  X(max_abs, Max, Absolute)              \
  X(min_abs, Min, Absolute)              \
  X(sum_squares, Add, SquaredDistance)   \
  X(sum_exp, Add, ExpOfDifference)

#define WICK_REDUCE_SLOT(name, ...) extern constinit Kernel<ReduceArgs> name##_kernel;
WICK_REDUCTIONS(WICK_REDUCE_SLOT)
#undef WICK_REDUCE_SLOT

// The first place of the largest or smallest element; NaN counts as larger, or smaller, than any number. Not for the general case.
struct ArgReduceArgs {
  static constexpr Access access[3] = {Access::kWrite, Access::kWrite, Access::kRead};

  Buffer buffers[3];  // places (int64), or null; values of x's dtype, or null; x
  ScalarType in;
  ScalarType compute;
  ReducePlan plan;
};
extern constinit Kernel<ArgReduceArgs> argmax_kernel;
extern constinit Kernel<ArgReduceArgs> argmin_kernel;

// y[o, i, :] = the sum of x[o, 0 .. i, :]; or the product, the largest, the smallest, the logarithm of the sum of the exponentials. All
// contiguous, as [outer, n, inner]. The extremes also write their places.
struct CumsumArgs {
  static constexpr Access access[3] = {Access::kWrite, Access::kRead, Access::kWrite};

  Buffer buffers[3];  // y in x's dtype; x; int64 places, or null
  ScalarType dtype;
  int64_t outer, n, inner;
};
extern constinit Kernel<CumsumArgs> cumsum_kernel, cumprod_kernel, cummax_kernel, cummin_kernel, logcumsumexp_kernel;

}  // namespace wick
