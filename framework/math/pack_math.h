// The functions of the vocabulary that need a library or a loop over the lanes, for packs. Included by pack.h.
#pragma once

namespace wick::math::WICK_ISA {

// glibc's vector library, libmvec (from 2.35 on): float and double, within 4 ulp. In its names e is AVX-512 and d AVX2; the number
// is that of lanes. Its functions are pure, and a lane's result does not depend on the other lanes.
#if defined(__AVX512F__)
#define WICK_MVEC_F(name, args) WICK_CONCAT(WICK_CONCAT(_ZGVeN16##args##_, name), f)
#define WICK_MVEC_D(name, args) WICK_CONCAT(_ZGVeN8##args##_, name)
#else
#define WICK_MVEC_F(name, args) WICK_CONCAT(WICK_CONCAT(_ZGVdN8##args##_, name), f)
#define WICK_MVEC_D(name, args) WICK_CONCAT(_ZGVdN4##args##_, name)
#endif
#define WICK_MVEC_ONE(T, name, symbol)                                                                      \
  extern "C" Pack<T>::N::Vector symbol(Pack<T>::N::Vector) noexcept __attribute__((const));                 \
  WICK_INLINE Pack<T> name(Pack<T> x) { return Pack<T>(symbol(x.v)); }
#define WICK_MVEC_UNARY(name)                            \
  WICK_MVEC_ONE(float, name, WICK_MVEC_F(name, v))       \
  WICK_MVEC_ONE(double, name, WICK_MVEC_D(name, v))
#define WICK_MVEC_TWO(T, name, symbol)                                                                                          \
  extern "C" Pack<T>::N::Vector symbol(Pack<T>::N::Vector, Pack<T>::N::Vector) noexcept __attribute__((const));                 \
  WICK_INLINE Pack<T> name(Pack<T> x, Pack<T> y) { return Pack<T>(symbol(x.v, y.v)); }
#define WICK_MVEC_BINARY(name)                           \
  WICK_MVEC_TWO(float, name, WICK_MVEC_F(name, vv))      \
  WICK_MVEC_TWO(double, name, WICK_MVEC_D(name, vv))

WICK_MVEC_UNARY(exp2) WICK_MVEC_UNARY(expm1)
WICK_MVEC_ONE(double, log, WICK_MVEC_D(log, v))
WICK_MVEC_UNARY(log2) WICK_MVEC_UNARY(log10) WICK_MVEC_UNARY(log1p)
WICK_MVEC_UNARY(sin) WICK_MVEC_UNARY(cos) WICK_MVEC_UNARY(tan)
WICK_MVEC_UNARY(asin) WICK_MVEC_UNARY(acos) WICK_MVEC_UNARY(atan)
WICK_MVEC_UNARY(sinh)
WICK_MVEC_UNARY(cosh)
WICK_MVEC_UNARY(asinh) WICK_MVEC_UNARY(acosh) WICK_MVEC_UNARY(atanh)
WICK_MVEC_ONE(double, erf, WICK_MVEC_D(erf, v))
WICK_MVEC_ONE(double, erfc, WICK_MVEC_D(erfc, v))
WICK_MVEC_BINARY(pow) WICK_MVEC_BINARY(atan2) WICK_MVEC_BINARY(hypot)

#undef WICK_MVEC_F
#undef WICK_MVEC_D
#undef WICK_MVEC_ONE
#undef WICK_MVEC_UNARY
#undef WICK_MVEC_TWO
#undef WICK_MVEC_BINARY

// What has no vector form runs lane by lane through the scalar function.
#define WICK_LANES(name, params, args)                                     \
  template <class T>                                                       \
  WICK_INLINE Pack<T> name params {                                        \
    Pack<T> result;                                                        \
    for (int i = 0; i < Pack<T>::size; ++i) result.v[i] = math::name args; \
    return result;                                                         \
  }
WICK_LANES(lgamma, (Pack<T> x), (x[i])) WICK_LANES(digamma, (Pack<T> x), (x[i])) WICK_LANES(erfinv, (Pack<T> x), (x[i]))
WICK_LANES(polygamma, (Pack<T> n, Pack<T> x), (n[i], x[i]))
WICK_LANES(nextafter, (Pack<T> x, Pack<T> y), (x[i], y[i]))
WICK_LANES(fmod, (Pack<T> x, Pack<T> y), (x[i], y[i]))
WICK_LANES(remainder, (Pack<T> x, Pack<T> y), (x[i], y[i]))
WICK_LANES(floor_divide, (Pack<T> x, Pack<T> y), (x[i], y[i]))
#undef WICK_LANES

}  // namespace wick::math::WICK_ISA
