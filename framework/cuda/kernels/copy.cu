// Copying with conversion, filling, and the ranges.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/elementwise.cuh"
#include "wick/framework/plan/create.h"

namespace wick::cuda {
namespace {

// ---- Copies ------------------------------------------------------------------------------------------------------------------------

struct Itself {
  static constexpr int arity = 1, params = 0;
  static constexpr bool to_bool = false;
  template <class T>
  __device__ static T apply(const T* x, const T*) { return x[0]; }
};

// x[0] and x[1] change places as the fast dimension: a tile goes through shared memory, so that both sides are touched row by row.
constexpr int kTile = 32, kTileRows = 8;

struct Transpose {
  void* y;
  const void* x;
  int64_t sizes[3];      // of the plan
  int64_t y_strides[2];  // of the plan's dimensions 1 and 2; that of 0 is 1
  int64_t x_strides[2];  // of the plan's dimensions 0 and 2; that of 1 is 1
};

template <class T>
__global__ void __launch_bounds__(kTile * kTileRows) transpose(const __grid_constant__ Transpose call) {
  __shared__ T tile[kTile][kTile + 1];
  const int64_t first0 = static_cast<int64_t>(blockIdx.x) * kTile, first1 = static_cast<int64_t>(blockIdx.y) * kTile;
  const T* const x = static_cast<const T*>(call.x) + blockIdx.z * call.x_strides[1];
  T* const y = static_cast<T*>(call.y) + blockIdx.z * call.y_strides[1];
  for (int r = static_cast<int>(threadIdx.y); r < kTile; r += kTileRows) {
    const int64_t at0 = first0 + r, at1 = first1 + threadIdx.x;
    if (at0 < call.sizes[0] && at1 < call.sizes[1]) tile[r][threadIdx.x] = x[at0 * call.x_strides[0] + at1];
  }
  __syncthreads();
  for (int r = static_cast<int>(threadIdx.y); r < kTile; r += kTileRows) {
    const int64_t at0 = first0 + threadIdx.x, at1 = first1 + r;
    if (at0 < call.sizes[0] && at1 < call.sizes[1]) y[at1 * call.y_strides[0] + at0] = tile[threadIdx.x][r];
  }
}

template <class T>
bool run_transpose(const ElementwiseArgs& args) {
  const ElementwisePlan& plan = args.plan;
  if (plan.ndim < 2 || plan.ndim > 3 || !args.buffers[1].data) return false;
  if (plan.strides[0][0] != 1 || plan.strides[1][1] != 1 || plan.sizes[0] < kTileRows || plan.sizes[1] < kTileRows) return false;
  const int64_t depth = plan.ndim == 3 ? plan.sizes[2] : 1, tiles1 = (plan.sizes[1] + kTile - 1) / kTile;
  if (depth > 65535 || tiles1 > 65535) return false;
  Transpose call{args.buffers[0].data, args.buffers[1].data, {plan.sizes[0], plan.sizes[1], depth}, {plan.strides[0][1], 0},
                 {plan.strides[1][0], 0}};
  if (plan.ndim == 3) call.y_strides[1] = plan.strides[0][2], call.x_strides[1] = plan.strides[1][2];
  const dim3 grid(static_cast<unsigned>((plan.sizes[0] + kTile - 1) / kTile), static_cast<unsigned>(tiles1), static_cast<unsigned>(depth));
  launch<transpose<T>>({grid, dim3(kTile, kTileRows), 0, current_stream()}, call);
  return true;
}

// Without conversion only the size of an element matters: Raw is an integer of that size.
template <class Raw>
void copy_raw(const ElementwiseArgs& args) {
  ElementwiseArgs raw = args;
  raw.plan.dtype[0] = raw.plan.dtype[1] = dtype_of<Raw>;
  if (!run_transpose<Raw>(raw)) run_elementwise_as<Itself, Raw>(raw);
}

void copy_bits(const ElementwiseArgs& args) {
  switch (element_size(args.plan.dtype[0])) {
    case 1: return copy_raw<uint8_t>(args);
    case 2: return copy_raw<int16_t>(args);
    case 4: return copy_raw<int32_t>(args);
    default: return copy_raw<int64_t>(args);
  }
}

bool is_linear(const ElementwisePlan& plan, int operand) {
  int64_t expected = 1;
  for (int d = 0; d < plan.ndim; ++d) {
    if (plan.strides[operand][d] != expected) return false;
    expected *= plan.sizes[d];
  }
  return true;
}

void copy_same_dtype(const ElementwiseArgs& args) {
  const ElementwisePlan& plan = args.plan;
  if (!is_linear(plan, 0) || !is_linear(plan, 1)) return copy_bits(args);
  const auto bytes = static_cast<size_t>(plan.numel * element_size(plan.dtype[0]));
  check(cudaMemcpyAsync(args.buffers[0].data, args.buffers[1].data, bytes, cudaMemcpyDeviceToDevice, current_stream()), "copy");
}

// The number as an element of the output.
void fill(const ElementwiseArgs& args) {
  ElementwiseArgs bits = args;
  int64_t value = 0;
  dispatch_dtype(args.plan.dtype[0], "fill", [&]<class T>() {
    const T element = args.compute == kLong ? convert<T>(args.number[1].i) : convert<T>(args.number[1].d);
    __builtin_memcpy(&value, &element, sizeof(T));
  });
  bits.number[1].i = value;
  copy_bits(bits);
}

void run_copy(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const ElementwiseArgs*>(raw_args);
  if (args.plan.numel == 0) return;
  if (!args.buffers[1].data) return fill(args);
  const ScalarType to = args.plan.dtype[0], from = args.plan.dtype[1];
  if (to == from) return copy_same_dtype(args);
  if (from == kDouble) run_elementwise_as<Itself, double>(args);
  else if (is_floating(from)) run_elementwise_as<Itself, float>(args);
  else run_elementwise_as<Itself, int64_t>(args);
}

// ---- Ranges ------------------------------------------------------------------------------------------------------------------------

struct Range {
  void* y;
  ScalarType dtype;
  int64_t n;
  double start, end, step;
  int64_t first, stride;
};

__global__ void arange_integers(const __grid_constant__ Range call) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= call.n) return;
  const uint64_t value = static_cast<uint64_t>(call.first) + static_cast<uint64_t>(i) * static_cast<uint64_t>(call.stride);
  store_as(call.y, call.dtype, i, static_cast<int64_t>(value));
}

