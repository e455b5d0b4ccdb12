// The vocabulary of wick's formulas, for scalars on the host and on the device.
//
// The same names exist for SIMD packs (pack.h) and for Tensors (tensor.h), so a formula that is written once, generic in T, and that
// calls them unqualified, is at once the kernel of a CPU, the kernel of a GPU, and the derivative of the derivative:
//
//     using namespace wick::math;   // in a namespace of wick; scalars are found through this, packs and Tensors by their namespaces
//     template <class T> T softsign(const T& x) { return x / (T(1) + abs(x)); }
//
// What a name means is the same for every T: max and min propagate NaN as torch.maximum does, fmax and fmin ignore it, round takes
// halves to the even neighbour and keeps the sign of zero, remainder is Python's modulus. Conditions are combined with &, | and !
// (not && and ||), which bool and Mask share, and are consumed by select.
//
// On the host the compiler's built-in functions stand for <cmath>: no header is needed and no std:: function is emitted, which matters
// in files that are compiled once per instruction set. Domain errors give NaN or infinity as in C; errno is of no interest.
#pragma once

#include <concepts>
#include <type_traits>

#include "wick/framework/core/macros.h"

namespace wick::math {

template <class T>
concept Arithmetic = std::integral<T> || std::floating_point<T>;

// The names of the C library: CUDA's own functions in device code, built-in functions on the host.
#if defined(__CUDA_ARCH__)
#define WICK_LIBM(name) ::name
#else
#define WICK_LIBM(name) __builtin_##name
#endif
#define WICK_UNARY(name, libm)                                              \
  WICK_HD float name(float x) { return WICK_LIBM(libm##f)(x); }             \
  WICK_HD double name(double x) { return WICK_LIBM(libm)(x); }
#define WICK_BINARY(name, libm)                                             \
  WICK_HD float name(float x, float y) { return WICK_LIBM(libm##f)(x, y); } \
  WICK_HD double name(double x, double y) { return WICK_LIBM(libm)(x, y); }

WICK_UNARY(exp, exp) WICK_UNARY(exp2, exp2) WICK_UNARY(expm1, expm1)
WICK_UNARY(log, log) WICK_UNARY(log2, log2) WICK_UNARY(log10, log10) WICK_UNARY(log1p, log1p)
WICK_UNARY(sqrt, sqrt)
WICK_UNARY(sin, sin) WICK_UNARY(cos, cos) WICK_UNARY(tan, tan)
WICK_UNARY(asin, asin) WICK_UNARY(acos, acos) WICK_UNARY(atan, atan)
WICK_UNARY(sinh, sinh) WICK_UNARY(cosh, cosh) WICK_UNARY(tanh, tanh)
WICK_UNARY(asinh, asinh) WICK_UNARY(acosh, acosh) WICK_UNARY(atanh, atanh)
WICK_UNARY(erf, erf) WICK_UNARY(erfc, erfc)
WICK_UNARY(floor, floor) WICK_UNARY(ceil, ceil) WICK_UNARY(trunc, trunc)
WICK_UNARY(round, rint)  // the default rounding mode: halves to even
WICK_UNARY(abs, fabs)
WICK_BINARY(pow, pow) WICK_BINARY(atan2, atan2) WICK_BINARY(hypot, hypot)
WICK_BINARY(fmod, fmod) WICK_BINARY(copysign, copysign) WICK_BINARY(nextafter, nextafter)

WICK_HD float fma(float x, float y, float z) { return WICK_LIBM(fmaf)(x, y, z); }
WICK_HD double fma(double x, double y, double z) { return WICK_LIBM(fma)(x, y, z); }

// log |gamma(x)|. The host's forms with a sign argument do not write the C library's global signgam, so threads may share them.
#if defined(__CUDA_ARCH__)
WICK_UNARY(lgamma, lgamma)
#else
extern "C" float lgammaf_r(float, int*) noexcept;
extern "C" double lgamma_r(double, int*) noexcept;
WICK_HD float lgamma(float x) { int sign; return lgammaf_r(x, &sign); }
WICK_HD double lgamma(double x) { int sign; return lgamma_r(x, &sign); }
#endif

#undef WICK_UNARY
#undef WICK_BINARY

// ---- Conditions --------------------------------------------------------------------------------------------------------------------

// if_true where condition holds, else if_false.
template <Arithmetic T>
WICK_HD T select(bool condition, T if_true, T if_false) { return condition ? if_true : if_false; }

WICK_HD bool any(bool condition) { return condition; }
WICK_HD bool all(bool condition) { return condition; }

template <std::floating_point T> WICK_HD bool is_nan(T x) { return x != x; }
template <std::floating_point T> WICK_HD bool is_inf(T x) { return abs(x) == T(__builtin_huge_val()); }
template <std::floating_point T> WICK_HD bool is_finite(T x) { return abs(x) < T(__builtin_huge_val()); }
template <std::integral T> WICK_HD bool is_nan(T) { return false; }
template <std::integral T> WICK_HD bool is_inf(T) { return false; }
template <std::integral T> WICK_HD bool is_finite(T) { return true; }

// ---- Extremes ----------------------------------------------------------------------------------------------------------------------

// NaN if either is NaN. Of two equal values (+0 and -0) the first.
template <Arithmetic T> WICK_HD T max(T x, T y) { return (y > x || is_nan(y)) ? y : x; }
template <Arithmetic T> WICK_HD T min(T x, T y) { return (y < x || is_nan(y)) ? y : x; }
// The other one if either is NaN. Of two equal values the second.
template <Arithmetic T> WICK_HD T fmax(T x, T y) { return (x > y || is_nan(y)) ? x : y; }
template <Arithmetic T> WICK_HD T fmin(T x, T y) { return (x < y || is_nan(y)) ? x : y; }

// ---- Signs and small powers --------------------------------------------------------------------------------------------------------

template <std::floating_point T> WICK_HD T neg(T x) { return -x; }
template <std::floating_point T> WICK_HD T reciprocal(T x) { return T(1) / x; }
#if defined(__CUDA_ARCH__)
WICK_HD float rsqrt(float x) { return ::rsqrtf(x); }
WICK_HD double rsqrt(double x) { return ::rsqrt(x); }
#else
WICK_HD float rsqrt(float x) { return 1 / sqrt(x); }
WICK_HD double rsqrt(double x) { return 1 / sqrt(x); }
#endif
template <std::floating_point T> WICK_HD T square(T x) { return x * x; }

// -1, 0 or 1; 0 for NaN and for either zero, as torch.sign has it.
template <Arithmetic T> WICK_HD T sign(T x) { return static_cast<T>((T(0) < x) - (x < T(0))); }
// The sign of a real number, the direction of a complex one.
template <Arithmetic T> WICK_HD T sgn(T x) { return sign(x); }
template <Arithmetic T> WICK_HD T conj(T x) { return x; }

// ---- Division ----------------------------------------------------------------------------------------------------------------------

// Python's x % y: the result has the sign of y. (fmod's result has the sign of x.)
template <std::floating_point T>
WICK_HD T remainder(T x, T y) {
  const T r = fmod(x, y);
  return (r != T(0) && (r < T(0)) != (y < T(0))) ? r + y : r;
}

// Python's x // y. The quotient of x and y itself could round up to a whole number: 1 // 0.1 is 9, though 1 / 0.1 is 10. That of
// x - fmod(x, y) and y is a whole number but for its rounding, in which round differs from floor.
template <std::floating_point T>
WICK_HD T floor_divide(T x, T y) {
  if (y == T(0)) return x / y;
  const T r = fmod(x, y);
  const T quotient = round((x - r) / y) - ((r != T(0) && (r < T(0)) != (y < T(0))) ? T(1) : T(0));
  return quotient == T(0) ? copysign(T(0), x / y) : quotient;
}

// ---- Sigmoid and its integral ------------------------------------------------------------------------------------------------------

// 1 / (1 + exp(-x)). Only exp of a negative number is taken, so nothing overflows and the left tail keeps its relative accuracy.
template <std::floating_point T>
WICK_HD T sigmoid(T x) {
  const T e = exp(-abs(x));
  return select(x < T(0), e, T(1)) / (T(1) + e);
}

// log(1 + exp(x)), which is x far to the right and exp(x) far to the left.
template <std::floating_point T>
WICK_HD T log1p_exp(T x) { return max(x, T(0)) + log1p(exp(-abs(x))); }

// ---- Special functions: computed in double -----------------------------------------------------------------------------------------

// Hurwitz' zeta function, the sum of (x + k)^-s over k >= 0, for s > 1 and x > 0: ten terms, and the rest by Euler and Maclaurin.
WICK_HD double zeta(double s, double x) {
  constexpr double kBernoulli[] = {1.0 / 12,       -1.0 / 720,             1.0 / 30240,      -1.0 / 1209600,
                                   1.0 / 47900160, -691.0 / 1307674368000, 1.0 / 74724249600};
  double sum = 0;
  for (int k = 0; k < 10; ++k, ++x) sum += pow(x, -s);
  double factor = s * pow(x, -s - 1), rest = pow(x, 1 - s) / (s - 1) + 0.5 * pow(x, -s);
  for (int k = 0; k < 7; ++k, factor *= (s + 2 * k - 1) * (s + 2 * k) / (x * x)) rest += kBernoulli[k] * factor;
  return sum + rest;
}

// The logarithmic derivative of the gamma function: its asymptotic series from 10 on, reached by the recurrence, reflected for x < 0.
WICK_HD double digamma(double x) {
  if (x == 0) return copysign(__builtin_huge_val(), -x);
  if (x < 0 && x == floor(x)) return __builtin_nan("");
  constexpr double kPi = 3.14159265358979323846;
  double sum = x < 0 ? -kPi / tan(kPi * (x - round(x))) : 0;
  for (x = x < 0 ? 1 - x : x; x < 10; ++x) sum -= 1 / x;
  const double z = 1 / (x * x);
  const double tail = z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z / 12))))));
  return x < __builtin_huge_val() ? sum + log(x) - 0.5 / x - tail : x;
}

