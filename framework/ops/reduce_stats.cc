// Variance, norms, logsumexp and running sums.
#include <cmath>

#include "wick/framework/ops/complex.h"
#include "wick/framework/ops/reduce.h"

namespace wick::ops {
namespace {

DimMask reduced_by(const Gradients& g) { return static_cast<DimMask>(g.number(0)); }
Tensor restored_output(const Gradients& g) { return restore_dims(g.output(), reduced_by(g), g.number(1)); }

// sum and amax over a mask, with the reduced dimensions kept.
Tensor sum_over(const Tensor& x, DimMask reduced) { return x.dim() ? x.sum(dims_of(reduced), true) : x; }
Tensor amax_over(const Tensor& x, DimMask reduced) { return x.dim() ? x.amax(dims_of(reduced), true) : x; }

// ---- Variance ----------------------------------------------------------------------------------------------------------------------

// sum (x - mean)^2 / (n - 1), or / n if not unbiased, in two passes.
Tensor variance(Context& ctx, const Tensor& x, DimMask reduced, bool unbiased, bool keepdim, Finish finish) {
  const auto n = static_cast<double>(reduced_numel(x, reduced));
  const double divisor = std::max(n - (unbiased ? 1 : 0), 0.0);
  ctx.save(x);
  ctx.save_numbers(reduced, keepdim, bits_of(divisor));
  const Tensor mean = reduce(sum_kernel, x, reduced, false, reduce_compute_type(x.scalar_type()), {Finish::kDivide, n});
  return reduce(sum_squares_kernel, x, reduced, keepdim, x.scalar_type(), {finish, divisor, &mean});
}

Tensor variance_backward(const Gradients& g, const Tensor& gradient) {
  const Tensor x = g.saved(0);
  const Tensor mean = x.dim() ? x.mean(dims_of(reduced_by(g)), true) : x;
  return gradient * (2 / double_of(g.number(2))) * (x - mean);
}

struct Variance {
  static constexpr OpInfo info = make_info<Variance>("var", "VarBackward0");
  static Tensor forward(Context& ctx, const Tensor& x, DimMask reduced, bool unbiased, bool keepdim) {
    return variance(ctx, x, reduced, unbiased, keepdim, Finish::kDivide);
  }
  static void backward(const Gradients& g) { g.set(0, variance_backward(g, restored_output(g))); }
};

struct Deviation {
  static constexpr OpInfo info = make_info<Deviation>("std", "StdBackward0");
  static Tensor forward(Context& ctx, const Tensor& x, DimMask reduced, bool unbiased, bool keepdim) {
    Tensor y = variance(ctx, x, reduced, unbiased, keepdim, Finish::kRoot);
    ctx.save_output(y);
    return y;
  }
  static void backward(const Gradients& g) {
    const Tensor y = restore_dims(g.saved(1), reduced_by(g), g.number(1));
    g.set(0, variance_backward(g, (restored_output(g) / (y * 2)).masked_fill(y.eq(0), 0)));
  }
};

void check_variance_type(const char* name, const Tensor& x) {
  WICK_CHECK_NOT_IMPLEMENTED(is_floating(x.scalar_type()) || x.is_complex(),
                             "std and var only support floating point and complex dtypes\n  ", describe(name, {&x}));
}

// ---- Norms -------------------------------------------------------------------------------------------------------------------------

struct Norm {
  static Tensor forward(Context& ctx, const Tensor& x, double p, DimMask reduced, bool keepdim) {
    Tensor y = value(x, p, reduced, keepdim);
    ctx.save(x);
    ctx.save_output(y);
    ctx.save_numbers(reduced, keepdim, bits_of(p));
    return y;
  }

