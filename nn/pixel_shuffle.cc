#include "wick/nn/pixel_shuffle.h"

namespace wick::nn {

WICK_DEFINE_LAYER(PixelShuffle, WICK_FIELD(upscale_factor));
WICK_DEFINE_LAYER(PixelUnshuffle, WICK_FIELD(downscale_factor));

}  // namespace wick::nn
