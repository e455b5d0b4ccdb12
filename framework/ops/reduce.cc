#include "wick/framework/ops/reduce.h"

#include <cmath>

namespace wick::ops {

// ---- What all reductions share -----------------------------------------------------------------------------------------------------

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

static Tensor allocate_result(const Tensor& x, DimMask reduced, bool keepdim, ScalarType dtype) {
  Dims sizes;
  for (size_t d = 0; d < x.sizes().size(); ++d) {
    if (!(reduced >> d & 1)) sizes.push_back(x.sizes()[d]);
    else if (keepdim) sizes.push_back(1);
  }
  return empty_base(sizes, dtype, x.device());
}

Tensor reduce(const Kernel<ReduceArgs>& kernel, const Tensor& x, DimMask reduced, bool keepdim, ScalarType out, const Finishing& how) {
  if (WICK_UNLIKELY(x.is_complex())) {  // the sums of the parts
    WICK_CHECK_NOT_IMPLEMENTED(&kernel == &sum_kernel, "\"", kernel.name, "\" not implemented for '", x.scalar_type(), "'");
    return joined_parts(reduce(kernel, parts_of(x), reduced, keepdim, to_real_type(out), how));
  }
  Tensor y = allocate_result(x, reduced, keepdim, out);
  const auto [from, plan] = plan_reduction(x, reduced);
  const ScalarType in = x.scalar_type(), compute = reduce_compute_type(in);
  TensorBase workspace;
  if (const int64_t size = workspace_size(plan)) workspace = empty_base({size}, workspace_type(compute), x.device());
  const Buffer center = how.center ? Buffer(*how.center) : nullptr;
  launch(kernel, x.device(), ReduceArgs{{y, from, center, workspace}, in, out, compute, how.finish, how.divisor, plan});
  return y;
}

Dims dims_of(DimMask reduced) {
  Dims dims;
  for (int64_t d = 0; reduced >> d; ++d) {
    if (reduced >> d & 1) dims.push_back(d);
  }
  return dims;
}

Tensor product_of_others(const Tensor& x) {
  const int64_t n = x.size(-1);
  return x.unsqueeze(-2).expand(joined_dims({x.sizes(), {n}})).masked_fill(eye(n, x.options().dtype(kBool)), 1).prod(-1);
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

// ---- Sum and mean ------------------------------------------------------------------------------------------------------------------

ScalarType sum_type(const Tensor& x) { return is_integral(x.scalar_type(), true) ? kLong : x.scalar_type(); }

Tensor broadcast_back(const Gradients& g, const Tensor& gradient) {
  return restore_dims(gradient, static_cast<DimMask>(g.number(0)), g.number(1)).expand(input_sizes(g));
}

struct Sum {
  static Tensor forward(Context& ctx, const Tensor& x, DimMask reduced, bool keepdim) {
    ctx.save_numbers(reduced, keepdim);
    return reduce(sum_kernel, x, reduced, keepdim, sum_type(x));
  }
  static void backward(const Gradients& g) { g.set(0, broadcast_back(g, g.output())); }
};
using SumAll = Named<Sum, "sum", "SumBackward0">;
using SumDims = Named<Sum, "sum", "SumBackward1">;

struct Mean {
  static Tensor forward(Context& ctx, const Tensor& x, DimMask reduced, bool keepdim) {
    const int64_t n = reduced_numel(x, reduced);
    ctx.save_numbers(reduced, keepdim, n);
    return reduce(sum_kernel, x, reduced, keepdim, x.scalar_type(), {Finish::kDivide, static_cast<double>(n)});
  }
  static void backward(const Gradients& g) { g.set(0, broadcast_back(g, g.output() / g.number(2))); }
};
using MeanAll = Named<Mean, "mean", "MeanBackward0">;
using MeanDims = Named<Mean, "mean", "MeanBackward1">;

// The dtype that the caller asks for: x's in which a sum, mean or product is to be computed, and then the result's, since integers are
// summed in 64 bits; a narrower sum is the low bits of that.
Tensor in_dtype(const Tensor& x, std::optional<ScalarType> dtype) { return dtype && *dtype != x.scalar_type() ? x.to(*dtype) : x; }

void check_mean_type(const Tensor& x, std::optional<ScalarType> dtype) {
  const ScalarType t = dtype.value_or(x.scalar_type());
  if (WICK_LIKELY(is_floating(t) || is_complex(t))) return;
  WICK_CHECK_NOT_IMPLEMENTED(
      !dtype, "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: ", t);
  WICK_CHECK_NOT_IMPLEMENTED(false,
                             "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: ", t,
                             "\n  ", describe("mean", {&x}), "\n  Convert it with .to(kFloat), or pass a dtype.");
}

// ---- Product -----------------------------------------------------------------------------------------------------------------------

// The product over a dimension, by halves: what the kernel, which knows real numbers, does not do. Its derivative is that of mul.
Tensor complex_product(Tensor x, int64_t dim, bool keepdim) {
  while (x.dim() && x.size(dim) > 1) {
    const int64_t half = x.size(dim) / 2;
    const Tensor y = x.narrow(dim, 0, half) * x.narrow(dim, half, half);
    x = x.size(dim) % 2 ? cat({y, x.narrow(dim, 2 * half, 1)}, dim) : y;
  }
  if (x.dim() && x.size(dim) == 0) {
    Dims sizes(x.sizes());
    sizes[dim] = 1;
    x = ones(sizes, x.options());
  }
  return keepdim || x.dim() == 0 ? x.clone() : x.select(dim, 0).clone();
}

struct Prod {
  static Tensor forward(Context& ctx, const Tensor& x, DimMask reduced, bool keepdim) {
    ctx.save(x);
    ctx.save_numbers(reduced, keepdim);
    return reduce(prod_kernel, x, reduced, keepdim, sum_type(x));
  }
  // The product of the other elements is that of the elements that are not zero, over x; where x is the only zero, that product; where
  // there are other zeros, 0, or NaN where an infinity or NaN is among the others as well.
  static void backward(const Gradients& g) {
    const Tensor x = g.saved(0);
    const auto reduced = static_cast<DimMask>(g.number(0));
    const Tensor gradient = restore_dims(g.output(), reduced, g.number(1));
    const Tensor zero = x.eq(0);
    if (g.create_graph() && x.dim() > 0 && zero.any().item<bool>()) {
      const bool all = reduced == all_dims(x);
      const int64_t dim = all ? 0 : __builtin_ctz(reduced);
      const Tensor others = product_of_others(all ? x.reshape({-1}) : x.movedim(dim, -1));
      return g.set(0, gradient * (all ? others.reshape(x.sizes()) : others.movedim(-1, dim)));
    }
    const Dims dims = dims_of(reduced);
    const Tensor filled = x.masked_fill(zero, 1);
    const auto among_others = [&](const Tensor& which) { return (x.dim() ? which.sum(dims, true) : which.to(kLong)).ne(which.to(kLong)); };
    const Tensor product = gradient * (reduced == all_dims(x) ? filled.prod() : filled.prod(__builtin_ctz(reduced), true));
    const Tensor zeros = among_others(zero), endless = among_others(x.isfinite().logical_not());
    g.set(0, (product / filled).masked_fill(zeros, 0).masked_fill(zeros.logical_and(endless), NAN));
  }
};
using ProdAll = Named<Prod, "prod", "ProdBackward0">;
using ProdDim = Named<Prod, "prod", "ProdBackward1">;

// ---- Extremes ----------------------------------------------------------------------------------------------------------------------

// There is no largest of no elements: PyTorch's sentences.
void check_not_empty(const char* name, const Tensor& x, DimMask reduced) {
  WICK_CHECK_NOT_IMPLEMENTED(!x.is_complex(), "\"", name, "_cpu\" not implemented for '", x.scalar_type(), "'");
  for (int64_t d = 0; reduced >> d; ++d) {
    WICK_CHECK_INDEX(!(reduced >> d & 1) || x.sizes()[static_cast<size_t>(d)] != 0, name, "(): Expected reduction dim ", d,
                     " to have non-zero size.\n  ", describe(name, {&x}));
  }
}
void check_not_empty(const char* name, const Tensor& x) {
  WICK_CHECK_NOT_IMPLEMENTED(!x.is_complex(), "\"", name, "_all\" not implemented for '", x.scalar_type(), "'");
  WICK_CHECK(x.numel() != 0, name, "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
             "'dim' argument.\n  ", describe(name, {&x}));
}

// The gradient of an extreme is shared by all elements that are equal to it (that are NaN, if it is).
template <const Kernel<ReduceArgs>& kernel>
struct ExtremeOver {
  static Tensor forward(Context& ctx, const Tensor& x, DimMask reduced, bool keepdim) {
    Tensor y = reduce(kernel, x, reduced, keepdim, x.scalar_type());
    ctx.save(x);
    ctx.save_output(y);
    ctx.save_numbers(reduced, keepdim);
    return y;
  }
  static void backward(const Gradients& g) {
    const Tensor x = g.saved(0);
    const auto reduced = static_cast<DimMask>(g.number(0));
    const Tensor y = restore_dims(g.saved(1), reduced, g.number(1)).detach();
    const Tensor ties = x.eq(y).logical_or(x.isnan());
    const Tensor count = x.dim() ? ties.sum(dims_of(reduced), true) : ties.to(kLong);
    g.set(0, restore_dims(g.output(), reduced, g.number(1)) / count * ties);
  }
};
using MaxAll = Named<ExtremeOver<max_kernel>, "max", "MaxBackward1">;
using MinAll = Named<ExtremeOver<min_kernel>, "min", "MinBackward1">;
using Amax = Named<ExtremeOver<max_kernel>, "amax", "AmaxBackward0">;
using Amin = Named<ExtremeOver<min_kernel>, "amin", "AminBackward0">;

// Either result may be undefined.
void launch_arg_reduce(const Kernel<ArgReduceArgs>& kernel, const Tensor& x, DimMask reduced, const Tensor& places, const Tensor& values) {
  const auto [from, plan] = plan_reduction(x, reduced);
  launch(kernel, x.device(), ArgReduceArgs{{places, values, from}, x.scalar_type(), reduce_compute_type(x.scalar_type()), plan});
}

template <const Kernel<ArgReduceArgs>& kernel>
struct ExtremeAlong {
  static TensorPair forward(Context& ctx, const Tensor& x, int64_t dim, bool keepdim) {
    const DimMask reduced = mask_of(dim, x.dim());
    Tensor values = allocate_result(x, reduced, keepdim, x.scalar_type());
    Tensor places = allocate_result(x, reduced, keepdim, kLong);
    launch_arg_reduce(kernel, x, reduced, places, values);
    ctx.save(places);
    ctx.save_numbers(dim, keepdim);
    return {std::move(values), std::move(places)};
  }
  static void backward(const Gradients& g) {
    const IntArrayRef sizes = input_sizes(g);
    if (!g.output().defined() || sizes.empty()) return g.set(0, g.output());
    const int64_t dim = g.number(0);
    const bool keepdim = g.number(1);
    const Tensor places = keepdim ? g.saved(0) : g.saved(0).unsqueeze(dim);
    const Tensor gradient = keepdim ? g.output() : g.output().unsqueeze(dim);
    g.set(0, zeros(sizes, gradient.options()).scatter_(dim, places, gradient));
  }
};
using MaxDim = Named<ExtremeAlong<argmax_kernel>, "max", "MaxBackward0">;
using MinDim = Named<ExtremeAlong<argmin_kernel>, "min", "MinBackward0">;

template <class Op>
TensorPair extreme_along(const Tensor& x, int64_t dim, bool keepdim) {
  const int64_t d = wrap_dim(dim, x.dim());
  check_not_empty(Op::info.name, x, mask_of(d, x.dim()));
  return apply<Op>(x, d, keepdim);
}

template <class Op>
Tensor extreme_over(const Tensor& x, IntArrayRef dim, bool keepdim) {
  if (dim.empty()) check_not_empty(Op::info.name, x);
  const DimMask reduced = mask_of(dim, x.dim());
  check_not_empty(Op::info.name, x, reduced);
  return apply<Op>(x, reduced, keepdim);
}

Tensor arg_extreme(const char* name, const Kernel<ArgReduceArgs>& kernel, const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  WICK_CHECK_TYPE(!self.is_complex(), name, "(): does not support complex input");
  WICK_CHECK_NOT_IMPLEMENTED(self.scalar_type() != kBool, name, "(): does not support bool input\n  ", describe(name, {&self}));
  WICK_CHECK_INDEX(dim || self.numel() != 0, name, "(): Expected reduction dim to be specified for input.numel() == 0.\n  ",
                   describe(name, {&self}));
  // Places in the flattened tensor are counted in its logical order.
  const Tensor x = dim ? self : self.detach().contiguous();
  const DimMask reduced = dim ? mask_of(*dim, x.dim()) : all_dims(x);
  check_not_empty(name, x, reduced);
  Tensor places = allocate_result(x, reduced, keepdim, kLong);
  launch_arg_reduce(kernel, x, reduced, places, Tensor());
  return places;
}

// ---- Truth -------------------------------------------------------------------------------------------------------------------------

Tensor truth(const Kernel<ReduceArgs>& kernel, const Tensor& x, DimMask reduced, bool keepdim) {
  if (x.is_complex()) return truth(kernel, x.detach().ne(0), reduced, keepdim);
  return reduce(kernel, x.detach(), reduced, keepdim, x.scalar_type() == kByte ? kByte : kBool);
}

}  // namespace

Tensor sum_to(const Tensor& g, IntArrayRef sizes) {
  if (g.sizes() == sizes) return g;
  const size_t leading = g.sizes().size() - sizes.size();
  const DimMask dropped = (DimMask{1} << leading) - 1;
  DimMask reduced = dropped;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1 && g.sizes()[leading + d] != 1) reduced |= DimMask{1} << (leading + d);
  }
  // A bias: the sum is a tensor of its own, and no view, which its leaf can keep as its gradient.
  if (reduced == dropped) return apply<SumDims>(g, reduced, false);
  const Tensor summed = apply<SumDims>(g, reduced, true);
  return leading ? summed.view(sizes) : summed;
}

}  // namespace wick::ops

