#include "wick/framework/cpu/conv.h"

#include <algorithm>

#include "wick/framework/core/allocator.h"
#include "wick/framework/cpu/gemm.h"

namespace wick::cpu {
namespace {

// Memory from the cache of blocks.
template <class T>
class Scratch {
 public:
  explicit Scratch(int64_t count) : bytes_(static_cast<size_t>(count) * sizeof(T)), data_(static_cast<T*>(cpu_allocate(bytes_))) {}
  ~Scratch() { cpu_free(data_, bytes_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  T* data() const { return data_; }

 private:
  size_t bytes_;
  T* data_;
};

// The part of [0, output) whose input position o * stride + shift lies within [0, input).
struct Span {
  int64_t begin, end;
  Span(int64_t output, int64_t input, int64_t stride, int64_t shift) {
    begin = shift >= 0 ? 0 : std::min(output, (-shift + stride - 1) / stride);
    end = input <= shift ? begin : std::max(begin, std::min(output, (input - shift - 1) / stride + 1));
  }
};

// One group of one image: channels, each with its kernel positions, against output positions.
struct Columns {
  const ConvShape& s;
  int64_t channels, rows, size;

  explicit Columns(const ConvShape& shape)
      : s(shape), channels(shape.in_channels / shape.groups), rows(channels * shape.kernel_size()), size(shape.output_size()) {}

  // Whether the matrix is the image itself.
  bool is_image() const {
    for (int d = 0; d < kConvDims; ++d) {
      if (s.kernel[d] != 1 || s.stride[d] != 1 || s.padding[d] != 0 || s.input[d] != s.output[d]) return false;
    }
    return true;
  }

  int64_t shift(int d, int64_t k) const { return k * s.dilation[d] - s.padding[d]; }

  // Calls f(row of the matrix, row of the image, Span of positions in it, shift) for each line along the last dimension; the image's
  // row is null where the whole line lies outside.
  template <class T, class F>
  void for_lines(T* image, const F& f) const {
    int64_t line = 0;
    for (int64_t c = 0; c < channels; ++c, image += s.input_size()) {
      for (int64_t k = 0; k < s.kernel_size(); ++k) {
        const int64_t k2 = k % s.kernel[2], k1 = k / s.kernel[2] % s.kernel[1], k0 = k / s.kernel[2] / s.kernel[1];
        const Span span(s.output[2], s.input[2], s.stride[2], shift(2, k2));
        for (int64_t o = 0; o < s.output[0] * s.output[1]; ++o, ++line) {
          const int64_t i0 = o / s.output[1] * s.stride[0] + shift(0, k0), i1 = o % s.output[1] * s.stride[1] + shift(1, k1);
          const bool inside = i0 >= 0 && i0 < s.input[0] && i1 >= 0 && i1 < s.input[1];
          f(line * s.output[2], inside ? image + (i0 * s.input[1] + i1) * s.input[2] : nullptr, span, shift(2, k2));
        }
      }
    }
  }

  template <class T>
  void gather(T* matrix, const T* image) const {
    for_lines(image, [&](int64_t at, const T* row, Span span, int64_t shift) {
      T* out = matrix + at;
      if (!row) span.begin = span.end = 0;
      std::fill(out, out + span.begin, T(0));
      if (s.stride[2] == 1) {
        if (span.begin < span.end) std::copy(row + span.begin + shift, row + span.end + shift, out + span.begin);
      } else {
        for (int64_t o = span.begin; o < span.end; ++o) out[o] = row[o * s.stride[2] + shift];
      }
      std::fill(out + span.end, out + s.output[2], T(0));
    });
  }

  template <class T>
  void scatter_add(T* image, const T* matrix) const {
    for_lines(image, [&](int64_t at, T* row, Span span, int64_t shift) {
      if (!row) return;
      for (int64_t o = span.begin; o < span.end; ++o) row[o * s.stride[2] + shift] += matrix[at + o];
    });
  }
};

// Calls f(x or gx, w or gw, y or gy, first in the group of the image) for each group of each image.
template <class T, class F>
void for_groups(const ConvShape& s, T* x, T* w, T* y, const F& f) {
  const int64_t x_step = s.in_channels / s.groups * s.input_size(), y_step = s.out_channels / s.groups * s.output_size();
  const int64_t w_step = s.out_channels / s.groups * (s.in_channels / s.groups) * s.kernel_size();
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t g = 0; g < s.groups; ++g, x += x_step, y += y_step) f(x, w + g * w_step, y, n, g);
  }
}

// Of a product of row-major matrices without gaps.
template <class T>
GemmArgs<T> product(int64_t m, int64_t n, int64_t k, const T* a, bool trans_a, const T* b, bool trans_b, T* c, T beta) {
  GemmArgs<T> args;
  args.m = m;
  args.n = n;
  args.k = k;
  args.a = a;
  args.trans_a = trans_a;
  args.lda = trans_a ? m : k;
  args.b = b;
  args.trans_b = trans_b;
  args.ldb = trans_b ? k : n;
  args.c = c;
  args.ldc = n;
  args.beta = beta;
  return args;
}

}  // namespace

template <class T>
void conv_forward(const ConvArgs& args) {
  const ConvShape& s = args.shape;
  const Columns columns(s);
  const bool direct = columns.is_image();
  const Scratch<T> matrix(direct ? 0 : columns.rows * columns.size);
  const T* bias = args.buffers[3].as<const T>();
  const int64_t m = s.out_channels / s.groups;
  for_groups(s, args.buffers[1].as<T>(), args.buffers[2].as<T>(), args.buffers[0].as<T>(), [&](T* x, T* w, T* y, int64_t, int64_t g) {
    if (!direct) columns.gather(matrix.data(), x);
    for (int64_t c = 0; bias && c < m; ++c) std::fill_n(y + c * columns.size, columns.size, bias[g * m + c]);
    gemm(product<T>(m, columns.size, columns.rows, w, false, direct ? x : matrix.data(), false, y, bias ? 1 : 0));
  });
}

template <class T>
void conv_backward_input(const ConvArgs& args) {
  const ConvShape& s = args.shape;
  const Columns columns(s);
  const bool direct = columns.is_image();
  const Scratch<T> matrix(direct ? 0 : columns.rows * columns.size);
  const int64_t m = s.out_channels / s.groups;
  for_groups(s, args.buffers[0].as<T>(), args.buffers[2].as<T>(), args.buffers[1].as<T>(), [&](T* gx, T* w, T* gy, int64_t, int64_t) {
    gemm(product<T>(columns.rows, columns.size, m, w, true, gy, false, direct ? gx : matrix.data(), 0));
    if (direct) return;
    std::fill_n(gx, columns.channels * s.input_size(), T(0));
    columns.scatter_add(gx, matrix.data());
  });
}

template <class T>
void conv_backward_weight(const ConvArgs& args) {
  const ConvShape& s = args.shape;
  const Columns columns(s);
  const bool direct = columns.is_image();
  const Scratch<T> matrix(direct ? 0 : columns.rows * columns.size);
  const int64_t m = s.out_channels / s.groups;
  for_groups(s, args.buffers[1].as<T>(), args.buffers[0].as<T>(), args.buffers[2].as<T>(), [&](T* x, T* gw, T* gy, int64_t n, int64_t) {
    if (!direct) columns.gather(matrix.data(), x);
    gemm(product<T>(m, columns.rows, columns.size, gy, false, direct ? x : matrix.data(), true, gw, n ? 1 : 0));
  });
}

#define WICK_INSTANTIATE(T)                         \
  template void conv_forward<T>(const ConvArgs&);   \
  template void conv_backward_input<T>(const ConvArgs&); \
  template void conv_backward_weight<T>(const ConvArgs&);
WICK_INSTANTIATE(float)
WICK_INSTANTIATE(double)
#undef WICK_INSTANTIATE

}  // namespace wick::cpu
