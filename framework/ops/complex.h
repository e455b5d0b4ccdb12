// What complex tensors have beside the operations that real ones have, too.
#pragma once

#include "wick/framework/ops/op.h"

namespace wick::ops {

// |z|, a real tensor. Its gradient at 0 is 0.
Tensor complex_abs(const Tensor& z);
// z / |z|, and 0 where z is 0; the sign of real numbers.
Tensor direction(const Tensor& z);

// x's conjugate, or x itself where it is real: what gradients of products are made of.
inline Tensor conjugate(Tensor x) { return WICK_UNLIKELY(x.is_complex()) ? wick::conj(x) : x; }

}  // namespace wick::ops