__global__ void arange_floats(const __grid_constant__ Range call) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < call.n) store_as(call.y, call.dtype, i, math::fma(static_cast<double>(i), call.step, call.start));
}

// start, end and step are what the CPU's kernel computes with, in C.
template <class C>
__global__ void linspace(const __grid_constant__ Range call) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= call.n) return;
  const C start = static_cast<C>(call.start), end = static_cast<C>(call.end), step = static_cast<C>(call.step);
  const int64_t half = call.n > 1 ? call.n / 2 : 1;
  const C value = i < half ? math::fma(step, static_cast<C>(i), start) : math::fma(-step, static_cast<C>(call.n - 1 - i), end);
  store_as(call.y, call.dtype, i, value);
}

Range range_of(const RangeArgs& args) {
  return {args.buffers[0].data, args.dtype, args.n, args.start, args.end, args.step, args.first, args.stride};
}

void run_arange(const KernelInfo&, const void* raw_args) {
  const Range call = range_of(*static_cast<const RangeArgs*>(raw_args));
  if (is_floating(call.dtype)) launch<arange_floats>(elementwise_grid(call.n), call);
  else launch<arange_integers>(elementwise_grid(call.n), call);
}

void run_linspace(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const RangeArgs*>(raw_args);
  Range call = range_of(args);
  dispatch_dtype(args.dtype, "linspace", [&]<class T>() {
    call.start = static_cast<double>(convert<T>(args.start));
    call.end = static_cast<double>(convert<T>(args.end));
    using C = std::conditional_t<std::is_integral_v<T> || std::is_same_v<T, double>, double, float>;
    const C distance = static_cast<C>(call.end) - static_cast<C>(call.start);
    call.step = static_cast<double>(args.n > 1 ? distance / static_cast<C>(args.n - 1) : C(0));
    launch<linspace<C>>(elementwise_grid(args.n), call);
  });
}

}  // namespace

void install_copy() {
  copy_kernel.cuda = run_copy;
  arange_kernel.cuda = run_arange;
  linspace_kernel.cuda = run_linspace;
}

}  // namespace wick::cuda
