// AdaptiveLogSoftmaxWithLoss: softmax over so many classes that the rare ones get smaller layers of their own. Grave et al., "Efficient
// softmax approximation for GPUs", 2017.
#pragma once

#include <vector>

#include "wick/framework/core/arg.h"
#include "wick/nn/linear.h"
#include "wick/nn/module_list.h"

namespace wick::nn {

struct AdaptiveLogSoftmaxWithLossOptions {
  AdaptiveLogSoftmaxWithLossOptions(int64_t in_features, int64_t n_classes, std::vector<int64_t> cutoffs)
      : in_features_(in_features), n_classes_(n_classes), cutoffs_(std::move(cutoffs)) {}
  WICK_ARG(int64_t, in_features);
  WICK_ARG(int64_t, n_classes);
  WICK_ARG(std::vector<int64_t>, cutoffs);  // where each cluster of rarer classes begins
  WICK_ARG(double, div_value) = 4.0;        // by which the size of each cluster's layer is divided once more
  WICK_ARG(bool, head_bias) = false;
};

// The log-probability of each target, and the mean of their negatives.
struct ASMoutput {
  ASMoutput(Tensor output_, double loss_) : output(std::move(output_)), loss(loss_) {}
  Tensor output;
  double loss;
};

class AdaptiveLogSoftmaxWithLossImpl : public Cloneable<AdaptiveLogSoftmaxWithLossImpl> {
 public:
  AdaptiveLogSoftmaxWithLossImpl(int64_t in_features, int64_t n_classes, std::vector<int64_t> cutoffs)
      : AdaptiveLogSoftmaxWithLossImpl(AdaptiveLogSoftmaxWithLossOptions(in_features, n_classes, std::move(cutoffs))) {}
  explicit AdaptiveLogSoftmaxWithLossImpl(AdaptiveLogSoftmaxWithLossOptions options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;

  // input: [N, in_features] with target [N], or [in_features] with a number.
  ASMoutput forward(const Tensor& input, const Tensor& target);
  // The log-probabilities of all classes, [N, n_classes]; the class of the greatest, [N].
  Tensor log_prob(const Tensor& input);
  Tensor predict(const Tensor& input) { return log_prob(input).argmax(1); }

  AdaptiveLogSoftmaxWithLossOptions options;
  std::vector<int64_t> cutoffs;  // and n_classes at the end
  int64_t shortlist_size = 0, n_clusters = 0, head_size = 0;
  Linear head = nullptr;
  ModuleList tail;
};
WICK_LAYER(AdaptiveLogSoftmaxWithLoss);

}  // namespace wick::nn
