// What an elementwise operation says about itself.
//
// An operation is a struct with its formula, `forward`, and the formulas of its gradients, generic in T. With T a SIMD pack they are
// the CPU's kernels, with a number the GPU's, with Var (a Tensor) the derivative of the derivative. Names of math/ are called
// unqualified. x, a, b, c are inputs, y is the output, g the gradient of y; parameters (slopes, exponents) come last.
//
// A gradient is g times the conjugate of the derivative: conj() is nothing for real numbers, and what makes the formula right for complex
// ones.
//
//   unary:   forward(x, params...), backward(g, x, y, params...)
//   binary:  forward(a, b, params...), backward_a(g, a, b, params...), backward_b(...)
//   ternary: forward(a, b, c, params...), backward_a(g, a, b, c, params...), ...
//
// To add an operation: its struct in unary.h or binary.h with a line in names.h, and its row in the table of the tests. The
// declarations, kernels, dtype rules, nodes and gradients follow from the list.
#pragma once

#include "wick/framework/math/complex.h"
#include "wick/framework/math/scalar.h"

namespace wick::ops {

using namespace wick::math;  // where T is a number

// Which dtypes an operation is defined on, and what it does with the others.
enum class Domain : unsigned char {
  kFloat,    // floating point; integers and bool are converted to the default dtype first
  kNumeric,  // floating point, integers and bool
  kInteger,  // integers and bool
};

// What an operation refuses of its domain, because PyTorch does.
enum class Refuses : unsigned char { kNothing, kBool, kIntegersAndBool, kAllButFloatAndDouble };

// Which values a gradient formula reads: only those are kept for the backward pass. The last two say that the gradient is g itself,
// always or where the first parameter is 1, so that nothing need be computed.
enum Uses : unsigned { kNothing = 0, kA = 1, kB = 2, kC = 4, kOutput = 8, kInput = kA, kPasses = 16, kPassesIfOne = 32 };
inline constexpr unsigned kUsedValues = 15;

template <int arity_, Domain domain_, int params_ = 0, bool to_bool_ = false, bool differentiable_ = true>
struct Elementwise {
  static constexpr int arity = arity_;
  static constexpr int params = params_;
  static constexpr Domain domain = domain_;
  static constexpr bool to_bool = to_bool_;  // the result is bool
  static constexpr bool differentiable = differentiable_;
  static constexpr Refuses refuses = Refuses::kNothing;
  static constexpr bool on_complex = false;  // it, and its gradients, are defined on complex numbers as well
};

template <class Base>
struct NoBool : Base {
  static constexpr Refuses refuses = Refuses::kBool;
};
template <class Base>
struct FloatOnly : Base {
  static constexpr Refuses refuses = Refuses::kIntegersAndBool;
};

template <class Base>
struct OnComplex : Base {
  static constexpr bool on_complex = true;
};

using FloatUnary = Elementwise<1, Domain::kFloat>;
using NumericUnary = Elementwise<1, Domain::kNumeric>;
using FloatBinary = Elementwise<2, Domain::kFloat>;
using NumericBinary = Elementwise<2, Domain::kNumeric>;
using Predicate = Elementwise<1, Domain::kNumeric, 0, true, false>;
using Comparison = Elementwise<2, Domain::kNumeric, 0, true, false>;
using ComplexUnary = OnComplex<FloatUnary>;
using Bitwise = Elementwise<2, Domain::kInteger, 0, false, false>;

inline constexpr double kLn2 = 0.693147180559945309417;
inline constexpr double kLn10 = 2.30258509299404568402;
inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kSqrtHalf = 0.707106781186547524401;
inline constexpr double kTwoOverSqrtPi = 1.12837916709551257390;
inline constexpr double kOneOverSqrtTwoPi = 0.398942280401432677940;
inline constexpr double kSqrtTwoOverPi = 0.797884560802865355880;

// Zero, with the shape of x where T has one (Var has an overload of its own).
template <class T>
WICK_HD T zero_like(const T&) { return T(0); }
// Whether x, or its real part, is at least 0.
template <class T>
WICK_HD auto is_not_negative(const T& x) {
  if constexpr (is_complex_v<T>) return x.real_ >= 0;
  else return x >= T(0);
}

// 1 / sqrt(x^2 - 1), which of complex numbers has acosh's branch only as a product of two roots.
template <class T>
WICK_HD T acosh_slope(const T& x) {
  if constexpr (is_complex_v<T>) return rsqrt(x - T(1)) * rsqrt(x + T(1));
  else return rsqrt(x * x - T(1));
}

// The functors that kernels are made of. A slot exists for each: the operation itself and each of its gradients.
template <class Op>
struct Forward;
template <class Op, int input>
struct Gradient;

}  // namespace wick::ops
