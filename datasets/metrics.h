// How good predictions are, and how to try a model on parts of the data. Labels are integers [n]; predictions are labels as well, or
// scores [n, classes], of which the largest counts (its first, if there are several). Errors are ValueErrors.
#pragma once

#include <optional>
#include <vector>

#include "wick/framework/tensor.h"

namespace wick::datasets {

// The part of the predictions that is right.
double accuracy(const Tensor& predictions, const Tensor& labels);

// int64 [classes, classes]: how many samples of class i were taken for class j. As many classes as there are scores, or labels, unless
// the number is given.
Tensor confusion_matrix(const Tensor& predictions, const Tensor& labels, std::optional<int64_t> classes = std::nullopt);

// Of each class, float64 [classes]: precision = right / predicted as it, recall = right / of it, f1 = 2 precision recall / (precision +
// recall); 0 where a denominator is. As scikit-learn's precision_recall_fscore_support.
struct ClassScores {
  Tensor precision, recall, f1;
};
ClassScores precision_recall_f1(const Tensor& predictions, const Tensor& labels, std::optional<int64_t> classes = std::nullopt);

// The coefficient of determination, 1 - sum (y - prediction)^2 / sum (y - mean y)^2; where all y are equal, 1 for exact predictions,
// else 0.
double r2_score(const Tensor& predictions, const Tensor& y);

// The rows of n samples for training and for testing, in each of `folds` ways: int64 indices. Each sample is tested once; the first
// n % folds parts have one sample more. With a random_state the rows are those of scikit-learn's KFold(shuffle=True, random_state=...),
// without it they are in order.
struct Fold {
  Tensor train, test;
};
std::vector<Fold> k_fold(int64_t n, int64_t folds = 5, std::optional<int64_t> random_state = std::nullopt);

}  // namespace wick::datasets
