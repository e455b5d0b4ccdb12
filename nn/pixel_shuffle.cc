#include "wick/nn/pixel_shuffle.h"

namespace wick::nn {

WICK_LAYER_DEFINITION(PixelShuffle);
WICK_LAYER_DEFINITION(PixelUnshuffle);

void PixelShuffleImpl::describe(Fields& fields) const { fields.layer("PixelShuffle").add("upscale_factor", options.upscale_factor()); }
void PixelUnshuffleImpl::describe(Fields& fields) const {
  fields.layer("PixelUnshuffle").add("downscale_factor", options.downscale_factor());
}

}  // namespace wick::nn
