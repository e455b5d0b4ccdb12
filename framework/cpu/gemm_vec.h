// The SIMD registers of gemm_kernels.cc: Vec<T, W> is one of W lanes of T.
//
// load(p, mask) and store(p, v, mask) touch the first lanes only; memory behind the others may be unmapped. Everything is in an
// unnamed namespace, so that the objects for different instruction sets share no symbol.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace wick::cpu::WICK_ISA {
namespace {

template <class T, int W>
struct Vec;

inline __m128 upper(__m256 v) { return _mm256_extractf128_ps(v, 1); }
inline __m128d upper(__m256d v) { return _mm256_extractf128_pd(v, 1); }
inline __m128 lower(__m256 v) { return _mm256_castps256_ps128(v); }
inline __m128d lower(__m256d v) { return _mm256_castpd256_pd128(v); }
#if defined(WICK_ISA_AVX512)
// GCC 12 warns of an uninitialised variable inside the intrinsics for this.
inline __m256 upper(__m512 v) { return __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15); }
inline __m256d upper(__m512d v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }
inline __m256 lower(__m512 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7); }
inline __m256d lower(__m512d v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
#endif

// The sums of the lanes of a, b, c and d, stored to out[0] to out[3].
inline void store_sums(float* out, __m128 a, __m128 b, __m128 c, __m128 d) {
  _mm_storeu_ps(out, _mm_hadd_ps(_mm_hadd_ps(a, b), _mm_hadd_ps(c, d)));
}
inline void store_sums(double* out, __m128d a, __m128d b, __m128d c, __m128d d) {
  _mm_storeu_pd(out, _mm_hadd_pd(a, b));
  _mm_storeu_pd(out + 2, _mm_hadd_pd(c, d));
}
template <class T, class Reg>
inline void store_sums(T* out, Reg a, Reg b, Reg c, Reg d) {
  store_sums(out, lower(a) + upper(a), lower(b) + upper(b), lower(c) + upper(c), lower(d) + upper(d));
}

#if defined(WICK_ISA_AVX512)

template <int W>
struct Lanes {
  unsigned bits;
  static Lanes first(int64_t count) { return {(1u << count) - 1u}; }
};

#define WICK_MASKED(T, W, REG, PREFIX, SUFFIX)                                                               \
  static REG load(const T* p, Lanes<W> lanes) { return PREFIX##_maskz_loadu_##SUFFIX(lanes.bits, p); }       \
  static void store(T* p, REG v, Lanes<W> lanes) { PREFIX##_mask_storeu_##SUFFIX(p, lanes.bits, v); }

#else

// maskload takes its lanes as a vector of the elements' size. There is no maskstore below: on AMD it costs some forty
// micro-operations, a few partial stores cost four.
template <int W>
struct Lanes {
  int64_t count;
  static Lanes first(int64_t count) { return {count}; }
};

alignas(32) constexpr int32_t kLanes4[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
alignas(32) constexpr int64_t kLanes8[8] = {-1, -1, -1, -1};

inline __m256 load_first(const float* p, Lanes<8> lanes) {
  return _mm256_maskload_ps(p, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kLanes4 + 8 - lanes.count)));
}
inline __m128 load_first(const float* p, Lanes<4> lanes) {
  return _mm_maskload_ps(p, _mm_loadu_si128(reinterpret_cast<const __m128i*>(kLanes4 + 8 - lanes.count)));
}
inline __m256d load_first(const double* p, Lanes<4> lanes) {
  return _mm256_maskload_pd(p, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kLanes8 + 4 - lanes.count)));
}
inline __m128d load_first(const double* p, Lanes<2> lanes) {
  return _mm_maskload_pd(p, _mm_loadu_si128(reinterpret_cast<const __m128i*>(kLanes8 + 4 - lanes.count)));
}

inline void store_first(float* p, __m128 v, int64_t count) {
  if (count == 4) return _mm_storeu_ps(p, v);
  if (count & 2) {
    _mm_storel_pi(reinterpret_cast<__m64*>(p), v);
    v = _mm_movehl_ps(v, v);
    p += 2;
  }
  if (count & 1) _mm_store_ss(p, v);
}
inline void store_first(double* p, __m128d v, int64_t count) {
  if (count == 2) return _mm_storeu_pd(p, v);
  if (count == 1) _mm_store_sd(p, v);
}
template <class T, class Reg>
inline void store_first(T* p, Reg v, int64_t count) {
  constexpr int64_t kHalf = sizeof(Reg) / sizeof(T) / 2;
  if (count < kHalf) return store_first(p, lower(v), count);
  store_first(p, lower(v), kHalf);
  store_first(p + kHalf, upper(v), count - kHalf);
}

#define WICK_MASKED(T, W, REG, PREFIX, SUFFIX)                                              \
  static REG load(const T* p, Lanes<W> lanes) { return load_first(p, lanes); }              \
  static void store(T* p, REG v, Lanes<W> lanes) { store_first(p, v, lanes.count); }

#endif

#define WICK_VEC(T, W, REG, PREFIX, SUFFIX)                                         \
  template <>                                                                       \
  struct Vec<T, W> {                                                                \
    using Scalar = T;                                                               \
    using Reg = REG;                                                                \
    using Mask = Lanes<W>;                                                          \
    static constexpr int kWidth = W;                                                \
    static REG zero() { return PREFIX##_setzero_##SUFFIX(); }                       \
    static REG fill(T x) { return PREFIX##_set1_##SUFFIX(x); }                      \
    static REG load(const T* p) { return PREFIX##_loadu_##SUFFIX(p); }              \
    static void store(T* p, REG v) { PREFIX##_storeu_##SUFFIX(p, v); }              \
    WICK_MASKED(T, W, REG, PREFIX, SUFFIX)                                          \
    static REG fma(REG x, REG y, REG z) { return PREFIX##_fmadd_##SUFFIX(x, y, z); } \
    static REG relu(REG x) { return x < 0 ? zero() : x; }                           \
  };

WICK_VEC(float, 4, __m128, _mm, ps)
WICK_VEC(float, 8, __m256, _mm256, ps)
WICK_VEC(double, 2, __m128d, _mm, pd)
WICK_VEC(double, 4, __m256d, _mm256, pd)
#if defined(WICK_ISA_AVX512)
WICK_VEC(float, 16, __m512, _mm512, ps)
WICK_VEC(double, 8, __m512d, _mm512, pd)
#endif
#undef WICK_VEC
#undef WICK_MASKED

// to[i * to_row + j] = from[j * from_row + i] for i and j below 4.
template <class T>
inline void transpose4(const T* from, int64_t from_row, T* to, int64_t to_row) {
  using V = Vec<T, 4>;
  const auto a = V::load(from), b = V::load(from + from_row), c = V::load(from + 2 * from_row), d = V::load(from + 3 * from_row);
  const auto ab = __builtin_shufflevector(a, b, 0, 1, 4, 5), cd = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  V::store(to, __builtin_shufflevector(ab, cd, 0, 2, 4, 6));
  V::store(to + to_row, __builtin_shufflevector(ab, cd, 1, 3, 5, 7));
  const auto ab_end = __builtin_shufflevector(a, b, 2, 3, 6, 7), cd_end = __builtin_shufflevector(c, d, 2, 3, 6, 7);
  V::store(to + 2 * to_row, __builtin_shufflevector(ab_end, cd_end, 0, 2, 4, 6));
  V::store(to + 3 * to_row, __builtin_shufflevector(ab_end, cd_end, 1, 3, 5, 7));
}

}  // namespace
}  // namespace wick::cpu::WICK_ISA
