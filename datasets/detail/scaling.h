// The arithmetic of MinMaxScaler and StandardScaler, with scikit-learn's results. A column that is constant is shifted and not
// scaled. NaN and infinity are errors (scikit-learn lets NaN pass as "missing").
//
// All errors are ValueErrors with scikit-learn's sentence first; a fit that throws leaves the earlier fit as it was.
#pragma once

#include <string>
#include <vector>

#include "wick/datasets/detail/matrix.h"

namespace wick::datasets::detail {

// y = x * scale + shift, column by column, maps [min, max] of the fitted data to [low, high].
class MinMaxScaling {
 public:
  explicit MinMaxScaling(double low = 0, double high = 1);

  void fit(MatrixView x);
  Matrix transform(MatrixView x) const;
  Matrix inverse_transform(MatrixView y) const;

  const std::vector<double>& data_min() const { return data_min_; }
  const std::vector<double>& data_max() const { return data_max_; }
  // (high - low) / (max - min), with 1 for the denominator of a column where that is below 10 epsilon.
  const std::vector<double>& scale() const { return scale_; }
  // low - min * scale.
  const std::vector<double>& shift() const { return shift_; }

 private:
  double low_, high_;
  std::vector<double> data_min_, data_max_, scale_, shift_;
};

// y = (x - mean) / scale, column by column.
class StandardScaling {
 public:
  explicit StandardScaling(bool with_mean = true, bool with_std = true) : with_mean_(with_mean), with_std_(with_std) {}

  void fit(MatrixView x);
  Matrix transform(MatrixView x) const;
  Matrix inverse_transform(MatrixView y) const;

  const std::vector<double>& mean() const { return mean_; }
  // Of the population: the mean of the squared distances from the mean.
  const std::vector<double>& var() const { return var_; }
  // sqrt(var), and 1 for a column whose variance is no more than rounding errors.
  const std::vector<double>& scale() const { return scale_; }

 private:
  bool with_mean_, with_std_;
  std::vector<double> mean_, var_, scale_;
};

}  // namespace wick::datasets::detail
