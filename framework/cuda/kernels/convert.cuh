// Loads and stores that convert between the dtype of the memory and the type that a kernel computes in.
//
// The dtype is the same for a whole launch. Memory of the compute type itself takes the short way; the others share one function for
// each compute type, which is not inlined, so that the kernels stay small.
#pragma once

#include <cuda_fp16.h>

#include "wick/framework/core/dtype.h"
#include "wick/framework/cuda/kernels/device.cuh"

namespace wick::cuda {

namespace {

// convert<To>(x), with the hardware's conversions of float16.
template <class To, class From>
__device__ inline To convert_on_device(From x) {
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (std::is_same_v<From, Half>) return convert<To>(__half2float(__ushort_as_half(x.bits)));
  else if constexpr (std::is_same_v<To, Half>) return __builtin_bit_cast(Half, __half_as_ushort(__float2half_rn(static_cast<float>(x))));
  else return convert<To>(x);
}

// Element i, and the four from i on, of memory of another dtype. Four elements are aligned as such.
template <class T>
[[gnu::noinline]] __device__ T load_converted(const void* data, ScalarType dtype, int64_t i) {
#define WICK_CASE(type, name, ...) \
  case ScalarType::name:           \
    return convert_on_device<T>(static_cast<const type*>(data)[i]);
  switch (dtype) {
    WICK_FORALL_DTYPES(WICK_CASE)
    default:
      return T(0);
  }
#undef WICK_CASE
}

template <class T>
[[gnu::noinline]] __device__ Vec<T, 4> load4_converted(const void* data, ScalarType dtype, int64_t i) {
  Vec<T, 4> y{};
#define WICK_CASE(type, name, ...)                                                                                          \
  case ScalarType::name: {                                                                                                  \
    const Vec<type, 4> x = *reinterpret_cast<const Vec<type, 4>*>(static_cast<const type*>(data) + i);                      \
    for (int j = 0; j < 4; ++j) y.x[j] = convert_on_device<T>(x.x[j]);                                                      \
    break;                                                                                                                  \
  }
  switch (dtype) {
    WICK_FORALL_DTYPES(WICK_CASE)
    default:
      break;
  }
#undef WICK_CASE
  return y;
}

template <class T>
[[gnu::noinline]] __device__ void store_converted(void* data, ScalarType dtype, int64_t i, T x) {
#define WICK_CASE(type, name, ...)                                    \
  case ScalarType::name:                                              \
    static_cast<type*>(data)[i] = convert_on_device<type>(x);         \
    break;
  switch (dtype) {
    WICK_FORALL_DTYPES(WICK_CASE)
    default:
      break;
  }
#undef WICK_CASE
}

template <class T>
[[gnu::noinline]] __device__ void store4_converted(void* data, ScalarType dtype, int64_t i, Vec<T, 4> x) {
#define WICK_CASE(type, name, ...)                                                      \
  case ScalarType::name: {                                                              \
    Vec<type, 4> y;                                                                     \
    for (int j = 0; j < 4; ++j) y.x[j] = convert_on_device<type>(x.x[j]);               \
    *reinterpret_cast<Vec<type, 4>*>(static_cast<type*>(data) + i) = y;                 \
    break;                                                                              \
  }
  switch (dtype) {
    WICK_FORALL_DTYPES(WICK_CASE)
    default:
      break;
  }
#undef WICK_CASE
}

template <class T>
__device__ inline T load_as(const void* data, ScalarType dtype, int64_t i) {
  return dtype == dtype_of<T> ? static_cast<const T*>(data)[i] : load_converted<T>(data, dtype, i);
}
template <class T>
__device__ inline Vec<T, 4> load4_as(const void* data, ScalarType dtype, int64_t i) {
  return dtype == dtype_of<T> ? *reinterpret_cast<const Vec<T, 4>*>(static_cast<const T*>(data) + i) : load4_converted<T>(data, dtype, i);
}
template <class T>
__device__ inline void store_as(void* data, ScalarType dtype, int64_t i, T x) {
  if (dtype == dtype_of<T>) static_cast<T*>(data)[i] = x;
  else store_converted(data, dtype, i, x);
}
template <class T>
__device__ inline void store4_as(void* data, ScalarType dtype, int64_t i, Vec<T, 4> x) {
  if (dtype == dtype_of<T>) *reinterpret_cast<Vec<T, 4>*>(static_cast<T*>(data) + i) = x;
  else store4_converted(data, dtype, i, x);
}

}  // namespace
}  // namespace wick::cuda
