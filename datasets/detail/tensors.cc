#include "wick/datasets/detail/tensors.h"

#include <algorithm>

namespace wick::datasets::detail {

Tensor to_tensor(const Matrix& matrix) {
  Tensor x(empty_base({matrix.rows, matrix.cols}, kDouble, kCPU));
  std::ranges::copy(matrix.values, x.mutable_data_ptr<double>());
  return x;
}

Tensor to_tensor(const std::vector<int64_t>& values) {
  Tensor x(empty_base({static_cast<int64_t>(values.size())}, kLong, kCPU));
  std::copy(values.begin(), values.end(), x.mutable_data_ptr<int64_t>());
  return x;
}

}  // namespace wick::datasets::detail
