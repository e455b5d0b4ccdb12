// Losses between two or three tensors: options, functions and modules. The formulas are those of PyTorch's pages of the same names.
// `reduction` is kMean (the default), kSum, or kNone for the losses of the elements.
#pragma once

#include "wick/nn/loss.h"

namespace wick::nn {

struct BCELossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  WICK_ARG(Tensor, weight);  // of each element, broadcast to the input; undefined: all 1
  WICK_ARG(reduction_t, reduction) = kMean;
};
struct BCEWithLogitsLossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  WICK_ARG(Tensor, weight);
  WICK_ARG(Tensor, pos_weight);  // of the targets that are 1
  WICK_ARG(reduction_t, reduction) = kMean;
};
struct SmoothL1LossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  SmoothL1LossOptions() = default;
  template <class Kind>
    requires std::is_constructible_v<reduction_t, Kind>
  SmoothL1LossOptions(Kind reduction) : reduction_(reduction) {}
  WICK_ARG(double, beta) = 1.0;  // where the parabola ends
  WICK_ARG(reduction_t, reduction) = kMean;
};
struct HuberLossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  HuberLossOptions() = default;
  template <class Kind>
    requires std::is_constructible_v<reduction_t, Kind>
  HuberLossOptions(Kind reduction) : reduction_(reduction) {}
  WICK_ARG(double, delta) = 1.0;
  WICK_ARG(reduction_t, reduction) = kMean;
};
struct KLDivLossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kBatchMean, enumtype::kMean, enumtype::kSum>;
  KLDivLossOptions() = default;
  template <class Kind>
    requires std::is_constructible_v<reduction_t, Kind>
  KLDivLossOptions(Kind reduction) : reduction_(reduction) {}
  WICK_ARG(bool, log_target) = false;  // the target is the logarithm of probabilities, too
  WICK_ARG(reduction_t, reduction) = kMean;
};
struct PoissonNLLLossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  WICK_ARG(bool, log_input) = true;
  WICK_ARG(bool, full) = false;  // with Stirling's approximation of log(target!)
  WICK_ARG(double, eps) = 1e-8;
  WICK_ARG(reduction_t, reduction) = kMean;
};
struct HingeEmbeddingLossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  WICK_ARG(double, margin) = 1.0;
  WICK_ARG(reduction_t, reduction) = kMean;
};
struct MarginRankingLossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  WICK_ARG(double, margin) = 0;
  WICK_ARG(reduction_t, reduction) = kMean;
};
struct SoftMarginLossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  SoftMarginLossOptions() = default;
  template <class Kind>
    requires std::is_constructible_v<reduction_t, Kind>
  SoftMarginLossOptions(Kind reduction) : reduction_(reduction) {}
  WICK_ARG(reduction_t, reduction) = kMean;
};
struct CosineEmbeddingLossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  WICK_ARG(double, margin) = 0;
  WICK_ARG(reduction_t, reduction) = kMean;
};
struct TripletMarginLossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  WICK_ARG(double, margin) = 1.0;
  WICK_ARG(double, p) = 2.0;
  WICK_ARG(double, eps) = 1e-6;
  WICK_ARG(bool, swap) = false;  // measures from the nearer of anchor and positive
  WICK_ARG(reduction_t, reduction) = kMean;
};

