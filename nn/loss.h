// Losses: options, functions and modules. The formulas are those of PyTorch's pages of the same names. `reduction` is kMean (the
// default), kSum, or kNone for the losses of the elements.
#pragma once

#include <functional>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/enum.h"

namespace wick::nn {

// The option `reduction`, which may also stand for the whole of the options: MSELoss(kSum). It comes first, since what follows a
// WICK_ARG is private.
#define WICK_REDUCTION_OF(Options, ...)                      \
  using reduction_t = OneOf<__VA_ARGS__>;                    \
  Options() = default;                                       \
  template <class Kind>                                      \
    requires std::is_constructible_v<reduction_t, Kind>      \
  Options(Kind reduction) : reduction_(reduction) {}         \
  WICK_ARG(reduction_t, reduction) = kMean
#define WICK_REDUCTION(Options) WICK_REDUCTION_OF(Options, enumtype::kNone, enumtype::kMean, enumtype::kSum)

struct ReductionOptions {
  WICK_REDUCTION(ReductionOptions);
};
using L1LossOptions = ReductionOptions;
using MSELossOptions = ReductionOptions;
using SoftMarginLossOptions = ReductionOptions;
using MultiLabelMarginLossOptions = ReductionOptions;
struct WeightedReductionOptions {
  WICK_REDUCTION(WeightedReductionOptions);
  WICK_ARG(Tensor, weight);  // of each element, broadcast to the input, or of each class; undefined: all 1
};
using BCELossOptions = WeightedReductionOptions;
using MultiLabelSoftMarginLossOptions = WeightedReductionOptions;
struct NLLLossOptions {
  WICK_REDUCTION(NLLLossOptions);          // over the samples, by their weights
  WICK_ARG(Tensor, weight);                // of each class, [C]; undefined: all 1
  WICK_ARG(int64_t, ignore_index) = -100;  // samples with this target do not count
};
struct CrossEntropyLossOptions {
  WICK_REDUCTION(CrossEntropyLossOptions);
  WICK_ARG(Tensor, weight);
  WICK_ARG(int64_t, ignore_index) = -100;
  WICK_ARG(double, label_smoothing) = 0.0;  // in [0, 1]: the share of the target that is spread over all classes
};
struct BCEWithLogitsLossOptions {
  WICK_REDUCTION(BCEWithLogitsLossOptions);
  WICK_ARG(Tensor, weight);
  WICK_ARG(Tensor, pos_weight);  // of the targets that are 1
};
struct SmoothL1LossOptions {
  WICK_REDUCTION(SmoothL1LossOptions);
  WICK_ARG(double, beta) = 1.0;  // where the parabola ends
};
struct HuberLossOptions {
  WICK_REDUCTION(HuberLossOptions);
  WICK_ARG(double, delta) = 1.0;
};
struct KLDivLossOptions {
  WICK_REDUCTION_OF(KLDivLossOptions, enumtype::kNone, enumtype::kBatchMean, enumtype::kSum, enumtype::kMean);
  WICK_ARG(bool, log_target) = false;  // the target is the logarithm of probabilities, too
};
struct PoissonNLLLossOptions {
  WICK_REDUCTION(PoissonNLLLossOptions);
  WICK_ARG(bool, log_input) = true;
  WICK_ARG(bool, full) = false;  // with Stirling's approximation of log(target!)
  WICK_ARG(double, eps) = 1e-8;
};
struct HingeEmbeddingLossOptions {
  WICK_REDUCTION(HingeEmbeddingLossOptions);
  WICK_ARG(double, margin) = 1.0;
};
struct MarginRankingLossOptions {
  WICK_REDUCTION(MarginRankingLossOptions);
  WICK_ARG(double, margin) = 0;
};
using CosineEmbeddingLossOptions = MarginRankingLossOptions;
struct MultiMarginLossOptions {
  WICK_REDUCTION(MultiMarginLossOptions);
  WICK_ARG(int64_t, p) = 1;  // or 2
  WICK_ARG(double, margin) = 1.0;
  WICK_ARG(Tensor, weight);  // of each class, [C]
};
struct TripletMarginLossOptions {
  WICK_REDUCTION(TripletMarginLossOptions);
  WICK_ARG(double, margin) = 1.0;
  WICK_ARG(double, p) = 2.0;
  WICK_ARG(double, eps) = 1e-6;
  WICK_ARG(bool, swap) = false;  // measures from the nearer of anchor and positive
};
struct TripletMarginWithDistanceLossOptions {
  using distance_function_t = std::function<Tensor(const Tensor&, const Tensor&)>;
  WICK_REDUCTION(TripletMarginWithDistanceLossOptions);
  WICK_ARG(std::optional<distance_function_t>, distance_function) = std::nullopt;  // pairwise_distance, unless set
  WICK_ARG(double, margin) = 1.0;
  WICK_ARG(bool, swap) = false;
};
struct CTCLossOptions {
  WICK_REDUCTION(CTCLossOptions);          // the mean is over the batch, of losses divided by the targets' lengths
  WICK_ARG(int64_t, blank) = 0;            // the class that stands for no symbol
  WICK_ARG(bool, zero_infinity) = false;   // a target longer than its input allows counts as 0, not as infinity
};

namespace detail {
template <class Options>
int64_t reduction_of(const Options& options) { return enumtype::reduction_get_enum(options.reduction()); }
}  // namespace detail

namespace functional {

#define WICK_SAME(Function, Loss) using Function##FuncOptions = Loss##Options;
WICK_SAME(L1Loss, L1Loss) WICK_SAME(MSELoss, MSELoss) WICK_SAME(SmoothL1Loss, SmoothL1Loss) WICK_SAME(HuberLoss, HuberLoss)
WICK_SAME(NLLLoss, NLLLoss) WICK_SAME(CrossEntropy, CrossEntropyLoss) WICK_SAME(KLDiv, KLDivLoss) WICK_SAME(CTCLoss, CTCLoss)
WICK_SAME(BinaryCrossEntropy, BCELoss) WICK_SAME(BinaryCrossEntropyWithLogits, BCEWithLogitsLoss)
WICK_SAME(PoissonNLLLoss, PoissonNLLLoss) WICK_SAME(HingeEmbeddingLoss, HingeEmbeddingLoss) WICK_SAME(SoftMarginLoss, SoftMarginLoss)
WICK_SAME(MarginRankingLoss, MarginRankingLoss) WICK_SAME(CosineEmbeddingLoss, CosineEmbeddingLoss)
WICK_SAME(TripletMarginLoss, TripletMarginLoss) WICK_SAME(TripletMarginWithDistanceLoss, TripletMarginWithDistanceLoss)
WICK_SAME(MultiMarginLoss, MultiMarginLoss) WICK_SAME(MultilabelMarginLoss, MultiLabelMarginLoss)
WICK_SAME(MultilabelSoftMarginLoss, MultiLabelSoftMarginLoss)
#undef WICK_SAME

// |input - target|. Here and in the next three a target of another shape is broadcast, with a warning.
Tensor l1_loss(const Tensor& input, const Tensor& target, const L1LossFuncOptions& options = {});
// (input - target)²
Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions& options = {});
// With d = |input - target|: d² / (2 beta) up to beta, d - beta / 2 above.
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options, double beta);
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options = {});
// d² / 2 up to delta, delta (d - delta / 2) above.
Tensor huber_loss(const Tensor& input, const Tensor& target, const HuberLossFuncOptions& options = {});
// -weight[target] input[target]. input: log-probabilities [N, C, ...]; target: classes [N, ...], int64.
Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossFuncOptions& options = {});
// The same for input before log_softmax. target: classes [N, ...], int64, or the probabilities of all classes, as input.
inline Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyFuncOptions& o = {}) {
  return cross_entropy_loss(input, target, o.weight(), detail::reduction_of(o), o.ignore_index(), o.label_smoothing());
}
// -(t log x + (1 - t) log(1 - x)) for x in [0, 1]; a logarithm counts as -100 at least.
inline Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const BinaryCrossEntropyFuncOptions& o = {}) {
  WICK_CHECK(input.sizes() == target.sizes(), "Using a target size (", target.sizes(), ") that is different to the input size (",
             input.sizes(), ") is deprecated. Please ensure they have the same size.");
  return wick::binary_cross_entropy(input, target, o.weight(), detail::reduction_of(o));
}
// The same of sigmoid(input).
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const BinaryCrossEntropyWithLogitsFuncOptions& options = {});
// target (log target - input): input is the logarithm of probabilities. kBatchMean divides the sum by the size of dimension 0.
Tensor kl_div(const Tensor& input, const Tensor& target, const KLDivFuncOptions& options = {});
// exp(input) - target input, or input - target log(input + eps) without log_input.
inline Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, const PoissonNLLLossFuncOptions& o = {}) {
  return wick::poisson_nll_loss(input, target, o.log_input(), o.full(), o.eps(), detail::reduction_of(o));
}
// input where the target is 1, max(0, margin - input) where it is -1.
inline Tensor hinge_embedding_loss(const Tensor& input, const Tensor& target, const HingeEmbeddingLossFuncOptions& o = {}) {
  return wick::hinge_embedding_loss(input, target, o.margin(), detail::reduction_of(o));
}
// max(0, -target (input1 - input2) + margin)
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                           const MarginRankingLossFuncOptions& options = {});
// log(1 + exp(-target input))
inline Tensor soft_margin_loss(const Tensor& input, const Tensor& target, const SoftMarginLossFuncOptions& o = {}) {
  return wick::soft_margin_loss(input, target, detail::reduction_of(o));
}
// 1 - cos where the target is 1, max(0, cos - margin) where it is -1; inputs [N, D] with target [N], or [D] with a number.
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                             const CosineEmbeddingLossFuncOptions& options = {});
// max(0, margin + |anchor - positive| - |anchor - negative|)
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                           const TripletMarginLossFuncOptions& options = {});
Tensor triplet_margin_with_distance_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                                         const TripletMarginWithDistanceLossFuncOptions& options = {});
// sum over i != y of max(0, margin - x[y] + x[i])^p / C. input: [N, C] or [C]; target: classes, [N] or a number.
Tensor multi_margin_loss(const Tensor& input, const Tensor& target, const MultiMarginLossFuncOptions& options = {});
// sum over the classes y of the sample and those i that are not of max(0, 1 - x[y] + x[i]) / C. target: [N, C] or [C], the classes first,
// then -1.
Tensor multilabel_margin_loss(const Tensor& input, const Tensor& target, const MultilabelMarginLossFuncOptions& options = {});
// binary_cross_entropy_with_logits, the mean over the classes. input, target: [N, C] or [C].
Tensor multilabel_soft_margin_loss(const Tensor& input, const Tensor& target, const MultilabelSoftMarginLossFuncOptions& options = {});
// -log of the probability of the target, over all its alignments to the input. log_probs: [T, N, C] or [T, C]; targets: [N, S] or all in
// one row; lengths: [N]. Graves et al., "Connectionist temporal classification", 2006.
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths,
                const CTCLossFuncOptions& options = {});

}  // namespace functional

