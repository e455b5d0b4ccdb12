#include "wick/framework/ops/reduce.h"

#include <cmath>

namespace wick::ops {

// ---- What all reductions share -------------------------------------------------------------------------------------------------------

DimMask mask_of(int64_t dim, int64_t ndim) {
  const int64_t d = wrap_dim(dim, ndim);
  return ndim == 0 ? 0 : DimMask{1} << d;
}

DimMask mask_of(OptionalIntArrayRef dims, int64_t ndim) {
  if (!dims.has_value() || dims->empty()) return (DimMask{1} << ndim) - 1;
  DimMask mask = 0;
  for (int64_t dim : *dims) {
    const int64_t d = wrap_dim(dim, ndim);
    WICK_CHECK(!(mask >> d & 1), "dim ", d, " appears multiple times in the list of dims");
    mask |= DimMask{1} << d;
  }
  return mask & ((DimMask{1} << ndim) - 1);
}

int64_t reduced_numel(const TensorBase& x, DimMask reduced) {
  int64_t numel = 1;
  for (size_t d = 0; d < x.sizes().size(); ++d) {
    if (reduced >> d & 1) numel *= x.sizes()[d];
  }
  return numel;
}

Planned plan_reduction(const Tensor& x, DimMask reduced) {
  ReducePlan plan = make_reduce_plan(x, reduced);
  if (WICK_LIKELY(plan.kind != ReduceCase::kGeneral)) return {x, plan};
  Dims order;
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (!(reduced >> d & 1)) order.push_back(d);
  }
  const size_t kept = order.size();
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (reduced >> d & 1) order.push_back(d);
  }
  Tensor copy = x.permute(order).contiguous();
  plan = make_reduce_plan(copy, all_dims(x) & ~((DimMask{1} << kept) - 1));
  return {std::move(copy), plan};
}

namespace {

Tensor allocate_result(const Tensor& x, DimMask reduced, bool keepdim, ScalarType dtype) {
  Dims sizes;
  for (size_t d = 0; d < x.sizes().size(); ++d) {
    if (!(reduced >> d & 1)) sizes.push_back(x.sizes()[d]);
    else if (keepdim) sizes.push_back(1);
  }
  return empty_base(sizes, dtype, x.device());
}

}  // namespace

Tensor reduce(const Kernel<ReduceArgs>& kernel, const Tensor& x, DimMask reduced, bool keepdim, ScalarType out, const Finishing& how) {
  Tensor y = allocate_result(x, reduced, keepdim, out);
  const Planned planned = plan_reduction(x, reduced);
  ReduceArgs args;
  args.in = x.scalar_type();
  args.out = out;
  args.compute = reduce_compute_type(args.in);
  args.finish = how.finish;
  args.divisor = how.divisor;
  args.plan = planned.plan;
  args.buffers[0] = Buffer(y);
  args.buffers[1] = Buffer(planned.x);
  args.buffers[2] = how.center ? Buffer(*how.center) : Buffer(nullptr);
  args.buffers[3] = Buffer(nullptr);
  TensorBase workspace;
  if (const int64_t size = workspace_size(args.plan)) {
    workspace = empty_base({size}, workspace_type(args.compute), x.device());
    args.buffers[3] = Buffer(workspace);
  }
  launch(kernel, x.device(), args);
  return y;
}

Tensor restore_dims(const Tensor& y, DimMask reduced, bool keepdim) {
  // A result of no dimensions broadcasts as it is.
  if (keepdim || y.dim() == 0) return y;
  Tensor restored = y;
  for (int64_t d = 0; reduced >> d; ++d) {
    if (reduced >> d & 1) restored = restored.unsqueeze(d);
  }
  return restored;
}