namespace wick {

using namespace ops;

Tensor sum(const Tensor& self, std::optional<ScalarType> dtype) {
  return in_dtype(apply<SumAll>(in_dtype(self, dtype), all_dims(self), false), dtype);
}
Tensor sum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return in_dtype(apply<SumDims>(in_dtype(self, dtype), mask_of(dim, self.dim()), keepdim), dtype);
}

Tensor mean(const Tensor& self, std::optional<ScalarType> dtype) {
  check_mean_type(self, dtype);
  return apply<MeanAll>(in_dtype(self, dtype), all_dims(self), false);
}
Tensor mean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  check_mean_type(self, dtype);
  return apply<MeanDims>(in_dtype(self, dtype), mask_of(dim, self.dim()), keepdim);
}

Tensor prod(const Tensor& self, std::optional<ScalarType> dtype) {
  if (is_complex(dtype.value_or(self.scalar_type()))) return complex_product(in_dtype(self, dtype).reshape({self.numel()}), 0, false);
  return in_dtype(apply<ProdAll>(in_dtype(self, dtype), all_dims(self), false), dtype);
}
Tensor prod(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> dtype) {
  if (is_complex(dtype.value_or(self.scalar_type()))) return complex_product(in_dtype(self, dtype), wrap_dim(dim, self.dim()), keepdim);
  return in_dtype(apply<ProdDim>(in_dtype(self, dtype), mask_of(dim, self.dim()), keepdim), dtype);
}

