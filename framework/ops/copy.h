// Copies and conversions, as other operations use them.
#pragma once

#include "wick/framework/ops/op.h"

namespace wick::ops {

// The strides of a new tensor of these sizes: row-major, channels last, or (Preserve) in the memory order of `like`.
Dims strides_for(MemoryFormat format, const TensorBase& like);

// A new tensor of x's sizes, not initialised.
Tensor allocate_like(const TensorBase& x, ScalarType dtype, Device device, MemoryFormat format = MemoryFormat::Preserve);
// The same on the host, in pinned memory.
Tensor allocate_pinned_like(const TensorBase& x, ScalarType dtype, MemoryFormat format = MemoryFormat::Preserve);

// Of a copy between devices: the operation and the place of the call for which a wait of the host is counted.
struct Transfer {
  const char* op = "copy_";
  bool non_blocking = false;
  std::source_location where = {};
};

// y = x, broadcast and converted, without any check or history; from one device to another where they differ.
void copy_data(const TensorBase& y, const TensorBase& x, const Transfer& transfer = {});
// Throws where an element of this type cannot hold the number: an integer that does not fit, or a finite number that would be infinite.
void check_fits(const Scalar& value, ScalarType dtype);
// Every element of y becomes the number.
void fill_data(const TensorBase& y, const Scalar& value);

}  // namespace wick::ops
