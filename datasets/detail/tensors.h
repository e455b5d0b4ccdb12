// Between tensors and the plain tables of this folder.
#pragma once

#include <cstdint>
#include <vector>

#include "wick/datasets/detail/matrix.h"
#include "wick/framework/tensor.h"

namespace wick::datasets::detail {

// A float64 tensor [rows, cols] on the CPU, and an int64 tensor [size].
Tensor to_tensor(const Matrix& matrix);
Tensor to_tensor(const std::vector<int64_t>& values);

}  // namespace wick::datasets::detail