namespace {

// ---- Sum and mean ----------------------------------------------------------------------------------------------------------------------

ScalarType sum_type(const Tensor& x) { return is_integral(x.scalar_type(), true) ? kLong : x.scalar_type(); }

Tensor broadcast_back(const Gradients& g, const Tensor& gradient) {
  return restore_dims(gradient, static_cast<DimMask>(g.number(0)), g.number(1)).expand(input_sizes(g));
}

template <class Op>
struct SumOf {
  static Tensor forward(Context& ctx, const Tensor& x, DimMask reduced, bool keepdim) {
    ctx.save_numbers(reduced, keepdim);
    return reduce(sum_kernel, x, reduced, keepdim, sum_type(x));
  }
  static void backward(const Gradients& g) { g.set(0, broadcast_back(g, g.output())); }
};
struct SumAll : SumOf<SumAll> {
  static constexpr OpInfo info = make_info<SumAll>("sum", "SumBackward0");
};
struct SumDims : SumOf<SumDims> {
  static constexpr OpInfo info = make_info<SumDims>("sum", "SumBackward1");
};

template <class Op>
struct MeanOf {
  static Tensor forward(Context& ctx, const Tensor& x, DimMask reduced, bool keepdim) {
    const int64_t n = reduced_numel(x, reduced);
    ctx.save_numbers(reduced, keepdim, n);
    return reduce(sum_kernel, x, reduced, keepdim, x.scalar_type(), {Finish::kDivide, static_cast<double>(n)});
  }
  static void backward(const Gradients& g) { g.set(0, broadcast_back(g, g.output() / g.number(2))); }
};
struct MeanAll : MeanOf<MeanAll> {
  static constexpr OpInfo info = make_info<MeanAll>("mean", "MeanBackward0");
};
struct MeanDims : MeanOf<MeanDims> {
  static constexpr OpInfo info = make_info<MeanDims>("mean", "MeanBackward1");
};

// x in the dtype that the caller asks a sum, mean or product to be computed in.
Tensor in_dtype(const Tensor& x, std::optional<ScalarType> dtype) { return dtype && *dtype != x.scalar_type() ? x.to(*dtype) : x; }

// Integers are summed in 64 bits; a narrower sum is the low bits of that.
Tensor narrowed(const Tensor& y, std::optional<ScalarType> dtype) { return dtype && *dtype != y.scalar_type() ? y.to(*dtype) : y; }

void check_mean_type(const Tensor& x, std::optional<ScalarType> dtype) {
  const ScalarType t = dtype.value_or(x.scalar_type());
  if (WICK_LIKELY(is_floating(t))) return;
  WICK_CHECK_NOT_IMPLEMENTED(!dtype, "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: ", t);
  WICK_CHECK_NOT_IMPLEMENTED(false, "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: ", t,
                             "\n  ", describe("mean", {&x}), "\n  Convert it with .to(kFloat), or pass a dtype.");
}

}  // namespace

Tensor sum_to(const Tensor& g, IntArrayRef sizes) {
  if (g.sizes() == sizes) return g;
  const size_t leading = g.sizes().size() - sizes.size();
  DimMask reduced = (DimMask{1} << leading) - 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1 && g.sizes()[leading + d] != 1) reduced |= DimMask{1} << (leading + d);
  }
  Tensor summed = reduced ? apply<SumDims>(g, reduced, true) : g;
  return leading ? summed.view(sizes) : summed;
}

}  // namespace wick::ops

namespace wick {

using namespace ops;

Tensor sum(const Tensor& self, std::optional<ScalarType> dtype) {
  return narrowed(apply<SumAll>(in_dtype(self, dtype), all_dims(self), false), dtype);
}
Tensor sum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return narrowed(apply<SumDims>(in_dtype(self, dtype), mask_of(dim, self.dim()), keepdim), dtype);
}

Tensor mean(const Tensor& self, std::optional<ScalarType> dtype) {
  check_mean_type(self, dtype);
  return apply<MeanAll>(in_dtype(self, dtype), all_dims(self), false);
}
Tensor mean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  check_mean_type(self, dtype);
  return apply<MeanDims>(in_dtype(self, dtype), mask_of(dim, self.dim()), keepdim);
}

}  // namespace wick
