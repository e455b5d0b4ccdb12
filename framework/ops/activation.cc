// Activations and other functions of elements that are written with those of ops/defs, which carry the derivatives.
#include <cfloat>
#include <cmath>

#include "wick/framework/ops/op.h"

namespace wick {

using ops::check_floating;

namespace {

Tensor within(const Tensor& x, const Scalar& limit) { return x.le(limit).logical_and_(x.ge(-limit.toDouble())); }

}  // namespace

Tensor celu(const Tensor& x, const Scalar& alpha) {
  WICK_CHECK(alpha.toDouble() != 0, "ZeroDivisionError: alpha cannot be 0 for CELU");
  return elu(x, alpha, 1, 1 / alpha.toDouble());
}
Tensor softshrink(const Tensor& x, const Scalar& lambd) {
  check_floating("softshrink_cpu", x);
  WICK_CHECK(lambd.toDouble() >= 0, "lambda must be greater or equal to 0, but found to be ", lambd.toDouble(), ".");
  return (x - x.detach().sign() * lambd).masked_fill(within(x.detach(), lambd), 0);
}
Tensor hardshrink(const Tensor& x, const Scalar& lambd) {
  check_floating("hardshrink_cpu", x);
  return x.masked_fill(within(x.detach(), lambd), 0);
}
Tensor threshold(const Tensor& x, const Scalar& threshold, const Scalar& value) {
  WICK_CHECK_NOT_IMPLEMENTED(x.scalar_type() != kBool, "\"threshold_cpu\" not implemented for 'Bool'");
  return x.masked_fill(x.detach().le(threshold), value);
}

Tensor prelu(const Tensor& x, const Tensor& weight) {
  WICK_CHECK(x.scalar_type() == weight.scalar_type(), "prelu: Type promoting not supported. Got ", x.scalar_type(), " and ",
             weight.scalar_type());
  check_floating("prelu_cpu", x);
  WICK_CHECK(weight.dim() <= 1 || weight.numel() == 1, "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = ",
             weight.dim());
  Tensor slope = weight;
  if (weight.numel() != 1) {
    WICK_CHECK(x.dim() > 0, "Not allow zero-dim input tensor.");
    const int64_t channels = x.dim() > 1 ? x.size(1) : 1;
    WICK_CHECK(channels == weight.numel(), "Mismatch of parameter numbers and input channel size. Found parameter numbers = ",
               weight.numel(), " and channel size = ", channels, ".");
    Dims shape(x.sizes().size(), 1);
    shape[1] = channels;
    slope = weight.reshape(shape);
  } else if (x.dim() != weight.dim()) {
    slope = weight.reshape(Dims(x.sizes().size(), 1));
  }
  return where(x.detach().gt(0), x, slope * x);
}

// Dauphin et al., "Language modeling with gated convolutional networks" (2017).
Tensor glu(const Tensor& x, int64_t dim) {
  WICK_CHECK(x.dim() > 0, "glu does not support 0-dimensional tensors");
  const int64_t d = wrap_dim(dim, x.dim()), n = x.size(d);
  WICK_CHECK(n % 2 == 0, "Halving dimension must be even, but dimension ", d, " is size ", n);
  check_floating("glu_cpu", x);
  return x.narrow(d, 0, n / 2) * x.narrow(d, n / 2, n / 2).sigmoid();
}

Tensor logit(const Tensor& self, std::optional<double> eps) {
  WICK_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "\"logit_cpu\" not implemented for '", self.scalar_type(), "'");
  const Tensor z = self.is_floating_point() ? self : self.to(default_dtype());
  // NaN outside of [0, 1], also in the gradient; with eps there is no outside.
  const Tensor p = eps ? z.clamp(*eps, 1 - *eps) : z + zeros_like(z).masked_fill((z.detach() - 0.5).abs().gt(0.5), NAN);
  return p.log() - (-p).log1p();
}

void method::clip_(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  method::clamp_(self, min, max);
}

Tensor nan_to_num(const Tensor& self, std::optional<double> nan, std::optional<double> posinf, std::optional<double> neginf) {
  if (self.is_complex()) return view_as_complex(view_as_real(self).nan_to_num(nan, posinf, neginf));
  if (!self.is_floating_point()) return self.clone();
  const Tensor x = self.detach();
  const ScalarType t = self.scalar_type();
  const double limit = t == kHalf ? 65504 : t == kBFloat16 ? 0x1.fep127 : t == kFloat ? FLT_MAX : DBL_MAX;
  return self.masked_fill(x.isnan(), nan.value_or(0))
      .masked_fill(x.eq(HUGE_VAL), posinf.value_or(limit))
      .masked_fill(x.eq(-HUGE_VAL), neginf.value_or(-limit));
}

Tensor isclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  WICK_CHECK(self.scalar_type() == other.scalar_type(), self.scalar_type(), " did not match ", other.scalar_type());
  WICK_CHECK(rtol >= 0, "rtol must be greater than or equal to zero, but got ", rtol);
  WICK_CHECK(atol >= 0, "atol must be greater than or equal to zero, but got ", atol);
  Tensor close = self.eq(other);
  if (equal_nan) close = close.logical_or(self.isnan().logical_and(other.isnan()));
  if (rtol == 0 && atol == 0) return close;
  const Tensor a = self.detach().to(is_integral(self.scalar_type(), true) ? default_dtype() : self.scalar_type()),
      b = other.detach().to(a.scalar_type());
  const Tensor distance = (a - b).abs();
  return close.logical_or(distance.isfinite().logical_and(distance.le((b * rtol).abs() + atol)));
}

bool is_nonzero(const Tensor& self) {
  WICK_CHECK(self.numel() != 0, "Boolean value of Tensor with no values is ambiguous");
  WICK_CHECK(self.numel() == 1, "Boolean value of Tensor with more than one value is ambiguous\n  Ask all() or any() of it.");
  return self.item().toBool();
}

}  // namespace wick
