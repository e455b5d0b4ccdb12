// Special functions that wick has none of its own for: Bessel functions, incomplete gamma functions, orthogonal polynomials and others.
// Definitions: Abramowitz and Stegun, "Handbook of Mathematical Functions". They are computed in double, by special_values.cc, on the CPU.
// Integers give the default float type. at::special_name is torch::special::name, too.
#pragma once

#include <ATen/names.h>

#include <optional>

// Of one number. The second list has no derivatives, as in LibTorch.
#define WICK_SPECIAL_SMOOTH(X)                                                                                          \
  X(i0) X(i0e) X(i1) X(i1e)  /* modified Bessel functions of the first kind; e: times exp(-|x|) */                     \
  X(bessel_j0) X(bessel_j1) X(bessel_y0) X(bessel_y1)                                                                  \
  X(modified_bessel_i0) X(modified_bessel_i1) X(modified_bessel_k0) X(modified_bessel_k1)                              \
  X(entr)                    /* -x ln x */                                                                             \
  X(erfcx)                   /* exp(x^2) erfc(x) */                                                                    \
  X(ndtri)                   /* where the normal distribution function has the value x */
#define WICK_SPECIAL_ROUGH(X)                                                                                           \
  X(airy_ai) X(spherical_bessel_j0)                                                                                    \
  X(scaled_modified_bessel_k0) X(scaled_modified_bessel_k1)  /* times exp(x) */
#define WICK_SPECIAL_UNARY(X) WICK_SPECIAL_SMOOTH(X) WICK_SPECIAL_ROUGH(X)
// Polynomials in x of degree n; those shifted are in 2 x - 1.
#define WICK_SPECIAL_POLYNOMIALS(X)                                                                                     \
  X(chebyshev_polynomial_t) X(chebyshev_polynomial_u) X(chebyshev_polynomial_v) X(chebyshev_polynomial_w)              \
  X(shifted_chebyshev_polynomial_t) X(shifted_chebyshev_polynomial_u) X(shifted_chebyshev_polynomial_v)                \
  X(shifted_chebyshev_polynomial_w) X(hermite_polynomial_h) X(hermite_polynomial_he) X(laguerre_polynomial_l)          \
  X(legendre_polynomial_p)
// Of two numbers of which one may be a Scalar. zeta(x, q) is the sum of (k + q)^-x; xlog1py(x, y) is x ln(1 + y), 0 for x = 0.
#define WICK_SPECIAL_MIXED(X) WICK_SPECIAL_POLYNOMIALS(X) X(zeta) X(xlog1py)

namespace wick::detail {
// A number beside a tensor, of which it takes the dtype (of integers the default float type) and the device.
Tensor special_number(const Scalar& number, const Tensor& beside);
}  // namespace wick::detail

