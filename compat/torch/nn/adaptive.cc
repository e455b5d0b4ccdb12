#include <torch/nn/adaptive.h>

#include <cmath>
#include <ostream>

#include "wick/nn/sequential.h"

namespace wick::nn {

WICK_LAYER_DEFINITION(AdaptiveLogSoftmaxWithLoss);

AdaptiveLogSoftmaxWithLossImpl::AdaptiveLogSoftmaxWithLossImpl(AdaptiveLogSoftmaxWithLossOptions options_) : options(std::move(options_)) {
  AdaptiveLogSoftmaxWithLossImpl::reset();
}

void AdaptiveLogSoftmaxWithLossImpl::reset() {
  cutoffs = options.cutoffs();
  bool increasing = !cutoffs.empty() && cutoffs[0] > 0 && cutoffs.back() < options.n_classes();
  for (size_t i = 1; i < cutoffs.size(); ++i) increasing = increasing && cutoffs[i - 1] < cutoffs[i];
  WICK_CHECK(increasing, "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is "
             "between 1 and n_classes-1");
  cutoffs.push_back(options.n_classes());
  shortlist_size = cutoffs[0];
  n_clusters = static_cast<int64_t>(cutoffs.size()) - 1;
  head_size = shortlist_size + n_clusters;
  head = register_module("head", Linear(LinearOptions(options.in_features(), head_size).bias(options.head_bias())));
  tail = register_module("tail", ModuleList());
  for (int64_t i = 0; i < n_clusters; ++i) {
    const int64_t hidden = options.in_features() / static_cast<int64_t>(std::pow(options.div_value(), i + 1));
    Linear in(LinearOptions(options.in_features(), hidden).bias(false));
    tail->push_back(Sequential(in, Linear(LinearOptions(hidden, cutoffs[i + 1] - cutoffs[i]).bias(false))));
  }
}

void AdaptiveLogSoftmaxWithLossImpl::reset_parameters() {
  head->reset_parameters();
  for (const auto& projection : *tail) {
    for (const auto& layer : projection->children()) layer->as<Linear>()->reset_parameters();
  }
}

Tensor AdaptiveLogSoftmaxWithLossImpl::log_prob(const Tensor& input) {
  const Tensor first = head(input).log_softmax(1);
  std::vector<Tensor> parts{first.narrow(1, 0, shortlist_size)};
  for (int64_t i = 0; i < n_clusters; ++i) {
    parts.push_back(tail->at<SequentialImpl>(i).forward(input).log_softmax(1) + first.narrow(1, shortlist_size + i, 1));
  }
  return cat(parts, 1);
}

// A cluster's layer is computed for the samples whose targets it holds alone.
ASMoutput AdaptiveLogSoftmaxWithLossImpl::forward(const Tensor& input, const Tensor& target) {
  WICK_CHECK(target.dim() <= 1, "0D or 1D target tensor expected, multi-target not supported");
  WICK_CHECK(input.dim() == target.dim() + 1, target.dim(), "D target tensor expects ", target.dim() + 1,
             "D input tensors, but found inputs "
             "with sizes ",
             input.sizes(), ".");
  const Tensor x = target.dim() ? input : input.unsqueeze(0), y = target.dim() ? target : target.unsqueeze(0);
  WICK_CHECK(x.size(0) == y.size(0), "Input and target should have the same size in the batch dimension.");
  WICK_CHECK(y.numel() == 0 || (y.min().item<int64_t>() >= 0 && y.max().item<int64_t>() < options.n_classes()),
             "Target values should be in "
             "[0, ",
             options.n_classes() - 1, "], but values in range [", y.min().item<double>(), ", ", y.max().item<double>(),
             "] were "
             "found. ");
  Tensor output = zeros({y.size(0)}, x.options().requires_grad(false)), in_head = y;
  for (int64_t i = 0; i < n_clusters; ++i) {
    const Tensor mask = y.ge(cutoffs[i]).logical_and(y.lt(cutoffs[i + 1])), rows = mask.nonzero().squeeze(1);
    if (rows.numel() == 0) continue;
    const Tensor scores = tail->at<SequentialImpl>(i).forward(x.index_select(0, rows));
    const Tensor within = (y.index_select(0, rows) - cutoffs[i]).unsqueeze(1);
    output = output.index_add(0, rows, scores.log_softmax(1).gather(1, within).squeeze(1));
    in_head = in_head.masked_fill(mask, shortlist_size + i);
  }
  output = output + head(x).log_softmax(1).gather(1, in_head.unsqueeze(1)).squeeze(1);
  const double loss = -output.mean().item<double>();
  return ASMoutput(target.dim() ? output : output.squeeze(0), loss);
}

void AdaptiveLogSoftmaxWithLossImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::AdaptiveLogSoftmaxWithLoss"; }

}  // namespace wick::nn
