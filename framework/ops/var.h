// Var: a Tensor or a number under the names of math/, so that the gradient formulas of ops/defs can be recorded in turn. It is what T
// is when a backward pass is itself differentiated.
#pragma once

#include "wick/framework/tensor.h"

namespace wick::ops {

class Var {
 public:
  Var(double number) : number_(number) {}
  Var(Tensor tensor) : tensor_(std::move(tensor)) {}

  bool is_number() const { return !tensor_.defined(); }
  double number() const { return number_; }
  const Tensor& tensor() const { return tensor_; }

 private:
  Tensor tensor_;
  double number_ = 0;
};

#define WICK_VAR_OPERATOR(op, combine)                                                             \
  inline Var operator op(const Var& a, const Var& b) {                                             \
    if (a.is_number() && b.is_number()) return Var(static_cast<double>(a.number() op b.number())); \
    if (a.is_number()) return Scalar(a.number()) op b.tensor();                                    \
    if (b.is_number()) return a.tensor() op Scalar(b.number());                                    \
    return combine(a.tensor(), b.tensor());                                                        \
  }
WICK_VAR_OPERATOR(+, wick::add)
WICK_VAR_OPERATOR(-, wick::sub)
WICK_VAR_OPERATOR(*, wick::mul)
WICK_VAR_OPERATOR(/, wick::div)
WICK_VAR_OPERATOR(==, wick::eq)
WICK_VAR_OPERATOR(!=, wick::ne)
WICK_VAR_OPERATOR(<, wick::lt)
WICK_VAR_OPERATOR(<=, wick::le)
WICK_VAR_OPERATOR(>, wick::gt)
WICK_VAR_OPERATOR(>=, wick::ge)
#undef WICK_VAR_OPERATOR

// Conditions: results of comparisons, or numbers that stand for true and false.
inline Var operator&(const Var& a, const Var& b) {
  if (a.is_number()) return a.number() != 0 ? b : Var(0.0);
  if (b.is_number()) return b & a;
  return wick::logical_and(a.tensor(), b.tensor());
}
inline Var operator|(const Var& a, const Var& b) {
  if (a.is_number()) return a.number() != 0 ? Var(1.0) : b;
  if (b.is_number()) return b | a;
  return wick::logical_or(a.tensor(), b.tensor());
}
inline Var operator-(const Var& a) { return a.is_number() ? Var(-a.number()) : Var(wick::neg(a.tensor())); }

inline Var select(const Var& condition, const Var& a, const Var& b) {
  if (condition.is_number()) return condition.number() != 0 ? a : b;
  if (a.is_number() && b.is_number()) return wick::where(condition.tensor(), Scalar(a.number()), Scalar(b.number()));
  if (a.is_number()) return wick::where(condition.tensor(), Scalar(a.number()), b.tensor());
  if (b.is_number()) return wick::where(condition.tensor(), a.tensor(), Scalar(b.number()));
  return wick::where(condition.tensor(), a.tensor(), b.tensor());
}

// A number for a tensor where a function wants one.
inline Tensor as_tensor(const Var& x, const Var& like) { return x.is_number() ? wick::full_like(like.tensor(), x.number()) : x.tensor(); }

inline Var zero_like(const Var& x) { return x.is_number() ? Var(0.0) : Var(wick::zeros_like(x.tensor())); }
inline Var conj(const Var& x) { return x.is_number() ? x : Var(wick::conj(x.tensor())); }
inline Var sgn(const Var& x) { return x.is_number() ? Var(math::sign(x.number())) : Var(wick::sign(x.tensor())); }
inline Var is_nan(const Var& x) { return x.is_number() ? Var(x.number() != x.number() ? 1.0 : 0.0) : Var(wick::isnan(x.tensor())); }
inline Var is_not_negative(const Var& x) { return x.is_number() ? Var(x.number() >= 0 ? 1.0 : 0.0) : Var(wick::real(x.tensor()).ge(0)); }

#define WICK_VAR_UNARY(name) \
  inline Var name(const Var& x) { return x.is_number() ? Var(math::name(x.number())) : Var(wick::name(x.tensor())); }
WICK_VAR_UNARY(abs)
WICK_VAR_UNARY(exp)
WICK_VAR_UNARY(log)
WICK_VAR_UNARY(sqrt)
WICK_VAR_UNARY(rsqrt)
WICK_VAR_UNARY(reciprocal)
WICK_VAR_UNARY(square)
WICK_VAR_UNARY(sin)
WICK_VAR_UNARY(cos)
WICK_VAR_UNARY(sinh)
WICK_VAR_UNARY(cosh)
WICK_VAR_UNARY(tanh)
WICK_VAR_UNARY(erfc)
WICK_VAR_UNARY(floor)
WICK_VAR_UNARY(trunc)
WICK_VAR_UNARY(sigmoid)
WICK_VAR_UNARY(digamma)
#undef WICK_VAR_UNARY

inline Var acosh_slope(const Var& x) {
  if (!x.is_number() && x.tensor().is_complex()) return rsqrt(x - Var(1.0)) * rsqrt(x + Var(1.0));
  return rsqrt(x * x - Var(1.0));
}
inline Var pow(const Var& a, const Var& b) {
  if (a.is_number() && b.is_number()) return Var(math::pow(a.number(), b.number()));
  if (b.is_number()) return wick::pow(a.tensor(), Scalar(b.number()));
  if (a.is_number()) return wick::pow(Scalar(a.number()), b.tensor());
  return wick::pow(a.tensor(), b.tensor());
}
inline Var polygamma(const Var& n, const Var& x) { return wick::polygamma(static_cast<int64_t>(n.number()), x.tensor()); }
inline Var floor_divide(const Var& a, const Var& b) { return wick::floor_divide(as_tensor(a, b), as_tensor(b, a)); }
inline Var hypot(const Var& a, const Var& b) { return wick::hypot(as_tensor(a, b), as_tensor(b, a)); }
inline Var min(const Var& a, const Var& b) {
  if (b.is_number() && !a.is_number()) return wick::clamp_max(a.tensor(), b.number());
  return wick::minimum(as_tensor(a, b), as_tensor(b, a));
}
inline Var max(const Var& a, const Var& b) {
  if (b.is_number() && !a.is_number()) return wick::clamp_min(a.tensor(), b.number());
  return wick::maximum(as_tensor(a, b), as_tensor(b, a));
}

}  // namespace wick::ops
