#include "wick/nn/activation.h"

namespace wick::nn {
namespace {

// PyTorch shows it only where it is set.
void add_inplace(Fields& fields, bool inplace) {
  if (inplace) fields.add("inplace", true);
}

}  // namespace

WICK_LAYER_DEFINITION(ReLU);
WICK_LAYER_DEFINITION(LeakyReLU);
WICK_LAYER_DEFINITION(ELU);
WICK_LAYER_DEFINITION(GELU);
WICK_LAYER_DEFINITION(Softplus);
WICK_LAYER_DEFINITION(Softmax);
WICK_LAYER_DEFINITION(LogSoftmax);
WICK_LAYER_DEFINITION(Sigmoid);
WICK_LAYER_DEFINITION(Tanh);
WICK_LAYER_DEFINITION(SiLU);
WICK_LAYER_DEFINITION(LogSigmoid);

void ReLUImpl::describe(Fields& fields) const { add_inplace(fields.layer("ReLU"), options.inplace()); }
void LeakyReLUImpl::describe(Fields& fields) const {
  add_inplace(fields.layer("LeakyReLU").add("negative_slope", options.negative_slope()), options.inplace());
}
void ELUImpl::describe(Fields& fields) const { add_inplace(fields.layer("ELU").add("alpha", options.alpha()), options.inplace()); }
void GELUImpl::describe(Fields& fields) const {
  fields.layer("GELU");
  if (fields.is_python()) fields.add("approximate", options.approximate());
}
void SoftplusImpl::describe(Fields& fields) const {
  fields.layer("Softplus").add("beta", options.beta()).add("threshold", options.threshold());
}
void SoftmaxImpl::describe(Fields& fields) const { fields.layer("Softmax").add("dim", options.dim()); }
void LogSoftmaxImpl::describe(Fields& fields) const { fields.layer("LogSoftmax").add("dim", options.dim()); }
void SigmoidImpl::describe(Fields& fields) const { fields.layer("Sigmoid"); }
void TanhImpl::describe(Fields& fields) const { fields.layer("Tanh"); }
void SiLUImpl::describe(Fields& fields) const { fields.layer("SiLU"); }
void LogSigmoidImpl::describe(Fields& fields) const { fields.layer("LogSigmoid"); }

}  // namespace wick::nn
