// LibTorch's Fourier transforms beyond wick's own: over time (stft), of Hermitian signals in several dimensions; and Kaiser's window.
#pragma once

#include <ATen/names.h>

#include <optional>

namespace at {

// The transforms of the windows of self [L] or [B, L], each n_fft long and hop_length (n_fft / 4) behind the one before: [B, frequencies,
// windows], complex, or with a last dimension 2. window [win_length] is centred in n_fft; center pads self by n_fft / 2 at both ends;
// normalized divides by the root of n_fft; onesided, the default for real input, leaves out the frequencies above n_fft / 2.
Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            const std::optional<Tensor>& window, bool normalized, std::optional<bool> onesided = std::nullopt,
            std::optional<bool> return_complex = std::nullopt);
Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length = std::nullopt,
            std::optional<int64_t> win_length = std::nullopt, const std::optional<Tensor>& window = {}, bool center = true,
            std::string_view pad_mode = "reflect", bool normalized = false, std::optional<bool> onesided = std::nullopt,
            std::optional<bool> return_complex = std::nullopt);
// Back: overlapping windows are added and divided by the sum of the squares of `window` there. length: of the result.
Tensor istft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length = std::nullopt,
             std::optional<int64_t> win_length = std::nullopt, const std::optional<Tensor>& window = {}, bool center = true,
             bool normalized = false, std::optional<bool> onesided = std::nullopt, std::optional<int64_t> length = std::nullopt,
             bool return_complex = false);

// hfft over the last of dim, fft over the others; ihfft and ifft.
#define WICK_HERMITIAN(name)                                                                                                       \
  Tensor fft_##name##n(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,           \
                       std::optional<std::string_view> norm = std::nullopt);                                                       \
  inline Tensor fft_##name##2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},                \
                              std::optional<std::string_view> norm = std::nullopt) {                                               \
    return fft_##name##n(self, s, dim, norm);                                                                                      \
  }
WICK_HERMITIAN(hfft)
WICK_HERMITIAN(ihfft)
#undef WICK_HERMITIAN

// I0(beta sqrt(1 - t^2)) / I0(beta), t from -1 to 1.
Tensor kaiser_window(int64_t window_length, bool periodic, double beta, const TensorOptions& options = {});
inline Tensor kaiser_window(int64_t window_length, bool periodic, const TensorOptions& options = {}) {
  return kaiser_window(window_length, periodic, 12.0, options);
}
inline Tensor kaiser_window(int64_t window_length, const TensorOptions& options = {}) {
  return kaiser_window(window_length, true, 12.0, options);
}

}  // namespace at

namespace torch::fft {
#define WICK_HERMITIAN(name)                                                                                                       \
  inline at::Tensor name##2(const at::Tensor& self, at::OptionalIntArrayRef s = std::nullopt, at::IntArrayRef dim = {-2, -1},      \
                            std::optional<std::string_view> norm = std::nullopt) {                                                 \
    return at::fft_##name##2(self, s, dim, norm);                                                                                  \
  }                                                                                                                                \
  inline at::Tensor name##n(const at::Tensor& self, at::OptionalIntArrayRef s = std::nullopt,                                      \
                            at::OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt) {     \
    return at::fft_##name##n(self, s, dim, norm);                                                                                  \
  }
WICK_HERMITIAN(hfft)
WICK_HERMITIAN(ihfft)
#undef WICK_HERMITIAN
}  // namespace torch::fft
