// What a graph lets products do beside.
#pragma once

#include "wick/framework/plan/matmul.h"

namespace wick::cuda {

// Which of cuBLASLt's epilogues does what the call behind the product does to its result, or sums up its first factor. kNone where
// there is none: for double, which has none but the bias, and for sums so long that they are cut into chunks.
MatmulEpilogue epilogue_of(const MatmulArgs& product, const KernelInfo& kernel, const void* args);

}  // namespace wick::cuda