#define WICK_EXTREMES(name, Name, maximum)                                                                                         \
  Tensor name(const Tensor& self) {                                                                                                \
    check_not_empty(#name, self);                                                                                                  \
    return apply<Name##All>(self, all_dims(self), false);                                                                          \
  }                                                                                                                                \
  Tensor name(const Tensor& self, const Tensor& other) { return maximum(self, other); }                                            \
  TensorPair name(const Tensor& self, int64_t dim, bool keepdim) { return extreme_along<Name##Dim>(self, dim, keepdim); }          \
  Tensor a##name(const Tensor& self, IntArrayRef dim, bool keepdim) { return extreme_over<A##name>(self, dim, keepdim); }          \
  Tensor arg##name(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {                                                 \
    return arg_extreme("arg" #name, arg##name##_kernel, self, dim, keepdim);                                                       \
  }
WICK_EXTREMES(max, Max, maximum)
WICK_EXTREMES(min, Min, minimum)

#define WICK_TRUTH(name)                                                                          \
  Tensor name(const Tensor& self) { return truth(name##_kernel, self, all_dims(self), false); }   \
  Tensor name(const Tensor& self, int64_t dim, bool keepdim) { return truth(name##_kernel, self, mask_of(dim, self.dim()), keepdim); }
WICK_TRUTH(all)
WICK_TRUTH(any)

}  // namespace wick
