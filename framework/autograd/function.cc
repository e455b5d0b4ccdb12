#include "wick/framework/autograd/function.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <unordered_set>

#include "wick/framework/ops/op.h"

namespace wick::autograd {
namespace {

// The lists are short.
bool contains(const std::vector<const TensorImpl*>& list, const TensorImpl* x) { return std::ranges::find(list, x) != list.end(); }

}  // namespace

void AutogradContext::mark(Tensors& set, const variable_list& tensors) {
  set.clear();
  for (const Tensor& x : tensors) {
    if (x.defined()) set.push_back(&x.impl());
  }
}

variable_list AutogradContext::get_saved_variables() const {
  node_->check_not_released();
  variable_list saved;
  for (int i = 0; i < node_->num_saved(); ++i) saved.push_back(node_->saved(i));
  return saved;
}

bool AutogradContext::needs_input_grad(size_t i) const {
  WICK_CHECK_INDEX(i < static_cast<size_t>(node_->num_edges()), "needs_input_grad: the function has ", node_->num_edges(),
                   " tensor arguments with a gradient, got index ", i);
  return call_ ? call_->wants(static_cast<int>(i)) : node_->wants(static_cast<int>(i));
}

bool AutogradContext::needs_input_grad(std::initializer_list<IndexRange> ranges) const {
  for (const auto& [first, last] : ranges) {
    for (size_t i = first; i < last; ++i) if (needs_input_grad(i)) return true;
  }
  return false;
}

namespace detail {

const std::string& function_node_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
  return *new std::string("torch::autograd::CppNode<" + std::string(status == 0 ? text.get() : type.name()) + ">");
}

struct FunctionCall::Extra : NodeExtra {
  AutogradContext context;
  std::vector<bool> is_variable;
};

// ---- Forward -----------------------------------------------------------------------------------------------------------------------

AutogradContext* FunctionCall::start(const OpInfo& info) {
  recording_ = ops::should_record(TensorList(inputs_));
  node_ = Ref<Node>::adopt(Node::create(info, static_cast<int>(recording_ ? inputs_.size() : 0)));
  int i = 0;
  if (recording_) ops::detail::add_edges(*node_, i, TensorList(inputs_));
  auto extra = std::make_unique<Extra>();
  context_ = &extra->context;
  context_->node_ = node_.get();
  extra->is_variable = std::move(is_variable_);
  node_->set_extra(std::move(extra));
  return context_;
}

// The same data under another handle, which can have a history of its own; a view that must not be written to.
Tensor view_as_self(const Tensor& x) {
  AutoGradMode off(false);
  const Tensor y = alias_base(x);
  ops::mark_view(y, x, false);
  return y;
}

// The output y with its history. An input that is returned as it is becomes a view of itself, one that was written to gets a new history.
Tensor FunctionCall::attach(Tensor y, bool is_input, bool is_dirty, bool several) {
  const bool differentiable = recording_ && !contains(context_->non_differentiable_, &y.impl()) &&
                              (is_floating(y.scalar_type()) || is_complex(y.scalar_type()));
  if (!differentiable) {
    node_->add_result(y);
    if (!y.requires_grad()) return is_input && !is_dirty ? view_as_self(y) : y;
    if (is_input) return y.detach();
    return y.is_view() ? y : y.detach_();
  }
  if (is_dirty) {
    WICK_CHECK(!y.is_leaf() || !y.requires_grad(), "a leaf Variable that requires grad has been used in an in-place operation.");
    WICK_CHECK(!y.is_view() || !several,
               "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more than one "
               "Tensor. This is not supported by the current autograd engine. You should either make sure the input is not a view (using "
               ".clone() for example) or make your Function only return one Tensor (potentially splitting it into two Functions: one doing "
               "the inplace that returns a single Tensor and a second one that does the other operations). You can ask on the forum "
               "https://discuss.pytorch.org/ if you need help to do this change.");
    const int nr = node_->num_results();
    ops::rebase_history(y, node_);
    if (!y.is_view()) y.impl().output_nr = static_cast<uint32_t>(nr);
    return y;
  }
  if (is_input) y = view_as_self(y);
  if (y.is_view()) y.impl().flags |= TensorImpl::kNoGradView | TensorImpl::kCustomView;
  ops::detail::attach(node_, y);
  return y;
}

void FunctionCall::finish(variable_list& outputs) {
  std::unordered_set<const TensorImpl*> inputs;
  for (const Tensor& x : inputs_) {
    if (!x.defined()) continue;
    const bool first = inputs.insert(&x.impl()).second;
    if (first && contains(context_->dirty_, &x.impl())) x.impl().bump_version();
  }
  for (Tensor& y : outputs) {
    if (!y.defined()) {
      node_->add_result(y);
      continue;
    }
    const TensorImpl* impl = &y.impl();
    y = attach(y, inputs.contains(impl), contains(context_->dirty_, impl), outputs.size() > 1);
  }
  if (recording_) {
    for (const Tensor& x : context_->to_save_) node_->save(x, x.defined() && node_of(x.impl()) == node_.get());
  }
  context_->to_save_.clear();
  context_->dirty_.clear();
  context_->non_differentiable_.clear();
}

// ---- Backward ----------------------------------------------------------------------------------------------------------------------

void backward_function(const BackwardCall& call, FunctionBackward backward) {
  Node& node = call.node;
  auto& extra = node.extra<FunctionCall::Extra>();
  variable_list grads;
  for (int i = 0; i < node.num_results(); ++i) {
    const OutputInfo& info = node.result(i);
    Tensor g = call.grads[i];
    const bool is_zero = !g.defined() && extra.context.materialize_grads_ && info.dtype != ScalarType::Undefined;
    grads.push_back(is_zero ? zeros(info.sizes(), TensorOptions(info.dtype).device(info.device)) : std::move(g));
  }
  // The same function may be under way in an outer run, and this call may throw.
  struct Calls {
    const BackwardCall*& slot;
    const BackwardCall* const outer;
    ~Calls() { slot = outer; }
  } calls{extra.context.call_, std::exchange(extra.context.call_, &call)};
  variable_list gx = backward(&extra.context, std::move(grads));

  const size_t expected = extra.is_variable.size();
  bool surplus_undefined = true;
  for (size_t i = expected; i < gx.size(); ++i) surplus_undefined &= !gx[i].defined();
  WICK_CHECK(gx.size() == expected || (gx.size() > expected && surplus_undefined), "function ", node.name(),
             " returned an incorrect number of gradients (expected ", expected, ", got ", gx.size(), ")");
  int input = 0;
  for (size_t i = 0; i < expected; ++i) {
    if (extra.is_variable[i]) {
      call.inputs[input++] = std::move(gx[i]);
      continue;
    }
    WICK_CHECK(!gx[i].defined(), "function ", node.name(), " returned a gradient different that is defined at position ", i + 1,
               ", std the corresponding forward input was not a Variable");
  }
}

}  // namespace detail
}  // namespace wick::autograd
