// Pooling: a thread for each output, and backward a thread for each input, which collects from the windows that it belongs to.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/math/scalar.h"
#include "wick/framework/plan/pool.h"

namespace wick::cuda {
namespace {

constexpr int kThreads = 256;

Grid grid_of(int64_t threads) {
  return {dim3(static_cast<unsigned>((threads + kThreads - 1) / kThreads)), dim3(kThreads), 0, current_stream()};
}

// Thread i of all: its plane and its place there, by dimension.
struct Position {
  int64_t index, plane, at[kPoolDims];

  __device__ explicit Position(const int64_t* sizes) : index(static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) {
    int64_t rest = index;
    for (int d = kPoolDims - 1; d >= 0; --d) {
      at[d] = rest % sizes[d];
      rest /= sizes[d];
    }
    plane = rest;
  }
};

__device__ inline int64_t place_of(const PoolShape& s, int64_t i0, int64_t i1, int64_t i2) {
  return (i0 * s.input[1] + i1) * s.input[2] + i2;
}

// The elements begin, begin + step, ... below end of the input that window o of dimension d has.
struct Window {
  int64_t begin, end, step;

  __device__ Window(const PoolShape& s, int d, int64_t o) : step(s.adaptive ? 1 : s.dilation[d]) {
    if (s.adaptive) {
      begin = o * s.input[d] / s.output[d];
      end = ((o + 1) * s.input[d] + s.output[d] - 1) / s.output[d];
      return;
    }
    begin = o * s.stride[d] - s.padding[d];
    end = begin + (s.kernel[d] - 1) * step + 1;
    if (end > s.input[d]) end = s.input[d];
    if (begin < 0) begin += (-begin + step - 1) / step * step;
  }
  __device__ bool has(int64_t i) const { return i >= begin && i < end && (i - begin) % step == 0; }
};

// The windows of dimension d that may have element i.
struct Candidates {
  int64_t first, last;

