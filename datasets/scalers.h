// Scalers: features brought to comparable ranges, with scikit-learn's results.
//
//     MinMaxScaler scaler;
//     Tensor train = scaler.fit_transform(x_train), test = scaler.transform(x_test);
//
// x is [samples, features] of any real dtype. Computation is in double; results have x's dtype (float64 for integers) and device.
// A column that is constant is shifted and not scaled. NaN and infinity are errors (scikit-learn lets NaN pass as "missing"). All errors
// are ValueErrors with scikit-learn's sentence first; a fit that throws leaves the earlier fit as it was. Gradients do not flow through.
#pragma once

#include "wick/framework/tensor.h"

namespace wick::datasets {

namespace detail {

// (x - before) / divisor * factor + after, column by column: [features] each, float64, undefined where a step is left out.
class Scaler {
 public:
  Tensor transform(const Tensor& x) const;
  Tensor inverse_transform(const Tensor& y) const;

 protected:
  explicit Scaler(const char* name) : name_(name) {}
  // x in double, checked.
  Tensor checked(const Tensor& x, bool to_fit) const;

  const char* name_;
  Tensor before_, divisor_, factor_, after_;
  int64_t features_ = 0;
};

}  // namespace detail

// y = x * scale + shift maps the range of each feature in the fitted data to [low, high].
class MinMaxScaler : public detail::Scaler {
 public:
  explicit MinMaxScaler(double low = 0, double high = 1);

  MinMaxScaler& fit(const Tensor& x);
  Tensor fit_transform(const Tensor& x) { return fit(x).transform(x); }

  // Of each feature in the fitted data, float64.
  const Tensor& data_min() const { return data_min_; }
  const Tensor& data_max() const { return data_max_; }
  // (high - low) / (max - min), with 1 for the denominator of a column where that is below 10 epsilon.
  const Tensor& scale() const { return factor_; }
  // low - min * scale.
  const Tensor& shift() const { return after_; }

 private:
  double low_, high_;
  Tensor data_min_, data_max_;
};

// y = (x - mean) / scale gives each feature of the fitted data mean 0 and (population) variance 1.
class StandardScaler : public detail::Scaler {
 public:
  explicit StandardScaler(bool with_mean = true, bool with_std = true)
      : Scaler("StandardScaler"), with_mean_(with_mean), with_std_(with_std) {}

  StandardScaler& fit(const Tensor& x);
  Tensor fit_transform(const Tensor& x) { return fit(x).transform(x); }

  // Of each feature in the fitted data, float64.
  const Tensor& mean() const { return mean_; }
  // Of the population: the mean of the squared distances from the mean.
  const Tensor& var() const { return var_; }
  // sqrt(var), and 1 for a column whose variance is no more than rounding errors.
  const Tensor& scale() const { return scale_; }

 private:
  bool with_mean_, with_std_;
  Tensor mean_, var_, scale_;
};

}  // namespace wick::datasets
