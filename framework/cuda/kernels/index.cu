// Reading, writing and adding at places that are data.
//
// Several values may go to one place. The offsets are sorted first, so that each place belongs to one thread, which takes its values in
// order: the last one stays, and sums are the same in every run.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/device_error.cuh"
#include "wick/framework/cuda/kernels/elementwise.cuh"
#include "wick/framework/cuda/kernels/sort.cuh"
#include "wick/framework/cuda/runtime/scratch.h"
#include "wick/framework/plan/index.h"

namespace wick::cuda {
namespace {

constexpr int kThreads = 256;

Grid grid_of(int64_t threads) {
  return {dim3(static_cast<unsigned>((threads + kThreads - 1) / kThreads)), dim3(kThreads), 0, current_stream()};
}

__device__ inline int64_t thread_index() { return static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; }

// ---- Offsets -------------------------------------------------------------------------------------------------------------------------

constexpr int64_t kNowhere = INT64_MIN;  // of an index that was out of bounds: nothing is read or written there

__global__ void __launch_bounds__(kThreads) make_offsets(const __grid_constant__ OffsetsArgs args, DeviceErrorKind kind,
                                                         DeviceError* error) {
  const int64_t i = thread_index();
  if (i >= args.numel) return;
  int64_t* const offsets = static_cast<int64_t*>(args.buffers[0].data);
  const int64_t index = static_cast<const int64_t*>(args.buffers[1].data)[i];
  const int64_t at = index + (index < 0 && args.check == IndexCheck::kWrap ? args.size : 0);
  const int64_t before = args.add ? offsets[i] : 0;
  if (static_cast<uint64_t>(at) >= static_cast<uint64_t>(args.size)) {
    report_error(error, kind, index, args.dim, args.size);
    offsets[i] = kNowhere;
  } else if (before != kNowhere) {
    offsets[i] = before + at * args.stride + args.positions.offset(i);
  }
}

void run_offsets(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const OffsetsArgs*>(raw_args);
  launch<make_offsets>(grid_of(args.numel), args, index_error_kind(args.check), device_error_record());
}

// ---- Blocks --------------------------------------------------------------------------------------------------------------------------

// Where in the table column c of the block lies, apart from its offset; the columns are the block without its dimension of offsets.
struct Column {
  int64_t in_block, in_table;  // of offset number 0

  __device__ Column(const IndexPlan& plan, int64_t c) {
    const int64_t inner = plan.after.numel * plan.run, b = c / inner, rest = c % inner;
    in_block = b * plan.count * inner + rest;
    in_table = plan.before.offset(b) + plan.after.offset(rest / plan.run) + rest % plan.run * plan.run_stride;
  }
};

__host__ __device__ inline int64_t num_columns(const IndexPlan& plan) { return plan.before.numel * plan.after.numel * plan.run; }

template <class Raw>
__global__ void __launch_bounds__(kThreads) take(const __grid_constant__ TakeArgs args) {
  const IndexPlan& plan = args.plan;
  const int64_t i = thread_index(), inner = plan.after.numel * plan.run;
  if (i >= num_columns(plan) * plan.count) return;
  const int64_t j = i / inner % plan.count;
  const Column column(plan, i / inner / plan.count * inner + i % inner);
  const int64_t offset = static_cast<const int64_t*>(args.buffers[1].data)[j];
  Raw value = 0;
  if (offset != kNowhere) value = static_cast<const Raw*>(args.buffers[0].data)[column.in_table + offset];
  static_cast<Raw*>(args.buffers[2].data)[i] = value;
}

void run_take(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const TakeArgs*>(raw_args);
  const Grid grid = grid_of(args.plan.numel());
  switch (element_size(args.dtype)) {
    case 1: return launch<take<uint8_t>>(grid, args);
    case 2: return launch<take<uint16_t>>(grid, args);
    case 4: return launch<take<uint32_t>>(grid, args);
    default: return launch<take<uint64_t>>(grid, args);
  }
}

// The number of the first of the values for offset sorted.keys[s] is sorted.places[s], and the others follow.
template <class F>
__global__ void __launch_bounds__(kThreads) put(const __grid_constant__ PutArgs args, SortedRows sorted) {
  const IndexPlan& plan = args.plan;
  const int64_t i = thread_index(), columns = num_columns(plan), s = i / columns, inner = plan.after.numel * plan.run;
  if (s >= plan.count) return;
  const uint64_t key = sorted.keys[s];
  if (s > 0 && sorted.keys[s - 1] == key) return;
  const int64_t offset = static_cast<int64_t>(key);
  if (offset == kNowhere) return;
  const Column column(plan, i % columns);
  F f(static_cast<typename F::T*>(args.buffers[0].data) + column.in_table + offset);
  const auto* const block = static_cast<const typename F::T*>(args.buffers[2].data);
  for (int64_t k = s; k < plan.count && sorted.keys[k] == key; ++k) {
    f.take(block[args.single ? 0 : column.in_block + sorted.places[k] * inner]);
  }
  f.finish();
}

template <class Raw>
struct Last {
  using T = Raw;
  T* place;
  T value;

