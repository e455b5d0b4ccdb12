#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>

#include <c10/util/Exception.h>

#include "wick/framework/ops/op.h"

namespace torch::autograd {
namespace {

using wick::IValue;
using wick::Tensor;

// function(tensor, number of the value) for the tensors among values, those in lists included.
template <class F>
void for_tensors(const IValue* values, size_t count, const F& function) {
  for (size_t i = 0; i < count; ++i) {
    if (values[i].isTensor() && values[i].toTensor().defined()) function(values[i].toTensor(), i);
    else if (values[i].isTensorList()) for (const Tensor& x : values[i].toTensorVector()) function(x, i);
  }
}

struct NotImplemented {
  static constexpr wick::autograd::OpInfo info = wick::ops::make_info<NotImplemented>("not_implemented", "NotImplemented");

  struct Extra : wick::autograd::NodeExtra {
    explicit Extra(std::string name) : op(std::move(name)) {}
    std::string op;
  };

  static void backward(const wick::ops::Gradients& g) {
    TORCH_CHECK_NOT_IMPLEMENTED(false, "derivative for ", g.extra<Extra>().op, " is not implemented");
  }
};

// The one value that shares memory with others without being written to, or none.
std::optional<size_t> only_alias(const std::vector<c10::Argument>& values, const char* what) {
  std::optional<size_t> only;
  for (size_t i = 0; i < values.size(); ++i) {
    const c10::AliasInfo* alias = values[i].alias_info();
    if (!alias || alias->isWrite()) continue;
    TORCH_CHECK(!only, "Expected only a single ", what, " in the operator schema to have a non-write alias annotation (i.e., 'Tensor(a)'). "
                "Non-composite functions where multiple ", what, "s are aliased aren't supported. Please rewrite your function as a "
                "composite function.");
    only = i;
  }
  return only;
}

bool is_written(const c10::Argument& x) { return x.alias_info() && x.alias_info()->isWrite(); }

void record_not_implemented(const c10::OperatorHandle& op, c10::DispatchKeySet keys, jit::Stack* stack) {
  const std::vector<c10::Argument>&arguments = op.schema().arguments(), &returns = op.schema().returns();
  only_alias(returns, "output");
  const IValue* const first = stack->data() + stack->size() - arguments.size();
  std::vector<Tensor> inputs;
  for_tensors(first, arguments.size(), [&](const Tensor& x, size_t) { inputs.push_back(x); });
  const bool recording = wick::ops::should_record(wick::TensorList(inputs));
  for_tensors(first, arguments.size(), [&](const Tensor& x, size_t i) {
    if (is_written(arguments[i])) wick::ops::check_inplace(x, recording);
  });
  wick::Ref<wick::autograd::Node> node;
  if (recording) {
    node = wick::ops::detail::make_node(NotImplemented::info, wick::TensorList(inputs));
    node->set_extra(std::make_unique<NotImplemented::Extra>(op.schema().name()));
  }
  {
    wick::NoGradGuard no_grad;
    c10::impl::ExcludeDispatchKeyGuard below(c10::autograd_dispatch_keyset);
    op.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
  }
  if (!node) return;
  for_tensors(stack->data() + stack->size() - returns.size(), returns.size(), [&](const Tensor& y, size_t i) {
    if (!wick::is_floating(y.scalar_type()) && !wick::is_complex(y.scalar_type())) return;
    if (is_written(returns[i])) wick::ops::rebase_history(y, node);
    else wick::ops::detail::attach(node, y);
  });
}

void mark_inplace_and_views(const c10::OperatorHandle& op, c10::DispatchKeySet keys, jit::Stack* stack) {
  const std::vector<c10::Argument>&arguments = op.schema().arguments(), &returns = op.schema().returns();
  const std::optional<size_t> viewed = only_alias(arguments, "input"), view = only_alias(returns, "output");
  TORCH_CHECK((!viewed && !view) || (viewed == size_t{0} && view == size_t{0}),
              "Fallback can only create view relationships between the first input and the first output (the output can be a vector of "
              "tensors). Please change the order of your operator's parameters so that this is the case.");
  const IValue base = viewed ? (*stack)[stack->size() - arguments.size()] : IValue();
  {
    wick::NoGradGuard no_grad;
    c10::impl::ExcludeDispatchKeyGuard below(c10::autograd_dispatch_keyset.add(c10::DispatchKey::ADInplaceOrView));
    op.redispatchBoxed(keys & c10::after_ADInplaceOrView_keyset, stack);
  }
  for_tensors(stack->data() + stack->size() - returns.size(), returns.size(), [&](const Tensor& y, size_t i) {
    if (is_written(returns[i])) y.impl().bump_version();
    else if (view && i == 0 && !y.is_view()) wick::ops::mark_view(y, base.toTensor(), false);
  });
}

}  // namespace

CppFunction autogradNotImplementedFallback() { return CppFunction::makeFromBoxedFunction<&record_not_implemented>(); }
CppFunction autogradNotImplementedInplaceOrViewFallback() { return CppFunction::makeFromBoxedFunction<&mark_inplace_and_views>(); }

}  // namespace torch::autograd
