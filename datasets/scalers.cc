#include "wick/datasets/scalers.h"

#include <cmath>
#include <limits>

namespace wick::datasets {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// The index of the first element that is not finite, or -1.
int64_t first_bad(const Tensor& x) {
  const double* values = x.const_data_ptr<double>();
  for (int64_t i = 0; i < x.numel(); ++i) if (!std::isfinite(values[i])) return i;
  return -1;
}

Tensor check_spread(const Tensor& spread, const char* scaler) {
  WICK_CHECK_VALUE(first_bad(spread) < 0, "The values of column ", first_bad(spread), " lie too far apart for ", scaler,
                   " in double precision.");
  return spread;
}

// The result of a scaler for x, like x.
Tensor like(const Tensor& x, const Tensor& result) {
  return result.to(x.device(), x.is_floating_point() ? x.scalar_type() : kDouble);
}

}  // namespace

Tensor detail::Scaler::checked(const Tensor& x, bool to_fit) const {
  WICK_CHECK_VALUE(x.dim() == 2, "Expected 2D array, got ", x.dim(), "D array instead:\n", name_,
                   " takes one row per sample and one column per feature, but X is ", x.sizes(), ".");
  WICK_CHECK_TYPE(!x.is_complex(), name_, " takes real numbers, but X is ", x.scalar_type(), ".");
  const int64_t rows = x.size(0), columns = x.size(1);
  if (to_fit) {
    const std::string shape = wick::detail::concat("(shape=(", rows, ", ", columns, ")) while a minimum of 1 is required by ", name_, ".");
    WICK_CHECK_VALUE(rows > 0, "Found array with 0 sample(s) ", shape);
    WICK_CHECK_VALUE(columns > 0, "Found array with 0 feature(s) ", shape);
  } else {
    WICK_CHECK_VALUE(features_ > 0, "This ", name_,
                     " instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.");
    WICK_CHECK_VALUE(columns == features_, "X has ", columns, " features, but ", name_, " is expecting ", features_, " features as input.");
  }
  const Tensor values = x.detach().to(kCPU, kDouble).contiguous();
  if (const int64_t at = first_bad(values); at >= 0) {
    const double bad = values.const_data_ptr<double>()[at];
    wick::detail::raise<ValueError>(
        std::isnan(bad) ? "Input X contains NaN." : "Input X contains infinity or a value too large for dtype('float64').", "\n", name_,
        " found ", bad, " in row ", at / columns, ", column ", at % columns, ".");
  }
  return values;
}

Tensor detail::Scaler::transform(const Tensor& x) const {
  Tensor y = checked(x, /*to_fit=*/false);
  if (before_.defined()) y = y - before_;
  if (divisor_.defined()) y = y / divisor_;
  if (factor_.defined()) y = y * factor_ + after_;
  return like(x, y);
}

Tensor detail::Scaler::inverse_transform(const Tensor& y) const {
  Tensor x = checked(y, /*to_fit=*/false);
  if (factor_.defined()) x = (x - after_) / factor_;
  if (divisor_.defined()) x = x * divisor_;
  if (before_.defined()) x = x + before_;
  return like(y, x);
}

MinMaxScaler::MinMaxScaler(double low, double high) : Scaler("MinMaxScaler"), low_(low), high_(high) {
  WICK_CHECK_VALUE(low < high && std::isfinite(high - low),
                   "Minimum of desired feature range must be smaller than maximum. Got (", low, ", ", high, ").");
}

MinMaxScaler& MinMaxScaler::fit(const Tensor& x) {
  NoGradGuard no_grad;
  const Tensor values = checked(x, /*to_fit=*/true), min = values.amin({0}), max = values.amax({0});
  const Tensor range = check_spread(max - min, name_);
  factor_ = (high_ - low_) / range.masked_fill(range < 10 * kEpsilon, 1);
  after_ = low_ - min * factor_;
  data_min_ = min, data_max_ = max, features_ = values.size(1);
  return *this;
}

StandardScaler& StandardScaler::fit(const Tensor& x) {
  NoGradGuard no_grad;
  const Tensor values = checked(x, /*to_fit=*/true);
  const double n = static_cast<double>(values.size(0));
  const Tensor mean = values.sum(0) / n, distance = values - mean, errors = distance.sum(0);
  // The sum of the distances would be zero without rounding errors; taking it off corrects the squares (Chan, Golub and LeVeque, 1983).
  const Tensor var = check_spread(((distance * distance).sum(0) - errors * errors / n) / n, name_);
  const Tensor rounding = n * kEpsilon * var + (n * mean * kEpsilon) * (n * mean * kEpsilon);
  scale_ = var.sqrt().masked_fill(var <= rounding, 1);
  mean_ = mean, var_ = var, features_ = values.size(1);
  if (with_mean_) before_ = mean_;
  if (with_std_) divisor_ = scale_;
  return *this;
}

}  // namespace wick::datasets