  static Tensor value(const Tensor& x, double p, DimMask reduced, bool keepdim) {
    const ScalarType t = x.scalar_type();
    if (p == 0) return reduce(count_nonzero_kernel, x, reduced, keepdim, t);
    if (p == 1) return reduce(sum_abs_kernel, x, reduced, keepdim, t);
    if (p == 2) return reduce(sum_squares_kernel, x, reduced, keepdim, t, {Finish::kRoot});
    if (std::isinf(p)) return reduce(p > 0 ? max_abs_kernel : min_abs_kernel, x, reduced, keepdim, t);
    const ScalarType wide = promote_types(t, kFloat);
    return reduce(sum_kernel, x.abs().to(wide).pow(p), reduced, keepdim, wide).pow(1 / p).to(t);
  }

  // Where the norm is 0 its subgradient 0 is taken.
  static void backward(const Gradients& g) {
    const Tensor x = g.saved(0), y = restore_dims(g.saved(1), reduced_by(g), g.number(1));
    const Tensor gradient = restored_output(g);
    const double p = double_of(g.number(2));
    if (p == 0) return;
    if (p == 1) {
      g.set(0, x.sign() * gradient);
    } else if (p == 2) {
      g.set(0, x * (gradient / y).masked_fill(y.eq(0), 0));
    } else if (std::isinf(p)) {
      const Tensor ties = x.abs().eq(y).logical_or(x.isnan());
      g.set(0, x.sign() * (gradient / sum_over(ties, reduced_by(g)) * ties));
    } else {
      const Tensor scaled = x.sign() * x.abs().pow(p - 1).masked_fill(x.eq(0), 0);
      g.set(0, scaled * (gradient / y.pow(p - 1)).masked_fill(y.eq(0), 0));
    }
  }
};
using NormAll = Named<Norm, "norm", "NormBackward0">;
using NormDims = Named<Norm, "norm", "NormBackward1">;

void check_norm(const Tensor& x, double p, DimMask reduced) {
  WICK_CHECK_NOT_IMPLEMENTED(is_floating(x.scalar_type()), "linalg.vector_norm: Expected a floating point or complex tensor as input. Got ",
                             x.scalar_type(), "\n  ", describe("norm", {&x}));
  if (!(std::isinf(p) || p < 0) || reduced_numel(x, reduced) != 0) return;
  const char* name = p == HUGE_VAL ? "inf" : p == -HUGE_VAL ? "-inf" : "negative";
  WICK_CHECK(reduced != all_dims(x), "linalg.vector_norm cannot compute the ", name,
             " norm on an empty tensor because the operation does not have an identity");
  for (int64_t d : dims_of(reduced)) {
    WICK_CHECK(x.size(d) != 0, "linalg.vector_norm cannot compute the ", name, " norm on the dimension ", d,
               "because this dimension is empty and the operation does not have an identity");
  }
}

// ---- logsumexp ---------------------------------------------------------------------------------------------------------------------

struct Logsumexp {
  static constexpr OpInfo info = make_info<Logsumexp>("logsumexp", "LogsumexpBackward0");

  static Tensor forward(Context& ctx, const Tensor& x, DimMask reduced, bool keepdim) {
    ctx.save(x);
    ctx.save_numbers(reduced, keepdim);
    const Tensor largest = reduce(max_kernel, x, reduced, false, reduce_compute_type(x.scalar_type()));
    return reduce(sum_exp_kernel, x, reduced, keepdim, x.scalar_type(), {Finish::kLog, 1, &largest});
  }

