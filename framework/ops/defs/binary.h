// The elementwise operations of two and three inputs. See elementwise_op.h for how to read and to extend this file. None of them
// mentions broadcasting: a gradient that is larger than its input is summed where it arrives.
#pragma once

#include "wick/framework/ops/defs/elementwise_op.h"

namespace wick::ops {

#define WICK_FORMULA(name, ...) \
  template <class T>            \
  WICK_HD static T name(__VA_ARGS__)

// a + alpha * b
struct Add : OnComplex<Elementwise<2, Domain::kNumeric, 1>> {
  static constexpr unsigned uses_a = kPasses, uses_b = kPassesIfOne;
  WICK_FORMULA(forward, const T& a, const T& b, const T& alpha) { return a + alpha * b; }
  WICK_FORMULA(backward_a, const T& g, const T&, const T&, const T&) { return g; }
  WICK_FORMULA(backward_b, const T& g, const T&, const T&, const T& alpha) { return g * alpha; }
};

// a - alpha * b
struct Sub : OnComplex<Elementwise<2, Domain::kNumeric, 1>> {
  static constexpr unsigned uses_a = kPasses, uses_b = kNothing;
  WICK_FORMULA(forward, const T& a, const T& b, const T& alpha) { return a - alpha * b; }
  WICK_FORMULA(backward_a, const T& g, const T&, const T&, const T&) { return g; }
  WICK_FORMULA(backward_b, const T& g, const T&, const T&, const T& alpha) { return -g * alpha; }
};

struct Mul : OnComplex<NumericBinary> {
  static constexpr unsigned uses_a = kB, uses_b = kA;
  WICK_FORMULA(forward, const T& a, const T& b) { return a * b; }
  WICK_FORMULA(backward_a, const T& g, const T&, const T& b) { return g * conj(b); }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T&) { return g * conj(a); }
};

struct Div : OnComplex<FloatBinary> {
  static constexpr unsigned uses_a = kB, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return a / b; }
  WICK_FORMULA(backward_a, const T& g, const T&, const T& b) { return g / conj(b); }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) { return -g * conj((a / b) / b); }
};

// a to the power b. At b = 0 the gradient of a is 0, at a = 0 and b >= 0 that of b, instead of 0 * inf.
struct Pow : OnComplex<NoBool<NumericBinary>> {
  static constexpr unsigned uses_a = kA | kB, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return pow(a, b); }
  WICK_FORMULA(backward_a, const T& g, const T& a, const T& b) {
    return select(b == T(0), zero_like(g), g * conj(b * pow(a, b - T(1))));
  }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) {
    return select((a == T(0)) & is_not_negative(b), zero_like(g), g * conj(pow(a, b) * log(a)));
  }
};

// Equal inputs share the gradient.
struct Maximum : NumericBinary {
  static constexpr unsigned uses_a = kA | kB, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return max(a, b); }
  WICK_FORMULA(backward_a, const T& g, const T& a, const T& b) { return select(a == b, g * T(0.5), select(a < b, zero_like(g), g)); }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) { return select(a == b, g * T(0.5), select(b < a, zero_like(g), g)); }
};
struct Minimum : NumericBinary {
  static constexpr unsigned uses_a = kA | kB, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return min(a, b); }
  WICK_FORMULA(backward_a, const T& g, const T& a, const T& b) { return select(a == b, g * T(0.5), select(a > b, zero_like(g), g)); }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) { return select(a == b, g * T(0.5), select(b > a, zero_like(g), g)); }
};
// The other input where one is NaN. Equal inputs share the gradient.
struct Fmax : NumericBinary {
  static constexpr unsigned uses_a = kA | kB, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return fmax(a, b); }
  WICK_FORMULA(backward_a, const T& g, const T& a, const T& b) {
    return select(a == b, g * T(0.5), select((a > b) | is_nan(b), g, zero_like(g)));
  }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) {
    return select(a == b, g * T(0.5), select((a > b) | is_nan(b), zero_like(g), g));
  }
};
struct Fmin : NumericBinary {
  static constexpr unsigned uses_a = kA | kB, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return fmin(a, b); }
  WICK_FORMULA(backward_a, const T& g, const T& a, const T& b) {
    return select(a == b, g * T(0.5), select((a < b) | is_nan(b), g, zero_like(g)));
  }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) {
    return select(a == b, g * T(0.5), select((a < b) | is_nan(b), zero_like(g), g));
  }
};

