#include "wick/nn/loss.h"

#include "wick/framework/core/warning.h"

namespace wick::nn {

// A handle of the module's own: reset() of a clone must not get the tensor of the original, which has the same options.
static Tensor own(const Tensor& weight) { return weight.defined() ? weight.detach() : weight; }

namespace functional {
namespace {

using detail::reduction_of;

template <class Options>
Tensor reduced(const Tensor& losses, const Options& options) {
  const int64_t reduction = reduction_of(options);
  return reduction == Reduction::None ? losses : reduction == Reduction::Mean ? losses.mean() : losses.sum();
}

// The reduction; warns where one of the two tensors broadcasts.
template <class Options>
int64_t reduction_of_pair(const Tensor& input, const Tensor& target, const Options& options) {
  if (input.sizes() != target.sizes()) {
    WICK_WARN("Using a target size (", target.sizes(), ") that is different to the input size (", input.sizes(),
              "). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.");
  }
  return reduction_of(options);
}

// [1, C] for [C].
Tensor as_batch(const Tensor& x) {
  WICK_CHECK(x.dim() == 0 || (x.dim() <= 2 && x.size(-1) > 0), "Expected non-empty vector or matrix with optional 0-dim batch size, but "
             "got: ", x.sizes());
  return x.dim() < 2 ? x.reshape({1, x.numel()}) : x;
}
template <class Options>
Tensor reduced_batch(const Tensor& losses, const Tensor& input, const Options& options) {
  return reduced(input.dim() < 2 ? losses.squeeze(0) : losses, options);
}

}  // namespace

Tensor l1_loss(const Tensor& input, const Tensor& target, const L1LossFuncOptions& options) {
  return wick::l1_loss(input, target, reduction_of_pair(input, target, options));
}
Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions& options) {
  return wick::mse_loss(input, target, reduction_of_pair(input, target, options));
}
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options, double beta) {
  return wick::smooth_l1_loss(input, target, reduction_of_pair(input, target, options), beta);
}
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options) {
  return smooth_l1_loss(input, target, options, options.beta());
}
Tensor huber_loss(const Tensor& input, const Tensor& target, const HuberLossFuncOptions& options) {
  return wick::huber_loss(input, target, reduction_of_pair(input, target, options), options.delta());
}

Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossFuncOptions& options) {
  WICK_CHECK(input.dim() == 0 || target.dim() == 0 || input.dim() < 2 || input.size(0) == target.size(0), "Expected input batch_size (",
             input.size(0), ") to match target batch_size (", target.size(0), ").");
  return wick::nll_loss(input, target, options.weight(), reduction_of(options), options.ignore_index());
}

Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const BinaryCrossEntropyWithLogitsFuncOptions& options) {
  return wick::binary_cross_entropy_with_logits(input, target, options.weight(), options.pos_weight(), reduction_of(options));
}

Tensor kl_div(const Tensor& input, const Tensor& target, const KLDivFuncOptions& options) {
  const bool batch_mean = holds_alternative<enumtype::kBatchMean>(options.reduction());
  if (holds_alternative<enumtype::kMean>(options.reduction())) {
    WICK_WARN("reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by the batch "
              "size, and aligns with the KL div math definition.'mean' will be changed to behave the same as 'batchmean' in the next major "
              "release.");
  }
  const Tensor loss = wick::kl_div(input, target, reduction_of(options), options.log_target());
  return batch_mean && input.dim() ? loss / input.size(0) : loss;
}

Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, const MarginRankingLossFuncOptions& options) {
  WICK_CHECK(input1.dim() == input2.dim() && input1.dim() == target.dim(), "margin_ranking_loss : All input tensors should have same "
             "dimension but got sizes: input1: ", input1.sizes(), ", input2: ", input2.sizes(), ", target: ", target.sizes());
  return wick::margin_ranking_loss(input1, input2, target, options.margin(), reduction_of(options));
}
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                             const CosineEmbeddingLossFuncOptions& options) {
  return wick::cosine_embedding_loss(input1, input2, target, options.margin(), reduction_of(options));
}

Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                           const TripletMarginLossFuncOptions& options) {
  return wick::triplet_margin_loss(anchor, positive, negative, options.margin(), options.p(), options.eps(), options.swap(),
                                   reduction_of(options));
}
Tensor triplet_margin_with_distance_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                                         const TripletMarginWithDistanceLossFuncOptions& options) {
  const auto distance = [&](const Tensor& a, const Tensor& b) {
    return options.distance_function() ? (*options.distance_function())(a, b) : pairwise_distance(a, b);
  };
  const Tensor near = distance(anchor, positive);
  Tensor far = distance(anchor, negative);
  if (options.swap()) far = minimum(far, distance(positive, negative));
  return reduced((near - far + options.margin()).clamp_min(0), options);
}

