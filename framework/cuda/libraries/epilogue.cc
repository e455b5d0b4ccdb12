#include "wick/framework/cuda/libraries/epilogue.h"

#include "wick/framework/plan/elementwise_slots.h"
#include "wick/framework/plan/reduce.h"

namespace wick::cuda {
namespace {

template <class Functor>
bool is(const KernelInfo& kernel) { return &kernel == &ElementwiseSlot<Functor>::kernel; }

// A sum over the rows of a matrix that is the product's first factor, transposed.
bool sums_factor(const MatmulArgs& product, const ReduceArgs& sum) {
  const ReducePlan& plan = sum.plan;
  return product.trans_a && product.batch == 1 && product.n > 0 && product.k > 0 && sum.buffers[1].data == product.buffers[1].data &&
         sum.in == product.dtype && sum.out == product.dtype && sum.finish == Finish::kNone && plan.kind == ReduceCase::kColumn &&
         plan.outer == 1 && plan.n == product.k && plan.inner == product.m && plan.n_stride == product.lda && plan.inner_stride == 1 &&
         plan.chunks == 1;
}

}  // namespace

MatmulEpilogue epilogue_of(const MatmulArgs& product, const KernelInfo& kernel, const void* args) {
  if (product.dtype == kDouble || !is_floating(product.dtype)) return MatmulEpilogue::kNone;
  if (&kernel == &sum_kernel) {
    return sums_factor(product, *static_cast<const ReduceArgs*>(args)) ? MatmulEpilogue::kRowSums : MatmulEpilogue::kNone;
  }
  const bool relu = is<ops::Forward<ops::Relu>>(kernel), gelu = is<ops::Forward<ops::GeluTanh>>(kernel);
  const bool gradient = is<ops::Gradient<ops::GeluTanh, 0>>(kernel);
  if (!relu && !gelu && !gradient) return MatmulEpilogue::kNone;
  const auto& call = *static_cast<const ElementwiseArgs*>(args);
  if (!takes_elementwise(product, call)) return MatmulEpilogue::kNone;
  if (relu || gelu) return relu ? MatmulEpilogue::kRelu : MatmulEpilogue::kGelu;
  const bool beside = call.plan.strides[2][0] == 1 && call.buffers[2].storage != product.buffers[0].storage;
  return beside ? MatmulEpilogue::kGeluGradient : MatmulEpilogue::kNone;
}

}  // namespace wick::cuda
