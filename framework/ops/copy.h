// Copies and conversions, as other operations use them.
#pragma once

#include "wick/framework/ops/op.h"

namespace wick::ops {

// The strides of a new tensor of these sizes: row-major, channels last, or (Preserve) in the memory order of `like`.
Dims strides_for(MemoryFormat format, const TensorBase& like);

// A new tensor of x's sizes, not initialised.
Tensor allocate_like(const TensorBase& x, ScalarType dtype, Device device, MemoryFormat format = MemoryFormat::Preserve);

// y = x, broadcast and converted, without any check or history.
void copy_data(const TensorBase& y, const TensorBase& x);
// Every element of y becomes the number.
void fill_data(const TensorBase& y, const Scalar& value);

}  // namespace wick::ops
