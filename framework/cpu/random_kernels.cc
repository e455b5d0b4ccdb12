#include "wick/framework/cpu/random_kernels.h"

#include "wick/framework/core/macros.h"
#include "wick/framework/core/mt19937.h"

namespace wick::cpu::WICK_ISA {
namespace {

void next_block(uint32_t* words, uint32_t* outputs) { wick::detail::mt19937_next_block(words, outputs); }

void uniform_float(const uint32_t* words, float* __restrict out, int64_t n, float from, float to) {
  const float range = to - from;
  for (int64_t i = 0; i < n; ++i) {
    const float u = static_cast<float>(static_cast<int32_t>(words[i] & 0xffffffu)) * 0x1p-24f;
    const float value = __builtin_fmaf(u, range, from);
    out[i] = value == to ? from : value;
  }
}

void uniform_double(const uint32_t* words, double* __restrict out, int64_t n, double from, double to) {
  const double range = to - from;
  for (int64_t i = 0; i < n; ++i) {
    // Both halves go through int32, for which there are vector conversions; every step is exact.
    const double high = static_cast<int32_t>(words[2 * i] & 0x1fffffu);
    const double low = static_cast<int32_t>(words[2 * i + 1] ^ 0x80000000u) + 0x1p31;
    const double u = high * 0x1p-21 + low * 0x1p-53;
    const double value = __builtin_fma(u, range, from);
    out[i] = value == to ? from : value;
  }
}

// The polynomials below are minimax fits for the interval named. With a known argument range there is no case to tell apart, and
// unlike a library's, the results are the same on every machine.

// log(x) for 2^-24 <= x <= 1, relative error below 2^-22.
WICK_INLINE float log_of_uniform(float x) {
  const int32_t bits = __builtin_bit_cast(int32_t, x);
  const int32_t exponent = (bits - 0x3f3504f3) >> 23;  // so that the mantissa is in [sqrt(1/2), sqrt(2))
  const float p = __builtin_bit_cast(float, bits - (exponent << 23)) - 1.f;
  float q = 0.0674664378f;  // log(1 + p) = p - p^2 / 2 + p^3 q(p)
  q = __builtin_fmaf(q, p, -0.116756566f);
  q = __builtin_fmaf(q, p, 0.118881635f);
  q = __builtin_fmaf(q, p, -0.124055885f);
  q = __builtin_fmaf(q, p, 0.142195523f);
  q = __builtin_fmaf(q, p, -0.166679963f);
  q = __builtin_fmaf(q, p, 0.200021192f);
  q = __builtin_fmaf(q, p, -0.250000089f);
  q = __builtin_fmaf(q, p, 0.333333135f);
  const float tail = p * p * __builtin_fmaf(q, p, -0.5f);
  return __builtin_fmaf(static_cast<float>(exponent), 0.693147182f, p + tail);
}

// cos(x) and sin(x) for 0 <= x <= 2 pi.
WICK_INLINE void cos_sin(float x, float& cosine, float& sine) {
  const int32_t quarter = static_cast<int32_t>(__builtin_fmaf(x, 0.636619747f, 0.5f));  // the multiple of pi / 2 nearest to x
  const float q = static_cast<float>(quarter);
  const float r = __builtin_fmaf(q, 4.37113883e-08f, __builtin_fmaf(q, -1.57079637f, x));  // |r| <= pi / 4
  const float s = r * r;
  float a = __builtin_fmaf(-0.000195172339f, s, 0.008332178f);
  a = __builtin_fmaf(a, s, -0.166666552f);
  const float sin_r = __builtin_fmaf(r * s, a, r);
  float b = __builtin_fmaf(2.44383791e-05f, s, -0.00138873665f);
  b = __builtin_fmaf(b, s, 0.0416666456f);
  const float cos_r = __builtin_fmaf(s * s, b, __builtin_fmaf(s, -0.5f, 1.f));
  const bool swapped = quarter & 1;
  const float c = swapped ? sin_r : cos_r;
  const float d = swapped ? cos_r : sin_r;
  cosine = (quarter + 1) & 2 ? -c : c;
  sine = quarter & 2 ? -d : d;
}

void normal_blocks(float* x, int64_t blocks, float mean, float std) {
  for (; blocks > 0; --blocks, x += 16) {
    for (int j = 0; j < 8; ++j) {
      const float radius = __builtin_sqrtf(-2.f * log_of_uniform(1.f - x[j]));
      float cosine, sine;
      cos_sin(6.28318548f * x[j + 8], cosine, sine);
      x[j] = __builtin_fmaf(radius * cosine, std, mean);
      x[j + 8] = __builtin_fmaf(radius * sine, std, mean);
    }
  }
}

}  // namespace

const RandomKernels kRandomKernels{next_block, uniform_float, uniform_double, normal_blocks};

}  // namespace wick::cpu::WICK_ISA
