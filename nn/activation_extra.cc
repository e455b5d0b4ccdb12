#include "wick/nn/activation_extra.h"

#include "wick/nn/init.h"

namespace wick::nn {
namespace {

void add_inplace(Fields& fields, bool inplace) {
  if (inplace) fields.add("inplace", true);
}

}  // namespace

WICK_LAYER_DEFINITION(Hardtanh);
WICK_LAYER_DEFINITION(ReLU6);
WICK_LAYER_DEFINITION(SELU);
WICK_LAYER_DEFINITION(CELU);
WICK_LAYER_DEFINITION(Threshold);
WICK_LAYER_DEFINITION(Hardshrink);
WICK_LAYER_DEFINITION(Softshrink);
WICK_LAYER_DEFINITION(GLU);
WICK_LAYER_DEFINITION(Mish);
WICK_LAYER_DEFINITION(Softsign);
WICK_LAYER_DEFINITION(Tanhshrink);
WICK_LAYER_DEFINITION(Softmin);
WICK_LAYER_DEFINITION(Softmax2d);
WICK_LAYER_DEFINITION(PReLU);

void HardtanhImpl::describe(Fields& fields) const {
  add_inplace(fields.layer("Hardtanh").add("min_val", options.min_val()).add("max_val", options.max_val()), options.inplace());
}
void ReLU6Impl::describe(Fields& fields) const { add_inplace(fields.layer("ReLU6"), options.inplace()); }
void SELUImpl::describe(Fields& fields) const { add_inplace(fields.layer("SELU"), options.inplace()); }
void CELUImpl::describe(Fields& fields) const { add_inplace(fields.layer("CELU").add("alpha", options.alpha()), options.inplace()); }
void ThresholdImpl::describe(Fields& fields) const {
  add_inplace(fields.layer("Threshold").add("threshold", options.threshold()).add("value", options.value()), options.inplace());
}
void HardshrinkImpl::describe(Fields& fields) const { fields.layer("Hardshrink").add("", options.lambda()); }
void SoftshrinkImpl::describe(Fields& fields) const { fields.layer("Softshrink").add("", options.lambda()); }
void GLUImpl::describe(Fields& fields) const { fields.layer("GLU").add("dim", options.dim()); }
void MishImpl::describe(Fields& fields) const { fields.layer("Mish"); }
void SoftsignImpl::describe(Fields& fields) const { fields.layer("Softsign"); }
void TanhshrinkImpl::describe(Fields& fields) const { fields.layer("Tanhshrink"); }
void SoftminImpl::describe(Fields& fields) const { fields.layer("Softmin").add("dim", options.dim()); }
void Softmax2dImpl::describe(Fields& fields) const { fields.layer("Softmax2d"); }

Tensor Softmax2dImpl::forward(const Tensor& input) {
  WICK_CHECK(input.dim() == 4 || input.dim() == 3, "Softmax2d requires a 3D or 4D tensor as input");
  return functional::softmax(input, -3);
}

PReLUImpl::PReLUImpl(const PReLUOptions& options_) : options(options_) { PReLUImpl::reset(); }
void PReLUImpl::reset() {
  weight = register_parameter("weight", empty({options.num_parameters()}));
  init::constant_(weight, options.init());
}
void PReLUImpl::describe(Fields& fields) const { fields.layer("PReLU").add("num_parameters", options.num_parameters()); }

}  // namespace wick::nn
