// SIMD packs: the vocabulary of scalar.h for as many float or double values as a register holds.
//
//     Pack<float> x = Pack<float>::loadu(p);
//     select(x > Pack<float>(0), exp(x), square(x)).storeu(q);
//
// A file that includes this header is a kernel file: it is compiled once per instruction set, with WICK_ISA defined as avx2 (flags
// -mavx2 -mfma -mf16c) or as avx512 (-mavx512f -mavx512bw -mavx512dq -mavx512vl besides), and links with -lmvec. Everything lives in
// wick::math::WICK_ISA and is always inlined, so that code of one instruction set can never be taken for that of the other.
//
// A kernel must give an element the same value wherever it stands in its array. Hence the last elements of an array go through the
// same pack code as the others, by load_partial and store_partial, which touch no memory past the end.
//
// This file has the pack itself and what the processor can do in a few instructions. At the end it includes pack_poly.h, the functions
// that are polynomials of our own, and pack_math.h, the rest of the vocabulary.
#pragma once

#if !defined(WICK_ISA) || !defined(__AVX2__) || !defined(__FMA__)
#error "pack.h belongs in kernel files, which are compiled with WICK_ISA defined and with the flags of that instruction set"
#endif

#include <immintrin.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "wick/framework/core/macros.h"
#include "wick/framework/math/scalar.h"

