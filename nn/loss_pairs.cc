#include "wick/nn/loss_pairs.h"

namespace wick::nn {
namespace {

// A handle of the module's own: reset() of a clone must not get the tensor of the original, which has the same options.
Tensor own(const Tensor& weight) { return weight.defined() ? weight.detach() : weight; }

}  // namespace

namespace functional {

Tensor kl_div(const Tensor& input, const Tensor& target, const KLDivFuncOptions& options) {
  const auto& reduction = options.reduction();
  if (!std::holds_alternative<enumtype::kBatchMean>(reduction)) {
    return wick::kl_div(input, target, enumtype::reduction_get_enum(reduction), options.log_target());
  }
  const Tensor sum = wick::kl_div(input, target, Reduction::Sum, options.log_target());
  return input.dim() ? sum / input.size(0) : sum;
}

}  // namespace functional

WICK_LAYER_DEFINITION(SmoothL1Loss);
WICK_LAYER_DEFINITION(HuberLoss);
WICK_LAYER_DEFINITION(KLDivLoss);
WICK_LAYER_DEFINITION(PoissonNLLLoss);
WICK_LAYER_DEFINITION(HingeEmbeddingLoss);
WICK_LAYER_DEFINITION(MarginRankingLoss);
WICK_LAYER_DEFINITION(SoftMarginLoss);
WICK_LAYER_DEFINITION(CosineEmbeddingLoss);
WICK_LAYER_DEFINITION(TripletMarginLoss);
WICK_LAYER_DEFINITION(BCELoss);
WICK_LAYER_DEFINITION(BCEWithLogitsLoss);

void SmoothL1LossImpl::describe(Fields& fields) const { fields.layer("SmoothL1Loss"); }
void HuberLossImpl::describe(Fields& fields) const { fields.layer("HuberLoss"); }
void KLDivLossImpl::describe(Fields& fields) const { fields.layer("KLDivLoss"); }
void PoissonNLLLossImpl::describe(Fields& fields) const { fields.layer("PoissonNLLLoss"); }
void HingeEmbeddingLossImpl::describe(Fields& fields) const {
  fields.layer("HingeEmbeddingLoss");
  if (!fields.is_python()) fields.add("margin", options.margin());
}
void MarginRankingLossImpl::describe(Fields& fields) const {
  fields.layer("MarginRankingLoss");
  if (!fields.is_python()) fields.add("margin", options.margin());
}
void SoftMarginLossImpl::describe(Fields& fields) const { fields.layer("SoftMarginLoss"); }
void CosineEmbeddingLossImpl::describe(Fields& fields) const {
  fields.layer("CosineEmbeddingLoss");
  if (!fields.is_python()) fields.add("margin", options.margin());
}
void TripletMarginLossImpl::describe(Fields& fields) const {
  fields.layer("TripletMarginLoss");
  if (fields.is_python()) return;
  fields.add("margin", options.margin()).add("p", options.p()).add("eps", options.eps()).add("swap", options.swap());
}
void BCELossImpl::describe(Fields& fields) const { fields.layer("BCELoss"); }
void BCEWithLogitsLossImpl::describe(Fields& fields) const { fields.layer("BCEWithLogitsLoss"); }

BCELossImpl::BCELossImpl(BCELossOptions options_) : options(std::move(options_)) { BCELossImpl::reset(); }
void BCELossImpl::reset() { weight = register_buffer("weight", own(options.weight())); }
Tensor BCELossImpl::forward(const Tensor& input, const Tensor& target) {
  return functional::binary_cross_entropy(input, target, BCELossOptions(options).weight(weight));
}

BCEWithLogitsLossImpl::BCEWithLogitsLossImpl(BCEWithLogitsLossOptions options_) : options(std::move(options_)) {
  BCEWithLogitsLossImpl::reset();
}
void BCEWithLogitsLossImpl::reset() {
  weight = register_buffer("weight", own(options.weight()));
  pos_weight = register_buffer("pos_weight", own(options.pos_weight()));
}
Tensor BCEWithLogitsLossImpl::forward(const Tensor& input, const Tensor& target) {
  return functional::binary_cross_entropy_with_logits(input, target,
                                                      BCEWithLogitsLossOptions(options).weight(weight).pos_weight(pos_weight));
}

}  // namespace wick::nn
