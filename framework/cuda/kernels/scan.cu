// argmax, argmin; cumsum and its like.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/reduce.cuh"

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

// ---- Running sums, products, extremes and logarithms of sums --------------------------------------------------------------------------

struct RunningCall {
  void* y;
  int64_t* places;  // or null
  const void* x;
  ScalarType dtype;
  int64_t outer, n, inner;
};

// What has been seen of a row so far, and how two neighbouring stretches, `a` the first, combine. Floating point numbers run in double.
template <class Op>
struct Total {
  template <class S>
  struct State {
    S value = Op::template identity<S>();

    State() = default;
    __device__ State(S v, int64_t) : value(v) {}
    __device__ State up(int distance) const { return {__shfl_up_sync(kAllLanes, value, static_cast<unsigned>(distance)), 0}; }
    __device__ int64_t place() const { return 0; }
    __device__ friend State join(State a, State b) { return {Op()(a.value, b.value), 0}; }
  };
};
// Of equal elements the last; NaN stays.
template <bool largest>
struct Extreme {
  template <class S>
  struct State {
    S value = S(0);
    long long at = -1;

    State() = default;
    __device__ State(S v, int64_t i) : value(v), at(i) {}
    __device__ State up(int distance) const {
      const auto by = static_cast<unsigned>(distance);
      return {__shfl_up_sync(kAllLanes, value, by), __shfl_up_sync(kAllLanes, at, by)};
    }
    __device__ int64_t place() const { return at; }
    __device__ friend State join(State a, State b) {
      if (a.at < 0 || b.at < 0) return a.at < 0 ? b : a;
      const bool keep = !math::is_nan(b.value) && (math::is_nan(a.value) || (largest ? b.value < a.value : b.value > a.value));
      return keep ? a : b;
    }
  };
};
struct LogSumExp {
  template <class S>
  __device__ static S identity() { return S(-__builtin_huge_val()); }
  __device__ double operator()(double a, double b) const {
    const double most = b > a || math::is_nan(b) ? b : a;
    return most - most == 0 ? most + ::log1p(::exp(-::fabs(b - a))) : most;
  }
};

template <class State>
__device__ inline void write_running(const RunningCall& call, int64_t i, const State& state) {
  store_as(call.y, call.dtype, i, state.value);
  if (call.places) call.places[i] = state.place();
}

// A block for each row: 256 elements at a time, each warp a piece of 32, and a carry from one time to the next.
template <class Op, class S>
__global__ void __launch_bounds__(kGroupThreads) running_rows(const __grid_constant__ RunningCall call) {
  using State = typename Op::template State<S>;
  constexpr int kWarps = kGroupThreads / kWarp;
  __shared__ S values[kWarps];
  __shared__ int64_t places[kWarps];
  const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
  const int64_t base = blockIdx.x * call.n;
  State carry;
  for (int64_t first = 0; first < call.n; first += kGroupThreads) {
    const int64_t i = first + threadIdx.x;
    State sum = i < call.n ? State(load_as<S>(call.x, call.dtype, base + i), i) : State();
    for (int distance = 1; distance < kWarp; distance *= 2) {
      const State before = sum.up(distance);
      if (lane >= distance) sum = join(before, sum);
    }
    if (lane == kWarp - 1) values[warp] = sum.value, places[warp] = sum.place();
    __syncthreads();
    // A warp past the end of the row has seen nothing.
    const auto total = [&](int k) { return first + k * kWarp < call.n ? State(values[k], places[k]) : State(); };
    State others = carry;
    for (int k = 0; k < warp; ++k) others = join(others, total(k));
    for (int k = 0; k < kWarps; ++k) carry = join(carry, total(k));
    if (i < call.n) write_running(call, base + i, join(others, sum));
    __syncthreads();  // totals are written again
  }
}

template <class Op, class S>
__global__ void __launch_bounds__(kGroupThreads) running_columns(const __grid_constant__ RunningCall call) {
  using State = typename Op::template State<S>;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kGroupThreads + threadIdx.x;
  if (i >= call.outer * call.inner) return;
  const int64_t base = i / call.inner * call.n * call.inner + i % call.inner;
  State sum;
  for (int64_t k = 0; k < call.n; ++k) {
    sum = join(sum, State(load_as<S>(call.x, call.dtype, base + k * call.inner), k));
    write_running(call, base + k * call.inner, sum);
  }
}

template <class Op, class S>
void running_as(const RunningCall& call) {
  const Grid rows{dim3(static_cast<unsigned>(call.outer)), dim3(kGroupThreads), 0, current_stream()};
  if (call.inner == 1) launch<running_rows<Op, S>>(rows, call);
  else launch<running_columns<Op, S>>(lane_grid(call.outer * call.inner, 1), call);
}

template <class Op, bool integers = true>
void run_running(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const CumsumArgs*>(raw_args);
  if (args.outer * args.n * args.inner == 0) return;
  const RunningCall call{args.buffers[0].data, args.buffers[2].as<int64_t>(), args.buffers[1].data, args.dtype, args.outer, args.n,
                         args.inner};
  if constexpr (integers) {
    if (!is_floating(args.dtype)) return running_as<Op, int64_t>(call);
  }
  running_as<Op, double>(call);
}

}  // namespace

void install_scan() {
  argmax_kernel.cuda = run_arg<Max>;
  argmin_kernel.cuda = run_arg<Min>;
  cumsum_kernel.cuda = run_running<Total<Add>>;
  cumprod_kernel.cuda = run_running<Total<Multiply>>;
  cummax_kernel.cuda = run_running<Extreme<true>>;
  cummin_kernel.cuda = run_running<Extreme<false>>;
  logcumsumexp_kernel.cuda = run_running<Total<LogSumExp>, false>;
}

}  // namespace wick::cuda
