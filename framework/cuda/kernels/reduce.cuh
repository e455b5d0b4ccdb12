// The kernels of the reductions, templates over how two values combine and what is done to an element before.
//
// Each thread adds up its share in the compute type; shares, and the partial results of chunks, are joined in a fixed tree: a result
// depends on the shape alone. float shares are joined in double.
#pragma once

#include "wick/framework/cuda/kernels/convert.cuh"
#include "wick/framework/cuda/kernels/groups.cuh"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/math/wrapping.h"
#include "wick/framework/plan/reduce.h"

namespace wick::cuda {
namespace {

template <class T>
using Join = std::conditional_t<std::is_same_v<T, float>, double, T>;

// ---- Combining, and what comes before ------------------------------------------------------------------------------------------------

struct Add {
  template <class T>
  __device__ static T identity() { return T(0); }
  template <class T>
  __device__ T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
    else return x + y;
  }
};
struct Multiply {
  template <class T>
  __device__ static T identity() { return T(1); }
  template <class T>
  __device__ T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
    else return x * y;
  }
};
struct Max {
  template <class T>
  __device__ static T identity() {
    if constexpr (std::is_integral_v<T>) return INT64_MIN;
    else return T(-__builtin_huge_val());
  }
  template <class T>
  __device__ T operator()(T x, T y) const { return math::max(x, y); }
};
struct Min {
  template <class T>
  __device__ static T identity() {
    if constexpr (std::is_integral_v<T>) return INT64_MAX;
    else return T(__builtin_huge_val());
  }
  template <class T>
  __device__ T operator()(T x, T y) const { return math::min(x, y); }
};
// Of zeros and ones.
struct And : Min {
  template <class T>
  __device__ static T identity() { return T(1); }
};
struct Or : Max {
  template <class T>
  __device__ static T identity() { return T(0); }
};

// x is the element, c the center of its result.
struct Itself {
  template <class T>
  __device__ static T apply(T x, T) { return x; }
};
struct NonZero {
  template <class T>
  __device__ static T apply(T x, T) { return x == T(0) ? T(0) : T(1); }
};
struct Absolute {
  template <class T>
  __device__ static T apply(T x, T) { return math::abs(x); }
};
struct SquaredDistance {
  template <class T>
  __device__ static T center(T c) { return c; }
  template <class T>
  __device__ static T apply(T x, T c) { return (x - c) * (x - c); }
};
struct ExpOfDifference {
  // The center is the largest element; where that is infinite, or NaN, exp(x) itself says what the sum is.
  template <class T>
  __device__ static T center(T c) { return c - c == T(0) ? c : T(0); }
  template <class T>
  __device__ static T apply(T x, T c) { return math::exp(x - c); }
};
template <class M>
inline constexpr bool kUsesCenter = std::is_same_v<M, SquaredDistance> || std::is_same_v<M, ExpOfDifference>;

// ---- A call --------------------------------------------------------------------------------------------------------------------------

struct ReduceCall {
  void* y;
  const void* x;
  const void* centers;
  void* partial;   // null for a single chunk
  ScalarType in, out;
  Finish finish;
  bool by_four;    // rows may be read four elements at a time
  int width;       // lanes that share a result
  double divisor;
  ReducePlan plan;
};

template <class M, class T>
__device__ inline T center_of(const ReduceCall& call, int64_t i) {
  if constexpr (kUsesCenter<M>) return call.centers ? M::center(static_cast<const T*>(call.centers)[i]) : T(0);
  else return T(0);
}

template <class T>
__device__ inline void write_result(const ReduceCall& call, int64_t i, Join<T> v) {
  if constexpr (!std::is_integral_v<T>) {
    if (call.finish == Finish::kDivide || call.finish == Finish::kRoot) v /= call.divisor;
    if (call.finish == Finish::kRoot) v = math::sqrt(v);
    if (call.finish == Finish::kLog) v = math::log(v) + Join<T>(ExpOfDifference::center(static_cast<const T*>(call.centers)[i]));
  }
  if (call.out == dtype_of<T>) static_cast<T*>(call.y)[i] = static_cast<T>(v);
  else store_as(call.y, call.out, i, v);
}

