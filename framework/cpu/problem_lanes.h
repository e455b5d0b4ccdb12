// Many problems of a few elements each side by side, one in each lane of a pack, so that element j of all of them is one load; and the
// loops along a problem of more. Kernel files only.
#pragma once

#include "wick/framework/math/pack.h"

namespace wick::cpu::WICK_ISA {
namespace {

using math::WICK_ISA::Mask;
using math::WICK_ISA::Pack;

// As many 32-bit offsets as Pack<T> has lanes.
template <class T>
struct OffsetsOf;
template <>
struct OffsetsOf<float> {
  typedef int32_t Vector __attribute__((vector_size(4 * Pack<float>::size)));
};
template <>
struct OffsetsOf<double> {
  typedef int32_t Vector __attribute__((vector_size(4 * Pack<double>::size)));
};
template <class T>
using Offsets = typename OffsetsOf<T>::Vector;

#if defined(__AVX512F__)
WICK_INLINE Pack<float> gather(const float* p, Offsets<float> at, Mask<float> m) {
  return Pack<float>(_mm512_mask_i32gather_ps(_mm512_setzero_ps(), m.m, (__m512i)at, p, 4));
}
WICK_INLINE Pack<double> gather(const double* p, Offsets<double> at, Mask<double> m) {
  return Pack<double>(_mm512_mask_i32gather_pd(_mm512_setzero_pd(), m.m, (__m256i)at, p, 8));
}
WICK_INLINE void scatter(float* p, Offsets<float> at, Mask<float> m, Pack<float> x) {
  _mm512_mask_i32scatter_ps(p, m.m, (__m512i)at, x.v, 4);
}
WICK_INLINE void scatter(double* p, Offsets<double> at, Mask<double> m, Pack<double> x) {
  _mm512_mask_i32scatter_pd(p, m.m, (__m256i)at, x.v, 8);
}
#else
WICK_INLINE Pack<float> gather(const float* p, Offsets<float> at, Mask<float> m) {
  return Pack<float>(_mm256_mask_i32gather_ps(_mm256_setzero_ps(), p, (__m256i)at, m.m, 4));
}
WICK_INLINE Pack<double> gather(const double* p, Offsets<double> at, Mask<double> m) {
  return Pack<double>(_mm256_mask_i32gather_pd(_mm256_setzero_pd(), p, (__m128i)at, m.m, 8));
}
template <class T>
WICK_INLINE void scatter(T* p, Offsets<T> at, Mask<T> m, Pack<T> x) {
  const unsigned bits = m.bits();
  for (int i = 0; i < Pack<T>::size; ++i) {
    if (bits >> i & 1) p[at[i]] = x[i];
  }
}
#endif

// Up to Pack<T>::size problems. Neighbours lie `lane_stride` elements apart, the elements of a problem `step`. The lanes that are not
// used read as 0.
template <class T>
struct ProblemLanes {
  const int64_t lane_stride, step;
  const int count;
  const Mask<T> used;
  Offsets<T> offsets;  // lane * lane_stride

  WICK_INLINE ProblemLanes(int64_t lane_stride_, int64_t step_, int count_)
      : lane_stride(lane_stride_), step(step_), count(count_), used(Mask<T>::first(count_)) {
    for (int i = 0; i < Pack<T>::size; ++i) offsets[i] = i * static_cast<int32_t>(lane_stride_);
  }

  WICK_INLINE Pack<T> load(const T* x, int64_t j) const {
    if (lane_stride != 1) return gather(x + j * step, offsets, used);
    return count == Pack<T>::size ? Pack<T>::loadu(x + j * step) : Pack<T>::load_partial(x + j * step, count);
  }
  WICK_INLINE void store(T* y, int64_t j, Pack<T> value) const {
    if (lane_stride != 1) scatter(y + j * step, offsets, used, value);
    else if (count == Pack<T>::size) value.storeu(y + j * step);
    else value.store_partial(y + j * step, count);
  }
};

constexpr int64_t kNarrow = 16;  // rows up to this length are taken one to a lane

// ---- Longer rows, one by one ---------------------------------------------------------------------------------------------------------

template <class T>
constexpr T kLowest = T(-__builtin_huge_val());

// f(i, pack of x[i ...], lanes) over a row; the last pack is filled up.
template <class T, class F>
WICK_INLINE void for_packs(const T* x, int64_t n, T fill, const F& f) {
  constexpr int kSize = Pack<T>::size;
  int64_t i = 0;
  for (; i + kSize <= n; i += kSize) f(i, Pack<T>::loadu(x + i), kSize);
  if (const int rest = static_cast<int>(n - i)) f(i, Pack<T>::load_partial(x + i, rest, Pack<T>(fill)), rest);
}

template <class T>
WICK_INLINE Pack<T> load(const T* x, int lanes) {
  return lanes == Pack<T>::size ? Pack<T>::loadu(x) : Pack<T>::load_partial(x, lanes);
}
template <class T>
WICK_INLINE void store(T* y, Pack<T> value, int lanes) {
  if (lanes == Pack<T>::size) value.storeu(y);
  else value.store_partial(y, lanes);
}

}  // namespace
}  // namespace wick::cpu::WICK_ISA
