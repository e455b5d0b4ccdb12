#include "wick/framework/ops/elementwise.h"

#include "wick/framework/ops/var.h"

#include <cmath>

namespace wick::ops {
namespace {

// ---- Dtypes ------------------------------------------------------------------------------------------------------------------------

ScalarType combine_categories(ScalarType higher, ScalarType lower) {
  if (is_complex(higher) || lower == ScalarType::Undefined) return higher;
  if (higher == ScalarType::Undefined) return lower;
  if (is_floating(higher)) return is_complex(lower) ? promote_types(higher, lower) : higher;
  if (higher == kBool || is_floating(lower) || is_complex(lower)) return promote_types(higher, lower);
  return higher;
}

ScalarType number_type(const Scalar& s) { return s.isFloatingPoint() ? default_dtype() : s.type(); }

struct Types {
  ScalarType compute;  // of the kernel
  ScalarType result;   // of the output
};

[[noreturn]] WICK_COLD void unsupported(const ElementwiseInfo& op, ScalarType t) {
  WICK_CHECK(t != kBool || std::string_view(op.name) != "neg",
             "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
             "`logical_not()` operator instead.");
  wick::detail::raise<NotImplementedError>("\"", op.name, "\" not implemented for '", t, "'");
}

// Tensors of one floating point dtype, and numbers: nothing to promote.
ScalarType common_floating_type(const Operand* inputs, int count) {
  ScalarType common = ScalarType::Undefined;
  for (int k = 0; k < count; ++k) {
    if (inputs[k].is_number()) continue;
    const ScalarType t = inputs[k].tensor().impl().dtype;
    if (common == ScalarType::Undefined) common = t;
    if (t != common || !is_floating(t)) return ScalarType::Undefined;
  }
  return common;
}

Types types_of(const ElementwiseInfo& op, const Operand* inputs) {
  const ScalarType floating = common_floating_type(inputs, op.arity);
  if (WICK_LIKELY(floating != ScalarType::Undefined && op.domain != Domain::kInteger)) {
    return {compute_type(floating), op.to_bool ? kBool : floating};
  }
  ScalarType common = result_type(inputs, op.arity);
  if (WICK_UNLIKELY(is_complex(common))) unsupported(op, common);
  if (WICK_UNLIKELY(!is_floating(common))) {
    if (op.refuses == Refuses::kIntegersAndBool || (op.refuses == Refuses::kBool && common == kBool)) unsupported(op, common);
    if (op.domain == Domain::kFloat) common = default_dtype();
  }
  if (WICK_UNLIKELY(op.domain == Domain::kInteger && is_floating(common))) unsupported(op, common);
  ScalarType compute = compute_type(common);
  if (compute == kInt) {
    // A number that 32 bits cannot hold is still compared with, and added to, as what it is.
    for (int k = 0; k < op.arity; ++k) {
      if (inputs[k].is_number() && static_cast<int32_t>(inputs[k].number().toLong()) != inputs[k].number().toLong()) compute = kLong;
    }
  }
  return {compute, op.to_bool ? kBool : common};
}

// ---- Shapes ------------------------------------------------------------------------------------------------------------------------

// An output that follows the memory order of its inputs, as PyTorch's does: dense inputs of one layout pass it on.
Tensor allocate_output(const Operand* inputs, int arity, ScalarType dtype) {
  const Tensor* first = nullptr;
  bool same_shape = true, contiguous = true;
  for (int k = 0; k < arity; ++k) {
    if (inputs[k].is_number()) continue;
    const Tensor& x = inputs[k].tensor();
    contiguous &= x.impl().has(TensorImpl::kContiguous);
    if (!first) first = &x;
    else same_shape &= first->sizes() == x.sizes();
  }
  if (!first) return empty_base({}, dtype, kCPU);
  if (WICK_LIKELY(same_shape && contiguous)) return empty_like_base(first->impl(), dtype);
  Dims shape(first->sizes());
  const Tensor* largest = first;
  for (int k = 0; k < arity; ++k) {
    if (inputs[k].is_number()) continue;
    const Tensor& x = inputs[k].tensor();
    shape = broadcast_shapes(shape, x.sizes());
    // A tensor with dimensions decides where the result lives: 0-dim CPU tensors join any device.
    if (largest->dim() == 0 && x.dim() > 0) largest = &x;
    if (x.numel() > largest->numel()) largest = &x;
  }
  const bool follow = largest->sizes() == IntArrayRef(shape) && !largest->is_contiguous() && largest->is_non_overlapping_and_dense();
  if (follow) return empty_strided_base(shape, largest->strides(), dtype, largest->device());
  return empty_base(shape, dtype, largest->device());
}

void check_devices(const ElementwiseInfo& op, const Operand* inputs) {
  const Tensor* first = nullptr;
  for (int k = 0; k < op.arity; ++k) {
    if (inputs[k].is_number()) continue;
    const Tensor& x = inputs[k].tensor();
    if (WICK_UNLIKELY(!x.defined())) {
      wick::detail::raise<Error>(op.name, "(): argument ", k + 1, " must be a defined Tensor");
    }
    if (x.dim() == 0 && x.is_cpu()) continue;
    if (!first) first = &x;
    else if (WICK_UNLIKELY(!(first->device() == x.device()))) check_same_device(op.name, {first, &x});
  }
}

// ---- The launch --------------------------------------------------------------------------------------------------------------------

void fill_args(ElementwiseArgs& args, const TensorBase& out, const Operand* inputs, int arity, ScalarType compute) {
  const TensorBase* operands[kMaxOperands] = {&out};
  args.buffers[0] = Buffer(out);
  for (int k = 0; k < arity; ++k) {
    operands[k + 1] = inputs[k].base_or_null();
    if (inputs[k].is_number()) {
      args.buffers[k + 1] = Buffer(nullptr);
      args.number[k + 1] = Param(inputs[k].number());
    } else {
      args.buffers[k + 1] = Buffer(inputs[k].tensor());
    }
  }
  for (int k = arity + 1; k < kMaxOperands; ++k) args.buffers[k] = Buffer(nullptr);
  args.compute = compute;
  make_plan(args.plan, operands, arity + 1);
}

void launch_kernel(const ElementwiseKernel& kernel, const TensorBase& out, const Operand* inputs, int arity, ScalarType compute,
                   const Param* params, int num_params) {
  if (WICK_UNLIKELY(out.device().is_meta())) return;
  ElementwiseArgs args;
  fill_args(args, out, inputs, arity, compute);
  for (int i = 0; i < num_params; ++i) args.params[i] = params[i];
  launch(kernel, out.device(), args);
}

// ---- History -----------------------------------------------------------------------------------------------------------------------
// Saved tensors: those of the values that any wanted gradient uses, in the order of the flags; a number among them leaves a gap.
// Numbers: the parameters of a unary operation; else the parameter and then the inputs that are numbers.

int64_t bits_of(double x) { return __builtin_bit_cast(int64_t, x); }
double double_of(int64_t bits) { return __builtin_bit_cast(double, bits); }

bool should_record_inputs(const ElementwiseInfo& op, const Operand* inputs) {
  if (!t_state.grad_enabled || !op.differentiable) return false;
  for (int k = 0; k < op.arity; ++k) {
    if (!inputs[k].is_number() && wants_grad(inputs[k].tensor())) return true;
  }
  return false;
}

unsigned used_values(const ElementwiseInfo& op, const Node& node) {
  unsigned used = 0;
  for (int k = 0; k < op.arity; ++k) {
    if (node.wants(k)) used |= op.uses[k];
  }
  return used & kUsedValues;
}

Ref<Node> record_inputs(const ElementwiseInfo& op, const Operand* inputs, const Param* params, bool in_place) {
  auto node = Ref<Node>::adopt(Node::create(op, op.arity));
  for (int k = 0; k < op.arity; ++k) {
    if (!inputs[k].is_number() && wants_grad(inputs[k].tensor())) node->edge(k) = gradient_edge(inputs[k].tensor());
  }
  const unsigned used = used_values(op, *node);
  for (int k = 0; k < op.arity; ++k) {
    if (!(used >> k & 1)) continue;
    if (inputs[k].is_number()) {
      node->save(TensorBase(), false);
    } else if (in_place && k == 0) {
      // The value that is about to be overwritten; with its history, for second derivatives.
      node->save(inputs[0].tensor().clone(), false);
    } else {
      node->save(inputs[k].tensor(), false);
    }
  }
  if (op.arity == 1) {
    for (int i = 0; i < op.params; ++i) node->number(i) = bits_of(params[i].d);
  } else {
    node->number(0) = op.params ? bits_of(params[0].d) : 0;
    for (int k = 0; k < op.arity; ++k) {
      if (inputs[k].is_number()) node->number(1 + k) = bits_of(inputs[k].number().toDouble());
    }
  }
  return node;
}

// The gradient of input i where it is g itself.
bool passes(const ElementwiseInfo& op, const Node& node, int i) {
  return (op.uses[i] & kPasses) || ((op.uses[i] & kPassesIfOne) && double_of(node.number(0)) == 1.0);
}

void backward(const BackwardCall& call) {
  Node& node = call.node;
  const auto& op = static_cast<const ElementwiseInfo&>(node.op());
  const Tensor g = call.grads[0];
  if (!g.defined()) return;
  const unsigned saved = used_values(op, node);
  Tensor values[4];  // a, b, c, y, as far as they are saved
  int slot = 0;
  for (int v = 0; v < 4; ++v) {
    if (saved >> v & 1) values[v] = node.saved(slot++);
  }
  double params[kMaxParams], numbers[kMaxInputs] = {};
  for (int i = 0; i < op.params; ++i) params[i] = double_of(node.number(i));
  if (op.arity > 1) {
    for (int k = 0; k < op.arity; ++k) numbers[k] = double_of(node.number(1 + k));
  }
  for (int i = 0; i < op.arity; ++i) {
    if (!node.wants(i)) continue;
    if (passes(op, node, i)) {
      call.inputs[i] = g;
    } else if (call.create_graph) {
      call.inputs[i] = op.compose[i](&g, values, numbers, params);
    } else {
      Operand operands[kMaxOperands - 1] = {g, Scalar(), Scalar(), Scalar()};
      int count = 1;
      for (int v = 0; v < 4; ++v) {
        if (!(op.uses[i] >> v & 1)) continue;
        if (values[v].defined()) operands[count++] = Operand(values[v]);
        else operands[count++] = Operand(Scalar(numbers[v]));
      }
      const ScalarType dtype = result_type(operands, count);
      Tensor gx = allocate_output(operands, count, dtype);
      Param p[kMaxParams];
      for (int k = 0; k < op.params; ++k) p[k] = Param(params[k]);
      launch_kernel(*op.gradient[i], gx, operands, count, compute_type(dtype), p, op.params);
      call.inputs[i] = std::move(gx);
    }
  }
}

// The formula of Gradient<Op, i> on tensors.
template <class Op, int i>
Tensor compose(const Tensor* g, const Tensor* values, const double* numbers, const double* params) {
  Var v[4] = {*g, 0.0, 0.0, 0.0};
  int count = 1;
  for (int k = 0; k < 4; ++k) {
    if (!(Gradient<Op, i>::uses >> k & 1)) continue;
    v[count++] = values[k].defined() ? Var(values[k]) : Var(numbers[k]);
  }
  Var p[kMaxParams] = {0.0, 0.0, 0.0};
  for (int k = 0; k < Op::params; ++k) p[k] = params[k];
  return as_tensor(Gradient<Op, i>::apply(v, p), v[0]);
}

template <class Op>
constexpr ElementwiseInfo describe_op(const char* name, const char* node_name) {
  ElementwiseInfo op{};
  op.name = name;
  op.node_name = node_name;
  op.backward = backward;
  op.forward = &ElementwiseSlot<Forward<Op>>::kernel;
  op.arity = Op::arity;
  op.params = Op::params;
  op.domain = Op::domain;
  op.refuses = Op::refuses;
  op.to_bool = Op::to_bool;
  op.differentiable = Op::differentiable;
  if constexpr (Op::differentiable) {
    const auto add = [&]<int i>() {
      op.gradient[i] = &ElementwiseSlot<Gradient<Op, i>>::kernel;
      op.uses[i] = uses_of<Op, i>();
      op.compose[i] = compose<Op, i>;
    };
    add.template operator()<0>();
    if constexpr (Op::arity > 1) add.template operator()<1>();
    if constexpr (Op::arity > 2) add.template operator()<2>();
  }
  return op;
}

// The one object that describes each operation: kInfo<Add> and so on.
template <class Op>
extern const ElementwiseInfo kInfo;
#define WICK_DESCRIBE(Op, name, node_name) \
  template <>                              \
  constinit const ElementwiseInfo kInfo<Op> = describe_op<Op>(#name, node_name);
WICK_ELEMENTWISE_OPS(WICK_DESCRIBE)
#undef WICK_DESCRIBE

void to_params(std::initializer_list<Scalar> list, Param* params) {
  for (const Scalar& s : list) *params++ = Param(s);
}

}  // namespace

ScalarType result_type(const Operand* inputs, int count) {
  // The usual case: tensors of one dtype, and numbers that do not matter.
  ScalarType with_dims = ScalarType::Undefined, zero_dim = ScalarType::Undefined, number = ScalarType::Undefined;
  for (int k = 0; k < count; ++k) {
    if (inputs[k].is_number()) {
      number = promote_types(number, number_type(inputs[k].number()));
      continue;
    }
    const TensorImpl& x = inputs[k].tensor().impl();
    if (x.ndim > 0) with_dims = promote_types(with_dims, x.dtype);
    else if (x.has(TensorImpl::kWrappedNumber)) number = promote_types(number, is_floating(x.dtype) ? default_dtype() : x.dtype);
    else zero_dim = promote_types(zero_dim, x.dtype);
  }
  return combine_categories(with_dims, combine_categories(zero_dim, number));
}

Tensor run(const ElementwiseInfo& op, std::initializer_list<Operand> inputs, std::initializer_list<Scalar> param_list) {
  const Operand* in = inputs.begin();
  check_devices(op, in);
  const Types types = types_of(op, in);
  Param params[kMaxParams];
  to_params(param_list, params);
  Tensor y = allocate_output(in, op.arity, types.result);
  Ref<Node> node;
  if (should_record_inputs(op, in)) node = record_inputs(op, in, params, false);
  launch_kernel(*op.forward, y, in, op.arity, types.compute, params, op.params);
  if (node) {
    detail::attach(node, y);
    if (used_values(op, *node) & kOutput) node->save(y, true);
  }
  return y;
}

namespace {

void check_result_dtype(const ElementwiseInfo& op, ScalarType result, ScalarType output) {
  WICK_CHECK(can_cast(result, output), "result type ", result, " can't be cast to the desired output type ", output, "\n  in ", op.name);
}

}  // namespace

void run_inplace(const ElementwiseInfo& op, std::initializer_list<Operand> inputs, std::initializer_list<Scalar> param_list) {
  const Operand* in = inputs.begin();
  const Tensor& self = in[0].tensor();
  check_devices(op, in);
  const Types types = types_of(op, in);
  check_result_dtype(op, types.result, self.scalar_type());
  const TensorBase* others[kMaxInputs];
  for (int k = 0; k < op.arity; ++k) {
    others[k] = in[k].base_or_null();
    if (!others[k] || others[k]->numel() == self.numel()) continue;
    const Dims shape = broadcast_shapes(self.sizes(), others[k]->sizes());
    WICK_CHECK(IntArrayRef(shape) == self.sizes(), "output with shape ", self.sizes(), " doesn't match the broadcast shape ", shape);
  }
  for (int k = 1; k < op.arity; ++k) {
    if (others[k]) broadcast_shapes(self.sizes(), others[k]->sizes());
  }
  check_no_overlap(self, others, op.arity);
  const bool recording = should_record_inputs(op, in);
  check_inplace(self, recording);
  Param params[kMaxParams];
  to_params(param_list, params);
  Ref<Node> node;
  if (recording) node = record_inputs(op, in, params, true);
  launch_kernel(*op.forward, self, in, op.arity, types.compute, params, op.params);
  self.impl().bump_version();
  if (node) {
    const bool save_output = used_values(op, *node) & kOutput;
    rebase_history(self, node);
    if (save_output) node->save(self, true);
  }
}

Tensor& run_out(const ElementwiseInfo& op, Tensor& out, std::initializer_list<Operand> inputs, std::initializer_list<Scalar> param_list) {
  const Operand* in = inputs.begin();
  check_devices(op, in);
  const Types types = types_of(op, in);
  check_result_dtype(op, types.result, out.scalar_type());
  WICK_CHECK(!should_record_inputs(op, in) && !(t_state.grad_enabled && out.requires_grad()), op.name,
             "(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.");
  Dims shape;
  const TensorBase* bases[kMaxInputs];
  for (int k = 0; k < op.arity; ++k) {
    bases[k] = in[k].base_or_null();
    if (bases[k]) shape = broadcast_shapes(shape, bases[k]->sizes());
  }
  if (out.sizes() == IntArrayRef(shape)) check_no_overlap(out, bases, op.arity);
  else resize_base(out, shape);
  Param params[kMaxParams];
  to_params(param_list, params);
  launch_kernel(*op.forward, out, in, op.arity, types.compute, params, op.params);
  out.impl().bump_version();
  return out;
}

}  // namespace wick::ops

// ---- The public functions ----------------------------------------------------------------------------------------------------------

namespace wick {

using ops::kInfo;
using ops::run;
using ops::run_inplace;
using ops::run_out;

#define WICK_UNARY(Op, name, ...)                                                          \
  Tensor name(const Tensor& self) { return run(kInfo<ops::Op>, {self}); }                  \
  Tensor& name##_out(Tensor& out, const Tensor& self) { return run_out(kInfo<ops::Op>, out, {self}); } \
  void method::name##_(const Tensor& self) { run_inplace(kInfo<ops::Op>, {self}); }
#define WICK_PREDICATE(Op, name, ...) \
  Tensor name(const Tensor& self) { return run(kInfo<ops::Op>, {self}); }
#define WICK_BINARY(Op, name, ...)                                                                                             \
  Tensor name(const Tensor& self, const Tensor& other) { return run(kInfo<ops::Op>, {self, other}); }                          \
  Tensor& name##_out(Tensor& out, const Tensor& self, const Tensor& other) { return run_out(kInfo<ops::Op>, out, {self, other}); }
#define WICK_BINARY_INPLACE(Op, name, ...) \
  WICK_BINARY(Op, name)                    \
  void method::name##_(const Tensor& self, const Tensor& other) { run_inplace(kInfo<ops::Op>, {self, other}); }
#define WICK_BINARY_NUMBER(Op, name, ...)                                                                       \
  WICK_BINARY_INPLACE(Op, name)                                                                                 \
  Tensor name(const Tensor& self, const Scalar& other) { return run(kInfo<ops::Op>, {self, other}); }           \
  void method::name##_(const Tensor& self, const Scalar& other) { run_inplace(kInfo<ops::Op>, {self, other}); }
WICK_UNARY_OPS(WICK_UNARY)
WICK_PREDICATE_OPS(WICK_PREDICATE)
WICK_COMPARISON_OPS(WICK_BINARY_NUMBER)
WICK_BITWISE_OPS(WICK_BINARY_NUMBER)
WICK_EXTREMUM_OPS(WICK_BINARY)
WICK_LOGICAL_OPS(WICK_BINARY_INPLACE)
void method::logical_not_(const Tensor& self) { run_inplace(kInfo<ops::LogicalNot>, {self}); }

namespace {

// PyTorch's sentences for what add and sub refuse.
void check_alpha(const Tensor& a, const Tensor* b, const Scalar& alpha) {
  const ScalarType common = b ? promote_types(a.scalar_type(), b->scalar_type()) : a.scalar_type();
  WICK_CHECK(!alpha.isBoolean() || common == kBool, "Boolean alpha only supported for Boolean results.");
  WICK_CHECK(is_floating(common) || is_complex(common) || !alpha.isFloatingPoint() || (b == nullptr && alpha.toDouble() == 1.0),
             "For integral input tensors, argument alpha must not be a floating point number.");
}
void check_sub(const Tensor& a, const Tensor* b, const Scalar& alpha) {
  WICK_CHECK(a.scalar_type() != kBool || (b && b->scalar_type() != kBool),
             "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
             "`logical_not()` operator instead.");
  check_alpha(a, b, alpha);
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b, const Scalar& alpha) {
  if (!alpha.equal(1)) check_alpha(a, &b, alpha);
  return run(kInfo<ops::Add>, {a, b}, {alpha});
}
Tensor add(const Tensor& a, const Scalar& b, const Scalar& alpha) { return run(kInfo<ops::Add>, {a, b}, {alpha}); }
void method::add_(const Tensor& a, const Tensor& b, const Scalar& alpha) {
  if (!alpha.equal(1)) check_alpha(a, &b, alpha);
  run_inplace(kInfo<ops::Add>, {a, b}, {alpha});
}
void method::add_(const Tensor& a, const Scalar& b, const Scalar& alpha) { run_inplace(kInfo<ops::Add>, {a, b}, {alpha}); }
Tensor& add_out(Tensor& out, const Tensor& a, const Tensor& b, const Scalar& alpha) { return run_out(kInfo<ops::Add>, out, {a, b}, {alpha}); }

Tensor sub(const Tensor& a, const Tensor& b, const Scalar& alpha) {
  check_sub(a, &b, alpha);
  return run(kInfo<ops::Sub>, {a, b}, {alpha});
}
Tensor sub(const Tensor& a, const Scalar& b, const Scalar& alpha) {
  check_sub(a, nullptr, alpha);
  return run(kInfo<ops::Sub>, {a, b}, {alpha});
}
void method::sub_(const Tensor& a, const Tensor& b, const Scalar& alpha) {
  check_sub(a, &b, alpha);
  run_inplace(kInfo<ops::Sub>, {a, b}, {alpha});
}
void method::sub_(const Tensor& a, const Scalar& b, const Scalar& alpha) {
  check_sub(a, nullptr, alpha);
  run_inplace(kInfo<ops::Sub>, {a, b}, {alpha});
}
Tensor& sub_out(Tensor& out, const Tensor& a, const Tensor& b, const Scalar& alpha) {
  check_sub(a, &b, alpha);
  return run_out(kInfo<ops::Sub>, out, {a, b}, {alpha});
}
Tensor rsub(const Tensor& a, const Tensor& b, const Scalar& alpha) { return sub(b, a, alpha); }
Tensor rsub(const Tensor& a, const Scalar& b, const Scalar& alpha) {
  check_sub(a, nullptr, alpha);
  return run(kInfo<ops::Sub>, {b, a}, {alpha});
}

#define WICK_ARITHMETIC(Op, name)                                                                         \
  Tensor name(const Tensor& a, const Tensor& b) { return run(kInfo<ops::Op>, {a, b}); }                   \
  Tensor name(const Tensor& a, const Scalar& b) { return run(kInfo<ops::Op>, {a, b}); }
#define WICK_ARITHMETIC_INPLACE(Op, name)                                                                 \
  WICK_ARITHMETIC(Op, name)                                                                               \
  void method::name##_(const Tensor& a, const Tensor& b) { run_inplace(kInfo<ops::Op>, {a, b}); }         \
  void method::name##_(const Tensor& a, const Scalar& b) { run_inplace(kInfo<ops::Op>, {a, b}); }         \
  Tensor& name##_out(Tensor& out, const Tensor& a, const Tensor& b) { return run_out(kInfo<ops::Op>, out, {a, b}); }
WICK_ARITHMETIC_INPLACE(Mul, mul)
WICK_ARITHMETIC_INPLACE(Div, div)
WICK_ARITHMETIC(Fmod, fmod)
WICK_ARITHMETIC(Remainder, remainder)
WICK_ARITHMETIC(FloorDivide, floor_divide)
Tensor bitwise_left_shift(const Tensor& a, const Tensor& b) { return run(kInfo<ops::LeftShift>, {a, b}); }
Tensor bitwise_right_shift(const Tensor& a, const Tensor& b) { return run(kInfo<ops::RightShift>, {a, b}); }
// ~ of a bool is its negation, not that of the bits that hold it.
Tensor bitwise_not(const Tensor& x) { return x.scalar_type() == kBool ? logical_not(x) : run(kInfo<ops::BitwiseNot>, {x}); }

namespace {

void check_integer_power(const Tensor& x, const Scalar& exponent) {
  WICK_CHECK(!is_integral(x.scalar_type(), true) || !exponent.isIntegral() || exponent.toLong() >= 0,
             "Integers to negative integer powers are not allowed.");
}

}  // namespace

Tensor pow(const Tensor& x, const Tensor& exponent) { return run(kInfo<ops::Pow>, {x, exponent}); }
Tensor pow(const Scalar& x, const Tensor& exponent) { return run(kInfo<ops::Pow>, {x, exponent}); }
Tensor& pow_out(Tensor& out, const Tensor& x, const Tensor& exponent) { return run_out(kInfo<ops::Pow>, out, {x, exponent}); }
void method::pow_(const Tensor& x, const Tensor& exponent) { run_inplace(kInfo<ops::Pow>, {x, exponent}); }
Tensor pow(const Tensor& x, const Scalar& exponent) {
  check_integer_power(x, exponent);
  if (x.scalar_type() == kBool && exponent.isIntegral()) return pow(x.to(kLong), exponent);
  // A fractional exponent makes a floating point tensor of an integer one; a power of the tensor's own kind keeps the dtype.
  if (!x.is_floating_point() && exponent.isFloatingPoint()) return pow(x.to(default_dtype()), exponent);
  if (exponent.equal(2)) return square(x);
  if (exponent.equal(0.5)) return sqrt(x);
  return run(kInfo<ops::PowNumber>, {x}, {exponent});
}
void method::pow_(const Tensor& x, const Scalar& exponent) {
  check_integer_power(x, exponent);
  WICK_CHECK(x.is_floating_point() || !exponent.isFloatingPoint(), "result type ", default_dtype(),
             " can't be cast to the desired output type ", x.scalar_type());
  if (exponent.equal(2)) run_inplace(kInfo<ops::Square>, {x});
  else if (exponent.equal(0.5)) run_inplace(kInfo<ops::Sqrt>, {x});
  else run_inplace(kInfo<ops::PowNumber>, {x}, {exponent});
}

namespace {

// A bound that is left out is the limit of what the kernel computes in.
struct Bounds {
  Scalar low, high;
};
Bounds bounds_of(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  WICK_CHECK(min || max, "torch.clamp: At least one of 'min' or 'max' must not be None");
  const bool floating = x.is_floating_point();
  const bool wide = x.scalar_type() == kLong;
  const Scalar lowest = floating ? Scalar(-HUGE_VAL) : wide ? Scalar(INT64_MIN) : Scalar(INT32_MIN);
  const Scalar highest = floating ? Scalar(HUGE_VAL) : wide ? Scalar(INT64_MAX) : Scalar(INT32_MAX);
  return {min.value_or(lowest), max.value_or(highest)};
}

}  // namespace

Tensor clamp(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  const bool floating_bound = (min && min->isFloatingPoint()) || (max && max->isFloatingPoint());
  if (floating_bound && !x.is_floating_point()) return clamp(x.to(default_dtype()), min, max);
  if (x.scalar_type() == kBool) return clamp(x.to(kLong), min, max);
  const Bounds b = bounds_of(x, min, max);
  return run(kInfo<ops::Clamp>, {x}, {b.low, b.high});
}
void method::clamp_(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  const Bounds b = bounds_of(x, min, max);
  run_inplace(kInfo<ops::Clamp>, {x}, {b.low, b.high});
}
Tensor clamp_min(const Tensor& x, const Scalar& min) { return clamp(x, min, std::nullopt); }
Tensor clamp_max(const Tensor& x, const Scalar& max) { return clamp(x, std::nullopt, max); }
void method::clamp_min_(const Tensor& x, const Scalar& min) { clamp_(x, min, std::nullopt); }
void method::clamp_max_(const Tensor& x, const Scalar& max) { clamp_(x, std::nullopt, max); }

namespace {

Tensor run_where(const Tensor& condition, const ops::Operand& a, const ops::Operand& b) {
  WICK_CHECK(condition.scalar_type() == kBool || condition.scalar_type() == kByte,
             "where expected condition to be a boolean tensor, but got a tensor with dtype ", condition.scalar_type());
  return run(kInfo<ops::Where>, {condition, a, b});
}

}  // namespace

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) { return run_where(condition, a, b); }
Tensor where(const Tensor& condition, const Scalar& a, const Tensor& b) { return run_where(condition, a, b); }
Tensor where(const Tensor& condition, const Tensor& a, const Scalar& b) { return run_where(condition, a, b); }
Tensor where(const Tensor& condition, const Scalar& a, const Scalar& b) { return run_where(condition, a, b); }
Tensor method::where(const Tensor& self, const Tensor& condition, const Tensor& other) { return run_where(condition, self, other); }

Tensor lerp(const Tensor& a, const Tensor& b, const Scalar& weight) { return run(kInfo<ops::Lerp>, {a, b, weight}); }
Tensor lerp(const Tensor& a, const Tensor& b, const Tensor& weight) { return run(kInfo<ops::Lerp>, {a, b, weight}); }
void method::lerp_(const Tensor& a, const Tensor& b, const Scalar& weight) { run_inplace(kInfo<ops::Lerp>, {a, b, weight}); }
void method::lerp_(const Tensor& a, const Tensor& b, const Tensor& weight) { run_inplace(kInfo<ops::Lerp>, {a, b, weight}); }
Tensor addcmul(const Tensor& a, const Tensor& b, const Tensor& c, const Scalar& value) { return run(kInfo<ops::Addcmul>, {a, b, c}, {value}); }
Tensor addcdiv(const Tensor& a, const Tensor& b, const Tensor& c, const Scalar& value) { return run(kInfo<ops::Addcdiv>, {a, b, c}, {value}); }
void method::addcmul_(const Tensor& a, const Tensor& b, const Tensor& c, const Scalar& value) {
  run_inplace(kInfo<ops::Addcmul>, {a, b, c}, {value});
}
void method::addcdiv_(const Tensor& a, const Tensor& b, const Tensor& c, const Scalar& value) {
  run_inplace(kInfo<ops::Addcdiv>, {a, b, c}, {value});
}

Tensor log_sigmoid(const Tensor& x) { return run(kInfo<ops::LogSigmoid>, {x}); }
Tensor silu(const Tensor& x) { return run(kInfo<ops::Silu>, {x}); }
Tensor& silu_(Tensor& x) { return run_inplace(kInfo<ops::Silu>, {x}), x; }
Tensor gelu(const Tensor& x, std::string_view approximate) {
  WICK_CHECK(approximate == "none" || approximate == "tanh", "approximate argument must be either none or tanh.");
  return approximate == "none" ? run(kInfo<ops::Gelu>, {x}) : run(kInfo<ops::GeluTanh>, {x});
}
Tensor softplus(const Tensor& x, const Scalar& beta, const Scalar& threshold) { return run(kInfo<ops::Softplus>, {x}, {beta, threshold}); }
Tensor elu(const Tensor& x, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale) {
  return run(kInfo<ops::Elu>, {x}, {alpha, scale, input_scale});
}
Tensor leaky_relu(const Tensor& x, const Scalar& slope) { return run(kInfo<ops::LeakyRelu>, {x}, {slope}); }
Tensor& leaky_relu_(Tensor& x, const Scalar& slope) { return run_inplace(kInfo<ops::LeakyRelu>, {x}, {slope}), x; }

}  // namespace wick
