// Scalers: features brought to comparable ranges, with scikit-learn's results.
//
//     MinMaxScaler scaler;
//     Tensor train = scaler.fit_transform(x_train), test = scaler.transform(x_test);
//
// x is [samples, features] of any real dtype. Computation is in double; results have x's dtype (float64 for integers) and device.
// The formulas, and what happens to constant columns, NaN and bad shapes, are in detail/scaling.h. Gradients do not flow through.
#pragma once

#include "wick/datasets/detail/scaling.h"
#include "wick/framework/tensor.h"

namespace wick::datasets {

// Maps the range of each feature in the fitted data to [low, high].
class MinMaxScaler {
 public:
  explicit MinMaxScaler(double low = 0, double high = 1) : scaling_(low, high) {}

  MinMaxScaler& fit(const Tensor& x);
  Tensor transform(const Tensor& x) const;
  Tensor inverse_transform(const Tensor& y) const;
  Tensor fit_transform(const Tensor& x) { return fit(x).transform(x); }

  // The extremes of each feature, the scale and the shift, as detail/scaling.h defines them.
  const detail::MinMaxScaling& fitted() const { return scaling_; }

 private:
  detail::MinMaxScaling scaling_;
};

// Gives each feature of the fitted data mean 0 and (population) variance 1.
class StandardScaler {
 public:
  explicit StandardScaler(bool with_mean = true, bool with_std = true) : scaling_(with_mean, with_std) {}

  StandardScaler& fit(const Tensor& x);
  Tensor transform(const Tensor& x) const;
  Tensor inverse_transform(const Tensor& y) const;
  Tensor fit_transform(const Tensor& x) { return fit(x).transform(x); }

  // Mean, variance and scale of each feature.
  const detail::StandardScaling& fitted() const { return scaling_; }

 private:
  detail::StandardScaling scaling_;
};

}  // namespace wick::datasets