// ---- Rows ----------------------------------------------------------------------------------------------------------------------------

// One group of threads for each chunk of each row.
template <class C, class M, class T, class Group>
__global__ void __launch_bounds__(kGroupThreads) reduce_rows(const __grid_constant__ ReduceCall call) {
  const ReducePlan& plan = call.plan;
  const Group group(call.width);
  const int64_t row = group.index / plan.chunks, chunk = group.index % plan.chunks;
  const bool valid = row < plan.outer;
  const int64_t begin = chunk * plan.chunk, rest = plan.n - begin;
  const int64_t n = !valid ? 0 : rest < plan.chunk ? rest : plan.chunk;
  const int64_t base = row * plan.outer_stride + begin * plan.n_stride;
  const T center = valid ? center_of<M, T>(call, row) : T(0);
  const C combine;
  T share = C::template identity<T>();
  int64_t done = 0;
  if (call.by_four) {
    T shares[4] = {share, share, share, share};
    done = n & ~int64_t{3};
    for (int64_t i = 4 * group.rank; i < done; i += 4 * group.size) {
      const Vec<T, 4> x = load4_as<T>(call.x, call.in, base + i);
#pragma unroll
      for (int j = 0; j < 4; ++j) shares[j] = combine(shares[j], M::apply(x.x[j], center));
    }
    share = combine(combine(shares[0], shares[1]), combine(shares[2], shares[3]));
  }
  for (int64_t i = done + group.rank; i < n; i += group.size) {
    share = combine(share, M::apply(load_as<T>(call.x, call.in, base + i * plan.n_stride), center));
  }
  const Join<T> result = group.reduce(static_cast<Join<T>>(share), combine, C::template identity<Join<T>>());
  if (!valid || group.rank != 0) return;
  if (call.partial) static_cast<Join<T>*>(call.partial)[group.index] = result;
  else write_result<T>(call, row, result);
}

// ---- Columns -------------------------------------------------------------------------------------------------------------------------

constexpr int kColumns = 32, kColumnRows = 8;

// A block for 32 columns of a chunk; its rows of threads take rows of x in turn.
template <class C, class M, class T>
__global__ void __launch_bounds__(kColumns * kColumnRows) reduce_columns(const __grid_constant__ ReduceCall call) {
  __shared__ Join<T> shares[kColumnRows][kColumns + 1];
  const ReducePlan& plan = call.plan;
  const int64_t bands = (plan.inner + kColumns - 1) / kColumns, piece = blockIdx.x / bands;
  const int64_t column = blockIdx.x % bands * kColumns + threadIdx.x;
  const int64_t outer = piece / plan.chunks, chunk = piece % plan.chunks;
  const int64_t begin = chunk * plan.chunk, rest = plan.n - begin, end = begin + (rest < plan.chunk ? rest : plan.chunk);
  const int64_t result_index = outer * plan.inner + column;
  const bool valid = column < plan.inner;
  const T center = valid ? center_of<M, T>(call, result_index) : T(0);
  const C combine;
  T share = C::template identity<T>();
  if (valid) {
    const int64_t base = outer * plan.outer_stride + column * plan.inner_stride;
    for (int64_t i = begin + threadIdx.y; i < end; i += kColumnRows) {
      share = combine(share, M::apply(load_as<T>(call.x, call.in, base + i * plan.n_stride), center));
    }
  }
  shares[threadIdx.y][threadIdx.x] = static_cast<Join<T>>(share);
  __syncthreads();
  if (threadIdx.y != 0 || !valid) return;
  Join<T> result = shares[0][threadIdx.x];
  for (int k = 1; k < kColumnRows; ++k) result = combine(result, shares[k][threadIdx.x]);
  if (call.partial) static_cast<Join<T>*>(call.partial)[piece * plan.inner + column] = result;
  else write_result<T>(call, result_index, result);
}

