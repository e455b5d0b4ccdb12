// The vocabulary of scalar.h for complex numbers, on the host: the C library's functions by the compiler's names, and PyTorch's formulas
// where C has none.
#pragma once

#include "wick/framework/core/complex.h"
#include "wick/framework/math/scalar.h"

#if !defined(__CUDACC__)
namespace wick::math {

WICK_HD _Complex float to_c(Complex<float> z) { return __builtin_bit_cast(_Complex float, z); }
WICK_HD _Complex double to_c(Complex<double> z) { return __builtin_bit_cast(_Complex double, z); }
WICK_HD Complex<float> from_c(_Complex float z) { return __builtin_bit_cast(Complex<float>, z); }
WICK_HD Complex<double> from_c(_Complex double z) { return __builtin_bit_cast(Complex<double>, z); }

#define WICK_UNARY(name)                                                                               \
  WICK_HD Complex<float> name(Complex<float> z) { return from_c(__builtin_c##name##f(to_c(z))); }      \
  WICK_HD Complex<double> name(Complex<double> z) { return from_c(__builtin_c##name(to_c(z))); }
WICK_UNARY(exp) WICK_UNARY(log) WICK_UNARY(sqrt)
WICK_UNARY(sin) WICK_UNARY(cos) WICK_UNARY(tan)
WICK_UNARY(asin) WICK_UNARY(acos) WICK_UNARY(atan)
WICK_UNARY(sinh) WICK_UNARY(cosh) WICK_UNARY(tanh)
WICK_UNARY(asinh) WICK_UNARY(acosh) WICK_UNARY(atanh)
#undef WICK_UNARY

// C's exp(b log a) is NaN for 0 to the power of 0.
WICK_HD Complex<float> pow(Complex<float> a, Complex<float> b) { return b == 0.f ? 1.f : from_c(__builtin_cpowf(to_c(a), to_c(b))); }
WICK_HD Complex<double> pow(Complex<double> a, Complex<double> b) { return b == 0. ? 1. : from_c(__builtin_cpow(to_c(a), to_c(b))); }

template <class T> WICK_HD Complex<T> conj(Complex<T> z) { return {z.real_, -z.imag_}; }
template <class T> WICK_HD Complex<T> select(bool condition, Complex<T> a, Complex<T> b) { return condition ? a : b; }
template <class T> WICK_HD bool is_nan(Complex<T> z) { return is_nan(z.real_) || is_nan(z.imag_); }
template <class T> WICK_HD bool is_inf(Complex<T> z) { return is_inf(z.real_) || is_inf(z.imag_); }
template <class T> WICK_HD bool is_finite(Complex<T> z) { return is_finite(z.real_) && is_finite(z.imag_); }
template <class T> WICK_HD Complex<T> square(Complex<T> z) { return z * z; }
template <class T> WICK_HD Complex<T> reciprocal(Complex<T> z) { return Complex<T>(1) / z; }
template <class T> WICK_HD Complex<T> rsqrt(Complex<T> z) { return Complex<T>(1) / sqrt(z); }
template <class T> WICK_HD Complex<T> sigmoid(Complex<T> z) { return Complex<T>(1) / (Complex<T>(1) + exp(-z)); }
template <class T> WICK_HD Complex<T> exp2(Complex<T> z) { return exp(z * Complex<T>(T(0.693147180559945309417))); }
template <class T> WICK_HD Complex<T> log2(Complex<T> z) { return log(z) / Complex<T>(T(0.693147180559945309417)); }
template <class T> WICK_HD Complex<T> log10(Complex<T> z) { return log(z) / Complex<T>(T(2.30258509299404568402)); }

// Near 0 without the cancellation of exp(z) - 1 and of log(1 + z).
template <class T>
WICK_HD Complex<T> expm1(Complex<T> z) {
  const T s = sin(z.imag_ / 2);
  return {expm1(z.real_) * cos(z.imag_) - 2 * s * s, exp(z.real_) * sin(z.imag_)};
}
template <class T>
WICK_HD Complex<T> log1p(Complex<T> z) {
  const T angle = atan2(z.imag_, z.real_ + T(1));
  if (!(hypot(z.real_, z.imag_) < T(0.5))) return {log(hypot(z.real_ + T(1), z.imag_)), angle};
  const T r = z.real_ * (T(2) + z.real_) + z.imag_ * z.imag_;
  return {r == T(0) ? z.real_ : log1p(r) / 2, angle};
}

}  // namespace wick::math
#endif
