// train_test_split: parts of a data set for training and for testing.
#pragma once

#include "wick/datasets/detail/split.h"
#include "wick/framework/tensor.h"

namespace wick::datasets {

struct TrainTestSplit {
  Tensor x_train, x_test, y_train, y_test;
};

// auto [x_train, x_test, y_train, y_test] = train_test_split(x, y, {.test_size = 0.2, .random_state = 42});
//
// Splits x and y along their first dimension, into copies. For the same random_state the rows are those that scikit-learn's function
// of this name gives. With `stratify`, an integer tensor with a class for each row (y, say), the classes stand in the same proportion
// in both parts. Throws ValueError, scikit-learn's sentence, for sizes that do not fit.
TrainTestSplit train_test_split(const Tensor& x, const Tensor& y, const SplitOptions& options = {}, const Tensor& stratify = {});

}  // namespace wick::datasets
