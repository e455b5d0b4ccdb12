// The unary elementwise operations. See elementwise_op.h for how to read and to extend this file.
#pragma once

#include "wick/framework/ops/defs/elementwise_op.h"

namespace wick::ops {

// A formula of x (and y) that fits one line: WICK_UNARY_OP(Name, base, uses, forward expression, backward expression).
#define WICK_UNARY_OP(Name, Base, uses_, forward_, backward_)                              \
  struct Name : Base {                                                                     \
    static constexpr unsigned uses = uses_;                                                \
    template <class T>                                                                     \
    WICK_HD static T forward(const T& x) { return forward_; }                              \
    template <class T>                                                                     \
    WICK_HD static T backward(const T& g, [[maybe_unused]] const T& x, [[maybe_unused]] const T& y) { return backward_; } \
  };

WICK_UNARY_OP(Abs, NoBool<NumericUnary>, kInput, abs(x), g * sgn(x))
WICK_UNARY_OP(Neg, OnComplex<NoBool<NumericUnary>>, kNothing, -x, -g)
WICK_UNARY_OP(ConjPhysical, OnComplex<NumericUnary>, kNothing, conj(x), conj(g))
WICK_UNARY_OP(Square, OnComplex<NoBool<NumericUnary>>, kInput, square(x), g * conj(T(2) * x))
WICK_UNARY_OP(Sign, NumericUnary, kNothing, sign(x), zero_like(g))
WICK_UNARY_OP(Floor, NoBool<NumericUnary>, kNothing, floor(x), zero_like(g))
WICK_UNARY_OP(Ceil, NoBool<NumericUnary>, kNothing, ceil(x), zero_like(g))
WICK_UNARY_OP(Trunc, NoBool<NumericUnary>, kNothing, trunc(x), zero_like(g))
WICK_UNARY_OP(Round, NoBool<NumericUnary>, kNothing, round(x), zero_like(g))
WICK_UNARY_OP(Frac, FloatOnly<FloatUnary>, kPasses, x - trunc(x), g)
WICK_UNARY_OP(Reciprocal, ComplexUnary, kOutput, reciprocal(x), -g * conj(y * y))

WICK_UNARY_OP(Exp, ComplexUnary, kOutput, exp(x), g * conj(y))
WICK_UNARY_OP(Exp2, ComplexUnary, kOutput, exp2(x), g * conj(y * T(kLn2)))
WICK_UNARY_OP(Expm1, ComplexUnary, kOutput, expm1(x), g * conj(y + T(1)))
WICK_UNARY_OP(Log, ComplexUnary, kInput, log(x), g / conj(x))
WICK_UNARY_OP(Log2, ComplexUnary, kInput, log2(x), g / conj(x * T(kLn2)))
WICK_UNARY_OP(Log10, ComplexUnary, kInput, log10(x), g / conj(x * T(kLn10)))
WICK_UNARY_OP(Log1p, ComplexUnary, kInput, log1p(x), g / conj(x + T(1)))
WICK_UNARY_OP(Sqrt, ComplexUnary, kOutput, sqrt(x), g / conj(T(2) * y))
WICK_UNARY_OP(Rsqrt, ComplexUnary, kOutput, rsqrt(x), T(-0.5) * g * conj(y * y * y))

WICK_UNARY_OP(Sin, ComplexUnary, kInput, sin(x), g * conj(cos(x)))
WICK_UNARY_OP(Cos, ComplexUnary, kInput, cos(x), -g * conj(sin(x)))
WICK_UNARY_OP(Tan, ComplexUnary, kOutput, tan(x), g * conj(T(1) + y * y))
WICK_UNARY_OP(Asin, ComplexUnary, kInput, asin(x), g * conj(rsqrt(T(1) - x * x)))
WICK_UNARY_OP(Acos, ComplexUnary, kInput, acos(x), -g * conj(rsqrt(T(1) - x * x)))
WICK_UNARY_OP(Atan, ComplexUnary, kInput, atan(x), g / conj(x * x + T(1)))
WICK_UNARY_OP(Sinh, ComplexUnary, kInput, sinh(x), g * conj(cosh(x)))
WICK_UNARY_OP(Cosh, ComplexUnary, kInput, cosh(x), g * conj(sinh(x)))
WICK_UNARY_OP(Tanh, ComplexUnary, kOutput, tanh(x), g * conj(T(1) - y * y))
WICK_UNARY_OP(Asinh, ComplexUnary, kInput, asinh(x), g * conj(rsqrt(x * x + T(1))))
WICK_UNARY_OP(Acosh, ComplexUnary, kInput, acosh(x), g * conj(acosh_slope(x)))
WICK_UNARY_OP(Atanh, ComplexUnary, kInput, atanh(x), g / conj(T(1) - x * x))
WICK_UNARY_OP(Erf, FloatUnary, kInput, erf(x), g * (T(kTwoOverSqrtPi) * exp(-(x * x))))
WICK_UNARY_OP(Erfc, FloatUnary, kInput, erfc(x), -g * (T(kTwoOverSqrtPi) * exp(-(x * x))))

WICK_UNARY_OP(Lgamma, FloatUnary, kInput, lgamma(x), g * digamma(x))
WICK_UNARY_OP(Digamma, FloatUnary, kInput, digamma(x), g * polygamma(T(1), x))
WICK_UNARY_OP(Erfinv, FloatUnary, kOutput, erfinv(x), g * (T(1 / kTwoOverSqrtPi) * exp(y * y)))
WICK_UNARY_OP(Sinc, FloatUnary, kInput | kOutput, select(x == T(0), T(1), sin(x * T(kPi)) / (x * T(kPi))),
              select(x == T(0), zero_like(g), g * ((cos(x * T(kPi)) - y) / x)))

// Activations. Far from zero nothing overflows and no 0 * inf arises.
WICK_UNARY_OP(Sigmoid, ComplexUnary, kOutput, sigmoid(x), g * conj(T(1) - y) * conj(y))
WICK_UNARY_OP(LogSigmoid, FloatOnly<FloatUnary>, kInput, -log1p_exp(-x), g * sigmoid(-x))
WICK_UNARY_OP(Relu, NoBool<NumericUnary>, kOutput, max(x, T(0)), select(y <= T(0), zero_like(g), g))
WICK_UNARY_OP(Silu, FloatOnly<FloatUnary>, kInput, x * sigmoid(x), g * sigmoid(x) * (T(1) + x * sigmoid(-x)))

// x times the normal distribution function of x. erfc keeps the left tail's digits, which 1 + erf would cancel.
struct Gelu : FloatOnly<FloatUnary> {
  static constexpr unsigned uses = kInput;
  template <class T>
  WICK_HD static T forward(const T& x) { return x * (T(0.5) * erfc(T(-kSqrtHalf) * x)); }
  template <class T>
  WICK_HD static T backward(const T& g, const T& x, const T&) {
    return g * (T(0.5) * erfc(T(-kSqrtHalf) * x) + x * (T(kOneOverSqrtTwoPi) * exp(T(-0.5) * (x * x))));
  }
};

// Hendrycks and Gimpel, "Gaussian error linear units" (2016): 0.5 x (1 + tanh u), written as x sigmoid(2 u).
struct GeluTanh : FloatOnly<FloatUnary> {
  static constexpr unsigned uses = kInput;
  template <class T>
  WICK_HD static T twice_u(const T& x) { return T(2 * kSqrtTwoOverPi) * (x + T(0.044715) * (x * x * x)); }
  template <class T>
  WICK_HD static T forward(const T& x) { return x * sigmoid(twice_u(x)); }
  template <class T>
  WICK_HD static T backward(const T& g, const T& x, const T&) {
    const T s = sigmoid(twice_u(x));
    const T slope = T(2 * kSqrtTwoOverPi) * (T(1) + T(3 * 0.044715) * (x * x));
    return g * (s + x * s * sigmoid(-twice_u(x)) * slope);
  }
};

// log(1 + exp(beta x)) / beta, and x itself where beta x exceeds the threshold.
struct Softplus : FloatOnly<Elementwise<1, Domain::kFloat, 2>> {
  static constexpr unsigned uses = kInput;
  template <class T>
  WICK_HD static T forward(const T& x, const T& beta, const T& threshold) {
    return select(x * beta > threshold, x, log1p_exp(x * beta) / beta);
  }
  template <class T>
  WICK_HD static T backward(const T& g, const T& x, const T&, const T& beta, const T& threshold) {
    return select(x * beta > threshold, g, g * sigmoid(x * beta));
  }
};

// scale * x to the right of 0, scale * alpha * (exp(input_scale * x) - 1) to the left (Clevert et al., 2015; SELU, CELU).
struct Elu : FloatOnly<Elementwise<1, Domain::kFloat, 3>> {
  static constexpr unsigned uses = kInput;
  template <class T>
  WICK_HD static T forward(const T& x, const T& alpha, const T& scale, const T& input_scale) {
    return select(x > T(0), x * scale, expm1(min(x, T(0)) * input_scale) * (alpha * scale));
  }
  template <class T>
  WICK_HD static T backward(const T& g, const T& x, const T&, const T& alpha, const T& scale, const T& input_scale) {
    return select(x > T(0), g * scale, g * (exp(min(x, T(0)) * input_scale) * (alpha * scale * input_scale)));
  }
};

struct LeakyRelu : FloatOnly<Elementwise<1, Domain::kFloat, 1>> {
  static constexpr unsigned uses = kInput;
  template <class T>
  WICK_HD static T forward(const T& x, const T& slope) { return select(x > T(0), x, x * slope); }
  template <class T>
  WICK_HD static T backward(const T& g, const T& x, const T&, const T& slope) { return select(x > T(0), g, g * slope); }
};

// x within [low, high]; NaN stays. The gradient passes between the bounds, and not on them; an infinite bound is none.
struct Clamp : NoBool<Elementwise<1, Domain::kNumeric, 2>> {
  static constexpr unsigned uses = kInput;
  template <class T>
  WICK_HD static T forward(const T& x, const T& low, const T& high) { return min(max(x, low), high); }
  template <class T>
  WICK_HD static T backward(const T& g, const T& x, const T&, const T& low, const T& high) {
    return select(((x > low) | (low == T(-__builtin_inf()))) & ((x < high) | (high == T(__builtin_inf()))), g, zero_like(g));
  }
};

// The derivative of order n of digamma.
struct Polygamma : Elementwise<1, Domain::kFloat, 1> {
  static constexpr unsigned uses = kInput;
  template <class T>
  WICK_HD static T forward(const T& x, const T& n) { return polygamma(n, x); }
  template <class T>
  WICK_HD static T backward(const T& g, const T& x, const T&, const T& n) { return g * polygamma(n + T(1), x); }
};

// x to a power that is a number. The exponent 0 has the gradient 0 even at x = 0.
struct PowNumber : OnComplex<NoBool<Elementwise<1, Domain::kNumeric, 1>>> {
  static constexpr unsigned uses = kInput;
  template <class T>
  WICK_HD static T forward(const T& x, const T& exponent) { return pow(x, exponent); }
  template <class T>
  WICK_HD static T backward(const T& g, const T& x, const T&, const T& exponent) {
    return select(exponent == T(0), zero_like(g), g * conj(exponent * pow(x, exponent - T(1))));
  }
};

#define WICK_PREDICATE(Name, Base, expression) \
  struct Name : Base {                         \
    template <class T>                         \
    WICK_HD static auto forward(const T& x) { return expression; } \
  };
WICK_PREDICATE(IsNan, OnComplex<Predicate>, is_nan(x))
WICK_PREDICATE(IsInf, OnComplex<Predicate>, is_inf(x))
WICK_PREDICATE(IsFinite, OnComplex<Predicate>, is_finite(x))
WICK_PREDICATE(LogicalNot, OnComplex<Predicate>, x == T(0))
WICK_PREDICATE(SignBit, Predicate, has_sign(x))
#undef WICK_PREDICATE

struct BitwiseNot : Elementwise<1, Domain::kInteger, 0, false, false> {
  template <class T>
  WICK_HD static T forward(const T& x) { return ~x; }
};

#undef WICK_UNARY_OP

}  // namespace wick::ops
