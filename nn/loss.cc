#include "wick/nn/loss.h"

namespace wick::nn {
namespace {

// A handle of the module's own: reset() of a clone must not get the tensor of the original, which has the same options.
Tensor own(const Tensor& weight) { return weight.defined() ? weight.detach() : weight; }

}  // namespace

WICK_LAYER_DEFINITION(L1Loss);
WICK_LAYER_DEFINITION(MSELoss);
WICK_LAYER_DEFINITION(NLLLoss);
WICK_LAYER_DEFINITION(CrossEntropyLoss);

void L1LossImpl::describe(Fields& fields) const { fields.layer("L1Loss"); }
void MSELossImpl::describe(Fields& fields) const { fields.layer("MSELoss"); }

NLLLossImpl::NLLLossImpl(NLLLossOptions options_) : options(std::move(options_)) { NLLLossImpl::reset(); }
void NLLLossImpl::reset() { weight = register_buffer("weight", own(options.weight())); }
void NLLLossImpl::describe(Fields& fields) const { fields.layer("NLLLoss"); }
Tensor NLLLossImpl::forward(const Tensor& input, const Tensor& target) {
  return functional::nll_loss(input, target, NLLLossOptions(options).weight(weight));
}

CrossEntropyLossImpl::CrossEntropyLossImpl(CrossEntropyLossOptions options_) : options(std::move(options_)) {
  CrossEntropyLossImpl::reset();
}
void CrossEntropyLossImpl::reset() { weight = register_buffer("weight", own(options.weight())); }
void CrossEntropyLossImpl::describe(Fields& fields) const { fields.layer("CrossEntropyLoss"); }
Tensor CrossEntropyLossImpl::forward(const Tensor& input, const Tensor& target) {
  return functional::cross_entropy(input, target, CrossEntropyLossOptions(options).weight(weight));
}

}  // namespace wick::nn
