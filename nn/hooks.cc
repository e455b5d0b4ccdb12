#include "wick/nn/hooks.h"

#include <algorithm>

#include "wick/framework/ops/op.h"
#include "wick/nn/module.h"

namespace wick::nn::detail {

template <class Function>
uint64_t HookTable::add(std::vector<Hook<Function>> HookLists::*list, Function hook, bool prepend) {
  auto next = lists ? std::make_shared<HookLists>(*lists) : std::make_shared<HookLists>();
  auto& hooks = (*next).*list;
  hooks.insert(prepend ? hooks.begin() : hooks.end(), Hook<Function>{next_id, std::move(hook)});
  lists = std::move(next);
  return next_id++;
}
#define WICK_INSTANTIATE(Function) template uint64_t HookTable::add(std::vector<Hook<Function>> HookLists::*, Function, bool);
WICK_INSTANTIATE(ForwardPreHook)  // the same type as BackwardPreHook
WICK_INSTANTIATE(ForwardHook)
WICK_INSTANTIATE(BackwardHook)
WICK_INSTANTIATE(LoadPreHook)
WICK_INSTANTIATE(LoadPostHook)

HookOwner::HookOwner(const HookOwner& other) : table_(other.any() ? std::make_shared<HookTable>(*other.table_) : nullptr) {}

const std::shared_ptr<HookTable>& HookOwner::table() {
  if (!table_) table_ = std::make_shared<HookTable>();
  return table_;
}

void HookTable::remove(uint64_t id) {
  if (!lists) return;
  auto next = std::make_shared<HookLists>(*lists);
  const auto erase = [&](auto& list) { std::erase_if(list, [&](const auto& hook) { return hook.id == id; }); };
  erase(next->forward_pre);
  erase(next->forward);
  erase(next->backward_pre);
  erase(next->backward);
  erase(next->load_pre);
  erase(next->load_post);
  if (next->empty()) lists.reset();
  else lists = std::move(next);
}

// What the two nodes around a module share: the module, its backward hooks at the time of the call, and which of the tensors have
// gradients.
struct BackwardHookState {
  std::shared_ptr<Module> owner;  // keeps the module alive until backward has run; null for a module that no shared_ptr owns
  Module& module;
  std::shared_ptr<const HookLists> lists;
  std::vector<size_t> input_positions, output_positions;  // of the tensors that need gradients
  size_t num_inputs = 0, num_outputs = 0;
  std::vector<Tensor> grad_output;  // between the outputs' node and the inputs'; empty before and after

  BackwardHookState(Module& m, std::shared_ptr<const HookLists> hooks)
      : owner(m.weak_from_this().lock()), module(m), lists(std::move(hooks)) {}
};

namespace {

using State = std::shared_ptr<BackwardHookState>;

struct StateExtra : autograd::NodeExtra {
  explicit StateExtra(State s) : state(std::move(s)) {}
  State state;
};

// The gradients of a node's tensors at their positions among all tensors, and back.
std::vector<Tensor> spread(const ops::Gradients& g, const std::vector<size_t>& positions, size_t count) {
  std::vector<Tensor> all(count);
  for (size_t i = 0; i < positions.size(); ++i) all[positions[i]] = g.output(static_cast<int>(i));
  return all;
}
void set_gradients(const ops::Gradients& g, const std::vector<size_t>& positions, const std::vector<Tensor>& all) {
  for (size_t i = 0; i < positions.size(); ++i) g.set(static_cast<int>(i), all[positions[i]]);
}

void run_backward_hooks(const BackwardHookState& state, std::vector<Tensor>& grad_input) {
  for (const auto& hook : state.lists->backward) {
    hook.call(state.module, grad_input, state.grad_output);
    WICK_CHECK(grad_input.size() == state.num_inputs, "Backward hook returned an invalid number of grad_input, got ", grad_input.size(),
               ", but expected ", state.num_inputs);
  }
}

// The identity, as new tensors with a history of their own. They share memory with the old ones, so autograd forbids to write to them.
struct Identity {
  static std::vector<Tensor> forward(ops::Context& ctx, TensorList xs, const State& state) {
    ctx.save_extra(StateExtra(state));
    std::vector<Tensor> ys;
    for (const Tensor& x : xs) ys.emplace_back(alias_base(x));
    return ys;
  }
};

// Behind the module's results: the first of the two in backward.
struct OutputIdentity : Identity {
  static constexpr ops::OpInfo info = ops::make_info<OutputIdentity>("module_outputs", "BackwardHookFunctionBackward");

