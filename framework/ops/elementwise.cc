#include "wick/framework/ops/elementwise.h"

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

// Of a number whose own type is t: what it is in numbers that belong to the default dtype.
ScalarType number_type(ScalarType t) {
  return is_floating(t) ? default_dtype() : is_complex(t) ? to_complex_type(default_dtype()) : t;
}

struct Types {
  ScalarType compute;  // of the kernel
  ScalarType result;   // of the output
};

// What PyTorch calls the kernel of an operation.
std::string kernel_name(std::string_view op) {
  static constexpr std::pair<std::string_view, std::string_view> kOwn[] = {
      {"bitwise_left_shift", "lshift_cpu"}, {"bitwise_right_shift", "rshift_cpu"}, {"floor_divide", "div_floor_cpu"},
      {"addcmul", "addcmul_cpu_out"},       {"digamma", "digamma"},                {"pow", "pow"},
      {"gelu", "GeluKernelImpl"}};
  const auto* const own = std::ranges::find(kOwn, op, [](const auto& pair) { return pair.first; });
  if (own != std::end(kOwn)) return std::string(own->second);
  static constexpr std::string_view kVml[] = {"floor", "ceil", "trunc", "round", "erf", "erfc", "erfinv", "lgamma"};
  return std::string(op) + (std::ranges::count(kVml, op) > 0 ? "_vml_cpu" : "_cpu");
}

// PyTorch's sentences for operations that complex numbers do not have.
[[noreturn]] WICK_COLD void complex_unsupported(std::string_view op, ScalarType t) {
  const auto is = [&](auto... names) { return (... || (op == names)); };
  WICK_CHECK_TYPE(!is("maximum", "minimum", "fmax", "fmin"), op, " not implemented for complex tensors.");
  WICK_CHECK_NOT_IMPLEMENTED(!is("floor", "ceil", "trunc"), op, " is not supported for complex inputs");
  WICK_CHECK_NOT_IMPLEMENTED(!is("clamp", "relu"), "clamp is not supported for complex types");
  WICK_CHECK_NOT_IMPLEMENTED(!is("signbit", "heaviside"), op, op == "signbit" ? " is not" : " is not yet",
                             " implemented for complex tensors.");
  WICK_CHECK_NOT_IMPLEMENTED(!is("sign"),
                             "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.");
  wick::detail::raise<NotImplementedError>("\"", kernel_name(op), "\" not implemented for '", t, "'");
}