// The remainder with the sign of a (C) and with that of b (Python).
struct Fmod : NoBool<NumericBinary> {
  static constexpr unsigned uses_a = kPasses, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return fmod(a, b); }
  WICK_FORMULA(backward_a, const T& g, const T&, const T&) { return g; }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) { return -g * trunc(a / b); }
};
struct Remainder : NoBool<NumericBinary> {
  static constexpr unsigned uses_a = kPasses, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return remainder(a, b); }
  WICK_FORMULA(backward_a, const T& g, const T&, const T&) { return g; }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) { return -g * floor_divide(a, b); }
};
struct FloorDivide : NoBool<Elementwise<2, Domain::kNumeric, 0, false, false>> {
  WICK_FORMULA(forward, const T& a, const T& b) { return floor_divide(a, b); }
};

// The gradients at the origin are 0.
struct Atan2 : FloatBinary {
  static constexpr unsigned uses_a = kA | kB, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return atan2(a, b); }
  WICK_FORMULA(over_square, const T& x, const T& a, const T& b) {
    const T square = a * a + b * b;
    return select(square == T(0), zero_like(x), x / square);
  }
  WICK_FORMULA(backward_a, const T& g, const T& a, const T& b) { return g * over_square(b, a, b); }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) { return -g * over_square(a, a, b); }
};
struct Hypot : FloatOnly<FloatBinary> {
  static constexpr unsigned uses_a = kA | kB, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return hypot(a, b); }
  WICK_FORMULA(backward_a, const T& g, const T& a, const T& b) { return g * (a / hypot(a, b)); }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) { return g * (b / hypot(a, b)); }
};

// |a| with the sign of b. The gradient at a = 0 is 0.
struct Copysign : FloatBinary {
  static constexpr unsigned uses_a = kA | kB, uses_b = kNothing;
  WICK_FORMULA(forward, const T& a, const T& b) { return copysign(a, b); }
  WICK_FORMULA(direction, const T& b) { return select((b < T(0)) | (reciprocal(b) < T(0)), T(-1), T(1)); }
  WICK_FORMULA(backward_a, const T& g, const T& a, const T& b) { return g * (sgn(a) * direction(b)); }
  WICK_FORMULA(backward_b, const T& g, const T&, const T&) { return zero_like(g); }
};
// a log b, and 0 where a is 0.
struct Xlogy : FloatBinary {
  static constexpr unsigned uses_a = kA | kB, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return select(is_nan(b), b, select(a == T(0), T(0), a * log(b))); }
  WICK_FORMULA(backward_a, const T& g, const T& a, const T& b) { return select((a == T(0)) & (b <= T(0)), zero_like(g), g * log(b)); }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) { return g * (a / b); }
};
// log(exp a + exp b), and the same to base 2.
struct Logaddexp : FloatOnly<FloatBinary> {
  static constexpr unsigned uses_a = kA | kB, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) { return select(is_inf(a) & (a == b), a, max(a, b) + log1p(exp(-abs(a - b)))); }
  WICK_FORMULA(backward_a, const T& g, const T& a, const T& b) { return g * sigmoid(a - b); }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) { return g * sigmoid(b - a); }
};
struct Logaddexp2 : FloatOnly<FloatBinary> {
  static constexpr unsigned uses_a = kA | kB, uses_b = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b) {
    return select(is_inf(a) & (a == b), a, max(a, b) + log1p(exp2(-abs(a - b))) * T(1 / kLn2));
  }
  WICK_FORMULA(backward_a, const T& g, const T& a, const T& b) { return g * sigmoid((a - b) * T(kLn2)); }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T& b) { return g * sigmoid((b - a) * T(kLn2)); }
};
struct Heaviside : Elementwise<2, Domain::kNumeric, 0, false, false> {
  WICK_FORMULA(forward, const T& a, const T& b) { return select(a == T(0), b, select(a > T(0), T(1), T(0))); }
};
struct Nextafter : FloatOnly<Elementwise<2, Domain::kFloat, 0, false, false>> {
  WICK_FORMULA(forward, const T& a, const T& b) { return nextafter(a, b); }
};

#define WICK_COMPARISON(Name, Base, expression) \
  struct Name : Base {                          \
    template <class T>                          \
    WICK_HD static auto forward(const T& a, const T& b) { return expression; } \
  };
