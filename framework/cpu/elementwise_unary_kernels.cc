// The kernels of the unary elementwise operations and of their gradients.
#include "wick/framework/cpu/elementwise_block.h"

WICK_UNARY_WITH_GRADIENT(WICK_EMIT_UNARY)
