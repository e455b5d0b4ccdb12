// wick::fft: the Fourier transforms under LibTorch's short names, as fft::rfft(x) for fft_rfft(x).
#pragma once

#include "wick/framework/tensor.h"

namespace wick::fft {

#define WICK_FFT_SHORT(F, name, params, args) inline Tensor name params { return ::wick::fft_##name args; }
WICK_FFT_NAMED(WICK_FFT_SHORT, )
#undef WICK_FFT_SHORT

}  // namespace wick::fft
