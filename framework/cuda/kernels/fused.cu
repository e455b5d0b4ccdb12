// Elementwise calls over the same elements in one launch. A thread makes every call for its four elements before it ends; what one call
// writes the next one reads is its own, so nothing needs to wait.
//
// Which functions a pass consists of is known when a graph has been captured, and not to the compiler: the kernel has a case for each
// of those that training steps are made of. Others stay launches of their own.
#include "wick/framework/cuda/kernels/fused.h"

#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/elementwise.cuh"

// X(functor of ops/defs/functors.h).
#define WICK_FUSED_1(X, Op) X(Forward<ops::Op>) X(Gradient<ops::Op, 0>)
#define WICK_FUSED_2(X, Op) WICK_FUSED_1(X, Op) X(Gradient<ops::Op, 1>)
#define WICK_FUSED_FUNCTORS(X)                                                                                                     \
  WICK_FUSED_1(X, Neg) WICK_FUSED_1(X, Abs) WICK_FUSED_1(X, Square) WICK_FUSED_1(X, Sqrt) WICK_FUSED_1(X, Reciprocal)              \
  WICK_FUSED_1(X, Exp) WICK_FUSED_1(X, Log) WICK_FUSED_1(X, Sigmoid) WICK_FUSED_1(X, Tanh) WICK_FUSED_1(X, Relu)                   \
  WICK_FUSED_1(X, Silu) WICK_FUSED_1(X, Gelu) WICK_FUSED_1(X, GeluTanh) WICK_FUSED_1(X, Softplus) WICK_FUSED_1(X, Elu)             \
  WICK_FUSED_1(X, LeakyRelu) WICK_FUSED_1(X, Clamp) WICK_FUSED_1(X, PowNumber)                                                     \
  WICK_FUSED_2(X, Add) WICK_FUSED_2(X, Sub) WICK_FUSED_2(X, Mul) WICK_FUSED_2(X, Div) WICK_FUSED_2(X, Maximum) WICK_FUSED_2(X, Minimum) \
  X(Forward<ops::Lerp>) X(Forward<ops::Addcmul>) X(Forward<ops::Addcdiv>)

namespace wick::cuda {
namespace {

using ops::Forward, ops::Gradient;

struct FusedCall {
  int64_t numel;
  int count;
  int functor[kMaxFused];
  ElementwiseCall calls[kMaxFused];
};

template <class... F>
struct Functors {
  // The number of the functor whose slot this is; -1: none of them.
  static int find(const KernelInfo& kernel) {
    int number = 0;
    return ((&kernel == &ElementwiseSlot<F>::kernel || (++number, false)) || ...) ? number : -1;
  }
};
struct None {};
#define WICK_FUNCTOR(...) , __VA_ARGS__
template <class First, class... F>
Functors<F...> without_first(Functors<First, F...>);
using Fused = decltype(without_first(Functors<None WICK_FUSED_FUNCTORS(WICK_FUNCTOR)>()));
#undef WICK_FUNCTOR

template <class... F>
__device__ inline void apply(Functors<F...>, int functor, const ElementwiseCall& call, int64_t first) {
  int number = 0;
  ((functor == number++ && (apply_to_four<F, float>(call, first, OneDtype<kFloat>()), true)) || ...);
}

__global__ void __launch_bounds__(kElementwiseThreads) elementwise_fused(const __grid_constant__ FusedCall all) {
  const int64_t first = first_of_four();
  if (first >= all.numel) return;
  for (int i = 0; i < all.count; ++i) apply(Fused(), all.functor[i], all.calls[i], first);
}

void run_fused(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const FusedElementwiseArgs*>(raw_args);
  FusedCall all;
  all.numel = args.calls[0]->plan.numel;
  all.count = args.count;
  bool flat = true;  // and aligned
  for (int i = 0; i < args.count; ++i) {
    const int num_inputs = static_cast<const ElementwiseKernel*>(args.kernels[i])->blocks[0]->num_inputs;
    all.functor[i] = Fused::find(*args.kernels[i]);
    flat &= make_flat_call(*args.calls[i], num_inputs, all.calls[i]);
  }
  if (flat) return launch<elementwise_fused>(elementwise_grid((all.numel + 3) / 4), all);
  for (int i = 0; i < args.count; ++i) args.kernels[i]->cuda(*args.kernels[i], args.calls[i]);
}

}  // namespace

bool is_fused(const KernelInfo& kernel, const ElementwiseArgs& args) { return args.compute == kFloat && Fused::find(kernel) >= 0; }

void install_fused() { fused_elementwise_kernel.cuda = run_fused; }

}  // namespace wick::cuda
