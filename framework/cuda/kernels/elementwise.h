// What the elementwise kernels get: a plan made ready for the device.
#pragma once

#include <cuda_runtime.h>

#include "wick/framework/plan/elementwise.h"

namespace wick::cuda {

// What every kernel of the family gets. Operand 0 is the output; one without data is a number.
struct ElementwiseCall {
  void* data[kMaxOperands];
  ScalarType dtype[kMaxOperands];
  uint32_t singles;  // bit k: operand k is one value for all elements
  int64_t numel;
  Param number[kMaxOperands];
  Param params[kMaxParams];
};

// Divides numbers below 2^31 by a fixed one: Granlund and Montgomery, "Division by invariant integers using multiplication" (1994).
struct Divider {
  uint32_t divisor, magic;
  int shift;

  Divider() = default;
  explicit Divider(uint32_t d) : divisor(d), magic(0), shift(0) {
    while ((uint64_t{1} << shift) < d) ++shift;
    magic = static_cast<uint32_t>((((uint64_t{1} << shift) - d) << 32) / d + 1);
  }
  __device__ uint32_t divide(uint32_t n) const {
    return static_cast<uint32_t>((static_cast<uint64_t>(n) * magic >> 32) + n) >> shift;
  }
};

struct StridedCall : ElementwiseCall {
  int32_t ndim;
  bool wide;  // too many elements for 32-bit indices
  int64_t sizes[kMaxDims];
  Divider dividers[kMaxDims];
  int64_t strides[kMaxOperands][kMaxDims];
};

// Both return false where there is nothing to do the way they stand for.
bool make_flat_call(const ElementwiseArgs& args, int num_inputs, ElementwiseCall& call);
void make_strided_call(const ElementwiseArgs& args, int num_inputs, StridedCall& call);

}  // namespace wick::cuda
