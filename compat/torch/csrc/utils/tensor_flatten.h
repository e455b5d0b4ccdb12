// Several tensors as one vector, and back.
#pragma once

#include <torch/torch.h>

namespace wick::utils {
using at::flatten_dense_tensors;
using at::unflatten_dense_tensors;
}  // namespace wick::utils