  // softmax(x), from x - max(x) and not from the rounded result; 0 where every x is -inf.
  static void backward(const Gradients& g) {
    const Tensor x = g.saved(0);
    const DimMask reduced = reduced_by(g);
    if (x.numel() == 0) return g.set(0, zeros_like(x));
    const Tensor largest = amax_over(x.detach(), reduced);
    const Tensor e = (x - largest.masked_fill(largest.isinf(), 0)).exp();
    const Tensor sum = sum_over(e, reduced);
    g.set(0, e * (restored_output(g) / sum).masked_fill(sum.eq(0), 0));
  }
};

// ---- Running sums ------------------------------------------------------------------------------------------------------------------

Tensor run_scan(const Kernel<CumsumArgs>& kernel, const Tensor& x, int64_t dim, const Tensor& places = {}) {
  // The sum of complex numbers is that of their parts.
  if (x.is_complex() && &kernel == &cumsum_kernel) return joined_parts(run_scan(kernel, parts_of(x), x.dim() ? dim : 1));
  const Tensor from = x.contiguous();
  Tensor y = empty_base(x.sizes(), x.scalar_type(), x.device());
  CumsumArgs args{{y, from, places}, x.scalar_type(), 1, 1, 1};
  for (int64_t d = 0; d < x.dim(); ++d) (d < dim ? args.outer : d == dim ? args.n : args.inner) *= x.size(d);
  launch(kernel, x.device(), args);
  return y;
}

// At each place the sum of what stands there and behind it.
Tensor sum_from(const Tensor& x, int64_t dim) { return x.dim() ? x.flip(dim).cumsum(dim).flip(dim) : x; }

struct Cumsum {
  static constexpr OpInfo info = make_info<Cumsum>("cumsum", "CumsumBackward0");

