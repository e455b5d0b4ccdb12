// Normalisation. A group of elements with common statistics goes to a few lanes of a warp, or to a block.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/groups.cuh"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/math/scalar.h"
#include "wick/framework/plan/norm.h"

namespace wick::cuda {
namespace {

struct Plus {
  template <class T>
  __device__ T operator()(T x, T y) const { return x + y; }
};

// Which weight an element has: that of its group (batch norm), of its place in the group (layer norm), or by the general rule.
enum class WeightBy : uint8_t { kGroup, kPlace, kRule };

struct Layout {
  NormShape shape;
  WeightBy weight_by;
  bool narrow;  // the elements of a group can be counted in 32 bits
  int width;

  explicit Layout(const NormShape& s)
      : shape(s),
        weight_by(s.inner == s.spatial && s.groups == s.channels    ? WeightBy::kGroup
                  : s.spatial == 1 && s.inner == s.channels         ? WeightBy::kPlace
                                                                    : WeightBy::kRule),
        narrow(s.outer * s.inner <= INT32_MAX),
        width(lanes_for(s.count())) {}

  // Element e of group g: where it lies, and its weight.
  struct Element {
    int64_t at, weight;
  };
  __device__ Element element(int64_t g, int64_t e) const {
    int64_t o, i;
    if (narrow) {
      const auto inner = static_cast<uint32_t>(shape.inner), all = static_cast<uint32_t>(e);
      o = all / inner;
      i = all - static_cast<uint32_t>(o) * inner;
    } else {
      o = e / shape.inner;
      i = e % shape.inner;
    }
    const int64_t place = g * shape.inner + i;
    const int64_t weight = weight_by == WeightBy::kGroup ? g : weight_by == WeightBy::kPlace ? i : place / shape.spatial % shape.channels;
    return {o * shape.groups * shape.inner + place, weight};
  }
};

template <class Args, int i, class T>
__device__ inline T* buffer(const Args& args) { return static_cast<T*>(args.buffers[i].data); }

// ---- Forward -----------------------------------------------------------------------------------------------------------------------

template <class T, class Group>
__global__ void __launch_bounds__(kGroupThreads) norm(const __grid_constant__ NormArgs args, const __grid_constant__ Layout layout) {
  const Group group(layout.width);
  const int64_t g = group.index;
  const bool valid = g < layout.shape.groups;
  const int64_t n = valid ? layout.shape.outer * layout.shape.inner : 0;
  const double count = static_cast<double>(layout.shape.outer * layout.shape.inner);
  const T* const x = buffer<NormArgs, 3, T>(args);
  const T *const weights = buffer<NormArgs, 4, T>(args), *const bias = buffer<NormArgs, 5, T>(args);
  T *const y = buffer<NormArgs, 0, T>(args), *const means = buffer<NormArgs, 1, T>(args), *const rstds = buffer<NormArgs, 2, T>(args);
  T mean, rstd;
  if (args.fixed) {
    mean = valid ? means[g] : T(0);
    rstd = valid ? rstds[g] : T(0);
  } else {
    T share = T(0);
    for (int64_t e = group.rank; e < n; e += group.size) share += x[layout.element(g, e).at];
    const double exact = group.reduce(static_cast<double>(share), Plus(), 0.0) / count;
    mean = static_cast<T>(exact);
    // What the rounded mean lacks shows in the sum of the deviations, and is taken out of the squares.
    T deviation = T(0), square = T(0);
    for (int64_t e = group.rank; e < n; e += group.size) {
      const T d = x[layout.element(g, e).at] - mean;
      deviation += d;
      square += d * d;
    }
    const double deviations = group.reduce(static_cast<double>(deviation), Plus(), 0.0);
    const double squares = group.reduce(static_cast<double>(square), Plus(), 0.0) - deviations * deviations / count;
    const double better = static_cast<double>(mean) + deviations / count, variance = squares < 0 ? 0 : squares / count;
    mean = static_cast<T>(better);
    rstd = static_cast<T>(1 / math::sqrt(variance + args.eps));
    if (valid && group.rank == 0) {
      means[g] = mean;
      rstds[g] = rstd;
      T *const running_mean = buffer<NormArgs, 6, T>(args), *const running_variance = buffer<NormArgs, 7, T>(args);
      if (running_mean) {
        running_mean[g] = static_cast<T>(args.momentum * better + (1 - args.momentum) * static_cast<double>(running_mean[g]));
      }
      if (running_variance) {
        const double unbiased = variance * (count / (count - 1));
        running_variance[g] = static_cast<T>(args.momentum * unbiased + (1 - args.momentum) * static_cast<double>(running_variance[g]));
      }
    }
  }
  for (int64_t e = group.rank; e < n; e += group.size) {
    const Layout::Element element = layout.element(g, e);
    y[element.at] = math::fma((x[element.at] - mean) * rstd, weights ? weights[element.weight] : T(1), bias ? bias[element.weight] : T(0));
  }
}

// ---- Backward ----------------------------------------------------------------------------------------------------------------------

// With h = (x - mean) rstd and e = gy weight: gx = rstd (e - mean of e - h mean of e h).
template <class T, class Group>
__global__ void __launch_bounds__(kGroupThreads) norm_input_gradient(const __grid_constant__ NormBackwardArgs args,
                                                                     const __grid_constant__ Layout layout) {
  using Args = NormBackwardArgs;
  const Group group(layout.width);
  const int64_t g = group.index;
  const bool valid = g < layout.shape.groups;
  const int64_t n = valid ? layout.shape.outer * layout.shape.inner : 0;
  const double count = static_cast<double>(layout.shape.outer * layout.shape.inner);
  T* const gx = buffer<Args, 0, T>(args);
  const T *const gy = buffer<Args, 3, T>(args), *const x = buffer<Args, 4, T>(args), *const weights = buffer<Args, 7, T>(args);
  const T mean = valid ? buffer<Args, 5, T>(args)[g] : T(0), rstd = valid ? buffer<Args, 6, T>(args)[g] : T(0);
  T mean_e = T(0), mean_eh = T(0);
  if (!args.fixed) {
    T sum_e = T(0), sum_eh = T(0);
    for (int64_t k = group.rank; k < n; k += group.size) {
      const Layout::Element element = layout.element(g, k);
      const T e = gy[element.at] * (weights ? weights[element.weight] : T(1));
      sum_e += e;
      sum_eh += e * (x[element.at] - mean) * rstd;
    }
    mean_e = static_cast<T>(group.reduce(static_cast<double>(sum_e), Plus(), 0.0) / count);
    mean_eh = static_cast<T>(group.reduce(static_cast<double>(sum_eh), Plus(), 0.0) / count);
  }
  for (int64_t k = group.rank; k < n; k += group.size) {
    const Layout::Element element = layout.element(g, k);
    const T e = gy[element.at] * (weights ? weights[element.weight] : T(1)), h = (x[element.at] - mean) * rstd;
    gx[element.at] = args.fixed ? e * rstd : (e - mean_e - h * mean_eh) * rstd;
  }
}

// Sums over all elements with the same weight: 32 weights to a block where they lie side by side (spatial is 1), else one.
constexpr int kColumns = 32, kRows = kGroupThreads / kColumns;

template <class T>
__global__ void __launch_bounds__(kGroupThreads) norm_weight_gradients(const __grid_constant__ NormBackwardArgs args,
                                                                       const __grid_constant__ Layout layout) {
  using Args = NormBackwardArgs;
  __shared__ double shares[2][kRows][kColumns + 1];
  const NormShape& s = layout.shape;
  const bool by_column = s.spatial == 1;
  const int lane = static_cast<int>(threadIdx.x) % kColumns, row = static_cast<int>(threadIdx.x) / kColumns;
  const int64_t c = by_column ? static_cast<int64_t>(blockIdx.x) * kColumns + lane : blockIdx.x;
  const int64_t count = s.outer * s.groups * s.inner / s.channels;  // elements of a weight
  const T *const gy = buffer<Args, 3, T>(args), *const x = buffer<Args, 4, T>(args);
  const T *const means = buffer<Args, 5, T>(args), *const rstds = buffer<Args, 6, T>(args);
  T sum_weight = T(0), sum_bias = T(0);
  for (int64_t k = by_column ? row : threadIdx.x; c < s.channels && k < count; k += by_column ? kRows : kGroupThreads) {
    const int64_t at = by_column ? k * s.channels + c : (k / s.spatial * s.channels + c) * s.spatial + k % s.spatial;
    const int64_t g = at / s.inner % s.groups;
    sum_bias += gy[at];
    sum_weight += gy[at] * (x[at] - means[g]) * rstds[g];
  }
  T *const gweight = buffer<Args, 1, T>(args), *const gbias = buffer<Args, 2, T>(args);
  shares[0][row][lane] = static_cast<double>(sum_weight);
  shares[1][row][lane] = static_cast<double>(sum_bias);
  __syncthreads();
  if (row != 0) return;
  double total[2];
  for (int k = 0; k < 2; ++k) {
    total[k] = shares[k][0][lane];
    for (int r = 1; r < kRows; ++r) total[k] += shares[k][r][lane];
    if (!by_column) total[k] = warp_reduce(total[k], Plus());
  }
  if (c >= s.channels || (!by_column && lane != 0)) return;
  if (gweight) gweight[c] = static_cast<T>(total[0]);
  if (gbias) gbias[c] = static_cast<T>(total[1]);
}

// ---- Launching ---------------------------------------------------------------------------------------------------------------------

bool takes_blocks(const Layout& layout) { return layout.shape.count() >= 1024 || layout.shape.outer > 1; }

Grid grid_of(const Layout& layout) {
  const int64_t threads = takes_blocks(layout) ? layout.shape.groups * kGroupThreads : layout.shape.groups * layout.width;
  return {dim3(static_cast<unsigned>((threads + kGroupThreads - 1) / kGroupThreads)), dim3(kGroupThreads), 0, current_stream()};
}

template <class T>
void norm_as(const NormArgs& args) {
  const Layout layout(args.shape);
  if (takes_blocks(layout)) launch<norm<T, BlockGroup>>(grid_of(layout), args, layout);
  else launch<norm<T, LaneGroup>>(grid_of(layout), args, layout);
}

template <class T>
void norm_backward_as(const NormBackwardArgs& args) {
  const Layout layout(args.shape);
  if (args.buffers[0].data) {
    if (takes_blocks(layout)) launch<norm_input_gradient<T, BlockGroup>>(grid_of(layout), args, layout);
    else launch<norm_input_gradient<T, LaneGroup>>(grid_of(layout), args, layout);
  }
  if (!args.buffers[1].data && !args.buffers[2].data) return;
  const int64_t channels = args.shape.channels, blocks = args.shape.spatial == 1 ? (channels + kColumns - 1) / kColumns : channels;
  launch<norm_weight_gradients<T>>({dim3(static_cast<unsigned>(blocks)), dim3(kGroupThreads), 0, current_stream()}, args, layout);
}

void run_norm(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const NormArgs*>(raw_args);
  args.dtype == kFloat ? norm_as<float>(args) : norm_as<double>(args);
}

void run_norm_backward(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const NormBackwardArgs*>(raw_args);
  args.dtype == kFloat ? norm_backward_as<float>(args) : norm_backward_as<double>(args);
}

}  // namespace

void install_norm() {
  norm_kernel.cuda = run_norm;
  norm_backward_kernel.cuda = run_norm_backward;
}

}  // namespace wick::cuda
