#include "wick/nn/distance.h"

namespace wick::nn {

WICK_DEFINE_LAYER(CosineSimilarity, WICK_FIELD(dim) WICK_FIELD(eps));
WICK_DEFINE_LAYER(PairwiseDistance, WICK_FIELD(p) WICK_FIELD(eps) WICK_FIELD(keepdim));

Tensor functional::normalize(const Tensor& input, const NormalizeFuncOptions& options) {
  Tensor y = input / input.norm(options.p(), options.dim(), /*keepdim=*/true).clamp_min(options.eps());
  if (!options.out()) return y;
  Tensor out = *options.out();
  out.resize_(y.sizes());
  return out.copy_(y);
}

}  // namespace wick::nn
