// at::tensor, which is not torch::tensor: a number or a list of numbers, always as a vector, of the numbers' own C++ type.
#pragma once

#include <ATen/names.h>

#include <algorithm>
#include <initializer_list>

namespace at {

namespace detail {
template <class T>
Tensor vector_of(ArrayRef<T> values, const TensorOptions& options) {
  const ScalarType own = wick::dtype_of<T>, dtype = options.dtype_opt().value_or(own);
  WICK_CHECK_NOT_IMPLEMENTED(!wick::is_complex(own) || wick::is_complex(dtype), "\"tensor_cpu\" not implemented for '", dtype, "'");
  const Tensor y = wick::empty({static_cast<int64_t>(values.size())}, TensorOptions(own));
  std::copy(values.begin(), values.end(), y.data_ptr<T>());
  return y.to(options.dtype(dtype).requires_grad(false)).requires_grad_(options.requires_grad());
}
}  // namespace detail

#define WICK_TENSOR(T, ...)                                                                                                        \
  inline Tensor tensor(ArrayRef<T> values, const TensorOptions& options = {}) { return detail::vector_of(values, options); }       \
  inline Tensor tensor(std::initializer_list<T> values, const TensorOptions& options = {}) {                                       \
    return detail::vector_of(ArrayRef<T>(values), options);                                                                        \
  }                                                                                                                                \
  inline Tensor tensor(T value, const TensorOptions& options = {}) { return detail::vector_of(ArrayRef<T>(value), options); }
WICK_FORALL_DTYPES_AND_COMPLEX(WICK_TENSOR)
#undef WICK_TENSOR

}  // namespace at