namespace wick::math::WICK_ISA {

// What differs between the instruction sets, and between float and double: the register, the mask, and single instructions.
template <class T>
struct Native;

#if defined(__AVX512F__)
#define WICK_NATIVE(T, Register, Bits, Word, n, ps, half)                                                                         \
  template <>                                                                                                                     \
  struct Native<T> {                                                                                                              \
    using Vector = Register;                                                                                                      \
    using MaskBits = Bits;                                                                                                        \
    typedef Word IntVector __attribute__((vector_size(64)));                                                                      \
    typedef std::make_signed_t<Word> SignedVector __attribute__((vector_size(64)));                                               \
    static constexpr int size = n;                                                                                                \
    static constexpr unsigned kAllLanes = (1u << n) - 1;                                                                          \
    static WICK_INLINE Vector broadcast(T x) { return _mm512_set1_##ps(x); }                                                      \
    static WICK_INLINE Vector load(const T* p) { return _mm512_load_##ps(p); }                                                    \
    static WICK_INLINE Vector loadu(const T* p) { return _mm512_loadu_##ps(p); }                                                  \
    static WICK_INLINE Vector load_halves(const T* p) {                                                                           \
      const Vector low = _mm512_cast##ps##256_##ps##512(_mm256_loadu_##ps(p));                                                    \
      return _mm512_maskz_insert##half(kAllLanes, low, _mm256_loadu_##ps(p + n / 2), 1);                                          \
    }                                                                                                                             \
    static WICK_INLINE Vector load_masked(const T* p, MaskBits m, Vector fill) { return _mm512_mask_loadu_##ps(fill, m, p); }     \
    static WICK_INLINE void store(T* p, Vector x) { _mm512_store_##ps(p, x); }                                                    \
    static WICK_INLINE void storeu(T* p, Vector x) { _mm512_storeu_##ps(p, x); }                                                  \
    static WICK_INLINE void store_masked(T* p, MaskBits m, Vector x) { _mm512_mask_storeu_##ps(p, m, x); }                        \
    template <int op>                                                                                                             \
    static WICK_INLINE MaskBits compare(Vector x, Vector y) { return _mm512_cmp_##ps##_mask(x, y, op); }                          \
    static WICK_INLINE Vector blend(MaskBits m, Vector x, Vector y) { return _mm512_mask_blend_##ps(m, y, x); }                   \
    static WICK_INLINE MaskBits from_bits(unsigned bits) { return static_cast<MaskBits>(bits); }                                  \
    static WICK_INLINE unsigned to_bits(MaskBits m) { return m; }                                                                 \
    static WICK_INLINE MaskBits mask_and(MaskBits x, MaskBits y) { return x & y; }                                                \
    static WICK_INLINE MaskBits mask_or(MaskBits x, MaskBits y) { return x | y; }                                                 \
    static WICK_INLINE MaskBits mask_xor(MaskBits x, MaskBits y) { return x ^ y; }                                                \
    template <int mode>                                                                                                           \
    static WICK_INLINE Vector round(Vector x) { return _mm512_maskz_roundscale_##ps(kAllLanes, x, mode); }                        \
    static WICK_INLINE Vector sqrt(Vector x) { return _mm512_maskz_sqrt_##ps(kAllLanes, x); }                                     \
    static WICK_INLINE Vector max(Vector x, Vector y) { return _mm512_maskz_max_##ps(kAllLanes, x, y); }                          \
    static WICK_INLINE Vector min(Vector x, Vector y) { return _mm512_maskz_min_##ps(kAllLanes, x, y); }                          \
    static WICK_INLINE Vector scale(Vector x, Vector k) { return _mm512_maskz_scalef_##ps(kAllLanes, x, k); }                     \
    static WICK_INLINE Vector fma(Vector x, Vector y, Vector z) { return _mm512_fmadd_##ps(x, y, z); }                            \
  };
WICK_NATIVE(float, __m512, __mmask16, uint32_t, 16, ps, f32x8)
WICK_NATIVE(double, __m512d, __mmask8, uint64_t, 8, pd, f64x4)
#else
#define WICK_NATIVE(T, Register, Bits, Word, n, ps)                                                                               \
  template <>                                                                                                                     \
  struct Native<T> {                                                                                                              \
    using Vector = Register;                                                                                                      \
    using MaskBits = Bits;                                                                                                        \
    typedef Word IntVector __attribute__((vector_size(32)));                                                                      \
    typedef std::make_signed_t<Word> SignedVector __attribute__((vector_size(32)));                                               \
    static constexpr int size = n;                                                                                                \
    static constexpr unsigned kAllLanes = (1u << n) - 1;                                                                          \
    static WICK_INLINE Vector broadcast(T x) { return _mm256_set1_##ps(x); }                                                      \
    static WICK_INLINE Vector load(const T* p) { return _mm256_load_##ps(p); }                                                    \
    static WICK_INLINE Vector loadu(const T* p) { return _mm256_loadu_##ps(p); }                                                  \
    static WICK_INLINE Vector load_halves(const T* p) { return loadu(p); }                                                        \
    static WICK_INLINE Vector load_masked(const T* p, MaskBits m, Vector fill) {                                                  \
      return blend(m, _mm256_maskload_##ps(p, (__m256i)m), fill);                                                                 \
    }                                                                                                                             \
    static WICK_INLINE void store(T* p, Vector x) { _mm256_store_##ps(p, x); }                                                    \
    static WICK_INLINE void storeu(T* p, Vector x) { _mm256_storeu_##ps(p, x); }                                                  \
    static WICK_INLINE void store_masked(T* p, MaskBits m, Vector x) { _mm256_maskstore_##ps(p, (__m256i)m, x); }                 \
    template <int op>                                                                                                             \
    static WICK_INLINE MaskBits compare(Vector x, Vector y) { return _mm256_cmp_##ps(x, y, op); }                                 \
    static WICK_INLINE Vector blend(MaskBits m, Vector x, Vector y) { return _mm256_blendv_##ps(y, x, m); }                       \
    static WICK_INLINE MaskBits from_bits(unsigned bits) { return (MaskBits)((lane_bits() & static_cast<Word>(bits)) != 0); }     \
    static WICK_INLINE unsigned to_bits(MaskBits m) { return static_cast<unsigned>(_mm256_movemask_##ps(m)); }                    \
    static WICK_INLINE MaskBits mask_and(MaskBits x, MaskBits y) { return _mm256_and_##ps(x, y); }                                \
    static WICK_INLINE MaskBits mask_or(MaskBits x, MaskBits y) { return _mm256_or_##ps(x, y); }                                  \
    static WICK_INLINE MaskBits mask_xor(MaskBits x, MaskBits y) { return _mm256_xor_##ps(x, y); }                                \
    template <int mode>                                                                                                           \
    static WICK_INLINE Vector round(Vector x) { return _mm256_round_##ps(x, mode); }                                              \
    static WICK_INLINE Vector sqrt(Vector x) { return _mm256_sqrt_##ps(x); }                                                      \
    static WICK_INLINE Vector max(Vector x, Vector y) { return _mm256_max_##ps(x, y); }                                           \
    static WICK_INLINE Vector min(Vector x, Vector y) { return _mm256_min_##ps(x, y); }                                           \
    static WICK_INLINE Vector fma(Vector x, Vector y, Vector z) { return _mm256_fmadd_##ps(x, y, z); }                            \
                                                                                                                                  \
   private:                                                                                                                       \
    static WICK_INLINE IntVector lane_bits() {                                                                                    \
      IntVector bits{};                                                                                                           \
      for (int i = 0; i < n; ++i) bits[i] = Word(1) << i;                                                                         \
      return bits;                                                                                                                \
    }                                                                                                                             \
  };
WICK_NATIVE(float, __m256, __m256, uint32_t, 8, ps)
WICK_NATIVE(double, __m256d, __m256d, uint64_t, 4, pd)
#endif
#undef WICK_NATIVE

// One truth value per lane of a Pack<T>.
template <class T>
struct Mask {
  using N = Native<T>;
  static constexpr int size = N::size;

  typename N::MaskBits m;

  Mask() = default;
  explicit WICK_INLINE Mask(typename N::MaskBits bits) : m(bits) {}

  // Lane i is bit i.
  static WICK_INLINE Mask from_bits(unsigned bits) { return Mask(N::from_bits(bits)); }
  WICK_INLINE unsigned bits() const { return N::to_bits(m); }
  // True in the first n lanes, 0 <= n <= size.
  static WICK_INLINE Mask first(int n) { return from_bits((1u << n) - 1); }

  static WICK_INLINE Mask loadu(const bool* p) { return load_partial(p, size); }
  // The first n lanes from p, false in the rest. The multiplication moves the lowest bits of eight bytes next to each other.
  static WICK_INLINE Mask load_partial(const bool* p, int n) {
    uint64_t bytes[2] = {};
    __builtin_memcpy(bytes, p, static_cast<unsigned>(n));
    constexpr uint64_t kGather = 0x0102040810204080;
    return from_bits(static_cast<unsigned>((bytes[0] * kGather >> 56) | (bytes[1] * kGather >> 56) << 8));
  }
  WICK_INLINE void storeu(bool* p) const { store_partial(p, size); }
  // The reverse: a copy of eight bits in each byte, of which the byte's own bit is kept and carried into its top bit.
  WICK_INLINE void store_partial(bool* p, int n) const {
    uint64_t bytes[2];
    for (int i = 0; i < 2; ++i) {
      const uint64_t copied = (bits() >> (8 * i) & 0xff) * uint64_t{0x0101010101010101};
      const uint64_t spread = copied & 0x8040201008040201;
      bytes[i] = (spread + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
    }
    __builtin_memcpy(p, bytes, static_cast<unsigned>(n));
  }

  WICK_INLINE bool operator[](int lane) const { return bits() >> lane & 1; }
  friend WICK_INLINE Mask operator&(Mask x, Mask y) { return Mask(N::mask_and(x.m, y.m)); }
  friend WICK_INLINE Mask operator|(Mask x, Mask y) { return Mask(N::mask_or(x.m, y.m)); }
  friend WICK_INLINE Mask operator^(Mask x, Mask y) { return Mask(N::mask_xor(x.m, y.m)); }
  friend WICK_INLINE Mask operator!(Mask x) { return x ^ from_bits(N::kAllLanes); }
  friend WICK_INLINE bool any(Mask x) { return x.bits() != 0; }
  friend WICK_INLINE bool all(Mask x) { return x.bits() == N::kAllLanes; }
};

template <class T>
struct Pack {
  using Scalar = T;
  using N = Native<T>;
  using Vector = typename N::Vector;
  using IntVector = typename N::IntVector;  // unsigned, as wide as T
  using SignedVector = typename N::SignedVector;
  static constexpr int size = N::size;

  Vector v;

  Pack() = default;
  // Every lane x. Implicit, so that 2 * p and max(p, 0) mean what they say.
  WICK_INLINE Pack(T x) : v(N::broadcast(x)) {}
  explicit WICK_INLINE Pack(Vector x) : v(x) {}
  // The bits of x, and back.
  static WICK_INLINE Pack from_int_bits(IntVector x) { return Pack((Vector)x); }
  WICK_INLINE IntVector int_bits() const { return (IntVector)v; }

  // load and store need an address aligned to the pack's own size, loadu and storeu none.
  static WICK_INLINE Pack load(const T* p) { return Pack(N::load(p)); }
  static WICK_INLINE Pack loadu(const T* p) { return Pack(N::loadu(p)); }
  // loadu for long arrays: a Zen 4 brings them from its second and third cache a quarter faster in loads of 32 bytes than of 64.
  static WICK_INLINE Pack load_halves(const T* p) { return Pack(N::load_halves(p)); }
  WICK_INLINE void store(T* p) const { N::store(p, v); }
  WICK_INLINE void storeu(T* p) const { N::storeu(p, v); }
  // The first n lanes, 0 <= n <= size; load_partial sets the rest to fill. No byte of p beyond them is touched.
  static WICK_INLINE Pack load_partial(const T* p, int n, Pack fill = T(0)) {
    return Pack(N::load_masked(p, Mask<T>::first(n).m, fill.v));
  }
  WICK_INLINE void store_partial(T* p, int n) const { N::store_masked(p, Mask<T>::first(n).m, v); }

  WICK_INLINE T operator[](int lane) const { return v[lane]; }

  friend WICK_INLINE Pack operator+(Pack x, Pack y) { return Pack(x.v + y.v); }
  friend WICK_INLINE Pack operator-(Pack x, Pack y) { return Pack(x.v - y.v); }
  friend WICK_INLINE Pack operator*(Pack x, Pack y) { return Pack(x.v * y.v); }
  friend WICK_INLINE Pack operator/(Pack x, Pack y) { return Pack(x.v / y.v); }
  friend WICK_INLINE Pack operator-(Pack x) { return from_int_bits(x.int_bits() ^ Pack(T(-0.0)).int_bits()); }
  WICK_INLINE Pack& operator+=(Pack x) { return *this = *this + x; }
  WICK_INLINE Pack& operator-=(Pack x) { return *this = *this - x; }
  WICK_INLINE Pack& operator*=(Pack x) { return *this = *this * x; }
  WICK_INLINE Pack& operator/=(Pack x) { return *this = *this / x; }

  friend WICK_INLINE Mask<T> operator==(Pack x, Pack y) { return compare<_CMP_EQ_OQ>(x, y); }
  friend WICK_INLINE Mask<T> operator!=(Pack x, Pack y) { return compare<_CMP_NEQ_UQ>(x, y); }
  friend WICK_INLINE Mask<T> operator<(Pack x, Pack y) { return compare<_CMP_LT_OQ>(x, y); }
  friend WICK_INLINE Mask<T> operator<=(Pack x, Pack y) { return compare<_CMP_LE_OQ>(x, y); }
  friend WICK_INLINE Mask<T> operator>(Pack x, Pack y) { return compare<_CMP_GT_OQ>(x, y); }
  friend WICK_INLINE Mask<T> operator>=(Pack x, Pack y) { return compare<_CMP_GE_OQ>(x, y); }

  friend WICK_INLINE Pack select(Mask<T> m, Pack x, Pack y) { return Pack(N::blend(m.m, x.v, y.v)); }
  friend WICK_INLINE Mask<T> has_sign(Pack x) { return copysign(Pack(T(1)), x) < Pack(T(0)); }
  friend WICK_INLINE Mask<T> is_nan(Pack x) { return compare<_CMP_UNORD_Q>(x, x); }
  friend WICK_INLINE Mask<T> is_inf(Pack x) { return abs(x) == T(__builtin_huge_val()); }
  friend WICK_INLINE Mask<T> is_finite(Pack x) { return abs(x) < T(__builtin_huge_val()); }

  // The processor's max(x, y) is x > y ? x : y, thus y if either is NaN. The case left to mend vanishes when the operand in question
  // is a constant, so max(p, 0) is one instruction; with the intrinsics for comparison the compiler would not see that.
  friend WICK_INLINE Pack max(Pack x, Pack y) { return keep_nan(y, N::max(y.v, x.v)); }
  friend WICK_INLINE Pack min(Pack x, Pack y) { return keep_nan(y, N::min(y.v, x.v)); }
  friend WICK_INLINE Pack fmax(Pack x, Pack y) { return Pack(y.v != y.v ? x.v : N::max(x.v, y.v)); }
  friend WICK_INLINE Pack fmin(Pack x, Pack y) { return Pack(y.v != y.v ? x.v : N::min(x.v, y.v)); }

  friend WICK_INLINE Pack abs(Pack x) { return from_int_bits(x.int_bits() & ~Pack(T(-0.0)).int_bits()); }
  friend WICK_INLINE Pack copysign(Pack x, Pack y) {
    const IntVector sign_bit = Pack(T(-0.0)).int_bits();
    return from_int_bits((x.int_bits() & ~sign_bit) | (y.int_bits() & sign_bit));
  }
  friend WICK_INLINE Pack neg(Pack x) { return -x; }
  friend WICK_INLINE Pack sign(Pack x) {
    return select(x > Pack(T(0)), Pack(T(1)), select(x < Pack(T(0)), Pack(T(-1)), Pack(T(0))));
  }
  friend WICK_INLINE Pack sgn(Pack x) { return sign(x); }
  friend WICK_INLINE Pack conj(Pack x) { return x; }

  friend WICK_INLINE Pack floor(Pack x) { return rounded<_MM_FROUND_TO_NEG_INF>(x); }
  friend WICK_INLINE Pack ceil(Pack x) { return rounded<_MM_FROUND_TO_POS_INF>(x); }
  friend WICK_INLINE Pack trunc(Pack x) { return rounded<_MM_FROUND_TO_ZERO>(x); }
  friend WICK_INLINE Pack round(Pack x) { return rounded<_MM_FROUND_TO_NEAREST_INT>(x); }

  friend WICK_INLINE Pack fma(Pack x, Pack y, Pack z) { return Pack(N::fma(x.v, y.v, z.v)); }
  friend WICK_INLINE Pack square(Pack x) { return x * x; }
  friend WICK_INLINE Pack sqrt(Pack x) { return Pack(N::sqrt(x.v)); }
  friend WICK_INLINE Pack rsqrt(Pack x) { return T(1) / sqrt(x); }
  friend WICK_INLINE Pack reciprocal(Pack x) { return T(1) / x; }

  // Across the lanes, always in the same order: lane i with lane i + size/2, and so on. max and min propagate NaN.
  friend WICK_INLINE T reduce_add(Pack x) {
    fold(x, [](Pack a, Pack b) __attribute__((always_inline)) { return a + b; });
    return x[0];
  }
  friend WICK_INLINE T reduce_max(Pack x) {
    fold(x, [](Pack a, Pack b) __attribute__((always_inline)) { return max(a, b); });
    return x[0];
  }
  friend WICK_INLINE T reduce_min(Pack x) {
    fold(x, [](Pack a, Pack b) __attribute__((always_inline)) { return min(a, b); });
    return x[0];
  }

 private:
  template <int op>
  static WICK_INLINE Mask<T> compare(Pack x, Pack y) { return Mask<T>(N::template compare<op>(x.v, y.v)); }
  template <int mode>
  static WICK_INLINE Pack rounded(Pack x) { return Pack(N::template round<mode | _MM_FROUND_NO_EXC>(x.v)); }
  static WICK_INLINE Pack keep_nan(Pack x, Vector otherwise) { return Pack(x.v != x.v ? x.v : otherwise); }

  // Lane i of the result is lane i ^ distance of x.
  template <int distance, int... lane>
  static WICK_INLINE Pack swapped(Pack x, std::integer_sequence<int, lane...>) {
    return Pack(__builtin_shufflevector(x.v, x.v, (lane ^ distance)...));
  }
  template <int distance = size / 2, class F>
  static WICK_INLINE void fold(Pack& x, F combine) {
    if constexpr (distance > 0) {
      x = combine(x, swapped<distance>(x, std::make_integer_sequence<int, size>()));
      fold<distance / 2>(x, combine);
    }
  }
};

}  // namespace wick::math::WICK_ISA

#include "wick/framework/math/pack_math.h"
#include "wick/framework/math/pack_poly.h"