WICK_COMPARISON(Eq, OnComplex<Comparison>, a == b)
WICK_COMPARISON(Ne, OnComplex<Comparison>, a != b)
WICK_COMPARISON(Lt, Comparison, a < b)
WICK_COMPARISON(Le, Comparison, a <= b)
WICK_COMPARISON(Gt, Comparison, a > b)
WICK_COMPARISON(Ge, Comparison, a >= b)
WICK_COMPARISON(LogicalAnd, OnComplex<Comparison>, (a != T(0)) & (b != T(0)))
WICK_COMPARISON(LogicalOr, OnComplex<Comparison>, (a != T(0)) | (b != T(0)))
WICK_COMPARISON(LogicalXor, OnComplex<Comparison>, (a != T(0)) ^ (b != T(0)))
#undef WICK_COMPARISON

#define WICK_BITWISE(Name, Base, expression) \
  struct Name : Base {                       \
    WICK_FORMULA(forward, const T& a, const T& b) { return expression; } \
  };
WICK_BITWISE(BitwiseAnd, Bitwise, a & b)
WICK_BITWISE(BitwiseOr, Bitwise, a | b)
WICK_BITWISE(BitwiseXor, Bitwise, a ^ b)
WICK_BITWISE(LeftShift, NoBool<Bitwise>, a << b)
WICK_BITWISE(RightShift, NoBool<Bitwise>, a >> b)
WICK_BITWISE(Gcd, NoBool<Bitwise>, gcd(a, b))
WICK_BITWISE(Lcm, NoBool<Bitwise>, abs(trunc_divide(a, gcd(a, b)) * b))
#undef WICK_BITWISE

// b where a is true, else c.
struct Where : OnComplex<Elementwise<3, Domain::kNumeric>> {
  static constexpr unsigned uses_a = kNothing, uses_b = kA, uses_c = kA;
  WICK_FORMULA(forward, const T& a, const T& b, const T& c) { return select(a != T(0), b, c); }
  WICK_FORMULA(backward_a, const T& g, const T&, const T&, const T&) { return zero_like(g); }
  WICK_FORMULA(backward_b, const T& g, const T& a, const T&, const T&) { return select(a != T(0), g, zero_like(g)); }
  WICK_FORMULA(backward_c, const T& g, const T& a, const T&, const T&) { return select(a != T(0), zero_like(g), g); }
};

// From a (at c = 0) to b (at c = 1), exact at both ends.
struct Lerp : FloatOnly<Elementwise<3, Domain::kFloat>> {
  static constexpr unsigned uses_a = kC, uses_b = kC, uses_c = kA | kB;
  WICK_FORMULA(forward, const T& a, const T& b, const T& c) {
    return select(abs(c) < T(0.5), a + c * (b - a), b - (b - a) * (T(1) - c));
  }
  WICK_FORMULA(backward_a, const T& g, const T&, const T&, const T& c) { return g * (T(1) - c); }
  WICK_FORMULA(backward_b, const T& g, const T&, const T&, const T& c) { return g * c; }
  WICK_FORMULA(backward_c, const T& g, const T& a, const T& b, const T&) { return g * (b - a); }
};

// a + value * b * c
struct Addcmul : OnComplex<NoBool<Elementwise<3, Domain::kNumeric, 1>>> {
  static constexpr unsigned uses_a = kPasses, uses_b = kC, uses_c = kB;
  WICK_FORMULA(forward, const T& a, const T& b, const T& c, const T& value) { return a + value * (b * c); }
  WICK_FORMULA(backward_a, const T& g, const T&, const T&, const T&, const T&) { return g; }
  WICK_FORMULA(backward_b, const T& g, const T&, const T&, const T& c, const T& value) { return g * conj(c * value); }
  WICK_FORMULA(backward_c, const T& g, const T&, const T& b, const T&, const T& value) { return g * conj(b * value); }
};

// a + value * b / c
struct Addcdiv : OnComplex<FloatOnly<Elementwise<3, Domain::kFloat, 1>>> {
  static constexpr unsigned uses_a = kPasses, uses_b = kC, uses_c = kB | kC;
  WICK_FORMULA(forward, const T& a, const T& b, const T& c, const T& value) { return a + value * (b / c); }
  WICK_FORMULA(backward_a, const T& g, const T&, const T&, const T&, const T&) { return g; }
  WICK_FORMULA(backward_b, const T& g, const T&, const T&, const T& c, const T& value) { return g * conj(value / c); }
  WICK_FORMULA(backward_c, const T& g, const T&, const T& b, const T& c, const T& value) { return -g * conj(value * (b / (c * c))); }
};

#undef WICK_FORMULA

}  // namespace wick::ops
