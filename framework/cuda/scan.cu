// argmax, argmin and cumsum.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/reduce.cuh"

namespace wick::cuda {
namespace {

// ---- Arg reductions ------------------------------------------------------------------------------------------------------------------

struct ArgCall {
  int64_t* places;  // or null
  void* values;     // or null
  const void* x;
  ScalarType in;
  int width;
  ReducePlan plan;
};

// The best element so far and its place; -1 before there is one.
template <class T>
struct Best {
  T value;
  int64_t place;
};

// Whether a beats b: NaN beats every number, and what came first beats its equals.
template <class C, class T>
__device__ inline Best<T> better(Best<T> a, Best<T> b) {
  if (a.place < 0) return b;
  if (b.place < 0) return a;
  const bool a_nan = math::is_nan(a.value), b_nan = math::is_nan(b.value);
  if (a_nan != b_nan) return a_nan ? a : b;
  if (!a_nan && a.value != b.value) return (std::is_same_v<C, Max> ? a.value > b.value : a.value < b.value) ? a : b;
  return a.place < b.place ? a : b;
}

template <class T>
__device__ inline void write_best(const ArgCall& call, int64_t i, Best<T> best) {
  if (call.places) call.places[i] = best.place;
  if (call.values) store_as(call.values, call.in, i, best.value);
}

template <class C, class T>
__device__ inline Best<T> best_of_lanes(Best<T> best, int width) {
  for (int distance = width / 2; distance > 0; distance /= 2) {
    const T value = __shfl_xor_sync(kAllLanes, best.value, distance);
    const int64_t place = __shfl_xor_sync(kAllLanes, static_cast<long long>(best.place), distance);
    best = better<C, T>(best, {value, place});
  }
  return best;
}

// A few lanes, or with `width` 0 a block, for each row.
template <class C, class T>
__global__ void __launch_bounds__(kGroupThreads) arg_rows(const __grid_constant__ ArgCall call) {
  __shared__ T values[kWarp];
  __shared__ int64_t places[kWarp];
  const ReducePlan& plan = call.plan;
  const bool block = call.width == 0;
  const int width = block ? kWarp : call.width, lane = static_cast<int>(threadIdx.x) & (width - 1);
  const int64_t row = block ? blockIdx.x : (static_cast<int64_t>(blockIdx.x) * kGroupThreads + threadIdx.x) / width;
  const int64_t first = block ? threadIdx.x : lane, step = block ? kGroupThreads : width;
  Best<T> best{T(0), -1};
  if (row < plan.outer) {
    for (int64_t i = first; i < plan.n; i += step) {
      best = better<C, T>(best, {load_as<T>(call.x, call.in, row * plan.outer_stride + i * plan.n_stride), i});
    }
  }
  best = best_of_lanes<C>(best, width);
  if (block) {
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    if (lane == 0) values[warp] = best.value, places[warp] = best.place;
    __syncthreads();
    for (int k = 1; threadIdx.x == 0 && k < kGroupThreads / kWarp; ++k) best = better<C, T>(best, {values[k], places[k]});
  }
  if (row < plan.outer && first == 0) write_best(call, row, best);
}

template <class C, class T>
__global__ void __launch_bounds__(kGroupThreads) arg_columns(const __grid_constant__ ArgCall call) {
  const ReducePlan& plan = call.plan;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kGroupThreads + threadIdx.x;
  if (i >= plan.outer * plan.inner) return;
  const int64_t base = i / plan.inner * plan.outer_stride + i % plan.inner * plan.inner_stride;
  Best<T> best{T(0), -1};
  for (int64_t k = 0; k < plan.n; ++k) best = better<C, T>(best, {load_as<T>(call.x, call.in, base + k * plan.n_stride), k});
  write_best(call, i, best);
}

template <class C, class T>
void arg_as(ArgCall call) {
  const ReducePlan& plan = call.plan;
  if (plan.inner > 1) {
    launch<arg_columns<C, T>>(lane_grid(plan.results(), 1), call);
  } else if (plan.n >= kLongRow) {
    call.width = 0;
    launch<arg_rows<C, T>>({dim3(static_cast<unsigned>(plan.outer)), dim3(kGroupThreads), 0, current_stream()}, call);
  } else {
    call.width = lanes_for(plan.n);
    launch<arg_rows<C, T>>(lane_grid(plan.outer, call.width), call);
  }
}

template <class C>
void run_arg(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const ArgReduceArgs*>(raw_args);
  if (args.plan.results() == 0) return;
  const ArgCall call{args.buffers[0].as<int64_t>(), args.buffers[1].data, args.buffers[2].data, args.in, 1, args.plan};
  if (args.compute == kFloat) arg_as<C, float>(call);
  else if (args.compute == kDouble) arg_as<C, double>(call);
  else arg_as<C, int64_t>(call);
}

// ---- Running sums --------------------------------------------------------------------------------------------------------------------

struct CumsumCall {
  void* y;
  const void* x;
  ScalarType dtype;
  int64_t outer, n, inner;
};

// A block for each row: 256 elements at a time, each warp a piece of 32, and a carry from one time to the next.
template <class S>
__global__ void __launch_bounds__(kGroupThreads) cumsum_rows(const __grid_constant__ CumsumCall call) {
  constexpr int kWarps = kGroupThreads / kWarp;
  __shared__ S totals[kWarps];
  const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
  const int64_t base = blockIdx.x * call.n;
  const Add add;
  S carry = S(0);
  for (int64_t first = 0; first < call.n; first += kGroupThreads) {
    const int64_t i = first + threadIdx.x;
    S sum = i < call.n ? load_as<S>(call.x, call.dtype, base + i) : S(0);
    for (int distance = 1; distance < kWarp; distance *= 2) {
      const S before = __shfl_up_sync(kAllLanes, sum, static_cast<unsigned>(distance));
      if (lane >= distance) sum = add(sum, before);
    }
    if (lane == kWarp - 1) totals[warp] = sum;
    __syncthreads();
    S others = carry;
    for (int k = 0; k < warp; ++k) others = add(others, totals[k]);
    for (int k = 0; k < kWarps; ++k) carry = add(carry, totals[k]);
    if (i < call.n) store_as(call.y, call.dtype, base + i, add(others, sum));
    __syncthreads();  // totals are written again
  }
}

template <class S>
__global__ void __launch_bounds__(kGroupThreads) cumsum_columns(const __grid_constant__ CumsumCall call) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kGroupThreads + threadIdx.x;
  if (i >= call.outer * call.inner) return;
  const int64_t base = i / call.inner * call.n * call.inner + i % call.inner;
  const Add add;
  S sum = S(0);
  for (int64_t k = 0; k < call.n; ++k) {
    sum = add(sum, load_as<S>(call.x, call.dtype, base + k * call.inner));
    store_as(call.y, call.dtype, base + k * call.inner, sum);
  }
}

template <class S>
void cumsum_as(const CumsumCall& call) {
  if (call.inner == 1) launch<cumsum_rows<S>>({dim3(static_cast<unsigned>(call.outer)), dim3(kGroupThreads), 0, current_stream()}, call);
  else launch<cumsum_columns<S>>(lane_grid(call.outer * call.inner, 1), call);
}

void run_cumsum(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const CumsumArgs*>(raw_args);
  if (args.outer * args.n * args.inner == 0) return;
  const CumsumCall call{args.buffers[0].data, args.buffers[1].data, args.dtype, args.outer, args.n, args.inner};
  if (is_floating(args.dtype)) cumsum_as<double>(call);
  else cumsum_as<int64_t>(call);
}

}  // namespace

void install_scan() {
  argmax_kernel.cuda = run_arg<Max>;
  argmin_kernel.cuda = run_arg<Min>;
  cumsum_kernel.cuda = run_cumsum;
}

}  // namespace wick::cuda
