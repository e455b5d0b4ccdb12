#include "wick/nn/linear.h"

#include <cmath>

#include "wick/nn/init.h"

namespace wick::nn {

WICK_LAYER_DEFINITION(Linear);
WICK_LAYER_DEFINITION(Identity);
WICK_LAYER_DEFINITION(Flatten);

LinearImpl::LinearImpl(const LinearOptions& options_) : options(options_) { LinearImpl::reset(); }

void LinearImpl::reset() {
  weight = register_parameter("weight", empty({options.out_features(), options.in_features()}));
  if (options.bias()) bias = register_parameter("bias", empty({options.out_features()}));
  else bias = register_parameter("bias", {}, /*requires_grad=*/false);
  reset_parameters();
}

void LinearImpl::reset_parameters() {
  init::kaiming_uniform_(weight, std::sqrt(5.0));
  if (!bias.defined()) return;
  const double bound = options.in_features() > 0 ? 1 / std::sqrt(static_cast<double>(options.in_features())) : 0;
  init::uniform_(bias, -bound, bound);
}

void LinearImpl::describe(Fields& fields) const {
  fields.layer("Linear")
      .add("in_features", options.in_features())
      .add("out_features", options.out_features())
      .add("bias", options.bias());
}

void IdentityImpl::describe(Fields& fields) const { fields.layer("Identity"); }

void FlattenImpl::describe(Fields& fields) const {
  fields.layer("Flatten").add("start_dim", options.start_dim()).add("end_dim", options.end_dim());
}

}  // namespace wick::nn
