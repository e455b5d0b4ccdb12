// Fourier transforms: one operation, the complex transform of rows, and what is written with it.
#include "wick/framework/plan/fft.h"

#include <cmath>

#include "wick/framework/ops/op.h"

namespace wick::ops {
namespace {

using Norm = std::optional<std::string_view>;

struct Transform {
  static constexpr OpInfo info = make_info<Transform>("fft", "FftC2CBackward0");
  static Tensor forward(Context& ctx, const Tensor& x, bool inverse, double scale) {
    const Tensor rows = x.contiguous();
    Tensor y = empty_base(x.sizes(), x.scalar_type(), x.device());
    const int64_t n = x.size(-1);
    launch(fft_kernel, x.device(), FftArgs{{y, rows}, x.scalar_type(), inverse, scale, x.numel() / n, n});
    ctx.save_numbers(inverse, bits_of(scale));
    return y;
  }
  // The matrix of the transform is symmetric, and its conjugate is that of the inverse.
  static void backward(const Gradients& g) {
    g.set(0, apply<Transform>(g.output(), !g.number(0), double_of(g.number(1))));
  }
};

double scale_of(const Norm& norm, int64_t n, bool inverse) {
  const std::string_view mode = norm.value_or("backward");
  WICK_CHECK(mode == "backward" || mode == "forward" || mode == "ortho", "Invalid normalization mode: \"", mode, "\"");
  const auto count = static_cast<double>(n);
  return mode == "ortho" ? 1 / std::sqrt(count) : (mode == "forward") != inverse ? 1 / count : 1;
}

Tensor with_length(const Tensor& x, int64_t dim, int64_t n) {
  WICK_CHECK(n >= 1, "Invalid number of data points (", n, ") specified");
  const int64_t has = x.size(dim);
  if (has >= n) return x.narrow(dim, 0, n);
  Dims padding(static_cast<size_t>(2 * (x.dim() - dim)), 0);
  padding.back() = n - has;
  return constant_pad_nd(x, padding);
}

Tensor transform(const Tensor& x, std::optional<int64_t> length, int64_t at, const Norm& norm, bool inverse) {
  const int64_t dim = wrap_dim(at, x.dim());
  const ScalarType t = is_integral(x.scalar_type(), true) ? default_dtype() : x.scalar_type();
  WICK_CHECK(to_real_type(t) == kFloat || to_real_type(t) == kDouble, "Unsupported dtype ", t);
  WICK_CHECK(x.dim() > 0, "Dimension specified as ", at, " but tensor has no dimensions");
  const Tensor z = with_length(x, dim, length.value_or(x.size(dim))).to(to_complex_type(t));
  return own(apply<Transform>(z.movedim(dim, -1), inverse, scale_of(norm, z.size(dim), inverse)).movedim(-1, dim));
}

Tensor half_of(const char* name, const Tensor& x, std::optional<int64_t> length, int64_t dim, const Norm& norm, bool inverse) {
  WICK_CHECK(!x.is_complex(), name, " expects a real input tensor, but got ", x.scalar_type());
  const Tensor y = transform(x, length, dim, norm, inverse);
  return own(y.narrow(dim, 0, y.size(dim) / 2 + 1)).contiguous();
}

// The real numbers whose transform begins with x and goes on with the conjugates in reverse.
Tensor from_half(const Tensor& x, std::optional<int64_t> length, int64_t at, const Norm& norm, bool inverse) {
  const int64_t dim = wrap_dim(at, x.dim()), n = length.value_or(2 * (x.size(dim) - 1));
  WICK_CHECK(n >= 1, "Invalid number of data points (", n, ") specified");
  const Tensor half = with_length(x, dim, n / 2 + 1);
  const Tensor rest = half.narrow(dim, 1, n - n / 2 - 1).flip(dim).conj();
  return real(transform(cat({half, rest}, dim), std::nullopt, dim, norm, inverse)).contiguous();
}

struct Along {
  Dims dims, lengths;
  Along(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, bool half = false) {
    WICK_CHECK(!s || !dim || s->size() == dim->size(), "When given, dim and shape arguments must have the same length");
    const int64_t count = dim ? static_cast<int64_t>(dim->size()) : s ? static_cast<int64_t>(s->size()) : x.dim();
    WICK_CHECK(count <= x.dim(), "Got shape with ", count, " values but input tensor only has ", x.dim(), " dimensions.");
    for (int64_t i = 0; i < count; ++i) dims.push_back(dim ? (*dim)[static_cast<size_t>(i)] : x.dim() - count + i);
    dims = wrap_dims(dims, x.dim());
    for (int64_t i = 0; i < count; ++i) {
      const int64_t n = s ? (*s)[static_cast<size_t>(i)] : -1, has = x.size(dims[i]);
      lengths.push_back(n != -1 ? n : half && i + 1 == count ? 2 * (has - 1) : has);
    }
  }
};

// Over all dimensions but the last `leave`.
Tensor over_dims(Tensor x, const Along& along, size_t leave, const Norm& norm, bool inverse) {
  for (size_t i = along.dims.size() - leave; i-- > 0;) x = transform(x, along.lengths[i], along.dims[i], norm, inverse);
  return x;
}

Tensor shifted(const Tensor& x, OptionalIntArrayRef dim, bool back) {
  const Dims dims = Along(x, std::nullopt, dim).dims;
  Dims by;
  for (int64_t d : dims) by.push_back((x.size(d) + back) / 2);
  return x.roll(by, dims);
}

Tensor frequencies(int64_t n, bool half, double d, const TensorOptions& options) {
  const Tensor k = arange(half ? n / 2 + 1 : n, options);
  return (half ? k : where(k.lt((n + 1) / 2), k, k - n)) * (1 / (static_cast<double>(n) * d));
}

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

#define WICK_ONE(name) Tensor fft_##name(const Tensor& x, std::optional<int64_t> n, int64_t dim, Norm norm)
WICK_ONE(fft) { return transform(x, n, dim, norm, false); }
WICK_ONE(ifft) { return transform(x, n, dim, norm, true); }
WICK_ONE(rfft) { return half_of("rfft", x, n, dim, norm, false); }
WICK_ONE(irfft) { return from_half(x, n, dim, norm, true); }
WICK_ONE(hfft) { return from_half(x, n, dim, norm, false); }
WICK_ONE(ihfft) { return half_of("ihfft", x, n, dim, norm, true); }

#define WICK_MANY(name, ...)                                                                                                    \
  Tensor fft_##name##n(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, Norm norm) { __VA_ARGS__; }             \
  Tensor fft_##name##2(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, Norm norm) { return fft_##name##n(x, s, dim, norm); }
WICK_MANY(fft, return over_dims(x, Along(x, s, dim), 0, norm, false))
WICK_MANY(ifft, return over_dims(x, Along(x, s, dim), 0, norm, true))
WICK_MANY(rfft, const Along along(x, s, dim);
          return over_dims(fft_rfft(x, along.lengths.back(), along.dims.back(), norm), along, 1, norm, false))
WICK_MANY(irfft, const Along along(x, s, dim, true);
          return fft_irfft(over_dims(x, along, 1, norm, true), along.lengths.back(), along.dims.back(), norm))

Tensor fft_fftfreq(int64_t n, double d, TensorOptions options) { return frequencies(n, false, d, options.dtype(options.dtype())); }
Tensor fft_fftfreq(int64_t n, TensorOptions options) { return fft_fftfreq(n, 1.0, options); }
Tensor fft_rfftfreq(int64_t n, double d, TensorOptions options) { return frequencies(n, true, d, options.dtype(options.dtype())); }
Tensor fft_rfftfreq(int64_t n, TensorOptions options) { return fft_rfftfreq(n, 1.0, options); }
Tensor fft_fftshift(const Tensor& x, OptionalIntArrayRef dim) { return shifted(x, dim, false); }
Tensor fft_ifftshift(const Tensor& x, OptionalIntArrayRef dim) { return shifted(x, dim, true); }

}  // namespace wick