// Its derivative of order n: (-1)^(n+1) n! zeta(n + 1, x). For x <= 0 by the recurrence, up to a positive argument.
WICK_HD double polygamma(double n, double x) {
  if (n == 0) return digamma(x);
  const double sign = fmod(n, 2) == 0 ? -1 : 1;
  if (x <= 0 && x == floor(x)) return sign * __builtin_huge_val();
  double sum = 0;
  for (; x < 0; ++x) sum += 1 / pow(x, n + 1);
  return sign * exp(lgamma(n + 1)) * (sum + zeta(n + 1, x));
}

// Giles, "Approximating the erfinv function" (2012), with two steps of Newton's method.
WICK_HD double erfinv(double x) {
  if (!(abs(x) < 1)) return abs(x) == 1 ? copysign(__builtin_huge_val(), x) : __builtin_nan("");
  const double w = -log((1 - x) * (1 + x));
  constexpr double kNear[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                              -0.00125372503, -0.00417768164, 0.246640727, 1.50140941};
  constexpr double kFar[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
                             1.00167406, 2.83297682};
  const double z = w < 5 ? w - 2.5 : sqrt(w) - 3;
  double y = 0;
  for (int k = 0; k < 9; ++k) y = y * z + (w < 5 ? kNear[k] : kFar[k]);
  y *= x;
  // Of 1 - |x| and erfc, which keep the digits that x and erf lose near 1.
  for (int k = 0; k < 2; ++k) {
    const double error = abs(x) < 0.5 ? erf(y) - x : (x < 0 ? -1 : 1) * (1 - abs(x) - erfc(abs(y)));
    y -= error / (1.12837916709551257390 * exp(-y * y));
  }
  return y;
}

