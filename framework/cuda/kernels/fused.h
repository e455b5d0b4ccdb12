// Elementwise calls that a graph has made one.
#pragma once

#include "wick/framework/plan/elementwise.h"

namespace wick::cuda {

// Whether the call may be made with others in one launch: one of the functions of fused.cu, in float.
bool is_fused(const KernelInfo& kernel, const ElementwiseArgs& args);

}  // namespace wick::cuda
