// Matrix products in plain loops, for the dtypes without a kernel of their own.
#pragma once

#include "wick/framework/cpu/gemm.h"

namespace wick::cpu {

// gemm (see gemm.h) on the calling thread. T: the integers and the complex numbers.
template <class T>
void gemm_generic(const GemmArgs<T>& args);

}  // namespace wick::cpu
