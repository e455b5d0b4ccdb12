#include "wick/datasets/scalers.h"

#include "wick/datasets/detail/tensors.h"

namespace wick::datasets {

namespace {

constexpr char kMinMax[] = "MinMaxScaler", kStandard[] = "StandardScaler";

// The result of a scaler for x, as a tensor like x.
Tensor like(const Tensor& x, const detail::Matrix& result) {
  return detail::to_tensor(result).to(x.device(), x.is_floating_point() ? x.scalar_type() : kDouble);
}

}  // namespace

MinMaxScaler& MinMaxScaler::fit(const Tensor& x) {
  scaling_.fit(detail::to_matrix(x, kMinMax));
  return *this;
}

Tensor MinMaxScaler::transform(const Tensor& x) const { return like(x, scaling_.transform(detail::to_matrix(x, kMinMax))); }

Tensor MinMaxScaler::inverse_transform(const Tensor& y) const {
  return like(y, scaling_.inverse_transform(detail::to_matrix(y, kMinMax)));
}

StandardScaler& StandardScaler::fit(const Tensor& x) {
  scaling_.fit(detail::to_matrix(x, kStandard));
  return *this;
}

Tensor StandardScaler::transform(const Tensor& x) const { return like(x, scaling_.transform(detail::to_matrix(x, kStandard))); }

Tensor StandardScaler::inverse_transform(const Tensor& y) const {
  return like(y, scaling_.inverse_transform(detail::to_matrix(y, kStandard)));
}

}  // namespace wick::datasets
