// The driver of the elementwise kernels: one template over the plan for every functor of ops/defs/functors.h.
//
// Operands that lie one element after the other, or are single values, are read four elements at a time. Everything else (broadcast,
// transposed) goes one element to a thread, whose place is worked out from the plan. Memory of another dtype than the one computed in
// is converted on the way in and out.
#pragma once

#include "wick/framework/cuda/kernels/convert.cuh"
#include "wick/framework/cuda/kernels/elementwise.h"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/math/wrapping.h"
#include "wick/framework/plan/elementwise_slots.h"

namespace wick::cuda {

inline constexpr int kElementwiseThreads = 256;
inline Grid elementwise_grid(int64_t threads) {
  return {dim3(static_cast<unsigned>((threads + kElementwiseThreads - 1) / kElementwiseThreads)), dim3(kElementwiseThreads), 0,
          current_stream()};
}

namespace {

// Integers wrap around.
template <class T>
struct LaneOf {
  using type = T;
};
template <std::integral T>
struct LaneOf<T> {
  using type = math::Wrapping<T>;
};
template <class T>
using Lane = typename LaneOf<T>::type;

template <class T>
__device__ inline T value_of(T x) { return x; }
template <class T>
__device__ inline T value_of(math::Wrapping<T> x) { return x.v; }

template <class F, class T>
using Result = std::conditional_t<F::to_bool, bool, T>;

// The type of each operand's memory: as the call says, or known beforehand.
struct DtypesOfCall {
  __device__ ScalarType operator()(const ElementwiseCall& call, int k) const { return call.dtype[k]; }
};
template <ScalarType dtype>
struct OneDtype {
  __device__ ScalarType operator()(const ElementwiseCall&, int) const { return dtype; }
};

// The elements first to first + 3 of a call over operands without gaps.
template <class F, class T, class Dtypes>
__device__ inline void apply_to_four(const ElementwiseCall& call, int64_t first, Dtypes dtype) {
  Lane<T> s[F::params + 1];
#pragma unroll
  for (int k = 0; k < F::params; ++k) s[k] = call.params[k].as<T>();
  const bool whole = first + 4 <= call.numel;
  const int count = whole ? 4 : static_cast<int>(call.numel - first);
  Lane<T> x[4][F::arity];
#pragma unroll
  for (int k = 0; k < F::arity; ++k) {
    Vec<T, 4> v;
    if (call.singles >> (k + 1) & 1) {
      const void* data = call.data[k + 1];
      v.x[0] = v.x[1] = v.x[2] = v.x[3] = data ? load_as<T>(data, dtype(call, k + 1), 0) : call.number[k + 1].as<T>();
    } else if (whole) {
      v = load4_as<T>(call.data[k + 1], dtype(call, k + 1), first);
    } else {
#pragma unroll
      for (int j = 0; j < 4; ++j) v.x[j] = j < count ? load_as<T>(call.data[k + 1], dtype(call, k + 1), first + j) : T(1);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) x[j][k] = v.x[j];
  }
  Vec<Result<F, T>, 4> y;
#pragma unroll
  for (int j = 0; j < 4; ++j) y.x[j] = value_of(F::apply(x[j], s));
  if (whole) return store4_as(call.data[0], dtype(call, 0), first, y);
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    if (j < count) store_as(call.data[0], dtype(call, 0), first + j, y.x[j]);
  }
}

__device__ inline int64_t first_of_four() { return (static_cast<int64_t>(blockIdx.x) * kElementwiseThreads + threadIdx.x) * 4; }

template <class F, class T>
__global__ void __launch_bounds__(kElementwiseThreads) elementwise_flat(const __grid_constant__ ElementwiseCall call) {
  const int64_t first = first_of_four();
  if (first < call.numel) apply_to_four<F, T>(call, first, DtypesOfCall());
}

// The place of element i in each of the first N operands.
template <int N>
__device__ inline void find_offsets(const StridedCall& call, int64_t i, int64_t* offset) {
#pragma unroll
  for (int k = 0; k < N; ++k) offset[k] = 0;
  uint32_t narrow = static_cast<uint32_t>(i);
  for (int d = 0; d < call.ndim; ++d) {
    int64_t at;
    if (call.wide) {
      at = i % call.sizes[d];
      i /= call.sizes[d];
    } else {
      const uint32_t quotient = call.dividers[d].divide(narrow);
      at = narrow - quotient * call.dividers[d].divisor;
      narrow = quotient;
    }
#pragma unroll
    for (int k = 0; k < N; ++k) offset[k] += at * call.strides[k][d];
  }
}

template <class F, class T>
__global__ void __launch_bounds__(kElementwiseThreads) elementwise_strided(const __grid_constant__ StridedCall call) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kElementwiseThreads + threadIdx.x;
  if (i >= call.numel) return;
  int64_t offset[F::arity + 1];
  find_offsets<F::arity + 1>(call, i, offset);
  Lane<T> s[F::params + 1], x[F::arity];
#pragma unroll
  for (int k = 0; k < F::params; ++k) s[k] = call.params[k].as<T>();
#pragma unroll
  for (int k = 0; k < F::arity; ++k) {
    x[k] = call.data[k + 1] ? load_as<T>(call.data[k + 1], call.dtype[k + 1], offset[k + 1]) : call.number[k + 1].as<T>();
  }
  const Result<F, T> y = value_of(F::apply(x, s));
  store_as(call.data[0], call.dtype[0], offset[0], y);
}

template <class F, class T>
void run_elementwise_as(const ElementwiseArgs& args) {
  StridedCall call;
  if (make_flat_call(args, F::arity, call)) {
    return launch<elementwise_flat<F, T>>(elementwise_grid((call.numel + 3) / 4), static_cast<const ElementwiseCall&>(call));
  }
  make_strided_call(args, F::arity, call);
  launch<elementwise_strided<F, T>>(elementwise_grid(call.numel), call);
}

// The run function of a functor's slot.
template <class F>
void run_elementwise(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const ElementwiseArgs*>(raw_args);
  if (args.plan.numel == 0) return;
  if constexpr (F::domain != ops::Domain::kInteger) {
    if (args.compute == kFloat) return run_elementwise_as<F, float>(args);
    if (args.compute == kDouble) return run_elementwise_as<F, double>(args);
  }
  if constexpr (F::domain != ops::Domain::kFloat) {
    if (args.compute == kInt) return run_elementwise_as<F, int32_t>(args);
    if (args.compute == kLong) return run_elementwise_as<F, int64_t>(args);
  }
}

}  // namespace
}  // namespace wick::cuda
