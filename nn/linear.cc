#include "wick/nn/linear.h"

#include <cmath>

#include "wick/nn/init.h"

namespace wick::nn {

WICK_DEFINE_LAYER(Linear, WICK_FIELD(in_features) WICK_FIELD(out_features) WICK_FIELD(bias));
WICK_DEFINE_LAYER(Bilinear, WICK_FIELD(in1_features) WICK_FIELD(in2_features) WICK_FIELD(out_features) WICK_FIELD(bias));
WICK_DEFINE_LAYER(Identity);
WICK_DEFINE_LAYER(Flatten, WICK_FIELD(start_dim) WICK_FIELD(end_dim));
WICK_LAYER_DEFINITION(Unflatten);

void UnflattenImpl::describe(Fields& fields) const {
  const std::string sizes = joined_text(options.sizes(), ", ");
  fields.layer("Unflatten") WICK_FIELD(dim).add_text("unflattened_size", fields.is_python() ? "(" + sizes + ")" : "{" + sizes + "}");
}

void LinearImpl::reset() {
  weight = register_parameter("weight", empty({options.out_features(), options.in_features()}));
  bias = register_parameter("bias", options.bias() ? empty({options.out_features()}) : Tensor(), options.bias());
  reset_parameters();
}

void LinearImpl::reset_parameters() {
  init::kaiming_uniform_(weight, std::sqrt(5.0));
  if (!bias.defined()) return;
  const double bound = options.in_features() > 0 ? 1 / std::sqrt(static_cast<double>(options.in_features())) : 0;
  init::uniform_(bias, -bound, bound);
}

void BilinearImpl::reset() {
  weight = register_parameter("weight", empty({options.out_features(), options.in1_features(), options.in2_features()}));
  bias = register_parameter("bias", options.bias() ? empty({options.out_features()}) : Tensor(), options.bias());
  reset_parameters();
}

void BilinearImpl::reset_parameters() {
  const double bound = 1 / std::sqrt(static_cast<double>(options.in1_features()));
  init::uniform_(weight, -bound, bound);
  if (bias.defined()) init::uniform_(bias, -bound, bound);
}

}  // namespace wick::nn
