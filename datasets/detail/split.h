// Which rows of a data set are for training and which for testing: scikit-learn's train_test_split, without the data.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

namespace wick::datasets {

// A share of the rows (0.2) or a number of rows (30); as in Python the type of the number decides.
class SplitSize {
 public:
  template <std::integral T>
  SplitSize(T count) : value_(static_cast<double>(count)), is_fraction_(false) {}
  template <std::floating_point T>
  SplitSize(T fraction) : value_(static_cast<double>(fraction)), is_fraction_(true) {}

  double value() const { return value_; }
  bool is_fraction() const { return is_fraction_; }

 private:
  double value_;
  bool is_fraction_;
};

// train_test_split(x, y, {.test_size = 0.2, .random_state = 42})
struct SplitOptions {
  // The test set gets ceil(share * rows), the training set floor(share * rows); if one size is missing, what the other leaves; if
  // both are, the test set a quarter.
  std::optional<SplitSize> test_size{};
  std::optional<SplitSize> train_size{};
  // From 0 to 2^32 - 1: the same rows as scikit-learn's for the same number. Without one, the default generator gives a seed.
  std::optional<int64_t> random_state{};
  // false: the training rows are the first ones, the test rows those after them.
  bool shuffle = true;
};

namespace detail {

struct SplitIndices {
  std::vector<int64_t> train, test;
};

// Splits the rows 0 ... rows - 1. Throws ValueError, scikit-learn's sentence, for sizes that do not fit.
SplitIndices split_indices(int64_t rows, const SplitOptions& options);

// The same, with the classes in proportion in both sets. `classes` has a class for each row: any numbers.
SplitIndices stratified_split_indices(const std::vector<int64_t>& classes, const SplitOptions& options);

}  // namespace detail
}  // namespace wick::datasets
