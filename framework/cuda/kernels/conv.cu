// Convolutions by plain loops. Sums are formed in double, in a fixed order.
#include "wick/framework/cuda/kernels/conv.h"

#include "wick/framework/core/dtype.h"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/stream.h"

namespace wick::cuda {
namespace {

constexpr int kThreads = 256;

__device__ inline int64_t thread_index() { return static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; }

// The last dimensions of `index`, taken off it.
__device__ inline void take_place(int64_t& index, const int64_t* sizes, int64_t* at) {
  for (int d = kConvDims - 1; d >= 0; --d) {
    at[d] = index % sizes[d];
    index /= sizes[d];
  }
}

__device__ inline int64_t place_of(const int64_t* sizes, const int64_t* at) { return (at[0] * sizes[1] + at[1]) * sizes[2] + at[2]; }

// Calls f(at) for every place of a box.
template <class F>
__device__ inline void for_places(const int64_t* sizes, const F& f) {
  int64_t at[kConvDims];
  for (at[0] = 0; at[0] < sizes[0]; ++at[0]) {
    for (at[1] = 0; at[1] < sizes[1]; ++at[1]) {
      for (at[2] = 0; at[2] < sizes[2]; ++at[2]) f(at);
    }
  }
}

// in(o, k): false where it is in the padding.
__device__ inline bool input_place(const ConvShape& s, const int64_t* o, const int64_t* k, int64_t* i) {
  for (int d = 0; d < kConvDims; ++d) {
    i[d] = o[d] * s.stride[d] - s.padding[d] + k[d] * s.dilation[d];
    if (i[d] < 0 || i[d] >= s.input[d]) return false;
  }
  return true;
}

// The o with in(o, k) = i; false where there is none.
__device__ inline bool output_place(const ConvShape& s, const int64_t* i, const int64_t* k, int64_t* o) {
  for (int d = 0; d < kConvDims; ++d) {
    const int64_t from = i[d] + s.padding[d] - k[d] * s.dilation[d];
    if (from < 0 || from % s.stride[d] != 0) return false;
    o[d] = from / s.stride[d];
    if (o[d] >= s.output[d]) return false;
  }
  return true;
}

template <class T>
__global__ void conv_forward(T* y, const T* x, const T* w, const T* bias, ConvShape s, int64_t n) {
  int64_t rest = thread_index();
  if (rest >= n) return;
  T* const to = y + rest;
  int64_t o[kConvDims];
  take_place(rest, s.output, o);
  const int64_t channel = rest % s.out_channels, item = rest / s.out_channels;
  const int64_t per_group = s.in_channels / s.groups, first = channel / (s.out_channels / s.groups) * per_group;
  const int64_t input_size = s.input_size(), kernel_size = s.kernel_size();
  double sum = bias ? static_cast<double>(bias[channel]) : 0;
  for (int64_t c = 0; c < per_group; ++c) {
    const T* const plane = x + (item * s.in_channels + first + c) * input_size;
    const T* const kernel = w + (channel * per_group + c) * kernel_size;
    for_places(s.kernel, [&](const int64_t* k) {
      int64_t i[kConvDims];
      if (input_place(s, o, k, i)) sum += static_cast<double>(plane[place_of(s.input, i)]) * kernel[place_of(s.kernel, k)];
    });
  }
  *to = static_cast<T>(sum);
}

template <class T>
__global__ void conv_backward_input(T* gx, const T* gy, const T* w, ConvShape s, int64_t n) {
  int64_t rest = thread_index();
  if (rest >= n) return;
  T* const to = gx + rest;
  int64_t i[kConvDims];
  take_place(rest, s.input, i);
  const int64_t channel = rest % s.in_channels, item = rest / s.in_channels;
  const int64_t per_group = s.in_channels / s.groups, out_per_group = s.out_channels / s.groups;
  const int64_t first = channel / per_group * out_per_group, output_size = s.output_size(), kernel_size = s.kernel_size();
  double sum = 0;
  for (int64_t c = first; c < first + out_per_group; ++c) {
    const T* const plane = gy + (item * s.out_channels + c) * output_size;
    const T* const kernel = w + (c * per_group + channel % per_group) * kernel_size;
    for_places(s.kernel, [&](const int64_t* k) {
      int64_t o[kConvDims];
      if (output_place(s, i, k, o)) sum += static_cast<double>(plane[place_of(s.output, o)]) * kernel[place_of(s.kernel, k)];
    });
  }
  *to = static_cast<T>(sum);
}

template <class T>
__global__ void conv_backward_weight(T* gw, const T* x, const T* gy, ConvShape s, int64_t n) {
  int64_t rest = thread_index();
  if (rest >= n) return;
  T* const to = gw + rest;
  int64_t k[kConvDims];
  take_place(rest, s.kernel, k);
  const int64_t per_group = s.in_channels / s.groups, c = rest % per_group, channel = rest / per_group;
  const int64_t in_channel = channel / (s.out_channels / s.groups) * per_group + c;
  const int64_t input_size = s.input_size(), output_size = s.output_size();
  double sum = 0;
  for (int64_t item = 0; item < s.batch; ++item) {
    const T* const plane = x + (item * s.in_channels + in_channel) * input_size;
    const T* const gradient = gy + (item * s.out_channels + channel) * output_size;
    for_places(s.output, [&](const int64_t* o) {
      int64_t i[kConvDims];
      if (input_place(s, o, k, i)) sum += static_cast<double>(plane[place_of(s.input, i)]) * gradient[place_of(s.output, o)];
    });
  }
  *to = static_cast<T>(sum);
}

Grid grid_of(int64_t threads) {
  return {dim3(static_cast<unsigned>((threads + kThreads - 1) / kThreads)), dim3(kThreads), 0, current_stream()};
}

template <class T>
const T* read(const ConvArgs& args, int i) { return static_cast<const T*>(args.buffers[i].data); }
template <class T>
T* written(const ConvArgs& args) { return static_cast<T*>(args.buffers[0].data); }

template <class T>
void forward_of(const ConvArgs& args) {
  const int64_t n = args.shape.batch * args.shape.out_channels * args.shape.output_size();
  launch<conv_forward<T>>(grid_of(n), written<T>(args), read<T>(args, 1), read<T>(args, 2), read<T>(args, 3), args.shape, n);
}
template <class T>
void backward_input_of(const ConvArgs& args) {
  const int64_t n = args.shape.batch * args.shape.in_channels * args.shape.input_size();
  launch<conv_backward_input<T>>(grid_of(n), written<T>(args), read<T>(args, 1), read<T>(args, 2), args.shape, n);
}
template <class T>
void backward_weight_of(const ConvArgs& args) {
  const int64_t n = args.shape.out_channels * (args.shape.in_channels / args.shape.groups) * args.shape.kernel_size();
  launch<conv_backward_weight<T>>(grid_of(n), written<T>(args), read<T>(args, 1), read<T>(args, 2), args.shape, n);
}

}  // namespace

void plain_conv_forward(const ConvArgs& args) { args.dtype == kDouble ? forward_of<double>(args) : forward_of<float>(args); }
void plain_conv_backward_input(const ConvArgs& args) {
  args.dtype == kDouble ? backward_input_of<double>(args) : backward_input_of<float>(args);
}
void plain_conv_backward_weight(const ConvArgs& args) {
  args.dtype == kDouble ? backward_weight_of<double>(args) : backward_weight_of<float>(args);
}

}  // namespace wick::cuda
