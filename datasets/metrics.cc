#include "wick/datasets/metrics.h"

#include <algorithm>

#include "wick/datasets/detail/split.h"
#include "wick/datasets/detail/tensors.h"
#include "wick/framework/ops/tensor_index.h"

namespace wick::datasets {

// The predicted labels, checked against the true ones.
static Tensor labels_of(const Tensor& predictions, const Tensor& labels) {
  WICK_CHECK_VALUE(labels.dim() == 1 && (predictions.dim() == 1 || predictions.dim() == 2) && predictions.size(0) == labels.size(0),
                   "metrics take labels [n] and predictions [n] or scores [n, classes], got shapes ", labels.sizes(), " and ",
                   predictions.sizes());
  WICK_CHECK_VALUE(labels.numel() > 0, "metrics of no samples are not defined");
  const Tensor predicted = predictions.dim() == 2 ? predictions.argmax(1) : predictions;
  WICK_CHECK_VALUE(!predicted.is_floating_point() && !labels.is_floating_point(),
                   "metrics take labels of an integer dtype, got ", predicted.scalar_type(), " and ", labels.scalar_type());
  return predicted.to(labels.device(), kLong);
}

double accuracy(const Tensor& predictions, const Tensor& labels) {
  return labels_of(predictions, labels).eq(labels).to(kDouble).mean().item<double>();
}

Tensor confusion_matrix(const Tensor& predictions, const Tensor& labels, std::optional<int64_t> classes) {
  const Tensor predicted = labels_of(predictions, labels), truth = labels.to(kLong);
  const int64_t largest = std::max(predicted.max().item<int64_t>(), truth.max().item<int64_t>());
  const int64_t n = classes.value_or(predictions.dim() == 2 ? predictions.size(1) : largest + 1);
  WICK_CHECK_VALUE(std::min(predicted.min().item<int64_t>(), truth.min().item<int64_t>()) >= 0 && largest < n,
                   "the labels must be from 0 to ", n - 1, ", the number of classes less 1");
  const Tensor counts = zeros({n * n}, TensorOptions(kLong).device(truth.device()));
  return counts.index_add(0, truth * n + predicted, ones_like(truth)).view({n, n});
}

ClassScores precision_recall_f1(const Tensor& predictions, const Tensor& labels, std::optional<int64_t> classes) {
  const Tensor counts = confusion_matrix(predictions, labels, classes).to(kDouble);
  const Tensor right = counts.diagonal();
  // 0 / 1 where there is nothing to divide by.
  const auto ratio = [](const Tensor& x, const Tensor& y) { return x / y.masked_fill(y == 0, 1); };
  const Tensor precision = ratio(right, counts.sum(0)), recall = ratio(right, counts.sum(1));
  return {precision, recall, ratio(2 * precision * recall, precision + recall)};
}

double r2_score(const Tensor& predictions, const Tensor& y) {
  WICK_CHECK_VALUE(predictions.sizes() == y.sizes() && y.numel() >= 2,
                   "R^2 takes predictions and values of one shape, at least 2, got shapes ", predictions.sizes(), " and ", y.sizes());
  const Tensor truth = y.to(kDouble), residual = truth - predictions.to(kDouble), spread = truth - truth.mean();
  const double error = (residual * residual).sum().item<double>(), total = (spread * spread).sum().item<double>();
  return total == 0 ? (error == 0 ? 1 : 0) : 1 - error / total;
}

std::vector<Fold> k_fold(int64_t n, int64_t folds, std::optional<int64_t> random_state) {
  WICK_CHECK_VALUE(folds >= 2,
                   "k-fold cross-validation requires at least one train/test split by setting n_splits=2 or more, got n_splits=", folds,
                   ".");
  WICK_CHECK_VALUE(folds <= n, "Cannot have number of splits n_splits=", folds, " greater than the number of samples: n_samples=", n, ".");
  // The rows in random order: a test set of one row, and the rest.
  const detail::SplitIndices order =
      detail::split_indices(n, {.test_size = 1, .random_state = random_state, .shuffle = random_state.has_value()});
  std::vector<int64_t> rows = order.train;
  rows.insert(random_state ? rows.begin() : rows.end(), order.test[0]);
  std::vector<Fold> result;
  for (int64_t f = 0, begin = 0; f < folds; ++f) {
    const int64_t end = begin + n / folds + (f < n % folds);
    std::vector<int64_t> train(rows.begin(), rows.begin() + begin), test(rows.begin() + begin, rows.begin() + end);
    train.insert(train.end(), rows.begin() + end, rows.end());
    std::ranges::sort(train);
    std::ranges::sort(test);
    result.push_back({detail::to_tensor(train), detail::to_tensor(test)});
    begin = end;
  }
  return result;
}

}  // namespace wick::datasets
