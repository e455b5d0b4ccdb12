// The loop of every elementwise kernel: one functor, one type, n elements that lie one after the other. Kernel files only.
#pragma once

#include "wick/framework/math/pack.h"
#include "wick/framework/math/wrapping.h"
#include "wick/framework/ops/defs/functors.h"
#include "wick/framework/plan/elementwise.h"

namespace wick::cpu::WICK_ISA {

// The tables of one instruction set, as cpu/elementwise_slots.cc refers to them.
template <class Functor>
struct Blocks {
  static const BlockTable table;
};

namespace {

using math::WICK_ISA::Mask;
using math::WICK_ISA::Pack;

template <class T>
WICK_INLINE void store(T* out, Pack<T> value) { value.storeu(out); }
template <class T>
WICK_INLINE void store(bool* out, Mask<T> value) { value.storeu(out); }
template <class T>
WICK_INLINE void store(T* out, Pack<T> value, int n) { value.store_partial(out, n); }
template <class T>
WICK_INLINE void store(bool* out, Mask<T> value, int n) { value.store_partial(out, n); }

// Numbers: bit i says that input i is one value for all elements; known at compile time, so that the loop holds it in a register.
template <class F, class T, uint32_t numbers>
void pack_loop(void* out_data, const void* const* in_data, int64_t n, const Param* params) {
  using Out = std::conditional_t<F::to_bool, bool, T>;
  constexpr int kSize = Pack<T>::size;
  Out* __restrict__ out = static_cast<Out*>(out_data);
  const T* in[F::arity];
  Pack<T> x[F::arity], s[F::params + 1];
  for (int k = 0; k < F::arity; ++k) {
    in[k] = static_cast<const T*>(in_data[k]);
    if (numbers >> k & 1) x[k] = Pack<T>(*in[k]);
  }
  for (int k = 0; k < F::params; ++k) s[k] = Pack<T>(params[k].as<T>());
  int64_t i = 0;
  for (; i + kSize <= n; i += kSize) {
    for (int k = 0; k < F::arity; ++k) {
      if (!(numbers >> k & 1)) x[k] = F::arity > 1 ? Pack<T>::load_halves(in[k] + i) : Pack<T>::loadu(in[k] + i);
    }
    store(out + i, F::apply(x, s));
  }
  if (const int rest = static_cast<int>(n - i)) {
    for (int k = 0; k < F::arity; ++k) {
      if (!(numbers >> k & 1)) x[k] = Pack<T>::load_partial(in[k] + i, rest);
    }
    store(out + i, F::apply(x, s), rest);
  }
}

template <class F, class T>
void float_block(void* out, const void* const* in, uint32_t numbers, int64_t n, const Param* params) {
  // The driver spreads single values of other operands over a block; those of two inputs occur all the time.
  if constexpr (F::arity == 2) {
    if (numbers == 1) return pack_loop<F, T, 1>(out, in, n, params);
    if (numbers == 2) return pack_loop<F, T, 2>(out, in, n, params);
  }
  pack_loop<F, T, 0>(out, in, n, params);
}

// One element at a time: integers, whose arithmetic wraps, and complex numbers.
template <class F, class T, class Lane>
void plain_block(void* out_data, const void* const* in_data, uint32_t numbers, int64_t n, const Param* params) {
  using Out = std::conditional_t<F::to_bool, bool, T>;
  Out* out = static_cast<Out*>(out_data);
  Lane s[F::params + 1];
  for (int k = 0; k < F::params; ++k) s[k] = params[k].as<T>();
  for (int64_t i = 0; i < n; ++i) {
    Lane x[F::arity];
    for (int k = 0; k < F::arity; ++k) x[k] = static_cast<const T*>(in_data[k])[numbers >> k & 1 ? 0 : i];
    if constexpr (F::to_bool || is_complex_v<T>) out[i] = F::apply(x, s);
    else out[i] = F::apply(x, s).v;
  }
}

template <class F>
constexpr BlockTable make_blocks() {
  BlockTable table{};
  table.num_inputs = F::arity;
  table.writes_bool = F::to_bool;
  if constexpr (F::domain != ops::Domain::kInteger) {
    table.fn[kComputeFloat] = float_block<F, float>;
    table.fn[kComputeDouble] = float_block<F, double>;
  }
  if constexpr (F::domain != ops::Domain::kFloat) {
    table.fn[kComputeInt] = plain_block<F, int32_t, math::Wrapping<int32_t>>;
    table.fn[kComputeLong] = plain_block<F, int64_t, math::Wrapping<int64_t>>;
  }
  if constexpr (F::on_complex) {
    table.fn[kComputeComplexFloat] = plain_block<F, Complex<float>, Complex<float>>;
    table.fn[kComputeComplexDouble] = plain_block<F, Complex<double>, Complex<double>>;
  }
  return table;
}

}  // namespace

template <class Functor>
constinit const BlockTable Blocks<Functor>::table = make_blocks<Functor>();

}  // namespace wick::cpu::WICK_ISA

// Emit the tables of an operation and of the gradients of its inputs.
#define WICK_EMIT(...) template struct wick::cpu::WICK_ISA::Blocks<wick::ops::__VA_ARGS__>;
#define WICK_EMIT_PLAIN(Op, ...) WICK_EMIT(Forward<wick::ops::Op>)
#define WICK_EMIT_UNARY(Op, ...) WICK_EMIT_PLAIN(Op) WICK_EMIT(Gradient<wick::ops::Op, 0>)
#define WICK_EMIT_BINARY(Op, ...) WICK_EMIT_UNARY(Op) WICK_EMIT(Gradient<wick::ops::Op, 1>)
#define WICK_EMIT_TERNARY(Op, ...) WICK_EMIT_BINARY(Op) WICK_EMIT(Gradient<wick::ops::Op, 2>)
