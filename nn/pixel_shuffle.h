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
inline Tensor pixel_shuffle(const Tensor& input, const PixelShuffleFuncOptions& options) {
  return wick::pixel_shuffle(input, options.upscale_factor());
}
inline Tensor pixel_unshuffle(const Tensor& input, const PixelUnshuffleFuncOptions& options) {
  return wick::pixel_unshuffle(input, options.downscale_factor());
}

}  // namespace functional

class PixelShuffleImpl : public Cloneable<PixelShuffleImpl> {
 public:
  explicit PixelShuffleImpl(const PixelShuffleOptions& options_) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::pixel_shuffle(input, options); }

  PixelShuffleOptions options;
};

class PixelUnshuffleImpl : public Cloneable<PixelUnshuffleImpl> {
 public:
  explicit PixelUnshuffleImpl(const PixelUnshuffleOptions& options_) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::pixel_unshuffle(input, options); }

  PixelUnshuffleOptions options;
};

WICK_LAYER(PixelShuffle);
WICK_LAYER(PixelUnshuffle);

}  // namespace wick::nn
