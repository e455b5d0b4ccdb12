// The kernels of the elementwise operations of two and three inputs and of their gradients.
#include "wick/framework/cpu/elementwise_block.h"

WICK_BINARY_WITH_GRADIENT(WICK_EMIT_BINARY)
WICK_TERNARY_OPS(WICK_EMIT_TERNARY)
