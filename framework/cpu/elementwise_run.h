// The drivers that walk an elementwise plan, one for each instruction set.
#pragma once

#include "wick/framework/plan/elementwise_slots.h"

namespace wick::cpu {

namespace avx2 {
void run_elementwise(const KernelInfo& kernel, const void* args);
void run_copy(const ElementwiseArgs& args);
void run_fused_elementwise(const FusedElementwiseArgs& args);
}  // namespace avx2

namespace avx512 {
void run_elementwise(const KernelInfo& kernel, const void* args);
void run_copy(const ElementwiseArgs& args);
void run_fused_elementwise(const FusedElementwiseArgs& args);
}  // namespace avx512

}  // namespace wick::cpu