  __device__ Candidates(const PoolShape& s, int d, int64_t i) {
    if (s.adaptive) {
      first = i * s.output[d] / s.input[d] - 1;
      last = (i + 1) * s.output[d] / s.input[d];
    } else {
      const int64_t reach = (s.kernel[d] - 1) * s.dilation[d], from = i + s.padding[d] - reach;
      first = from > 0 ? (from + s.stride[d] - 1) / s.stride[d] : 0;
      last = (i + s.padding[d]) / s.stride[d];
    }
    if (first < 0) first = 0;
    if (last >= s.output[d]) last = s.output[d] - 1;
  }
};

// Calls f(at) for the windows with the element, by rising place.
template <class F>
__device__ inline void for_windows_with(const PoolShape& s, const int64_t* i, const F& f) {
  const Candidates c0(s, 0, i[0]), c1(s, 1, i[1]), c2(s, 2, i[2]);
  for (int64_t o0 = c0.first; o0 <= c0.last; ++o0) {
    if (!Window(s, 0, o0).has(i[0])) continue;
    for (int64_t o1 = c1.first; o1 <= c1.last; ++o1) {
      if (!Window(s, 1, o1).has(i[1])) continue;
      for (int64_t o2 = c2.first; o2 <= c2.last; ++o2) {
        if (Window(s, 2, o2).has(i[2])) f(o0, o1, o2);
      }
    }
  }
}

__device__ inline int64_t output_place(const PoolShape& s, int64_t o0, int64_t o1, int64_t o2) {
  return (o0 * s.output[1] + o1) * s.output[2] + o2;
}

// ---- The largest element -----------------------------------------------------------------------------------------------------------

// Where the largest element of a window stands: the first of equals, the last of NaNs.
template <class T>
__device__ inline int64_t largest_place(const PoolShape& s, const T* x, int64_t o0, int64_t o1, int64_t o2) {
  const Window w0(s, 0, o0), w1(s, 1, o1), w2(s, 2, o2);
  int64_t place = -1;
  T best = T(0);
  for (int64_t i0 = w0.begin; i0 < w0.end; i0 += w0.step) {
    for (int64_t i1 = w1.begin; i1 < w1.end; i1 += w1.step) {
      for (int64_t i2 = w2.begin; i2 < w2.end; i2 += w2.step) {
        const int64_t at = place_of(s, i0, i1, i2);
        const T v = x[at];
        if (place >= 0 && !(v > best || math::is_nan(v))) continue;
        best = v;
        place = at;
      }
    }
  }
  return place;
}

template <class T>
__global__ void __launch_bounds__(kThreads) max_pool(const __grid_constant__ MaxPoolArgs args) {
  const PoolShape& s = args.shape;
  const Position p(s.output);
  if (p.plane >= s.planes) return;
  const T* const x = static_cast<const T*>(args.buffers[2].data) + p.plane * s.input[0] * s.input[1] * s.input[2];
  const int64_t place = largest_place(s, x, p.at[0], p.at[1], p.at[2]);
  static_cast<T*>(args.buffers[0].data)[p.index] = x[place];
  if (args.buffers[1].data) static_cast<int64_t*>(args.buffers[1].data)[p.index] = place;
}

template <class T>
__global__ void __launch_bounds__(kThreads) max_pool_backward(const __grid_constant__ MaxPoolBackwardArgs args) {
  const PoolShape& s = args.shape;
  const Position p(s.input);
  if (p.plane >= s.planes) return;
  const T* const gy = static_cast<const T*>(args.buffers[1].data) + p.plane * s.output[0] * s.output[1] * s.output[2];
  const T* const x = static_cast<const T*>(args.buffers[2].data) + p.plane * s.input[0] * s.input[1] * s.input[2];
  const int64_t own = place_of(s, p.at[0], p.at[1], p.at[2]);
  T sum = T(0);
  for_windows_with(s, p.at, [&](int64_t o0, int64_t o1, int64_t o2) {
    if (largest_place(s, x, o0, o1, o2) == own) sum += gy[output_place(s, o0, o1, o2)];
  });
  static_cast<T*>(args.buffers[0].data)[p.index] = sum;
}

// ---- The mean ----------------------------------------------------------------------------------------------------------------------

// How many elements of window o count.
__device__ inline int64_t counted(const AvgPoolArgs& args, int d, int64_t o) {
  const PoolShape& s = args.shape;
  const Window w(s, d, o);
  if (s.adaptive || !args.count_include_pad) return w.end > w.begin ? w.end - w.begin : 0;
  const int64_t start = o * s.stride[d] - s.padding[d], stop = start + s.kernel[d], bound = s.input[d] + s.padding[d];
  return (stop < bound ? stop : bound) - start;
}

template <class T>
__device__ inline T divisor_of(const AvgPoolArgs& args, int64_t o0, int64_t o1, int64_t o2) {
  const int64_t count = args.divisor_override ? args.divisor_override : counted(args, 0, o0) * counted(args, 1, o1) * counted(args, 2, o2);
  return static_cast<T>(count ? count : 1);  // a window without elements has the mean 0
}

template <class T>
__global__ void __launch_bounds__(kThreads) avg_pool(const __grid_constant__ AvgPoolArgs args) {
  const PoolShape& s = args.shape;
  const Position p(s.output);
  if (p.plane >= s.planes) return;
  const T* const x = static_cast<const T*>(args.buffers[1].data) + p.plane * s.input[0] * s.input[1] * s.input[2];
  const Window w0(s, 0, p.at[0]), w1(s, 1, p.at[1]), w2(s, 2, p.at[2]);
  T sum = T(0);
  for (int64_t i0 = w0.begin; i0 < w0.end; ++i0) {
    for (int64_t i1 = w1.begin; i1 < w1.end; ++i1) {
      for (int64_t i2 = w2.begin; i2 < w2.end; ++i2) sum += x[place_of(s, i0, i1, i2)];
    }
  }
  static_cast<T*>(args.buffers[0].data)[p.index] = sum / divisor_of<T>(args, p.at[0], p.at[1], p.at[2]);
}

template <class T>
__global__ void __launch_bounds__(kThreads) avg_pool_backward(const __grid_constant__ AvgPoolArgs args) {
  const PoolShape& s = args.shape;
  const Position p(s.input);
  if (p.plane >= s.planes) return;
  const T* const gy = static_cast<const T*>(args.buffers[1].data) + p.plane * s.output[0] * s.output[1] * s.output[2];
  T sum = T(0);
  for_windows_with(s, p.at, [&](int64_t o0, int64_t o1, int64_t o2) {
    sum += gy[output_place(s, o0, o1, o2)] / divisor_of<T>(args, o0, o1, o2);
  });
  static_cast<T*>(args.buffers[0].data)[p.index] = sum;
}

// ---- Launching ---------------------------------------------------------------------------------------------------------------------

void run_max(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const MaxPoolArgs*>(raw_args);
  const Grid grid = grid_of(args.shape.planes * args.shape.output_size());
  switch (args.dtype) {
    case kFloat: return launch<max_pool<float>>(grid, args);
    case kDouble: return launch<max_pool<double>>(grid, args);
    case kInt: return launch<max_pool<int32_t>>(grid, args);
    default: return launch<max_pool<int64_t>>(grid, args);
  }
}

void run_max_backward(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const MaxPoolBackwardArgs*>(raw_args);
  const Grid grid = grid_of(args.shape.planes * args.shape.input_size());
  if (args.dtype == kFloat) launch<max_pool_backward<float>>(grid, args);
  else launch<max_pool_backward<double>>(grid, args);
}

void run_avg(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const AvgPoolArgs*>(raw_args);
  const Grid grid = grid_of(args.shape.planes * args.shape.output_size());
  if (args.dtype == kFloat) launch<avg_pool<float>>(grid, args);
  else launch<avg_pool<double>>(grid, args);
}

void run_avg_backward(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const AvgPoolArgs*>(raw_args);
  const Grid grid = grid_of(args.shape.planes * args.shape.input_size());
  if (args.dtype == kFloat) launch<avg_pool_backward<float>>(grid, args);
  else launch<avg_pool_backward<double>>(grid, args);
}

}  // namespace

void install_pool() {
  max_pool_kernel.cuda = run_max;
  max_pool_backward_kernel.cuda = run_max_backward;
  avg_pool_kernel.cuda = run_avg;
  avg_pool_backward_kernel.cuda = run_avg_backward;
}

}  // namespace wick::cuda
