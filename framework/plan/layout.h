// The order in which a tensor's elements lie in memory.
#pragma once

#include "wick/framework/core/tensor_base.h"

namespace wick {

// The dimensions of x from the outermost to the innermost, by falling strides. A dimension of stride 0 has no place of its own and
// keeps the one it has; of two with the same stride the smaller one lies inside.
Dims memory_order(const TensorBase& x);

// Strides without gaps for x's sizes, in x's memory order: x's own strides where it is dense, and what PyTorch's preserve_format
// gives a tensor made in the likeness of one that is not.
Dims dense_strides(const TensorBase& x);

}  // namespace wick
