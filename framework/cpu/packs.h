// Loops over memory in packs, of which the last has fewer lanes in use. Kernel files only.
#pragma once

#include "wick/framework/math/pack.h"

namespace wick::cpu::WICK_ISA {
namespace {

using math::WICK_ISA::Mask;
using math::WICK_ISA::Pack;

constexpr int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
constexpr int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

// The first `lanes`; the others are `fill`, and no byte of theirs is touched.
template <class T>
WICK_INLINE Pack<T> load(const T* p, int lanes, T fill = 0) {
  return lanes == Pack<T>::size ? Pack<T>::loadu(p) : Pack<T>::load_partial(p, lanes, fill);
}
template <class T>
WICK_INLINE void store(T* p, Pack<T> x, int lanes) {
  if (lanes == Pack<T>::size) x.storeu(p);
  else x.store_partial(p, lanes);
}

// f(i, lanes) for [0, n).
template <class T, class F>
WICK_INLINE void for_packs(int64_t n, const F& f) {
  int64_t i = 0;
  for (; i + Pack<T>::size <= n; i += Pack<T>::size) f(i, Pack<T>::size);
  if (i < n) f(i, static_cast<int>(n - i));
}
// f(i, pack of x[i ...], lanes) for [0, n).
template <class T, class F>
WICK_INLINE void for_packs(const T* x, int64_t n, T fill, const F& f) {
  for_packs<T>(n, [&](int64_t i, int lanes) __attribute__((always_inline)) { f(i, load(x + i, lanes, fill), lanes); });
}

}  // namespace
}  // namespace wick::cpu::WICK_ISA