namespace functional {

using BinaryCrossEntropyFuncOptions = BCELossOptions;
using BinaryCrossEntropyWithLogitsFuncOptions = BCEWithLogitsLossOptions;
using SmoothL1LossFuncOptions = SmoothL1LossOptions;
using HuberLossFuncOptions = HuberLossOptions;
using KLDivFuncOptions = KLDivLossOptions;
using PoissonNLLLossFuncOptions = PoissonNLLLossOptions;
using HingeEmbeddingLossFuncOptions = HingeEmbeddingLossOptions;
using MarginRankingLossFuncOptions = MarginRankingLossOptions;
using SoftMarginLossFuncOptions = SoftMarginLossOptions;
using CosineEmbeddingLossFuncOptions = CosineEmbeddingLossOptions;
using TripletMarginLossFuncOptions = TripletMarginLossOptions;

// -(t log x + (1 - t) log(1 - x)) for x in [0, 1]; a logarithm counts as -100 at least.
inline Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const BinaryCrossEntropyFuncOptions& options = {}) {
  return wick::binary_cross_entropy(input, target, options.weight(), enumtype::reduction_get_enum(options.reduction()));
}
// The same of sigmoid(input).
inline Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                               const BinaryCrossEntropyWithLogitsFuncOptions& options = {}) {
  return wick::binary_cross_entropy_with_logits(input, target, options.weight(), options.pos_weight(),
                                                enumtype::reduction_get_enum(options.reduction()));
}
// With d = |input - target|: d² / (2 beta) up to beta, d - beta / 2 above.
inline Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options = {}) {
  return wick::smooth_l1_loss(input, target, enumtype::reduction_get_enum(options.reduction()), options.beta());
}
inline Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options, double beta) {
  return wick::smooth_l1_loss(input, target, enumtype::reduction_get_enum(options.reduction()), beta);
}
// d² / 2 up to delta, delta (d - delta / 2) above.
inline Tensor huber_loss(const Tensor& input, const Tensor& target, const HuberLossFuncOptions& options = {}) {
  return wick::huber_loss(input, target, enumtype::reduction_get_enum(options.reduction()), options.delta());
}
// target (log target - input): input is the logarithm of probabilities. kBatchMean divides the sum by the size of dimension 0.
Tensor kl_div(const Tensor& input, const Tensor& target, const KLDivFuncOptions& options = {});
// exp(input) - target input, or input - target log(input + eps) without log_input.
inline Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, const PoissonNLLLossFuncOptions& options = {}) {
  return wick::poisson_nll_loss(input, target, options.log_input(), options.full(), options.eps(),
                                enumtype::reduction_get_enum(options.reduction()));
}
// input where the target is 1, max(0, margin - input) where it is -1.
inline Tensor hinge_embedding_loss(const Tensor& input, const Tensor& target, const HingeEmbeddingLossFuncOptions& options = {}) {
  return wick::hinge_embedding_loss(input, target, options.margin(), enumtype::reduction_get_enum(options.reduction()));
}
// max(0, -target (input1 - input2) + margin)
inline Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                                  const MarginRankingLossFuncOptions& options = {}) {
  WICK_CHECK(input1.dim() == input2.dim() && input1.dim() == target.dim(), "margin_ranking_loss : All input tensors should have same "
             "dimension but got sizes: input1: ", input1.sizes(), ", input2: ", input2.sizes(), ", target: ", target.sizes());
  return wick::margin_ranking_loss(input1, input2, target, options.margin(), enumtype::reduction_get_enum(options.reduction()));
}
// log(1 + exp(-target input))
inline Tensor soft_margin_loss(const Tensor& input, const Tensor& target, const SoftMarginLossFuncOptions& options = {}) {
  return wick::soft_margin_loss(input, target, enumtype::reduction_get_enum(options.reduction()));
}
// 1 - cos where the target is 1, max(0, cos - margin) where it is -1; inputs [N, D] with target [N], or [D] with a number.
inline Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                                    const CosineEmbeddingLossFuncOptions& options = {}) {
  return wick::cosine_embedding_loss(input1, input2, target, options.margin(), enumtype::reduction_get_enum(options.reduction()));
}
// max(0, margin + |anchor - positive| - |anchor - negative|)
inline Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                                  const TripletMarginLossFuncOptions& options = {}) {
  return wick::triplet_margin_loss(anchor, positive, negative, options.margin(), options.p(), options.eps(), options.swap(),
                                   enumtype::reduction_get_enum(options.reduction()));
}

}  // namespace functional

