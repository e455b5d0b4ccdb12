// Between tensors and the plain tables of this folder.
#pragma once

#include <cstdint>
#include <vector>

#include "wick/datasets/detail/matrix.h"
#include "wick/framework/tensor.h"

namespace wick::datasets::detail {

// A float64 tensor [rows, cols] on the CPU, and an int64 tensor [size].
Tensor to_tensor(MatrixView matrix);
Tensor to_tensor(const std::vector<int64_t>& values);

// The elements of a 2-d tensor of real numbers, in double. Throws ValueError, scikit-learn's sentence, for another number of
// dimensions; `caller` is the scaler for which it is done.
Matrix to_matrix(const Tensor& x, const char* caller);

}  // namespace wick::datasets::detail