Tensor multi_margin_loss(const Tensor& input, const Tensor& target, const MultiMarginLossFuncOptions& options) {
  WICK_CHECK(options.p() == 1 || options.p() == 2, "only p == 1 and p == 2 supported");
  const Tensor x = as_batch(input), w = options.weight(), index = target.reshape({-1, 1});
  WICK_CHECK(index.size(0) == x.size(0), "inconsistent target size, expected ", x.size(0), " but got ", target.sizes());
  WICK_CHECK(!w.defined() || w.sizes() == x.sizes().slice(1), "inconsistent weight size, expected ", x.size(1), " but got ", w.sizes());
  Tensor losses = (x - x.gather(1, index) + options.margin()).clamp_min(0);
  if (options.p() == 2) losses = losses * losses;
  if (w.defined()) losses = losses * w.index_select(0, index.flatten()).unsqueeze(1);
  return reduced_batch(losses.scatter(1, index, 0).mean(1), input, options);
}

Tensor multilabel_margin_loss(const Tensor& input, const Tensor& target, const MultilabelMarginLossFuncOptions& options) {
  const Tensor x = as_batch(input);
  WICK_CHECK(input.sizes() == target.sizes(), "inconsistent target size: ", target.sizes(), " for input of size: ", input.sizes());
  const Tensor y = as_batch(target);
  WICK_CHECK(y.is_meta() || y.ge(-1).logical_and(y.lt(x.size(1))).all().item<bool>(), "argument #2 'target' is out of range");
  const Tensor listed = y.lt(0).to(kLong).cumsum(1).eq(0), index = y.clamp_min(0);
  const Tensor other = zeros_like(y).scatter_add(1, index, listed.to(y.scalar_type())).eq(0);
  const Tensor pairs = (1 - x.gather(1, index).unsqueeze(2) + x.unsqueeze(1)).clamp_min(0);
  const Tensor losses = where(listed.unsqueeze(2).logical_and(other.unsqueeze(1)), pairs, zeros({}, pairs.options()));
  return reduced_batch(losses.sum({1, 2}) / x.size(1), input, options);
}

Tensor multilabel_soft_margin_loss(const Tensor& input, const Tensor& target, const MultilabelSoftMarginLossFuncOptions& options) {
  Tensor losses = -(target * log_sigmoid(input) + (1 - target) * log_sigmoid(-input));
  if (options.weight().defined()) losses = losses * options.weight();
  return reduced(losses.mean(-1), options);
}

}  // namespace functional

WICK_DEFINE_LAYER(L1Loss); WICK_DEFINE_LAYER(MSELoss); WICK_DEFINE_LAYER(SmoothL1Loss); WICK_DEFINE_LAYER(HuberLoss);
WICK_DEFINE_LAYER(KLDivLoss); WICK_DEFINE_LAYER(PoissonNLLLoss); WICK_DEFINE_LAYER(SoftMarginLoss); WICK_DEFINE_LAYER(CTCLoss);
WICK_DEFINE_LAYER(MultiLabelMarginLoss); WICK_DEFINE_LAYER(MarginRankingLoss); WICK_DEFINE_LAYER(BCEWithLogitsLoss);
WICK_DEFINE_LAYER(NLLLoss); WICK_DEFINE_LAYER(CrossEntropyLoss); WICK_DEFINE_LAYER(BCELoss); WICK_DEFINE_LAYER(MultiLabelSoftMarginLoss);
WICK_DEFINE_LAYER(HingeEmbeddingLoss, WICK_CPP_FIELD(margin));
WICK_DEFINE_LAYER(CosineEmbeddingLoss, WICK_CPP_FIELD(margin));
WICK_DEFINE_LAYER(TripletMarginLoss, WICK_CPP_FIELD(margin) WICK_CPP_FIELD(p) WICK_CPP_FIELD(eps) WICK_CPP_FIELD(swap));
WICK_DEFINE_LAYER(TripletMarginWithDistanceLoss, WICK_CPP_FIELD(margin) WICK_CPP_FIELD(swap));
WICK_DEFINE_LAYER(MultiMarginLoss, WICK_CPP_FIELD(p) WICK_CPP_FIELD(margin)
    .in_cpp_only().add_text("weight", options.weight().defined() ? wick::detail::concat(options.weight().sizes()) : "None")
    .in_cpp_only().add_text("reduction", enumtype::get_enum_name(options.reduction())));

void NLLLossImpl::reset() { weight = register_buffer("weight", own(options.weight())); }
void CrossEntropyLossImpl::reset() { weight = register_buffer("weight", own(options.weight())); }
void BCELossImpl::reset() { weight = register_buffer("weight", own(options.weight())); }
void MultiMarginLossImpl::reset() { weight = register_buffer("weight", own(options.weight())); }
void MultiLabelSoftMarginLossImpl::reset() { weight = register_buffer("weight", own(options.weight())); }
void BCEWithLogitsLossImpl::reset() {
  weight = register_buffer("weight", own(options.weight()));
  pos_weight = register_buffer("pos_weight", own(options.pos_weight()));
}

}  // namespace wick::nn
