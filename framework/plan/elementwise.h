// Elementwise calls: how the operands of one call are laid out against each other.
//
// A plan is worked out once a call and is plain data, so either device can take it. Dimensions of size 1 are dropped, the rest is put
// in the order of the output's memory and merged as far as every operand allows: tensors without gaps become one dimension, whatever
// their shape, and a kernel never learns what broadcasting is.
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

inline constexpr int kMaxOperands = 5;  // the output and up to four inputs

struct ElementwisePlan {
  int64_t numel;
  int32_t ndim;                              // at least 1
  bool flat;                                 // one dimension, strides of 1 or, for single values, 0, and one dtype
  ScalarType dtype[kMaxOperands];            // of the memory of each operand
  int64_t sizes[kMaxDims];                   // innermost first
  int64_t strides[kMaxOperands][kMaxDims];   // in elements of each operand; 0 where it is broadcast
};

// operands[0] is the output, with the shape that the inputs broadcast to. A null operand is a number: it has stride 0 everywhere.
void make_plan(ElementwisePlan& plan, const TensorBase* const* operands, int num_operands);

// Where each input's elements must lie for the output to be written while the input is still read: throws where the output shares
// memory with an input in any other way than element for element, or overlaps itself (an expanded tensor). Operations that write to
// places unlike those that they read must not be given the same tensor twice, either.
void check_no_overlap(const TensorBase& output, const TensorBase* const* inputs, int num_inputs, bool may_be_same = true);

// A number as an argument of a kernel, in both readings, so that a kernel takes the one of its own type.
struct Param {
  double d;
  int64_t i;

  Param() = default;
  Param(const Scalar& s) : d(s.toDouble()), i(s.isFloatingPoint() ? convert<int64_t>(s.toDouble()) : s.toLong()) {}
  Param(double value) : d(value), i(convert<int64_t>(value)) {}

  template <class T>
  WICK_HD T as() const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(i);
    else return convert<T>(d);
  }
};

inline constexpr int kMaxParams = 3;

struct ElementwiseArgs {
  static constexpr Access access[kMaxOperands] = {Access::kWrite, Access::kRead, Access::kRead, Access::kRead, Access::kRead};

  Buffer buffers[kMaxOperands];  // the output first
  ScalarType compute;            // what the kernel computes in: a compute_type
  Param number[kMaxOperands];    // the value of an input without a buffer
  Param params[kMaxParams];
  ElementwisePlan plan;
};

// The kernel of one function for one type on the CPU: n results from contiguous inputs. Bit i of `numbers` says that input i is a
// single value for all of them.
using BlockFn = void (*)(void* out, const void* const* in, uint32_t numbers, int64_t n, const Param* params);

// By compute type. Null where the function is not defined on the type.
enum ComputeType {
  kComputeFloat, kComputeDouble, kComputeInt, kComputeLong, kComputeComplexFloat, kComputeComplexDouble, kNumComputeTypes
};
constexpr int compute_index(ScalarType t) {
  return t == kFloat ? kComputeFloat : t == kDouble ? kComputeDouble : t == kInt ? kComputeInt : t == kLong ? kComputeLong
         : t == kComplexFloat ? kComputeComplexFloat : kComputeComplexDouble;
}
// Integers narrower than 32 bits, and bool, compute in 32 bits and wrap on the way back; half types compute as float.
constexpr ScalarType compute_type(ScalarType t) {
  if (t == kDouble || t == kLong || t == kFloat || t == kInt || is_complex(t)) return t;
  return is_floating(t) ? kFloat : kInt;
}

struct BlockTable {
  BlockFn fn[kNumComputeTypes];
  int num_inputs;
  bool writes_bool;  // a comparison: the output is bool, whatever the inputs are
};

// The slot of an elementwise kernel: one driver for all of them, which walks the plan and calls the table's function on blocks.
struct ElementwiseKernel : KernelInfo {
  const BlockTable* blocks[kNumIsas];
};

}  // namespace wick
