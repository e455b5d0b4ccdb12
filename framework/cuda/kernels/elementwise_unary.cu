// The kernels of the functions of one input.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/elementwise.cuh"

namespace wick::cuda {

void install_elementwise_unary() {
#define WICK_INSTALL(Op, ...) ElementwiseSlot<ops::Forward<ops::Op>>::kernel.cuda = run_elementwise<ops::Forward<ops::Op>>;
  WICK_UNARY_WITH_GRADIENT(WICK_INSTALL)
#undef WICK_INSTALL
}

}  // namespace wick::cuda