WICK_FUNCTION_LAYER(L1Loss, (const Tensor& input, const Tensor& target), l1_loss(input, target, options));
WICK_FUNCTION_LAYER(MSELoss, (const Tensor& input, const Tensor& target), mse_loss(input, target, options));
WICK_FUNCTION_LAYER(SmoothL1Loss, (const Tensor& input, const Tensor& target), smooth_l1_loss(input, target, options));
WICK_FUNCTION_LAYER(HuberLoss, (const Tensor& input, const Tensor& target), huber_loss(input, target, options));
WICK_FUNCTION_LAYER(KLDivLoss, (const Tensor& input, const Tensor& target), kl_div(input, target, options));
WICK_FUNCTION_LAYER(PoissonNLLLoss, (const Tensor& input, const Tensor& target), poisson_nll_loss(input, target, options));
WICK_FUNCTION_LAYER(HingeEmbeddingLoss, (const Tensor& input, const Tensor& target), hinge_embedding_loss(input, target, options));
WICK_FUNCTION_LAYER(SoftMarginLoss, (const Tensor& input, const Tensor& target), soft_margin_loss(input, target, options));
WICK_FUNCTION_LAYER(MultiLabelMarginLoss, (const Tensor& input, const Tensor& target), multilabel_margin_loss(input, target, options));
WICK_FUNCTION_LAYER(MarginRankingLoss, (const Tensor& input1, const Tensor& input2, const Tensor& target),
                    margin_ranking_loss(input1, input2, target, options));
