// The numbers are scikit-learn's.
#include "wick/datasets/metrics.h"

#include <gtest/gtest.h>

#include "wick/framework/core/error.h"
#include "wick/framework/ops/tensor_literal.h"

namespace wick::datasets {
namespace {

const Tensor& truth() {
  static const Tensor labels = tensor({0, 1, 2, 2, 1, 0, 2, 3}, kLong);
  return labels;
}
Tensor predicted() { return tensor({0, 2, 2, 2, 1, 1, 2, 0}, kLong); }

TEST(Metrics, Classification) {
  EXPECT_DOUBLE_EQ(accuracy(predicted(), truth()), 0.625);
  EXPECT_TRUE(equal(confusion_matrix(predicted(), truth()),
                    tensor({1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 3, 0, 1, 0, 0, 0}, kLong).view({4, 4})));
  const ClassScores scores = precision_recall_f1(predicted(), truth());
  EXPECT_TRUE(allclose(scores.precision, tensor({0.5, 0.5, 0.75, 0.0}, kDouble)));
  EXPECT_TRUE(allclose(scores.recall, tensor({0.5, 0.5, 1.0, 0.0}, kDouble)));
  EXPECT_TRUE(allclose(scores.f1, tensor({0.5, 0.5, 6.0 / 7, 0.0}, kDouble)));
}

TEST(Metrics, OfScores) {
  const Tensor scores = tensor({0.1, 0.9, 0.0, 0.5, 0.5, 0.0, 0.2, 0.2, 0.6}).view({3, 3});
  EXPECT_DOUBLE_EQ(accuracy(scores, tensor({1, 0, 0}, kLong)), 2.0 / 3);
  EXPECT_EQ(confusion_matrix(scores, tensor({1, 0, 0}, kLong)).sizes(), (IntArrayRef{3, 3}));
  EXPECT_EQ(confusion_matrix(predicted(), truth(), 6).sizes(), (IntArrayRef{6, 6}));
}

TEST(Metrics, R2) {
  const Tensor y = tensor({3.0, -0.5, 2.0, 7.0}, kDouble);
  EXPECT_DOUBLE_EQ(r2_score(tensor({2.5, 0.0, 2.0, 8.0}, kDouble), y), 0.9486081370449679);
  EXPECT_EQ(r2_score(y, y), 1);
  EXPECT_EQ(r2_score(ones({3}), ones({3})), 1);
  EXPECT_EQ(r2_score(zeros({3}), ones({3})), 0);
}

TEST(Metrics, WhatDoesNotFit) {
  EXPECT_THROW(accuracy(predicted(), tensor({1, 2}, kLong)), ValueError);
  EXPECT_THROW(accuracy(predicted().to(kFloat), truth()), ValueError);
  EXPECT_THROW(accuracy(zeros({0}, kLong), zeros({0}, kLong)), ValueError);
  EXPECT_THROW(confusion_matrix(predicted(), truth(), 3), ValueError);
  EXPECT_THROW(confusion_matrix(predicted() - 1, truth()), ValueError);
  EXPECT_THROW(r2_score(ones({1}), ones({1})), ValueError);
  EXPECT_THROW(r2_score(ones({3}), ones({2})), ValueError);
}

void expect_folds(const std::vector<Fold>& folds, const std::vector<std::vector<int64_t>>& tests, int64_t n) {
  ASSERT_EQ(folds.size(), tests.size());
  for (size_t f = 0; f < folds.size(); ++f) {
    EXPECT_TRUE(equal(folds[f].test, tensor(tests[f], kLong))) << f;
    EXPECT_TRUE(equal(std::get<0>(cat({folds[f].train, folds[f].test}).sort()), arange(n))) << f;
  }
}

TEST(KFold, TakesScikitLearnsRows) {
  expect_folds(k_fold(10, 3, 42), {{0, 1, 5, 8}, {2, 7, 9}, {3, 4, 6}}, 10);
  expect_folds(k_fold(7, 3), {{0, 1, 2}, {3, 4}, {5, 6}}, 7);
  expect_folds(k_fold(2, 2), {{0}, {1}}, 2);
  EXPECT_THROW(k_fold(3, 4), ValueError);
  EXPECT_THROW(k_fold(3, 1), ValueError);
}

}  // namespace
}  // namespace wick::datasets
