// Fourier transforms: fft_name(...), and wick::fft::name(...) by framework/fft.h. Lengths (n, s) cut the input or fill it up with zeros;
// norm says where the factor 1/n stands: "backward" (the default), "forward" or, its root on both sides, "ortho".
#pragma once

#define WICK_FFT_1D(L, F, name)                                                                                         \
  L(F, name, (const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,                            \
    std::optional<std::string_view> norm = std::nullopt), (self, n, dim, norm))
#define WICK_FFT_ND(L, F, name)                                                                                         \
  L(F, name##2, (const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},                  \
    std::optional<std::string_view> norm = std::nullopt), (self, s, dim, norm))                                         \
  L(F, name##n, (const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,      \
    std::optional<std::string_view> norm = std::nullopt), (self, s, dim, norm))
#define WICK_FFT_NAMED(L, F)                                                                                            \
  WICK_FFT_1D(L, F, fft)    /* complex to complex */                                                                    \
  WICK_FFT_1D(L, F, ifft)                                                                                               \
  WICK_FFT_1D(L, F, rfft)   /* of real numbers: the half that says it all */                                            \
  WICK_FFT_1D(L, F, irfft)  /* from that half */                                                                        \
  WICK_FFT_1D(L, F, hfft)   /* of a signal that is Hermitian in time, of which half is given */                         \
  WICK_FFT_1D(L, F, ihfft)                                                                                              \
  WICK_FFT_ND(L, F, fft) WICK_FFT_ND(L, F, ifft) WICK_FFT_ND(L, F, rfft) WICK_FFT_ND(L, F, irfft)                       \
  L(F, fftfreq, (int64_t n, double d, TensorOptions options = {}), (n, d, options))                                     \
  L(F, fftfreq, (int64_t n, TensorOptions options = {}), (n, options))                                                  \
  L(F, rfftfreq, (int64_t n, double d, TensorOptions options = {}), (n, d, options))                                    \
  L(F, rfftfreq, (int64_t n, TensorOptions options = {}), (n, options))                                                 \
  L(F, fftshift, (const Tensor& self, OptionalIntArrayRef dim = std::nullopt), (self, dim))                             \
  L(F, ifftshift, (const Tensor& self, OptionalIntArrayRef dim = std::nullopt), (self, dim))
#define WICK_FFT_LINE(F, name, params, args) F(Tensor, fft_##name, params)
#define WICK_FFT_FUNCTIONS(F) WICK_FFT_NAMED(WICK_FFT_LINE, F)
