// The functions of device code that concern one thread alone: bits, conversions, roundings, fast mathematics, cached loads.
// Accuracy is the host's, not the device's: __expf here is exp, rounded to float.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

using std::max;
using std::min;

// ---- Loads and stores with a hint to the caches ---------------------------------------------------------------------------------------

#define CUDA_SIM_LOAD(NAME)   \
  template <class T>          \
  inline T NAME(const T* p) { \
    return *p;                \
  }
#define CUDA_SIM_STORE(NAME)        \
  template <class T>                \
  inline void NAME(T* p, T value) { \
    *p = value;                     \
  }
CUDA_SIM_LOAD(__ldg)
CUDA_SIM_LOAD(__ldcg)
CUDA_SIM_LOAD(__ldca)
CUDA_SIM_LOAD(__ldcs)
CUDA_SIM_LOAD(__ldlu)
CUDA_SIM_LOAD(__ldcv)
CUDA_SIM_STORE(__stwb)
CUDA_SIM_STORE(__stcg)
CUDA_SIM_STORE(__stcs)
CUDA_SIM_STORE(__stwt)
#undef CUDA_SIM_LOAD
#undef CUDA_SIM_STORE

// ---- Bits -----------------------------------------------------------------------------------------------------------------------------

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  unsigned y = 0;
  for (int bit = 0; bit < 32; ++bit) y |= (x >> bit & 1u) << (31 - bit);
  return y;
}
inline unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 | __brev(static_cast<unsigned>(x >> 32));
}
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<int64_t>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(static_cast<uint64_t>(a) * b >> 32); }
inline long long __mul64hi(long long a, long long b) { return static_cast<long long>(static_cast<__int128>(a) * b >> 64); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((static_cast<uint64_t>(high) << 32 | low) << (shift & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) >> (shift & 31));
}
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  const uint64_t bytes = static_cast<uint64_t>(high) << 32 | low;
  unsigned y = 0;
  for (int i = 0; i < 4; ++i) y |= static_cast<unsigned>(bytes >> (selector >> (4 * i) & 7) * 8 & 0xff) << (8 * i);
  return y;
}

// ---- The same bits as another type ----------------------------------------------------------------------------------------------------

inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(std::bit_cast<uint64_t>(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(std::bit_cast<uint64_t>(x)); }
inline double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(static_cast<uint64_t>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low));
}

// ---- Conversions: a value out of range becomes the nearest that fits, NaN becomes 0 ---------------------------------------------------

namespace cuda_sim {

template <class To, class From>
To saturate(From x) {
  if (x != x) return 0;
  // 2^digits is exact in every floating-point type; the greatest value itself need not be.
  constexpr int kDigits = std::is_signed_v<To> ? sizeof(To) * 8 - 1 : sizeof(To) * 8;
  if (x >= std::ldexp(From(1), kDigits)) return static_cast<To>(~uint64_t{0} >> (64 - kDigits));
  const From lowest = std::is_signed_v<To> ? -std::ldexp(From(1), kDigits) : From(0);
  return static_cast<To>(x < lowest ? lowest : x);
}

}  // namespace cuda_sim

#define CUDA_SIM_CONVERT(FROM_NAME, FROM, TO_NAME, TO)                                                   \
  inline TO __##FROM_NAME##2##TO_NAME##_rn(FROM x) { return cuda_sim::saturate<TO>(std::nearbyint(x)); } \
  inline TO __##FROM_NAME##2##TO_NAME##_rz(FROM x) { return cuda_sim::saturate<TO>(std::trunc(x)); }     \
  inline TO __##FROM_NAME##2##TO_NAME##_rd(FROM x) { return cuda_sim::saturate<TO>(std::floor(x)); }     \
  inline TO __##FROM_NAME##2##TO_NAME##_ru(FROM x) { return cuda_sim::saturate<TO>(std::ceil(x)); }
CUDA_SIM_CONVERT(float, float, int, int)
CUDA_SIM_CONVERT(float, float, uint, unsigned)
CUDA_SIM_CONVERT(float, float, ll, long long)
CUDA_SIM_CONVERT(float, float, ull, unsigned long long)
CUDA_SIM_CONVERT(double, double, int, int)
CUDA_SIM_CONVERT(double, double, uint, unsigned)
CUDA_SIM_CONVERT(double, double, ll, long long)
CUDA_SIM_CONVERT(double, double, ull, unsigned long long)
#undef CUDA_SIM_CONVERT
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }

// ---- Arithmetic that nvcc does not contract ---------------------------------------------------------------------------------------------

inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float x) { return 1 / x; }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline float __frsqrt_rn(float x) { return 1 / std::sqrt(x); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double x) { return std::sqrt(x); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

// ---- Fast and further mathematics. glibc declares __expf and its like for itself; fast_math.cc defines them. ---------------------------

inline float __fdividef(float a, float b) { return a / b; }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float rsqrt(float x) { return 1 / std::sqrt(x); }
inline double rcbrt(double x) { return 1 / std::cbrt(x); }
inline float rcbrtf(float x) { return 1 / std::cbrt(x); }
inline double sinpi(double x) { return std::sin(M_PI * std::remainder(x, 2.0)); }
inline double cospi(double x) { return std::cos(M_PI * std::remainder(x, 2.0)); }
inline float sinpif(float x) { return static_cast<float>(sinpi(x)); }
inline float cospif(float x) { return static_cast<float>(cospi(x)); }
inline double normcdf(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }
inline float normcdff(float x) { return static_cast<float>(normcdf(x)); }
