#include "wick/nn/init.h"

#include <cmath>

namespace wick::nn::init {
namespace {

double kaiming_std(const Tensor& tensor, double a, FanModeType mode, NonlinearityType nonlinearity) {
  const auto [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
  const int64_t fan = holds_alternative<enumtype::kFanIn>(mode) ? fan_in : fan_out;
  return calculate_gain(nonlinearity, a) / std::sqrt(static_cast<double>(fan));
}

double xavier_std(const Tensor& tensor, double gain) {
  const auto [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
  return gain * std::sqrt(2.0 / static_cast<double>(fan_in + fan_out));
}

// The Q of the QR decomposition whose R has a positive diagonal. Each column is made orthogonal twice, which removes what the first
// pass leaves to rounding (Giraud et al., 2005).
Tensor orthonormal_columns(const Tensor& x) {
  const Tensor q = x.to(kDouble).clone();
  for (int64_t j = 0; j < q.size(1); ++j) {
    const Tensor column = q.select(1, j), before = q.narrow(1, 0, j);
    for (int pass = 0; j > 0 && pass < 2; ++pass) column.sub_(before.mv(before.t().mv(column)));
    column.div_(column.norm());
  }
  return q;
}

Tensor centred_uniform_(Tensor tensor, double std) {
  const double bound = std::sqrt(3.0) * std;
  return uniform_(std::move(tensor), -bound, bound);
}

}  // namespace

Tensor constant_(Tensor tensor, Scalar value) {
  NoGradGuard no_grad;
  return tensor.fill_(value);
}
Tensor zeros_(Tensor tensor) { return constant_(std::move(tensor), 0); }
Tensor ones_(Tensor tensor) { return constant_(std::move(tensor), 1); }

Tensor uniform_(Tensor tensor, double low, double high) {
  NoGradGuard no_grad;
  return tensor.uniform_(low, high);
}
Tensor normal_(Tensor tensor, double mean, double std) {
  NoGradGuard no_grad;
  return tensor.normal_(mean, std);
}

// An empty tensor has no fan to divide by, and nothing to fill.
Tensor kaiming_uniform_(Tensor tensor, double a, FanModeType mode, NonlinearityType nonlinearity) {
  if (tensor.numel() == 0) return tensor;
  return centred_uniform_(tensor, kaiming_std(tensor, a, mode, nonlinearity));
}
Tensor kaiming_normal_(Tensor tensor, double a, FanModeType mode, NonlinearityType nonlinearity) {
  if (tensor.numel() == 0) return tensor;
  return normal_(tensor, 0, kaiming_std(tensor, a, mode, nonlinearity));
}
Tensor xavier_uniform_(Tensor tensor, double gain) { return centred_uniform_(tensor, xavier_std(tensor, gain)); }
Tensor xavier_normal_(Tensor tensor, double gain) { return normal_(tensor, 0, xavier_std(tensor, gain)); }

Tensor eye_(Tensor matrix) {
  NoGradGuard no_grad;
  WICK_CHECK(matrix.dim() == 2, "Only tensors with 2 dimensions are supported");
  matrix.zero_().diagonal().fill_(1);
  return matrix;
}

Tensor dirac_(Tensor tensor) {
  NoGradGuard no_grad;
  WICK_CHECK(tensor.dim() >= 3 && tensor.dim() <= 5, "Only tensors with 3, 4, or 5 dimensions are supported");
  Tensor middle = tensor.zero_();
  for (int64_t d = tensor.dim() - 1; d >= 2; --d) middle = middle.select(d, tensor.size(d) / 2);
  middle.diagonal().fill_(1);
  return tensor;
}

Tensor orthogonal_(Tensor tensor, double gain) {
  NoGradGuard no_grad;
  WICK_CHECK(tensor.dim() >= 2, "Only tensors with 2 or more dimensions are supported");
  if (tensor.numel() == 0) return tensor;
  const int64_t rows = tensor.size(0), columns = tensor.numel() / rows;
  const Tensor normal = randn({rows, columns}, tensor.options().requires_grad(false));
  const Tensor q = orthonormal_columns(rows < columns ? normal.t() : normal);
  return tensor.copy_((rows < columns ? q.t() : q).reshape(tensor.sizes()) * gain);
}

Tensor sparse_(Tensor tensor, double sparsity, double std) {
  NoGradGuard no_grad;
  WICK_CHECK(tensor.dim() == 2, "Only tensors with 2 dimensions are supported");
  const int64_t rows = tensor.size(0), zeros = static_cast<int64_t>(std::ceil(sparsity * static_cast<double>(rows)));
  tensor.normal_(0, std);
  for (int64_t column = 0; column < tensor.size(1); ++column) {
    tensor.select(1, column).index_fill_(0, randperm(rows).narrow(0, 0, zeros), 0);
  }
  return tensor;
}

double calculate_gain(NonlinearityType nonlinearity, double param) {
  if (holds_alternative<enumtype::kTanh>(nonlinearity)) return 5.0 / 3.0;
  if (holds_alternative<enumtype::kReLU>(nonlinearity)) return std::sqrt(2.0);
  if (holds_alternative<enumtype::kLeakyReLU>(nonlinearity)) return std::sqrt(2.0 / (1 + param * param));
  return 1.0;
}

std::tuple<int64_t, int64_t> _calculate_fan_in_and_fan_out(const Tensor& tensor) {
  const int64_t dim = tensor.dim();
  WICK_CHECK_VALUE(dim >= 2, "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions\n  The tensor has shape ",
                   tensor.sizes(), ".");
  int64_t kernel = 1;
  for (int64_t d = 2; d < dim; ++d) kernel *= tensor.size(d);
  return {tensor.size(1) * kernel, tensor.size(0) * kernel};
}

}  // namespace wick::nn::init
