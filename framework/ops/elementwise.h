// The machinery behind the elementwise operations: dtype rules, shapes, the launch, the node. Used by elementwise_functions.cc, which
// has a line or two per operation, and by others that want an elementwise kernel under a rule of their own.
#pragma once

#include "wick/framework/ops/op.h"
#include "wick/framework/plan/elementwise_slots.h"

namespace wick::ops {

// A number as a 0-dim tensor that takes part in dtype promotion as a number does.
Tensor wrapped(const Scalar& number);

// An input: a tensor, or a number, which takes part in dtype promotion as a number does and needs no memory, but for a complex one.
class Operand {
 public:
  Operand(const Tensor& x) : tensor_(&x) {}
  Operand(const Scalar& number) : number_(number) {
    if (WICK_UNLIKELY(number.isComplex())) complex_ = wrapped(number);
  }

  bool is_number() const { return tensor_ == nullptr && !complex_.defined(); }
  const Tensor& tensor() const { return tensor_ ? *tensor_ : complex_; }
  const TensorBase* base_or_null() const { return is_number() ? nullptr : &tensor(); }
  const Scalar& number() const { return number_; }

 private:
  const Tensor* tensor_ = nullptr;
  Scalar number_;
  Tensor complex_;
};

// What is known of an elementwise operation at run time; made from its struct in elementwise_functions.cc.
struct ElementwiseInfo : OpInfo {
  ElementwiseKernel* forward;
  ElementwiseKernel* gradient[3];
  unsigned uses[3];
  // The gradient formula on Vars, for a backward pass that is recorded: values g and those used, parameters.
  Tensor (*compose[3])(const Tensor* values, const Tensor* inputs, const double* numbers, const double* params);
  int arity, params;
  Domain domain;
  Refuses refuses;
  bool to_bool, differentiable, on_complex;
};

inline constexpr int kMaxInputs = 3;

// The backward function of all of them.
void backward_elementwise(const BackwardCall& call);

// out of place
Tensor run(const ElementwiseInfo& op, std::initializer_list<Operand> inputs, std::initializer_list<Scalar> params = {});
// into inputs[0], which must be a tensor
void run_inplace(const ElementwiseInfo& op, std::initializer_list<Operand> inputs, std::initializer_list<Scalar> params = {});
// into out, resized where its shape differs
Tensor& run_out(const ElementwiseInfo& op, Tensor& out, std::initializer_list<Operand> inputs, std::initializer_list<Scalar> params = {});

// The factor that multiplies x, as a number of x's dtype: 0 for 0.5 and integers, and an error where it does not fit.
Scalar factor_of(const Tensor& x, const Scalar& factor);

// The dtype that the inputs promote to: tensors with dimensions decide over 0-dim tensors, and these over numbers, unless the latter
// are of a higher category (bool < integer < floating point < complex).
ScalarType result_type(const Operand* inputs, int count);

}  // namespace wick::ops
