// Large float products by oneDNN.
#pragma once

#include "wick/framework/cpu/gemm.h"

namespace wick::cpu {

// gemm (see gemm.h) by oneDNN's sgemm on wick::get_num_threads() threads, for positive m, n and k. False, with C untouched, when
// oneDNN cannot: its leading dimensions are at least the number of columns.
bool dnnl_gemm(const GemmArgs<float>& args);

}  // namespace wick::cpu
