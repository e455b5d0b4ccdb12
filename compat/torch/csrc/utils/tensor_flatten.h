// Several tensors as one vector, and back.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace wick::utils {

inline Tensor flatten_dense_tensors(TensorList tensors) {
  std::vector<Tensor> flat;
  flat.reserve(tensors.size());
  for (const Tensor& x : tensors) flat.push_back(x.contiguous().view({-1}));
  return cat(flat);
}

// Views of `flat` with the shapes of `tensors`. A tensor without elements is no view but has memory of its own.
inline std::vector<Tensor> unflatten_dense_tensors(const Tensor& flat, TensorList tensors) {
  std::vector<Tensor> parts;
  parts.reserve(tensors.size());
  int64_t offset = 0;
  for (const Tensor& x : tensors) {
    const int64_t n = x.numel();
    parts.push_back(n == 0 ? empty({0}, flat.options()) : flat.narrow(0, offset, n).view(x.sizes()));
    offset += n;
  }
  return parts;
}

}  // namespace wick::utils
