#include "wick/datasets/detail/tensors.h"

#include <algorithm>

#include "wick/framework/core/error.h"

namespace wick::datasets::detail {

Tensor to_tensor(MatrixView matrix) {
  Tensor x(empty_base({matrix.rows, matrix.cols}, kDouble, kCPU));
  std::copy_n(matrix.values, x.numel(), x.mutable_data_ptr<double>());
  return x;
}

Tensor to_tensor(const std::vector<int64_t>& values) {
  Tensor x(empty_base({static_cast<int64_t>(values.size())}, kLong, kCPU));
  std::copy(values.begin(), values.end(), x.mutable_data_ptr<int64_t>());
  return x;
}

Matrix to_matrix(const Tensor& x, const char* caller) {
  WICK_CHECK_VALUE(x.dim() == 2, "Expected 2D array, got ", x.dim(), "D array instead:\n", caller,
                   " takes one row per sample and one column per feature, but X is ", x.sizes(), ".");
  WICK_CHECK_TYPE(!x.is_complex(), caller, " takes real numbers, but X is ", x.scalar_type(), ".");
  const Tensor values = x.detach().to(kCPU, kDouble).contiguous();
  const double* first = values.const_data_ptr<double>();
  return {std::vector<double>(first, first + values.numel()), x.size(0), x.size(1)};
}

}  // namespace wick::datasets::detail
