// The kernels of the comparisons, predicates and integer operations, which have no gradient.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/elementwise.cuh"

namespace wick::cuda {

void install_elementwise_plain() {
#define WICK_INSTALL(Op, ...) ElementwiseSlot<ops::Forward<ops::Op>>::kernel.cuda = run_elementwise<ops::Forward<ops::Op>>;
  WICK_WITHOUT_GRADIENT(WICK_INSTALL)
#undef WICK_INSTALL
}

}  // namespace wick::cuda