// ---- Joining the chunks ----------------------------------------------------------------------------------------------------------------

template <class C, class T>
__global__ void __launch_bounds__(kGroupThreads) reduce_join(const __grid_constant__ ReduceCall call) {
  const ReducePlan& plan = call.plan;
  const LaneGroup group(call.width);
  const bool valid = group.index < plan.outer * plan.inner;
  const int64_t outer = group.index / plan.inner, column = group.index % plan.inner;
  const Join<T>* const partial = static_cast<const Join<T>*>(call.partial) + outer * plan.chunks * plan.inner + column;
  const C combine;
  Join<T> share = C::template identity<Join<T>>();
  for (int64_t k = group.rank; valid && k < plan.chunks; k += group.size) share = combine(share, partial[k * plan.inner]);
  share = group.reduce(share, combine, C::template identity<Join<T>>());
  if (valid && group.rank == 0) write_result<T>(call, group.index, share);
}

// ---- Launching -------------------------------------------------------------------------------------------------------------------------

inline Grid lane_grid(int64_t groups, int width) {
  return {dim3(static_cast<unsigned>((groups * width + kGroupThreads - 1) / kGroupThreads)), dim3(kGroupThreads), 0, current_stream()};
}

template <class C, class M, class T>
void reduce_as(ReduceCall call) {
  const ReducePlan& plan = call.plan;
  const int64_t pieces = plan.outer * plan.chunks;
  if (plan.inner > 1) {
    const int64_t bands = (plan.inner + kColumns - 1) / kColumns;
    launch<reduce_columns<C, M, T>>({dim3(static_cast<unsigned>(pieces * bands)), dim3(kColumns, kColumnRows), 0, current_stream()}, call);
  } else if (plan.chunk >= kLongRow) {
    launch<reduce_rows<C, M, T, BlockGroup>>({dim3(static_cast<unsigned>(pieces)), dim3(kGroupThreads), 0, current_stream()}, call);
  } else {
    call.width = lanes_for(call.by_four ? plan.chunk / 4 : plan.chunk);
    launch<reduce_rows<C, M, T, LaneGroup>>(lane_grid(pieces, call.width), call);
  }
  if (!call.partial) return;
  call.width = plan.results() >= 4096 ? 1 : lanes_for(plan.chunks);
  launch<reduce_join<C, T>>(lane_grid(plan.results(), call.width), call);
}

inline bool reads_by_four(const void* x, ScalarType dtype, const ReducePlan& plan) {
  const auto alignment = static_cast<uintptr_t>(4 * element_size(dtype));
  return plan.inner == 1 && plan.n_stride == 1 && (plan.outer == 1 || plan.outer_stride % 4 == 0) &&
         (plan.chunks == 1 || plan.chunk % 4 == 0) && reinterpret_cast<uintptr_t>(x) % alignment == 0;
}

// The run function of a slot. Integers: false for what is defined on floating point alone.
template <class C, class M, bool integers>
void run_reduce(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const ReduceArgs*>(raw_args);
  const ReducePlan& plan = args.plan;
  if (plan.results() == 0) return;
  const ReduceCall call{args.buffers[0].data, args.buffers[1].data, args.buffers[2].data, plan.chunks > 1 ? args.buffers[3].data : nullptr,
                        args.in, args.out, args.finish, reads_by_four(args.buffers[1].data, args.in, plan), 1, args.divisor, plan};
  if (args.compute == kFloat) return reduce_as<C, M, float>(call);
  if (args.compute == kDouble) return reduce_as<C, M, double>(call);
  if constexpr (integers) reduce_as<C, M, int64_t>(call);
}

}  // namespace
}  // namespace wick::cuda
