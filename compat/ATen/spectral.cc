#include <ATen/core/DeprecatedTypeProperties.h>
#include <ATen/special.h>
#include <ATen/spectral.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <string>
#include <vector>

namespace at {
namespace {

// The window as it lies in n_fft samples.
Tensor window_for(const std::optional<Tensor>& window, int64_t win_length, int64_t n_fft, const TensorOptions& options) {
  const Tensor w = window && window->defined() ? *window : wick::ones({win_length}, options);
  const int64_t left = (n_fft - win_length) / 2;
  return win_length == n_fft ? w : wick::constant_pad_nd(w, {left, n_fft - win_length - left});
}

// What both directions were called with, for their errors.
struct Call {
  std::string name, self;
  int64_t n_fft, hop, win;
  std::string window, rest;

  template <class... Parts>
  void check(bool ok, const Parts&... parts) const {
    if (ok) return;
    wick::detail::raise<wick::Error>(name, "(", self, ", n_fft=", n_fft, ", hop_length=", hop, ", win_length=", win, ", window=", window,
                                     rest, ") : ", parts...);
  }
};
std::string described(const std::optional<Tensor>& window) {
  if (!window || !window->defined()) return "None";
  return c10::str("torch.", window->scalar_type(), "Tensor{", window->sizes(), "}");
}
template <class T>
std::string described(const std::optional<T>& option) { return option ? c10::str(*option) : "None"; }

}  // namespace

Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            const std::optional<Tensor>& window, bool center, std::string_view pad_mode, bool normalized, std::optional<bool> onesided,
            std::optional<bool> return_complex) {
  Call call{"stft", c10::str("torch.", self.scalar_type(), "Tensor", self.sizes()), n_fft, hop_length.value_or(n_fft / 4),
            win_length.value_or(n_fft), described(window), ""};
  call.rest = c10::str(", normalized=", normalized, ", onesided=", described(onesided), ", return_complex=", described(return_complex));
  const bool has_window = window && window->defined(), complex_in = self.is_complex() || (has_window && window->is_complex());
  TORCH_CHECK(return_complex.has_value() || complex_in, "stft requires the return_complex parameter be given for real inputs, and will "
              "further require that return_complex=True in a future PyTorch release.");
  call.check(self.is_floating_point() || self.is_complex(), "expected a tensor of floating point or complex values");
  call.check(self.dim() == 1 || self.dim() == 2, "expected a 1D or 2D tensor");
  Tensor x = self.dim() == 1 ? self.unsqueeze(0) : self;
  if (center) x = wick::pad(x.unsqueeze(1), {n_fft / 2, n_fft / 2}, pad_mode).squeeze(1);
  const int64_t length = x.size(1);
  call.self = c10::str("torch.", x.scalar_type(), "Tensor[", self.dim() == 1 ? "" : c10::str(x.size(0), ", "), length, "]");
  call.check(n_fft > 0 && n_fft <= length, "expected 0 < n_fft < ", length, ", but got n_fft=", n_fft);
  call.check(call.hop > 0, "expected hop_length > 0, but got hop_length=", call.hop);
  call.check(call.win > 0 && call.win <= n_fft, "expected 0 < win_length <= n_fft, but got win_length=", call.win);
  call.check(!has_window || (window->dim() == 1 && window->size(0) == call.win), "expected a 1D window tensor of size equal to win_length=",
             call.win, ", but got window with size ", has_window ? window->sizes() : IntArrayRef());
  call.check(!complex_in || !onesided.value_or(false), "Cannot have onesided output if window or input is complex");
  x = x.unfold(1, n_fft, call.hop);
  if (has_window || call.win < n_fft) x = x * window_for(window, call.win, n_fft, self.options().requires_grad(false));
  const std::optional<std::string_view> norm = normalized ? std::optional<std::string_view>("ortho") : std::nullopt;
  Tensor y = complex_in ? wick::fft_fft(x, std::nullopt, -1, norm)
             : onesided.value_or(true) ? wick::fft_rfft(x, std::nullopt, -1, norm)
                                       : wick::fft_fft(x.to(wick::to_complex_type(x.scalar_type())), std::nullopt, -1, norm);
  y = y.transpose(1, 2);
  if (self.dim() == 1) y = y.squeeze(0);
  return return_complex.value_or(true) ? y : wick::view_as_real(y);
}
Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            const std::optional<Tensor>& window, bool normalized, std::optional<bool> onesided, std::optional<bool> return_complex) {
  return stft(self, n_fft, hop_length, win_length, window, /*center=*/false, "constant", normalized, onesided, return_complex);
}

