// The kernels of the gradients of the functions of one input.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/elementwise.cuh"

namespace wick::cuda {

void install_elementwise_unary_gradients() {
#define WICK_INSTALL(Op, ...) ElementwiseSlot<ops::Gradient<ops::Op, 0>>::kernel.cuda = run_elementwise<ops::Gradient<ops::Op, 0>>;
  WICK_UNARY_WITH_GRADIENT(WICK_INSTALL)
#undef WICK_INSTALL
}

}  // namespace wick::cuda
