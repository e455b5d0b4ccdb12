// Losses: options, functions and modules. The formulas are those of PyTorch's pages of the same names. `reduction` is kMean (the
// default), kSum, or kNone for the losses of the elements.
#pragma once

#include <variant>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/enum.h"

namespace wick::nn {

struct L1LossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  L1LossOptions() = default;
  template <class Kind>
    requires std::is_constructible_v<reduction_t, Kind>
  L1LossOptions(Kind reduction) : reduction_(reduction) {}
  WICK_ARG(reduction_t, reduction) = kMean;
};

struct MSELossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  MSELossOptions() = default;
  template <class Kind>
    requires std::is_constructible_v<reduction_t, Kind>
  MSELossOptions(Kind reduction) : reduction_(reduction) {}
  WICK_ARG(reduction_t, reduction) = kMean;
};

struct NLLLossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  WICK_ARG(Tensor, weight);                  // of each class, [C]; undefined: all 1
  WICK_ARG(int64_t, ignore_index) = -100;    // samples with this target do not count
  WICK_ARG(reduction_t, reduction) = kMean;  // over the samples, by their weights
};

struct CrossEntropyLossOptions {
  using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
  WICK_ARG(Tensor, weight);
  WICK_ARG(int64_t, ignore_index) = -100;
  WICK_ARG(reduction_t, reduction) = kMean;
  WICK_ARG(double, label_smoothing) = 0.0;  // in [0, 1]: the share of the target that is spread over all classes
};

namespace functional {

using L1LossFuncOptions = L1LossOptions;
using MSELossFuncOptions = MSELossOptions;
using NLLLossFuncOptions = NLLLossOptions;
using CrossEntropyFuncOptions = CrossEntropyLossOptions;

// |input - target|, for inputs and targets of one shape.
inline Tensor l1_loss(const Tensor& input, const Tensor& target, const L1LossFuncOptions& options = {}) {
  return wick::l1_loss(input, target, enumtype::reduction_get_enum(options.reduction()));
}
// (input - target)²
inline Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions& options = {}) {
  return wick::mse_loss(input, target, enumtype::reduction_get_enum(options.reduction()));
}
// -weight[target] input[target]. input: log-probabilities [N, C, ...]; target: classes [N, ...], int64.
inline Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossFuncOptions& options = {}) {
  return wick::nll_loss(input, target, options.weight(), enumtype::reduction_get_enum(options.reduction()), options.ignore_index());
}
// The same for input before log_softmax. target: classes [N, ...], int64, or the probabilities of all classes, as input.
inline Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyFuncOptions& options = {}) {
  return cross_entropy_loss(input, target, options.weight(), enumtype::reduction_get_enum(options.reduction()), options.ignore_index(),
                            options.label_smoothing());
}

}  // namespace functional

class L1LossImpl : public Cloneable<L1LossImpl> {
 public:
  explicit L1LossImpl(const L1LossOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target) { return functional::l1_loss(input, target, options); }

  L1LossOptions options;
};

class MSELossImpl : public Cloneable<MSELossImpl> {
 public:
  explicit MSELossImpl(const MSELossOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target) { return functional::mse_loss(input, target, options); }

  MSELossOptions options;
};

class NLLLossImpl : public Cloneable<NLLLossImpl> {
 public:
  explicit NLLLossImpl(NLLLossOptions options_ = {});
  void reset() override;
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target);

  NLLLossOptions options;
  Tensor weight;  // a buffer
};

class CrossEntropyLossImpl : public Cloneable<CrossEntropyLossImpl> {
 public:
  explicit CrossEntropyLossImpl(CrossEntropyLossOptions options_ = {});
  void reset() override;
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& target);

  CrossEntropyLossOptions options;
  Tensor weight;  // a buffer
};

WICK_LAYER(L1Loss);
WICK_LAYER(MSELoss);
WICK_LAYER(NLLLoss);
WICK_LAYER(CrossEntropyLoss);

}  // namespace wick::nn