WICK_FUNCTION_LAYER(CosineEmbeddingLoss, (const Tensor& input1, const Tensor& input2, const Tensor& target),
                    cosine_embedding_loss(input1, input2, target, options));
WICK_FUNCTION_LAYER(TripletMarginLoss, (const Tensor& anchor, const Tensor& positive, const Tensor& negative),
                    triplet_margin_loss(anchor, positive, negative, options));
WICK_FUNCTION_LAYER(TripletMarginWithDistanceLoss, (const Tensor& anchor, const Tensor& positive, const Tensor& negative),
                    triplet_margin_with_distance_loss(anchor, positive, negative, options));
WICK_FUNCTION_LAYER(CTCLoss, (const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths),
                    ctc_loss(log_probs, targets, input_lengths, target_lengths, options));

// Those with a weight keep it as a buffer.
#define WICK_WEIGHTED_LOSS(Name, function)                                                                   \
  class Name##Impl : public Cloneable<Name##Impl> {                                                          \
   public:                                                                                                   \
    explicit Name##Impl(Name##Options options_ = {}) : options(std::move(options_)) { Name##Impl::reset(); } \
    void reset() override;                                                                                   \
    void describe(Fields& fields) const override;                                                            \
    Tensor forward(const Tensor& input, const Tensor& target) {                                              \
      return functional::function(input, target, Name##Options(options).weight(weight));                     \
    }                                                                                                        \
                                                                                                             \
    Name##Options options;                                                                                   \
    Tensor weight;                                                                                           \
  };                                                                                                         \
  WICK_LAYER(Name)
WICK_WEIGHTED_LOSS(NLLLoss, nll_loss);
WICK_WEIGHTED_LOSS(CrossEntropyLoss, cross_entropy);
WICK_WEIGHTED_LOSS(BCELoss, binary_cross_entropy);
WICK_WEIGHTED_LOSS(MultiMarginLoss, multi_margin_loss);
WICK_WEIGHTED_LOSS(MultiLabelSoftMarginLoss, multilabel_soft_margin_loss);

class BCEWithLogitsLossImpl : public Cloneable<BCEWithLogitsLossImpl> {
 public:
  explicit BCEWithLogitsLossImpl(BCEWithLogitsLossOptions options_ = {}) : options(std::move(options_)) { BCEWithLogitsLossImpl::reset(); }
  void reset() override;
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target) {
    return functional::binary_cross_entropy_with_logits(input, target,
                                                        BCEWithLogitsLossOptions(options).weight(weight).pos_weight(pos_weight));
  }

  BCEWithLogitsLossOptions options;
  Tensor weight, pos_weight;  // buffers
};
WICK_LAYER(BCEWithLogitsLoss);

#undef WICK_REDUCTION
#undef WICK_REDUCTION_OF
#undef WICK_WEIGHTED_LOSS

}  // namespace wick::nn