WICK_HD float digamma(float x) { return static_cast<float>(digamma(static_cast<double>(x))); }
WICK_HD float polygamma(float n, float x) { return static_cast<float>(polygamma(static_cast<double>(n), static_cast<double>(x))); }
WICK_HD float erfinv(float x) { return static_cast<float>(erfinv(static_cast<double>(x))); }
template <std::floating_point T> WICK_HD bool has_sign(T x) { return copysign(T(1), x) < T(0); }

// ---- Integers and bool -------------------------------------------------------------------------------------------------------------
// Arithmetic wraps around. Division by zero must be refused by the caller.

template <std::integral T> WICK_HD T floor(T x) { return x; }
template <std::integral T> WICK_HD T ceil(T x) { return x; }
template <std::integral T> WICK_HD T trunc(T x) { return x; }
template <std::integral T> WICK_HD T round(T x) { return x; }
template <std::integral T> WICK_HD T neg(T x) { return static_cast<T>(0ull - static_cast<unsigned long long>(x)); }
template <std::integral T> WICK_HD T abs(T x) { return x < T(0) ? neg(x) : x; }
template <std::integral T>
WICK_HD T square(T x) { return static_cast<T>(static_cast<unsigned long long>(x) * static_cast<unsigned long long>(x)); }

// C's x % y, of the sign of x. The most negative number has no quotient by -1, hence the first test.
template <std::integral T>
WICK_HD T fmod(T x, T y) {
  if constexpr (std::is_signed_v<T>) {
    if (y == T(-1)) return T(0);
  }
  return static_cast<T>(x % y);
}

// Python's x % y, of the sign of y.
template <std::integral T>
WICK_HD T remainder(T x, T y) {
  const T r = fmod(x, y);
  return static_cast<T>((r != T(0) && (r < T(0)) != (y < T(0))) ? r + y : r);
}

// Python's x // y, rounded towards minus infinity.
template <std::integral T>
WICK_HD T floor_divide(T x, T y) {
  if constexpr (std::is_signed_v<T>) {
    if (y == T(-1)) return neg(x);
  }
  const T quotient = static_cast<T>(x / y);
  return static_cast<T>(quotient - (x % y != 0 && (x < T(0)) != (y < T(0))));
}

// x to the power y by squaring. Negative powers round towards zero: 0 unless x is 1 or -1.
template <std::integral T>
WICK_HD T pow(T x, T y) {
  if (y < T(0)) return x == T(1) ? T(1) : x != static_cast<T>(-1) ? T(0) : (y & 1) ? x : T(1);
  unsigned long long result = 1;
  unsigned long long base = static_cast<unsigned long long>(x);
  for (unsigned long long left = static_cast<unsigned long long>(y); left != 0; left >>= 1, base *= base) {
    if (left & 1) result *= base;
  }
  return static_cast<T>(result);
}

}  // namespace wick::math
