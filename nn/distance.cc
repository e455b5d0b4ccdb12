#include "wick/nn/distance.h"

#include <cmath>

#include "wick/nn/init.h"

namespace wick::nn {

WICK_LAYER_DEFINITION(CosineSimilarity);
WICK_LAYER_DEFINITION(PairwiseDistance);
WICK_LAYER_DEFINITION(Bilinear);

void CosineSimilarityImpl::describe(Fields& fields) const {
  fields.layer("CosineSimilarity").add("dim", options.dim()).add("eps", options.eps());
}
void PairwiseDistanceImpl::describe(Fields& fields) const {
  fields.layer("PairwiseDistance").add("p", options.p()).add("eps", options.eps()).add("keepdim", options.keepdim());
}

BilinearImpl::BilinearImpl(const BilinearOptions& options_) : options(options_) { BilinearImpl::reset(); }

void BilinearImpl::reset() {
  weight = register_parameter("weight", empty({options.out_features(), options.in1_features(), options.in2_features()}));
  if (options.bias()) bias = register_parameter("bias", empty({options.out_features()}));
  else bias = register_parameter("bias", {}, /*requires_grad=*/false);
  reset_parameters();
}

void BilinearImpl::reset_parameters() {
  const double bound = 1 / std::sqrt(static_cast<double>(options.in1_features()));
  init::uniform_(weight, -bound, bound);
  if (bias.defined()) init::uniform_(bias, -bound, bound);
}

void BilinearImpl::describe(Fields& fields) const {
  fields.layer("Bilinear")
      .add("in1_features", options.in1_features())
      .add("in2_features", options.in2_features())
      .add("out_features", options.out_features())
      .add("bias", options.bias());
}

}  // namespace wick::nn