[[noreturn]] WICK_COLD void unsupported(const ElementwiseInfo& op, ScalarType t) {
  WICK_CHECK(t != kBool || std::string_view(op.name) != "neg",
             "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
             "`logical_not()` operator instead.");
  if (is_complex(t)) complex_unsupported(op.name, t);
  const std::string_view name = op.name;
  WICK_CHECK(name != "relu", "Boolean inputs not supported for relu");
  wick::detail::raise<NotImplementedError>("\"", kernel_name(name), "\" not implemented for '", t, "'");
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
  const bool narrow = op.refuses == Refuses::kAllButFloatAndDouble;
  if (WICK_LIKELY(floating != ScalarType::Undefined && op.domain != Domain::kInteger && !narrow)) {
    return {compute_type(floating), op.to_bool ? kBool : floating};
  }
  ScalarType common = result_type(inputs, op.arity);
  if (WICK_UNLIKELY(is_complex(common))) {
    if (!op.on_complex || common == ScalarType::ComplexHalf) unsupported(op, common);
    return {common, op.to_bool ? kBool : common};
  }
  if (WICK_UNLIKELY(!is_floating(common))) {
    if (op.refuses >= Refuses::kIntegersAndBool || (op.refuses == Refuses::kBool && common == kBool)) unsupported(op, common);
    if (op.domain == Domain::kFloat) common = default_dtype();
  }
  if (WICK_UNLIKELY(op.domain == Domain::kInteger && is_floating(common))) unsupported(op, common);
  if (WICK_UNLIKELY(narrow && (common == kHalf || common == kBFloat16))) unsupported(op, common);
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
    if (WICK_UNLIKELY(first->is_cpu() && !x.is_cpu())) first = &x;  // a 0-dim CPU tensor joins any device
  }
  if (!first) return empty_base({}, dtype, kCPU);
  if (WICK_LIKELY(same_shape && contiguous)) return empty_like_base(first->impl(), dtype);
  Dims shape(first->sizes());
  const Tensor* largest = first;
  for (int k = 0; k < arity; ++k) {
    if (inputs[k].is_number()) continue;
    const Tensor& x = inputs[k].tensor();
    shape = broadcast_shapes(shape, x.sizes());
    // A tensor with dimensions decides where the result lives.
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
    if (inputs[k].is_number() || WICK_UNLIKELY(!out.is_cpu() && inputs[k].tensor().is_cpu())) {
      operands[k + 1] = nullptr;
      args.buffers[k + 1] = Buffer(nullptr);
      args.number[k + 1] = Param(inputs[k].is_number() ? inputs[k].number() : inputs[k].tensor().item());
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
    if (!inputs[k].is_number() && inputs[k].tensor().requires_grad()) node->edge(k) = gradient_edge(inputs[k].tensor());
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

void to_params(std::initializer_list<Scalar> list, Param* params) {
  for (const Scalar& s : list) *params++ = Param(s);
}

void check_result_dtype(const ElementwiseInfo& op, ScalarType result, ScalarType output) {
  WICK_CHECK(can_cast(result, output), "result type ", result, " can't be cast to the desired output type ", output, "\n  in ", op.name,
             ". Write it out of place (x = x + y), or convert the tensor that is written to with .to(...).");
}

}  // namespace

Tensor wrapped(const Scalar& number) {
  const ScalarType t = number.type();
  const Tensor x(empty_base({}, t, kCPU));
  dispatch_any_dtype(t, "scalar", [&]<class T>() { *x.data_ptr<T>() = number.to<T>(); });
  x.impl().set(TensorImpl::kWrappedNumber, true);
  return x;
}

void backward_elementwise(const BackwardCall& call) {
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

ScalarType result_type(const Operand* inputs, int count) {
  const ScalarType floating = common_floating_type(inputs, count);
  if (WICK_LIKELY(floating != ScalarType::Undefined)) return floating;
  ScalarType with_dims = ScalarType::Undefined, zero_dim = ScalarType::Undefined, number = ScalarType::Undefined;
  for (int k = 0; k < count; ++k) {
    if (inputs[k].is_number()) {
      number = promote_types(number, number_type(inputs[k].number().type()));
      continue;
    }
    const TensorImpl& x = inputs[k].tensor().impl();
    if (x.ndim > 0) with_dims = promote_types(with_dims, x.dtype);
    else if (x.has(TensorImpl::kWrappedNumber)) number = promote_types(number, number_type(x.dtype));
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

void run_inplace(const ElementwiseInfo& op, std::initializer_list<Operand> inputs, std::initializer_list<Scalar> param_list) {
  const Operand* in = inputs.begin();
  const Tensor& self = in[0].tensor();
  check_devices(op, in);
  const Types types = types_of(op, in);
  check_result_dtype(op, types.result, self.scalar_type());
  const TensorBase* others[kMaxInputs];
  for (int k = 0; k < op.arity; ++k) {
    others[k] = in[k].base_or_null();
    if (others[k]) check_broadcasts_to(self, *others[k]);
  }
  check_no_overlap(self, others, op.arity);
  // What was there has no influence any more where an operation has no derivative.
  const bool ends_history = !op.differentiable && t_state.grad_enabled && self.requires_grad();
  if (WICK_UNLIKELY(ends_history)) return void(self.copy_(run(op, inputs, param_list)));
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
  check_not_inference(out);
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
