// wick's own register-blocked matrix products, one build per instruction set (see core/isa.h). They run on the calling thread and allocate
// nothing; any shape with positive m and n is right, small ones are what they are made for. alpha is not 0 unless k is.
#pragma once

#include "wick/framework/cpu/gemm.h"

namespace wick::cpu {

namespace avx2 {
void gemm_small(const GemmArgs<float>& args);
void gemm_small(const GemmArgs<double>& args);
}  // namespace avx2

namespace avx512 {
void gemm_small(const GemmArgs<float>& args);
void gemm_small(const GemmArgs<double>& args);
}  // namespace avx512

}  // namespace wick::cpu
