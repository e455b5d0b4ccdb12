// The kernels of the elementwise operations that have no gradient.
#include "wick/framework/cpu/elementwise_block.h"

WICK_WITHOUT_GRADIENT(WICK_EMIT_PLAIN)
