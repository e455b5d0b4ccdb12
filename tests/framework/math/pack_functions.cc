#include "wick/tests/framework/math/pack_functions.h"

#include "wick/framework/math/pack.h"

namespace wick::math::WICK_ISA {
namespace {

using test::Function;
using test::Functions;
using test::PackProbe;

template <class F, class T>
void apply_unary(const T* x, const T*, T* y, int64_t n) {
  constexpr int kSize = Pack<T>::size;
  int64_t i = 0;
  for (; i + kSize <= n; i += kSize) F::call(Pack<T>::loadu(x + i)).storeu(y + i);
  const int rest = static_cast<int>(n - i);
  if (rest > 0) F::call(Pack<T>::load_partial(x + i, rest)).store_partial(y + i, rest);
}

template <class F, class T>
void apply_binary(const T* x, const T* z, T* y, int64_t n) {
  constexpr int kSize = Pack<T>::size;
  int64_t i = 0;
  for (; i + kSize <= n; i += kSize) F::call(Pack<T>::loadu(x + i), Pack<T>::loadu(z + i)).storeu(y + i);
  const int rest = static_cast<int>(n - i);
  if (rest > 0) F::call(Pack<T>::load_partial(x + i, rest), Pack<T>::load_partial(z + i, rest)).store_partial(y + i, rest);
}

#define UNARY_NAMES(X)                                                                                                        \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(rsqrt) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan)      \
  X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(lgamma) X(sigmoid) X(log1p_exp) X(reciprocal) X(square) \
  X(floor) X(ceil) X(trunc) X(round) X(abs) X(neg) X(sign) X(sgn) X(conj)
#define BINARY_NAMES(X)                                                                                                     \
  X(pow) X(atan2) X(hypot) X(fmod) X(remainder) X(floor_divide) X(copysign) X(max) X(min) X(fmax) X(fmin)

#define UNARY_STRUCT(name) \
  struct unary_##name { static WICK_INLINE auto call(auto x) { return name(x); } };
#define BINARY_STRUCT(name) \
  struct binary_##name { static WICK_INLINE auto call(auto x, auto z) { return name(x, z); } };
UNARY_NAMES(UNARY_STRUCT)
BINARY_NAMES(BINARY_STRUCT)

#define UNARY_ROW(name) {#name, apply_unary<unary_##name, float>, apply_unary<unary_##name, double>},
#define BINARY_ROW(name) {#name, apply_binary<binary_##name, float>, apply_binary<binary_##name, double>},
constexpr Function kTable[] = {UNARY_NAMES(UNARY_ROW) BINARY_NAMES(BINARY_ROW)};

template <class T>
struct Probe {
  using P = Pack<T>;
  using M = Mask<T>;

  static T add(const T* x) { return reduce_add(P::loadu(x)); }
  static T largest(const T* x) { return reduce_max(P::loadu(x)); }
  static T smallest(const T* x) { return reduce_min(P::loadu(x)); }
  static T copy_partial(const T* x, T* y, int n, T fill) {
    const P p = P::load_partial(x, n, fill);
    p.store_partial(y, n);
    return p[P::size - 1];
  }
  static void compare(const T* x, const T* z, bool* y, int n, bool* any_all) {
    const P a = P::loadu(x);
    const M m = (a < P::loadu(z)) & !(a == P(0));
    m.store_partial(y, n);
    any_all[0] = any(m);
    any_all[1] = all(m);
  }
  static void blend(const bool* mask, const T* x, const T* z, T* y, int n) {
    select(M::load_partial(mask, n), P::loadu(x), P::loadu(z)).store_partial(y, n);
  }
  static void multiply_add(const T* a, const T* b, const T* c, T* y) { fma(P::loadu(a), P::loadu(b), P::loadu(c)).storeu(y); }
  static void classes(const T* x, bool* nan, bool* inf, bool* finite) {
    is_nan(P::loadu(x)).storeu(nan);
    is_inf(P::loadu(x)).storeu(inf);
    is_finite(P::loadu(x)).storeu(finite);
  }
  static unsigned comparisons(T x, T z) {
    const P a(x), b(z);
    const M results[] = {a == b, a != b, a < b, a <= b, a > b, a >= b};
    unsigned bits = 0;
    for (int i = 0; i < 6; ++i) bits |= static_cast<unsigned>(all(results[i])) << i;
    return bits;
  }

  static constexpr PackProbe<T> kFunctions{P::size, add,   largest,      smallest, copy_partial,
                                           compare, blend, multiply_add, classes,  comparisons};
};

}  // namespace

constinit const Functions kFunctions{kTable, kTable + sizeof(kTable) / sizeof(kTable[0]), Probe<float>::kFunctions,
                                     Probe<double>::kFunctions};

}  // namespace wick::math::WICK_ISA