Tensor istft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
             const std::optional<Tensor>& window, bool center, bool normalized, std::optional<bool> onesided, std::optional<int64_t> length,
             bool return_complex) {
  const Call call{"istft",
                  c10::str(self.type().toString(), self.sizes()),
                  n_fft,
                  hop_length.value_or(n_fft / 4),
                  win_length.value_or(n_fft),
                  described(window),
                  c10::str(", center=", center, ", normalized=", normalized, ", onesided=", described(onesided),
                           ", length=", described(length), ", return_complex=", return_complex)};
  WICK_CHECK_TYPE(self.is_complex(),
                  "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.");
  TORCH_CHECK(self.numel() != 0, "istft input tensor cannot be empty.");
  call.check(self.dim() == 2 || self.dim() == 3, "expected a tensor with 2 or 3 dimensions, but got ", self.dim());
  Tensor x = (self.dim() == 2 ? self.unsqueeze(0) : self).transpose(1, 2);  // [B, windows, frequencies]
  const bool half = onesided.value_or(x.size(2) != n_fft), has_window = window && window->defined();
  const int64_t windows = x.size(1), total = n_fft + call.hop * (windows - 1), expected = half ? n_fft / 2 + 1 : n_fft;
  call.check(x.size(2) == expected, "expected the frequency dimension (3rd to the last) of the input tensor to match n_fft ",
             half ? "/ 2 + 1 when onesided=True" : "when onesided=False", ", but got ", x.size(2));
  call.check(call.hop > 0 && call.hop <= call.win, "expected 0 < hop_length <= win_length");
  call.check(call.win > 0 && call.win <= n_fft, "expected 0 < win_length <= n_fft");
  call.check(!has_window || (window->dim() == 1 && window->size(0) == call.win), "Invalid window shape. window has to be 1D and length of "
             "`win_length`");
  call.check(!return_complex || !half, "cannot have onesided output if window or input is complex");
  const std::optional<std::string_view> norm = normalized ? std::optional<std::string_view>("ortho") : std::nullopt;
  if (return_complex) x = wick::fft_ifft(x, std::nullopt, -1, norm);
  else x = wick::fft_irfft(half ? x : x.slice(2, 0, n_fft / 2 + 1), n_fft, -1, norm);
  const Tensor w = window_for(window, call.win, n_fft, TensorOptions(wick::to_real_type(self.scalar_type())).device(self.device()));
  const Tensor place = (wick::arange(windows, w.options().dtype(kLong).requires_grad(false)).unsqueeze(1) * call.hop +
                        wick::arange(n_fft, w.options().dtype(kLong).requires_grad(false))).flatten();
  const Tensor windowed = (x * w).flatten(1), envelope = (w * w).repeat({windows});
  int64_t start = center ? n_fft / 2 : 0, end = length ? start + *length : center ? total - n_fft / 2 : total;
  Tensor y = wick::zeros({x.size(0), total}, windowed.options().requires_grad(false)).index_add(1, place, windowed).slice(1, start, end);
  const Tensor sum = wick::zeros({total}, envelope.options().requires_grad(false)).index_add(0, place, envelope).slice(0, start, end);
  const double least = sum.detach().abs().min().item<double>();
  call.check(least > 1e-11, "window overlap add min: ", least > 1e-11);
  y = y / sum;
  if (end > total) {
    TORCH_WARN(
        "The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. Please check your "
        "center and hop_length settings.");
    y = wick::constant_pad_nd(y, {0, end - total});
  }
  return self.dim() == 2 ? y.squeeze(0) : y;
}

namespace {

// The dimensions of a transform: those given, or the last of as many as there are sizes, or all.
std::vector<int64_t> transformed(const Tensor& self, const OptionalIntArrayRef& s, const OptionalIntArrayRef& dim) {
  if (dim.has_value()) return dim->vec();
  std::vector<int64_t> all(s.has_value() ? s->size() : static_cast<size_t>(self.dim()));
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int64_t>(i) - static_cast<int64_t>(all.size());
  return all;
}

Tensor hermitian(const Tensor& self, const OptionalIntArrayRef& s, const OptionalIntArrayRef& dim, std::optional<std::string_view> norm,
                 bool inverse) {
  std::vector<int64_t> dims = transformed(self, s, dim);
  TORCH_CHECK(!dims.empty(), inverse ? "ihfftn" : "hfftn", " must transform at least one axis");
  TORCH_CHECK(!s.has_value() || s->size() == dims.size(), "When given, dim and shape arguments must have the same length");
  const int64_t last = dims.back();
  const std::optional<int64_t> n = s.has_value() && s->back() >= 0 ? std::optional(s->back()) : std::nullopt;
  dims.pop_back();
  const OptionalIntArrayRef others = s.has_value() ? OptionalIntArrayRef(s->slice(0, dims.size())) : OptionalIntArrayRef();
  Tensor x = self;
  if (inverse) {
    x = wick::fft_ihfft(x, n, last, norm);
    return dims.empty() ? x : wick::fft_ifftn(x, others, IntArrayRef(dims), norm);
  }
  if (!dims.empty()) x = wick::fft_fftn(x, others, IntArrayRef(dims), norm);
  return wick::fft_hfft(x, n, last, norm);
}

}  // namespace

Tensor fft_hfftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, std::optional<std::string_view> norm) {
  return hermitian(self, s, dim, norm, false);
}
Tensor fft_ihfftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, std::optional<std::string_view> norm) {
  return hermitian(self, s, dim, norm, true);
}

Tensor kaiser_window(int64_t window_length, bool periodic, double beta, const TensorOptions& options) {
  TORCH_CHECK(window_length >= 0, "kaiser_window requires non-negative window_length, got window_length=", window_length);
  const ScalarType dtype = options.dtype_opt().value_or(wick::default_dtype());
  TORCH_CHECK(wick::is_floating(dtype), "kaiser_window expects floating point dtypes, got: ", dtype);
  if (window_length <= 1) return wick::ones({window_length}, options);
  const double last = static_cast<double>(periodic ? window_length : window_length - 1);
  const Tensor t = wick::arange(window_length, TensorOptions(kDouble)) * (2 / last) - 1;
  return (special_i0((1 - t * t).clamp_min(0).sqrt() * beta) / special_i0(wick::scalar_tensor(beta, kDouble))).to(options.dtype(dtype));
}

}  // namespace at
