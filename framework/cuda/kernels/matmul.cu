#include "wick/framework/cuda/kernels/matmul.h"

#include "wick/framework/cuda/kernels/convert.cuh"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/math/scalar.h"
#include "wick/framework/ops/defs/unary.h"

namespace wick::cuda {
namespace {

constexpr int kThreads = 256;

Grid grid_of(const MatmulArgs& args) {
  return {dim3(static_cast<unsigned>((args.m * args.n * args.batch + kThreads - 1) / kThreads)), dim3(kThreads), 0, current_stream()};
}

// What a product of T is computed in; integers wrap around.
template <class T>
using Sum = std::conditional_t<std::is_integral_v<T>, uint64_t, std::conditional_t<std::is_same_v<T, double>, double, float>>;

template <class T>
__device__ inline void write(const MatmulArgs& args, Sum<T> x, int64_t batch, int64_t row, int64_t column) {
  const T* const bias = static_cast<const T*>(args.buffers[3].data);
  if (bias) x += static_cast<Sum<T>>(bias[column]);
  const int64_t at = batch * args.stride_c + row * args.ldc + column;
  if constexpr (!std::is_integral_v<T>) {
    T* const aux = static_cast<T*>(args.buffers[4].data);
    if (args.epilogue == MatmulEpilogue::kGelu) {
      if (aux) aux[at] = convert_on_device<T>(x);
      x = ops::GeluTanh::forward(x);
    }
    if (args.epilogue == MatmulEpilogue::kGeluGradient) x = ops::GeluTanh::backward(x, convert_on_device<Sum<T>>(aux[at]), x);
  }
  // By way of the type that has a sign.
  using Signed = std::conditional_t<std::is_integral_v<T>, T, Sum<T>>;
  const Signed y = args.epilogue == MatmulEpilogue::kRelu ? math::max(static_cast<Signed>(x), Signed(0)) : static_cast<Signed>(x);
  static_cast<T*>(args.buffers[0].data)[at] = convert_on_device<T>(y);
}

template <class T>
__global__ void __launch_bounds__(kThreads) finish(const __grid_constant__ MatmulArgs args) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x, batch = i / (args.m * args.n);
  if (batch >= args.batch) return;
  const int64_t row = i / args.n % args.m, column = i % args.n;
  const T product = static_cast<const T*>(args.buffers[0].data)[batch * args.stride_c + row * args.ldc + column];
  write<T>(args, static_cast<Sum<T>>(product), batch, row, column);
}

template <class T>
__global__ void __launch_bounds__(kThreads) multiply(const __grid_constant__ MatmulArgs args) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x, batch = i / (args.m * args.n);
  if (batch >= args.batch) return;
  const int64_t row = i / args.n % args.m, column = i % args.n;
  const T* const a = static_cast<const T*>(args.buffers[1].data) + batch * args.stride_a + row * (args.trans_a ? 1 : args.lda);
  const T* const b = static_cast<const T*>(args.buffers[2].data) + batch * args.stride_b + column * (args.trans_b ? args.ldb : 1);
  const int64_t step_a = args.trans_a ? args.lda : 1, step_b = args.trans_b ? 1 : args.ldb;
  Sum<T> sum = 0;
  for (int64_t k = 0; k < args.k; ++k) sum += static_cast<Sum<T>>(a[k * step_a]) * static_cast<Sum<T>>(b[k * step_b]);
  if constexpr (std::is_integral_v<T>) sum *= static_cast<Sum<T>>(static_cast<T>(args.alpha));
  else sum *= static_cast<Sum<T>>(args.alpha);
  write<T>(args, sum, batch, row, column);
}

template <class T>
void multiply_as(const MatmulArgs& args) { launch<multiply<T>>(grid_of(args), args); }

}  // namespace

void finish_product(const MatmulArgs& args) {
  switch (args.dtype) {
    case kFloat: return launch<finish<float>>(grid_of(args), args);
    case kDouble: return launch<finish<double>>(grid_of(args), args);
    case kHalf: return launch<finish<Half>>(grid_of(args), args);
    default: return launch<finish<BFloat16>>(grid_of(args), args);
  }
}

void multiply_plainly(const MatmulArgs& args) {
  switch (args.dtype) {
    case kFloat: return multiply_as<float>(args);
    case kDouble: return multiply_as<double>(args);
    case kHalf: return multiply_as<Half>(args);
    case kBFloat16: return multiply_as<BFloat16>(args);
    case kLong: return multiply_as<int64_t>(args);
    case kInt: return multiply_as<int32_t>(args);
    case kShort: return multiply_as<int16_t>(args);
    case kChar: return multiply_as<int8_t>(args);
    default: return multiply_as<uint8_t>(args);
  }
}

}  // namespace wick::cuda