  static void backward(const ops::Gradients& g) {
    BackwardHookState& state = *g.extra<StateExtra>().state;
    std::vector<Tensor> grad_output = spread(g, state.output_positions, state.num_outputs);
    for (const auto& hook : state.lists->backward_pre) {
      hook.call(state.module, grad_output);
      WICK_CHECK(grad_output.size() == state.num_outputs, "Backward pre hook returned an invalid number of grad_output, got ",
                 grad_output.size(), ", but expected ", state.num_outputs);
    }
    set_gradients(g, state.output_positions, grad_output);
    state.grad_output = std::move(grad_output);
    if (!state.input_positions.empty()) return;
    std::vector<Tensor> none(state.num_inputs);
    run_backward_hooks(state, none);
    state.grad_output.clear();
    const bool unchanged = std::none_of(none.begin(), none.end(), [](const Tensor& grad) { return grad.defined(); });
    WICK_CHECK(unchanged,
               "Backward hook for Modules where no input requires gradient should always return None or None for all gradients.");
  }
};

// Before the module's arguments: the second in backward.
struct InputIdentity : Identity {
  static constexpr ops::OpInfo info = ops::make_info<InputIdentity>("module_inputs", "BackwardHookFunctionBackward");

  static void backward(const ops::Gradients& g) {
    BackwardHookState& state = *g.extra<StateExtra>().state;
    std::vector<Tensor> grad_input = spread(g, state.input_positions, state.num_inputs);
    // Empty where the gradient came by a way that does not pass the module's results.
    if (!state.grad_output.empty()) {
      run_backward_hooks(state, grad_input);
      state.grad_output.clear();
    }
    set_gradients(g, state.input_positions, grad_input);
  }
};

// Sends the tensors that need gradients through the identity, and notes their positions.
template <class Op>
void send_through(const std::vector<Tensor*>& slots, std::vector<size_t>& positions, const State& state) {
  std::vector<Tensor> needing;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!ops::wants_grad(*slots[i])) continue;
    needing.push_back(*slots[i]);
    positions.push_back(i);
  }
  if (needing.empty()) return;
  const std::vector<Tensor> passed = ops::apply<Op>(TensorList(needing), state);
  for (size_t i = 0; i < positions.size(); ++i) {
    ops::mark_view(passed[i], needing[i], true);
    passed[i].impl().set(TensorImpl::kMultiOutputView, true);
    *slots[positions[i]] = passed[i];
  }
}

std::vector<Tensor> read(const std::vector<Tensor*>& slots) {
  std::vector<Tensor> tensors;
  tensors.reserve(slots.size());
  for (const Tensor* slot : slots) tensors.push_back(*slot);
  return tensors;
}

void write(const std::vector<Tensor*>& slots, std::vector<Tensor>& tensors, const char* kind) {
  WICK_CHECK(tensors.size() == slots.size(), "A ", kind, " must leave as many tensors as it got: got ", slots.size(), ", left ",
             tensors.size());
  for (size_t i = 0; i < slots.size(); ++i) *slots[i] = tensors[i];
}

}  // namespace

HookedCall::HookedCall(Module& module) : module_(module), lists_(module.hooks().lists()) {}
HookedCall::~HookedCall() = default;

void HookedCall::before(const std::vector<Tensor*>& inputs) {
  std::vector<Tensor> tensors = read(inputs);
  for (const auto& hook : lists_->forward_pre) {
    hook.call(module_, tensors);
    write(inputs, tensors, "forward pre-hook");
  }
  if (lists_->any_backward() && GradMode::is_enabled()) {
    backward_ = std::make_shared<BackwardHookState>(module_, lists_);
    backward_->num_inputs = inputs.size();
    send_through<InputIdentity>(inputs, backward_->input_positions, backward_);
  }
  if (!lists_->forward.empty()) inputs_ = read(inputs);
}

void HookedCall::after(const std::vector<Tensor*>& outputs) {
  std::vector<Tensor> tensors = read(outputs);
  for (const auto& hook : lists_->forward) {
    hook.call(module_, inputs_, tensors);
    write(outputs, tensors, "forward hook");
  }
  if (!backward_) return;
  backward_->num_outputs = outputs.size();
  send_through<OutputIdentity>(outputs, backward_->output_positions, backward_);
}

}  // namespace wick::nn::detail
