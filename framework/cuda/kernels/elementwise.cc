// Laying an elementwise call out for the kernels; and the installation of what elementwise.cuh stands for.
#include "wick/framework/cuda/kernels/elementwise.h"

#include <cstdint>

namespace wick::cuda {
namespace {

void fill_call(const ElementwiseArgs& args, int num_inputs, ElementwiseCall& call) {
  call.numel = args.plan.numel;
  call.singles = 0;
  for (int k = 0; k <= num_inputs; ++k) {
    call.data[k] = args.buffers[k].data;
    call.dtype[k] = args.plan.dtype[k];
    call.number[k] = args.number[k];
  }
  for (int k = 0; k < kMaxParams; ++k) call.params[k] = args.params[k];
}

}  // namespace

bool make_flat_call(const ElementwiseArgs& args, int num_inputs, ElementwiseCall& call) {
  const ElementwisePlan& plan = args.plan;
  if (plan.ndim != 1) return false;
  fill_call(args, num_inputs, call);
  for (int k = 0; k <= num_inputs; ++k) {
    const int64_t stride = plan.strides[k][0];
    if (stride == 0 && (k > 0 || plan.numel == 1)) {
      call.singles |= 1u << k;
      continue;
    }
    const auto alignment = static_cast<uintptr_t>(4 * element_size(plan.dtype[k]));
    if (stride != 1 || reinterpret_cast<uintptr_t>(call.data[k]) % alignment != 0) return false;
  }
  return true;
}

void make_strided_call(const ElementwiseArgs& args, int num_inputs, StridedCall& call) {
  const ElementwisePlan& plan = args.plan;
  fill_call(args, num_inputs, call);
  call.ndim = plan.ndim;
  call.wide = plan.numel > INT32_MAX;
  for (int d = 0; d < plan.ndim; ++d) {
    call.sizes[d] = plan.sizes[d];
    if (!call.wide) call.dividers[d] = Divider(static_cast<uint32_t>(plan.sizes[d]));
    for (int k = 0; k <= num_inputs; ++k) call.strides[k][d] = plan.strides[k][d];
  }
}

}  // namespace wick::cuda
