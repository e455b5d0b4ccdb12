// The parts of matrix products that are kernels of our own.
#pragma once

#include "wick/framework/plan/matmul.h"

namespace wick::cuda {

// C = epilogue(C + bias), where C holds the product.
void finish_product(const MatmulArgs& args);
// A thread for each element of C: integers, and products of no terms.
void multiply_plainly(const MatmulArgs& args);

}  // namespace wick::cuda