  static Tensor forward(Context& ctx, const Tensor& x, int64_t dim) {
    ctx.save_numbers(dim);
    return run_scan(cumsum_kernel, x, dim);
  }
  static void backward(const Gradients& g) { g.set(0, sum_from(g.output(), g.number(0))); }
};

// W[..., i, j] for j >= i, and 0 elsewhere, times the gradients g_j, summed over j: the gradient of x_i, in quadratic memory. `dim` is
// where j and i stood in one.
Tensor weighted_sum_from(const Tensor& weights, const Tensor& gradient, int64_t dim) {
  return (weights.triu() * gradient.movedim(dim, -1).unsqueeze(-2)).sum(-1).movedim(-1, dim);
}

struct Cumprod {
  static constexpr OpInfo info = make_info<Cumprod>("cumprod", "CumprodBackward0");
  static Tensor forward(Context& ctx, const Tensor& x, int64_t dim) {
    ctx.save(x);
    ctx.save_numbers(dim);
    return run_scan(cumprod_kernel, x, dim);
  }
  static void backward(const Gradients& g) {
    const Tensor x = g.saved(0);
    const int64_t dim = g.number(0);
    if (x.dim() == 0) return g.set(0, g.output());
    if (!g.create_graph() && x.ne(0).all().item<bool>()) {
      return g.set(0, sum_from(g.output() * conjugate(x.cumprod(dim)), dim) / conjugate(x));
    }
    // The running product with factor i left out: for each i a line of its own, in which that factor is 1.
    const Tensor lines = x.movedim(dim, -1).unsqueeze(-2);
    const Tensor without = where(eye(x.size(dim), x.options().dtype(kBool)), ones_like(lines), lines).cumprod(-1);
    g.set(0, weighted_sum_from(conjugate(without), g.output(), dim));
  }
};

struct Logcumsumexp {
  static constexpr OpInfo info = make_info<Logcumsumexp>("logcumsumexp", "LogcumsumexpBackward0");
  static Tensor forward(Context& ctx, const Tensor& x, int64_t dim) {
    ctx.save(x);
    ctx.save_numbers(dim);
    return run_scan(logcumsumexp_kernel, x, dim);
  }
  // The sum over j >= i of g_j exp(x_i - y_j), where nothing exceeds 1.
  static void backward(const Gradients& g) {
    const Tensor x = g.saved(0);
    const int64_t dim = g.number(0);
    if (x.dim() == 0) return g.set(0, g.output());
    const auto lines = [&](const Tensor& z) { return z.movedim(dim, -1); };
    const Tensor weights = (lines(x).unsqueeze(-1) - lines(x.logcumsumexp(dim)).unsqueeze(-2)).triu().exp();
    g.set(0, weighted_sum_from(weights, g.output(), dim));
  }
};

template <const Kernel<CumsumArgs>& kernel>
struct RunningExtreme {
  static TensorPair forward(Context& ctx, const Tensor& x, int64_t dim) {
    Tensor places = empty_base(x.sizes(), kLong, x.device());
    Tensor y = run_scan(kernel, x, dim, places);
    ctx.save(places);
    ctx.save_numbers(dim);
    return {std::move(y), std::move(places)};
  }
  static void backward(const Gradients& g) {
    if (g.output().defined()) g.set(0, zeros_like(g.output()).scatter_add(g.number(0), g.saved(0), g.output()));
  }
};
using Cummax = Named<RunningExtreme<cummax_kernel>, "cummax", "CummaxBackward0">;
using Cummin = Named<RunningExtreme<cummin_kernel>, "cummin", "CumminBackward0">;

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

#define WICK_VARIANCE(name, Name, complex_form)                                                                                    \
  Tensor name(const Tensor& self, bool unbiased) { return name(self, std::nullopt, unbiased, false); }                             \
  Tensor name(const Tensor& self, int dim) { return name(self, OptionalIntArrayRef(int64_t{dim}), true, false); }                  \
  Tensor name(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {                                          \
    check_variance_type(#name, self);                                                                                              \
    if (self.is_complex()) return complex_form(var(real(self), dim, unbiased, keepdim) + var(imag(self), dim, unbiased, keepdim)); \
    return apply<Name>(self, mask_of(dim, self.dim()), unbiased, keepdim);                                                         \
  }
WICK_VARIANCE(var, Variance, )
WICK_VARIANCE(std, Deviation, wick::sqrt)

Tensor norm(const Tensor& self, const Scalar& p) {
  if (self.is_complex()) return norm(self.abs(), p);
  const double power = p.toDouble();
  check_norm(self, power, all_dims(self));
  return apply<NormAll>(self, power, all_dims(self), false);
}
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim) {
  if (self.is_complex()) return norm(self.abs(), p, dim, keepdim);
  const double power = p.value_or(2).toDouble();
  const DimMask reduced = mask_of(dim, self.dim());
  check_norm(self, power, reduced);
  return apply<NormDims>(self, power, reduced, keepdim);
}

Tensor logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim) {
  if (self.is_complex()) {
    const Tensor largest = real(self.detach()).amax(dim, true), center = largest.masked_fill(largest.isinf(), 0);
    const Tensor y = (self - center).exp().sum(dim, true).log() + center;
    return keepdim || self.dim() == 0 ? y : y.squeeze(dim.empty() ? IntArrayRef(dims_of(all_dims(self))) : dim);
  }
  const Tensor x = is_floating(self.scalar_type()) ? self : self.to(default_dtype());
  return apply<Logsumexp>(x, mask_of(dim, self.dim()), keepdim);
}

#define WICK_CUMULATIVE(name, Name)                                                                                       \
  Tensor name(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {                                         \
    const int64_t d = wrap_dim(dim, self.dim());                                                                          \
    const ScalarType type = dtype.value_or(is_integral(self.scalar_type(), true) ? kLong : self.scalar_type());           \
    return apply<Name>(self.scalar_type() == type ? self : self.to(type), d);                                             \
  }
WICK_CUMULATIVE(cumsum, Cumsum)
WICK_CUMULATIVE(cumprod, Cumprod)

TensorPair cummax(const Tensor& self, int64_t dim) { return apply<Cummax>(self, wrap_dim(dim, self.dim())); }
TensorPair cummin(const Tensor& self, int64_t dim) { return apply<Cummin>(self, wrap_dim(dim, self.dim())); }
Tensor logcumsumexp(const Tensor& self, int64_t dim) {
  check_floating("logcumsumexp_out_cpu", self);
  return apply<Logcumsumexp>(self, wrap_dim(dim, self.dim()));
}

}  // namespace wick