  __device__ explicit Last(T* p) : place(p), value(0) {}
  __device__ void take(T x) { value = x; }
  __device__ void finish() { *place = value; }
};

struct Add {
  template <class N>
  __device__ static N join(N a, N b) { return a + b; }
};
struct Multiply {
  template <class N>
  __device__ static N join(N a, N b) { return a * b; }
};
struct Max {
  template <class N>
  __device__ static N join(N a, N b) { return b > a || b != b ? b : a; }
};
struct Min {
  template <class N>
  __device__ static N join(N a, N b) { return b < a || b != b ? b : a; }
};

// Integers wrap; half types join as float.
template <class Op, class E>
struct Joined {
  using T = E;
  using Ordered = std::conditional_t<std::is_same_v<Op, Max> || std::is_same_v<Op, Min>, int64_t, uint64_t>;
  using N = std::conditional_t<std::is_integral_v<T>, Ordered, std::conditional_t<sizeof(T) == 2, float, T>>;
  T* place;
  T value;

  __device__ explicit Joined(T* p) : place(p), value(*p) {}
  __device__ void take(T x) {
    const N joined = Op::join(convert_on_device<N>(value), convert_on_device<N>(x));
    if constexpr (std::is_same_v<T, bool>) value = joined != N(0);
    else value = convert_on_device<T>(joined);
  }
  __device__ void finish() { *place = value; }
};

template <class F>
void launch_put(const PutArgs& args) {
  const cudaStream_t stream = current_stream();
  const int64_t count = args.plan.count;
  const Scratch keys(static_cast<size_t>(count) * 8, stream), scratch(sort_scratch(1, count), stream);
  check(cudaMemcpyAsync(keys.as<void>(), args.buffers[1].data, static_cast<size_t>(count) * 8, cudaMemcpyDeviceToDevice, stream), "put");
  const SortedRows sorted = sort_rows(keys.as<uint64_t>(), 1, count, scratch.as<void>(), stream);
  launch<put<F>>(grid_of(args.plan.numel()), args, sorted);
}

void run_put(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const PutArgs*>(raw_args);
  if (args.plan.numel() == 0) return;
  switch (element_size(args.dtype)) {
    case 1: return launch_put<Last<uint8_t>>(args);
    case 2: return launch_put<Last<uint16_t>>(args);
    case 4: return launch_put<Last<uint32_t>>(args);
    default: return launch_put<Last<uint64_t>>(args);
  }
}

template <class Op>
void run_put_joined(const KernelInfo& info, const void* raw_args) {
  const auto& args = *static_cast<const PutArgs*>(raw_args);
  if (args.plan.numel() == 0) return;
  dispatch_dtype(args.dtype, info.name, [&]<class T>() { launch_put<Joined<Op, T>>(args); });
}

// ---- Masks ---------------------------------------------------------------------------------------------------------------------------

// x: what is there, the mask; s: the value.
struct FillWhere {
  static constexpr int arity = 2, params = 1;
  static constexpr bool to_bool = false;
  template <class T>
  __device__ static T apply(const T* x, const T* s) { return select(x[1] != T(0), s[0], x[0]); }
};

template <class Raw>
void masked_fill_as(const MaskedFillArgs& args) {
  ElementwiseArgs call;
  Raw value;
  __builtin_memcpy(&value, args.value, sizeof(Raw));
  call.plan = args.plan;
  call.params[0].i = static_cast<int64_t>(value);
  call.params[0].d = 0;
  const int operand[3] = {0, 0, 1};  // y is read, too
  for (int k = 0; k < 3; ++k) {
    call.buffers[k] = args.buffers[operand[k]];
    call.plan.dtype[k] = k == 2 ? kBool : dtype_of<Raw>;
    for (int d = 0; d < args.plan.ndim; ++d) call.plan.strides[k][d] = args.plan.strides[operand[k]][d];
  }
  run_elementwise_as<FillWhere, Raw>(call);
}

void run_masked_fill(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const MaskedFillArgs*>(raw_args);
  if (args.plan.numel == 0) return;
  switch (element_size(args.plan.dtype[0])) {
    case 1: return masked_fill_as<uint8_t>(args);
    case 2: return masked_fill_as<int16_t>(args);
    case 4: return masked_fill_as<int32_t>(args);
    default: return masked_fill_as<int64_t>(args);
  }
}

struct Plus {
  template <class T>
  __device__ T operator()(T x, T y) const { return x + y; }
};

__global__ void __launch_bounds__(kThreads) count_true(CountTrueArgs args) {
  const bool* const mask = static_cast<const bool*>(args.buffers[1].data);
  const int64_t begin = blockIdx.x * kMaskChunk, end = args.numel - begin < kMaskChunk ? args.numel : begin + kMaskChunk;
  int count = 0;
  for (int64_t i = begin + threadIdx.x; i < end; i += kThreads) count += mask[i];
  count = block_reduce(count, Plus(), 0);
  if (threadIdx.x == 0) static_cast<int64_t*>(args.buffers[0].data)[blockIdx.x] = count;
}

// A block lists a chunk, 256 elements at a time.
__global__ void __launch_bounds__(kThreads) list_true(const __grid_constant__ ListTrueArgs args) {
  constexpr int kWarps = kThreads / kWarp;
  __shared__ int counts[kWarps];
  const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
  const bool* const mask = static_cast<const bool*>(args.buffers[2].data);
  int64_t* const out = static_cast<int64_t*>(args.buffers[0].data);
  const int64_t begin = blockIdx.x * kMaskChunk, end = args.numel - begin < kMaskChunk ? args.numel : begin + kMaskChunk;
  int64_t place = static_cast<const int64_t*>(args.buffers[1].data)[blockIdx.x];
  for (int64_t first = begin; first < end; first += kThreads) {
    const int64_t i = first + threadIdx.x;
    const bool is_true = i < end && mask[i];
    const unsigned bits = __ballot_sync(kAllLanes, is_true);
    if (lane == 0) counts[warp] = __popc(bits);
    __syncthreads();
    int64_t at = place + __popc(bits & ((1u << lane) - 1));
    for (int k = 0; k < kWarps; ++k) {
      if (k < warp) at += counts[k];
      place += counts[k];
    }
    int64_t rest = i;
    for (int d = args.ndim - 1; is_true && d >= 0; --d) {
      out[d * args.total + at] = rest % args.sizes[d];
      rest /= args.sizes[d];
    }
    __syncthreads();  // the counts are written again
  }
}

Grid chunk_grid(int64_t numel) {
  return {dim3(static_cast<unsigned>((numel + kMaskChunk - 1) / kMaskChunk)), dim3(kThreads), 0, current_stream()};
}

void run_count_true(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const CountTrueArgs*>(raw_args);
  launch<count_true>(chunk_grid(args.numel), args);
}

void run_list_true(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const ListTrueArgs*>(raw_args);
  launch<list_true>(chunk_grid(args.numel), args);
}

}  // namespace

void install_index() {
  offsets_kernel.cuda = run_offsets;
  take_kernel.cuda = run_take;
  put_kernel.cuda = run_put;
  put_add_kernel.cuda = run_put_joined<Add>;
  put_multiply_kernel.cuda = run_put_joined<Multiply>;
  put_max_kernel.cuda = run_put_joined<Max>;
  put_min_kernel.cuda = run_put_joined<Min>;
  masked_fill_kernel.cuda = run_masked_fill;
  count_true_kernel.cuda = run_count_true;
  list_true_kernel.cuda = run_list_true;
}

}  // namespace wick::cuda
