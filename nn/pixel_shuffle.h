// PixelShuffle and PixelUnshuffle: channels become pixels, and back. Shi et al., "Real-time single image and video super-resolution
// using an efficient sub-pixel convolutional neural network" (2016).
#pragma once

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"

namespace wick::nn {

struct PixelShuffleOptions {
  PixelShuffleOptions(int64_t upscale_factor) : upscale_factor_(upscale_factor) {}
  WICK_ARG(int64_t, upscale_factor);
};
struct PixelUnshuffleOptions {
  PixelUnshuffleOptions(int64_t downscale_factor) : downscale_factor_(downscale_factor) {}
  WICK_ARG(int64_t, downscale_factor);
};

namespace functional {

using PixelShuffleFuncOptions = PixelShuffleOptions;
using PixelUnshuffleFuncOptions = PixelUnshuffleOptions;

// [..., C r², H, W] to [..., C, H r, W r].
inline Tensor pixel_shuffle(const Tensor& input, const PixelShuffleFuncOptions& o) {
  return wick::pixel_shuffle(input, o.upscale_factor());
}
inline Tensor pixel_unshuffle(const Tensor& input, const PixelUnshuffleFuncOptions& o) {
  return wick::pixel_unshuffle(input, o.downscale_factor());
}

}  // namespace functional

WICK_FUNCTION_LAYER(PixelShuffle, (const Tensor& input), pixel_shuffle(input, options));
WICK_FUNCTION_LAYER(PixelUnshuffle, (const Tensor& input), pixel_unshuffle(input, options));

}  // namespace wick::nn
