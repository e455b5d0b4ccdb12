// The slots of the elementwise kernels, one for each functor of ops/defs/functors.h.
#pragma once

#include "wick/framework/ops/defs/functors.h"
#include "wick/framework/plan/elementwise.h"

namespace wick {

// Defined in cpu/elementwise_slots.cc for every functor.
template <class Functor>
struct ElementwiseSlot {
  static ElementwiseKernel kernel;
};

#define WICK_SLOT_1(Op, ...)                             \
  template <> ElementwiseKernel ElementwiseSlot<ops::Forward<ops::Op>>::kernel;
#define WICK_SLOT_2(Op, ...) WICK_SLOT_1(Op)             \
  template <> ElementwiseKernel ElementwiseSlot<ops::Gradient<ops::Op, 0>>::kernel;
#define WICK_SLOT_3(Op, ...) WICK_SLOT_2(Op)             \
  template <> ElementwiseKernel ElementwiseSlot<ops::Gradient<ops::Op, 1>>::kernel;
#define WICK_SLOT_4(Op, ...) WICK_SLOT_3(Op)             \
  template <> ElementwiseKernel ElementwiseSlot<ops::Gradient<ops::Op, 2>>::kernel;
WICK_WITHOUT_GRADIENT(WICK_SLOT_1)
WICK_UNARY_WITH_GRADIENT(WICK_SLOT_2)
WICK_BINARY_WITH_GRADIENT(WICK_SLOT_3)
WICK_TERNARY_OPS(WICK_SLOT_4)
#undef WICK_SLOT_1
#undef WICK_SLOT_2
#undef WICK_SLOT_3
#undef WICK_SLOT_4

// Copying with conversion between any two dtypes. Args: buffers[0] the destination, buffers[1] the source (or a number).
extern constinit Kernel<ElementwiseArgs> copy_kernel;

// Elementwise calls that follow each other over the same elements, made in one pass over blocks that stay in the nearest cache: each
// call's results are still there when the next one reads them. A graph (framework/graph) puts them together.
inline constexpr int kMaxFused = 16;
struct FusedElementwiseArgs {
  static constexpr Access access[1] = {Access::kRead};  // it has no buffers of its own

  int count;
  const KernelInfo* kernels[kMaxFused];
  const ElementwiseArgs* calls[kMaxFused];
};
extern constinit Kernel<FusedElementwiseArgs> fused_elementwise_kernel;

// Whether the call may be part of such a pass: one of the kernels above, over elements without gaps, all of the type it computes in, with
// at most one single value for an input of two.
bool is_fusible(const KernelInfo& kernel, const ElementwiseArgs& args);

}  // namespace wick
