// The functors of the elementwise operations: what a kernel is instantiated with. Forward<Op> is the operation, Gradient<Op, i> the
// gradient of its i-th input, whose own inputs are g and those values that the formula uses.
#pragma once

#include "wick/framework/ops/defs/binary.h"
#include "wick/framework/ops/defs/names.h"
#include "wick/framework/ops/defs/unary.h"

namespace wick::ops {

template <class Op>
struct Forward {
  static constexpr int arity = Op::arity, params = Op::params;
  static constexpr Domain domain = Op::domain;
  static constexpr bool to_bool = Op::to_bool, on_complex = Op::on_complex;

  // x: the inputs, s: the parameters.
  template <class T>
  WICK_HD static auto apply(const T* x, [[maybe_unused]] const T* s) {
    static_assert(arity <= 3 && params <= 3);
    if constexpr (arity == 1) {
      if constexpr (params == 0) return Op::forward(x[0]);
      else if constexpr (params == 1) return Op::forward(x[0], s[0]);
      else if constexpr (params == 2) return Op::forward(x[0], s[0], s[1]);
      else return Op::forward(x[0], s[0], s[1], s[2]);
    } else if constexpr (arity == 2) {
      if constexpr (params == 0) return Op::forward(x[0], x[1]);
      else return Op::forward(x[0], x[1], s[0]);
    } else {
      if constexpr (params == 0) return Op::forward(x[0], x[1], x[2]);
      else return Op::forward(x[0], x[1], x[2], s[0]);
    }
  }
};

template <class Op, int input>
constexpr unsigned uses_of() {
  if constexpr (Op::arity == 1) return Op::uses;
  else if constexpr (input == 0) return Op::uses_a;
  else if constexpr (input == 1) return Op::uses_b;
  else return Op::uses_c;
}

template <class Op, int input>
struct Gradient {
  static constexpr unsigned uses = uses_of<Op, input>() & kUsedValues;
  static constexpr int arity = 1 + __builtin_popcount(uses), params = Op::params;
  static constexpr Domain domain = Domain::kFloat;
  static constexpr bool to_bool = false, on_complex = Op::on_complex;

  // The value with this flag among v = {g, used values in the order of the flags}; g stands in for values that are not used.
  template <class T>
  WICK_HD static const T& pick(const T* v, unsigned flag) {
    return uses & flag ? v[1 + __builtin_popcount(uses & (flag - 1))] : v[0];
  }

  template <class T>
  WICK_HD static T apply(const T* v, [[maybe_unused]] const T* s) {
    const T& g = v[0];
    const T& a = pick(v, kA);
    if constexpr (Op::arity == 1) {
      const T& y = pick(v, kOutput);
      if constexpr (params == 0) return Op::backward(g, a, y);
      else if constexpr (params == 1) return Op::backward(g, a, y, s[0]);
      else if constexpr (params == 2) return Op::backward(g, a, y, s[0], s[1]);
      else return Op::backward(g, a, y, s[0], s[1], s[2]);
    } else {
      const T& b = pick(v, kB);
      if constexpr (Op::arity == 2) {
        if constexpr (params == 0) {
          if constexpr (input == 0) return Op::backward_a(g, a, b);
          else return Op::backward_b(g, a, b);
        } else {
          if constexpr (input == 0) return Op::backward_a(g, a, b, s[0]);
          else return Op::backward_b(g, a, b, s[0]);
        }
      } else {
        const T& c = pick(v, kC);
        if constexpr (params == 0) {
          if constexpr (input == 0) return Op::backward_a(g, a, b, c);
          else if constexpr (input == 1) return Op::backward_b(g, a, b, c);
          else return Op::backward_c(g, a, b, c);
        } else {
          if constexpr (input == 0) return Op::backward_a(g, a, b, c, s[0]);
          else if constexpr (input == 1) return Op::backward_b(g, a, b, c, s[0]);
          else return Op::backward_c(g, a, b, c, s[0]);
        }
      }
    }
  }
};

}  // namespace wick::ops
