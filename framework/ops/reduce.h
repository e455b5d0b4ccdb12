// Reductions, as other operations use them.
#pragma once

#include "wick/framework/ops/op.h"
#include "wick/framework/ops/view.h"
#include "wick/framework/plan/reduce.h"

namespace wick::ops {

// g summed over its leading dimensions, and over those that are 1 in `sizes`, so that it has these sizes: what undoes broadcasting.
// g itself where it has them already. Sizes must broadcast to g's.
Tensor sum_to(const Tensor& g, IntArrayRef sizes);

// Bit d says that dimension d is reduced.
using DimMask = uint32_t;
inline DimMask all_dims(const TensorBase& x) { return (DimMask{1} << x.dim()) - 1; }
// Of a list of dimensions; all of them where there is none or it is empty. Throws PyTorch's sentences.
DimMask mask_of(OptionalIntArrayRef dims, int64_t ndim);
DimMask mask_of(int64_t dim, int64_t ndim);

// The dimensions in ascending order.
Dims dims_of(DimMask reduced);

// How many elements make up one result.
int64_t reduced_numel(const TensorBase& x, DimMask reduced);

// What a kernel is to do beside combining. The center, if any, is contiguous, of x's compute type, and has the result's elements.
struct Finishing {
  Finish finish = Finish::kNone;
  double divisor = 1;
  const TensorBase* center = nullptr;
};

// Runs the kernel on x without recording; the result has dtype `out`.
Tensor reduce(const Kernel<ReduceArgs>& kernel, const Tensor& x, DimMask reduced, bool keepdim, ScalarType out, const Finishing& how = {});

// The result of a reduction (or its gradient) with its reduced dimensions back in place, as dimensions of size 1.
Tensor restore_dims(const Tensor& y, DimMask reduced, bool keepdim);

// At each place the product of all the other elements along the last dimension, in quadratic time and memory: the derivative of a
// product where elements are zero.
Tensor product_of_others(const Tensor& x);

// A plan that is not general, and the tensor that it describes: x, or a contiguous copy.
struct Planned {
  Tensor x;
  ReducePlan plan;
};
Planned plan_reduction(const Tensor& x, DimMask reduced);

}  // namespace wick::ops