namespace at {

#define WICK_UNARY(name) Tensor special_##name(const Tensor& self);
#define WICK_MIXED(name)                                                                                                            \
  Tensor special_##name(const Tensor& x, const Tensor& n);                                                                          \
  inline Tensor special_##name(const Scalar& x, const Tensor& n) { return special_##name(wick::detail::special_number(x, n), n); }  \
  inline Tensor special_##name(const Tensor& x, const Scalar& n) { return special_##name(x, wick::detail::special_number(n, x)); }

WICK_SPECIAL_UNARY(WICK_UNARY)
WICK_SPECIAL_MIXED(WICK_MIXED)
WICK_UNARY(ndtr)
WICK_UNARY(log_ndtr)
#undef WICK_MIXED
#undef WICK_UNARY

inline Tensor i0(const Tensor& self) { return special_i0(self); }
Tensor& i0_(Tensor& self);
// The incomplete gamma functions over the gamma function: from 0 to x, and from x on. With a derivative in x.
Tensor igamma(const Tensor& self, const Tensor& other);
Tensor igammac(const Tensor& self, const Tensor& other);
inline Tensor special_gammainc(const Tensor& self, const Tensor& other) { return igamma(self, other); }
inline Tensor special_gammaincc(const Tensor& self, const Tensor& other) { return igammac(self, other); }
// ln of the gamma function in p dimensions: p (p - 1) / 4 ln pi + sum over j = 0 ... p - 1 of lgamma(x - j / 2).
Tensor mvlgamma(const Tensor& self, int64_t p);
inline Tensor special_multigammaln(const Tensor& self, int64_t p) { return mvlgamma(self, p); }

// Those that wick has under another name.
#define WICK_SPECIAL_ALIASES(X)                                                                                          \
  X(gammaln, lgamma, (const Tensor& self), (self))                                                                      \
  X(digamma, digamma, (const Tensor& self), (self))                                                                     \
  X(psi, digamma, (const Tensor& self), (self))                                                                         \
  X(erf, erf, (const Tensor& self), (self))                                                                             \
  X(erfc, erfc, (const Tensor& self), (self))                                                                           \
  X(erfinv, erfinv, (const Tensor& self), (self))                                                                       \
  X(exp2, exp2, (const Tensor& self), (self))                                                                           \
  X(expm1, expm1, (const Tensor& self), (self))                                                                         \
  X(log1p, log1p, (const Tensor& self), (self))                                                                         \
  X(expit, sigmoid, (const Tensor& self), (self))                                                                       \
  X(sinc, sinc, (const Tensor& self), (self))                                                                           \
  X(polygamma, polygamma, (int64_t n, const Tensor& self), (n, self))                                                   \
  X(logit, logit, (const Tensor& self, std::optional<double> eps = std::nullopt), (self, eps))                          \
  X(xlogy, xlogy, (const Tensor& self, const Tensor& other), (self, other))                                             \
  X(xlogy, xlogy, (const Tensor& self, const Scalar& other), (self, other))                                             \
  X(xlogy, xlogy, (const Scalar& self, const Tensor& other), (self, other))                                             \
  X(logsumexp, logsumexp, (const Tensor& self, IntArrayRef dim, bool keepdim = false), (self, dim, keepdim))            \
  X(softmax, softmax, (const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt), (self, dim, dtype)) \
  X(log_softmax, log_softmax, (const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt), (self, dim, dtype))
#define WICK_SPECIAL_ALIAS(name, of, params, args) \
  inline Tensor special_##name params { return wick::of args; }
WICK_SPECIAL_ALIASES(WICK_SPECIAL_ALIAS)
#undef WICK_SPECIAL_ALIAS
// To so many digits behind the point.
Tensor special_round(const Tensor& self, int64_t decimals = 0);

}  // namespace at

namespace torch::special {
using at::IntArrayRef;
using at::Scalar;
using at::ScalarType;
using at::Tensor;
#define WICK_SPECIAL_ALIAS(name, of, params, args) \
  inline Tensor name params { return wick::of args; }
#define WICK_UNARY(name) \
  inline Tensor name(const Tensor& self) { return at::special_##name(self); }
#define WICK_BINARY(name) \
  inline Tensor name(const Tensor& self, const Tensor& other) { return at::special_##name(self, other); }
#define WICK_MIXED(name)                                                                                 \
  WICK_BINARY(name)                                                                                      \
  inline Tensor name(const Scalar& self, const Tensor& other) { return at::special_##name(self, other); } \
  inline Tensor name(const Tensor& self, const Scalar& other) { return at::special_##name(self, other); }
WICK_SPECIAL_ALIASES(WICK_SPECIAL_ALIAS)
WICK_SPECIAL_UNARY(WICK_UNARY)
WICK_SPECIAL_MIXED(WICK_MIXED)
WICK_UNARY(ndtr)
WICK_UNARY(log_ndtr)
WICK_BINARY(gammainc)
WICK_BINARY(gammaincc)
inline Tensor multigammaln(const Tensor& self, int64_t p) { return at::mvlgamma(self, p); }
inline Tensor round(const Tensor& self, int64_t decimals = 0) { return at::special_round(self, decimals); }
#undef WICK_MIXED
#undef WICK_BINARY
#undef WICK_UNARY
#undef WICK_SPECIAL_ALIAS
}  // namespace torch::special
