// from_blob(): a tensor on memory that somebody else owns.
#pragma once

#include "wick/framework/tensor.h"

namespace wick {

using Deleter = std::function<void(void*)>;

// Elements of the options' dtype (the default dtype without one) at `data`, which is not copied: row-major, or with the given strides
// and storage_offset, in elements. The memory must outlive the tensor and all its views; the deleter, where there is one, is called
// with `data` after the last of them has gone. `data` lies on the options' device. The tensor cannot grow.
Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, const Deleter& deleter, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const Deleter& deleter, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset, const Deleter& deleter,
                 const TensorOptions& options = {});

}  // namespace wick
