// The kernels of the functions of two and three inputs, and of their gradients.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/elementwise.cuh"

namespace wick::cuda {

void install_elementwise_binary() {
#define WICK_INSTALL(...) ElementwiseSlot<ops::__VA_ARGS__>::kernel.cuda = run_elementwise<ops::__VA_ARGS__>;
#define WICK_INSTALL_2(Op, ...) \
  WICK_INSTALL(Forward<ops::Op>) WICK_INSTALL(Gradient<ops::Op, 0>) WICK_INSTALL(Gradient<ops::Op, 1>)
#define WICK_INSTALL_3(Op, ...) WICK_INSTALL_2(Op) WICK_INSTALL(Gradient<ops::Op, 2>)
  WICK_BINARY_WITH_GRADIENT(WICK_INSTALL_2)
  WICK_TERNARY_OPS(WICK_INSTALL_3)
#undef WICK_INSTALL
#undef WICK_INSTALL_2
#undef WICK_INSTALL_3
}

}  // namespace wick::cuda