class SmoothL1LossImpl : public Cloneable<SmoothL1LossImpl> {
 public:
  explicit SmoothL1LossImpl(const SmoothL1LossOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target) {
    return functional::smooth_l1_loss(input, target, options);
  }

  SmoothL1LossOptions options;
};

class HuberLossImpl : public Cloneable<HuberLossImpl> {
 public:
  explicit HuberLossImpl(const HuberLossOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target) {
    return functional::huber_loss(input, target, options);
  }

  HuberLossOptions options;
};

class KLDivLossImpl : public Cloneable<KLDivLossImpl> {
 public:
  explicit KLDivLossImpl(const KLDivLossOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target) {
    return functional::kl_div(input, target, options);
  }

  KLDivLossOptions options;
};

class PoissonNLLLossImpl : public Cloneable<PoissonNLLLossImpl> {
 public:
  explicit PoissonNLLLossImpl(const PoissonNLLLossOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target) {
    return functional::poisson_nll_loss(input, target, options);
  }

  PoissonNLLLossOptions options;
};

class HingeEmbeddingLossImpl : public Cloneable<HingeEmbeddingLossImpl> {
 public:
  explicit HingeEmbeddingLossImpl(const HingeEmbeddingLossOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target) {
    return functional::hinge_embedding_loss(input, target, options);
  }

  HingeEmbeddingLossOptions options;
};

class MarginRankingLossImpl : public Cloneable<MarginRankingLossImpl> {
 public:
  explicit MarginRankingLossImpl(const MarginRankingLossOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input1, const Tensor& input2, const Tensor& target) {
    return functional::margin_ranking_loss(input1, input2, target, options);
  }

  MarginRankingLossOptions options;
};

class SoftMarginLossImpl : public Cloneable<SoftMarginLossImpl> {
 public:
  explicit SoftMarginLossImpl(const SoftMarginLossOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target) {
    return functional::soft_margin_loss(input, target, options);
  }

  SoftMarginLossOptions options;
};

class CosineEmbeddingLossImpl : public Cloneable<CosineEmbeddingLossImpl> {
 public:
  explicit CosineEmbeddingLossImpl(const CosineEmbeddingLossOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input1, const Tensor& input2, const Tensor& target) {
    return functional::cosine_embedding_loss(input1, input2, target, options);
  }

  CosineEmbeddingLossOptions options;
};

class TripletMarginLossImpl : public Cloneable<TripletMarginLossImpl> {
 public:
  explicit TripletMarginLossImpl(const TripletMarginLossOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& anchor, const Tensor& positive, const Tensor& negative) {
    return functional::triplet_margin_loss(anchor, positive, negative, options);
  }

  TripletMarginLossOptions options;
};

class BCELossImpl : public Cloneable<BCELossImpl> {
 public:
  explicit BCELossImpl(BCELossOptions options_ = {});
  void reset() override;
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target);

  BCELossOptions options;
  Tensor weight;  // a buffer
};

class BCEWithLogitsLossImpl : public Cloneable<BCEWithLogitsLossImpl> {
 public:
  explicit BCEWithLogitsLossImpl(BCEWithLogitsLossOptions options_ = {});
  void reset() override;
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target);

  BCEWithLogitsLossOptions options;
  Tensor weight, pos_weight;  // buffers
};

WICK_LAYER(SmoothL1Loss);
WICK_LAYER(HuberLoss);
WICK_LAYER(KLDivLoss);
WICK_LAYER(PoissonNLLLoss);
WICK_LAYER(HingeEmbeddingLoss);
WICK_LAYER(MarginRankingLoss);
WICK_LAYER(SoftMarginLoss);
WICK_LAYER(CosineEmbeddingLoss);
WICK_LAYER(TripletMarginLoss);
WICK_LAYER(BCELoss);
WICK_LAYER(BCEWithLogitsLoss);

}  // namespace wick::nn
