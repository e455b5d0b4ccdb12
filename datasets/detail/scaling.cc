#include "wick/datasets/detail/scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "wick/framework/core/error.h"

namespace wick::datasets::detail {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

void check_finite(MatrixView x, const char* scaler) {
  const double* end = x.values + x.rows * x.cols;
  const double* bad = std::find_if_not(x.values, end, [](double value) { return std::isfinite(value); });
  if (bad == end) return;
  const int64_t at = bad - x.values;
  wick::detail::raise<ValueError>(
      std::isnan(*bad) ? "Input X contains NaN." : "Input X contains infinity or a value too large for dtype('float64').", "\n", scaler,
      " found ", *bad, " in row ", at / x.cols, ", column ", at % x.cols, ".");
}

void check_fit(MatrixView x, const char* scaler) {
  const std::string shape = wick::detail::concat("(shape=(", x.rows, ", ", x.cols, ")) while a minimum of 1 is required by ", scaler, ".");
  WICK_CHECK_VALUE(x.rows > 0, "Found array with 0 sample(s) ", shape);
  WICK_CHECK_VALUE(x.cols > 0, "Found array with 0 feature(s) ", shape);
  check_finite(x, scaler);
}

void check_transform(MatrixView x, size_t fitted_columns, const char* scaler) {
  WICK_CHECK_VALUE(fitted_columns > 0, "This ", scaler,
                   " instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.");
  WICK_CHECK_VALUE(x.cols == static_cast<int64_t>(fitted_columns), "X has ", x.cols, " features, but ", scaler, " is expecting ",
                   fitted_columns, " features as input.");
  check_finite(x, scaler);
}

// f(x, c) for every number x, c its column.
template <class F>
Matrix map(MatrixView x, const F& f) {
  Matrix y{std::vector<double>(static_cast<size_t>(x.rows * x.cols)), x.rows, x.cols};
  for (size_t i = 0, c = 0; i < y.values.size(); ++i) {
    y.values[i] = f(x.values[i], c);
    if (++c == static_cast<size_t>(x.cols)) c = 0;
  }
  return y;
}

// The sum over the rows of f(x, c), for each column c.
template <class F>
std::vector<double> column_sums(MatrixView x, const F& f) {
  std::vector<double> sums(static_cast<size_t>(x.cols));
  for (int64_t r = 0; r < x.rows; ++r) {
    for (size_t c = 0; c < sums.size(); ++c) sums[c] += f(x.row(r)[c], c);
  }
  return sums;
}

void check_spread(double spread, size_t column, const char* scaler) {
  WICK_CHECK_VALUE(std::isfinite(spread), "The values of column ", column, " lie too far apart for ", scaler, " in double precision.");
}

}  // namespace

MinMaxScaling::MinMaxScaling(double low, double high) : low_(low), high_(high) {
  WICK_CHECK_VALUE(low < high && std::isfinite(high - low),
                   "Minimum of desired feature range must be smaller than maximum. Got (", low, ", ", high, ").");
}

void MinMaxScaling::fit(MatrixView x) {
  check_fit(x, "MinMaxScaler");
  MinMaxScaling fitted(low_, high_);
  fitted.data_min_ = fitted.data_max_ = std::vector<double>(x.values, x.values + x.cols);
  for (int64_t r = 1; r < x.rows; ++r) {
    for (size_t c = 0; c < fitted.data_min_.size(); ++c) {
      fitted.data_min_[c] = std::min(fitted.data_min_[c], x.row(r)[c]);
      fitted.data_max_[c] = std::max(fitted.data_max_[c], x.row(r)[c]);
    }
  }
  for (size_t c = 0; c < fitted.data_min_.size(); ++c) {
    const double range = fitted.data_max_[c] - fitted.data_min_[c];
    check_spread(range, c, "MinMaxScaler");
    fitted.scale_.push_back((high_ - low_) / (range < 10 * kEpsilon ? 1 : range));
    fitted.shift_.push_back(low_ - fitted.data_min_[c] * fitted.scale_[c]);
  }
  *this = std::move(fitted);
}

Matrix MinMaxScaling::transform(MatrixView x) const {
  check_transform(x, scale_.size(), "MinMaxScaler");
  return map(x, [this](double value, size_t c) { return value * scale_[c] + shift_[c]; });
}

Matrix MinMaxScaling::inverse_transform(MatrixView y) const {
  check_transform(y, scale_.size(), "MinMaxScaler");
  return map(y, [this](double value, size_t c) { return (value - shift_[c]) / scale_[c]; });
}

void StandardScaling::fit(MatrixView x) {
  check_fit(x, "StandardScaler");
  StandardScaling fitted(with_mean_, with_std_);
  const double n = static_cast<double>(x.rows);
  fitted.mean_ = column_sums(x, [](double value, size_t) { return value; });
  for (double& mean : fitted.mean_) mean /= n;
  // The second sum would be zero without rounding errors; taking it off corrects the first one (Chan, Golub and LeVeque, 1983).
  const auto& mean = fitted.mean_;
  fitted.var_ = column_sums(x, [&](double value, size_t c) { return (value - mean[c]) * (value - mean[c]); });
  const std::vector<double> errors = column_sums(x, [&](double value, size_t c) { return value - mean[c]; });
  for (size_t c = 0; c < mean.size(); ++c) {
    double& var = fitted.var_[c];
    var = (var - errors[c] * errors[c] / n) / n;
    check_spread(var, c, "StandardScaler");
    const double rounding = n * kEpsilon * var + (n * mean[c] * kEpsilon) * (n * mean[c] * kEpsilon);
    fitted.scale_.push_back(var <= rounding ? 1 : std::sqrt(var));
  }
  *this = std::move(fitted);
}

Matrix StandardScaling::transform(MatrixView x) const {
  check_transform(x, scale_.size(), "StandardScaler");
  return map(x, [this](double value, size_t c) {
    const double centred = with_mean_ ? value - mean_[c] : value;
    return with_std_ ? centred / scale_[c] : centred;
  });
}

Matrix StandardScaling::inverse_transform(MatrixView y) const {
  check_transform(y, scale_.size(), "StandardScaler");
  return map(y, [this](double value, size_t c) {
    const double scaled = with_std_ ? value * scale_[c] : value;
    return with_mean_ ? scaled + mean_[c] : scaled;
  });
}

}  // namespace wick::datasets::detail
