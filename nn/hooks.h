// Hooks on modules: functions that are called when a module is, or when a gradient passes through it.
//
//     auto handle = model->register_forward_hook([](nn::Module& module, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs) {
//       std::cout << module.name() << ' ' << outputs[0].sizes() << '\n';
//     });
//     handle.remove();
//
// A hook sees the tensors among the arguments and results, in order; tuples, pairs, vectors and optionals are flattened. It replaces a
// tensor by assigning to the list that is not const, or by returning a Tensor (for a list of one) or a std::vector<Tensor>. An
// undefined tensor or an empty vector means no change. Hooks of a kind run in the order of registration, each on what the last one
// left; those registered with prepend = true run before the others.
//
// Which hooks run is fixed when the call starts. One that is added or removed meanwhile counts from the next call on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wick/framework/tensor.h"
#include "wick/nn/ordered_dict.h"

namespace wick::nn {

class Module;

// Before forward: may replace the inputs.
using ForwardPreHook = std::function<void(Module&, std::vector<Tensor>& inputs)>;
// After forward: sees the inputs that forward got, may replace the outputs.
using ForwardHook = std::function<void(Module&, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs)>;
// In backward, when the gradients with respect to the outputs are known: may replace them. Those of outputs without are undefined.
using BackwardPreHook = std::function<void(Module&, std::vector<Tensor>& grad_output)>;
// In backward, when the gradients with respect to the inputs are known: may replace them. Those of inputs without are undefined.
using BackwardHook = std::function<void(Module&, std::vector<Tensor>& grad_input, const std::vector<Tensor>& grad_output)>;

// What a state dict lacks, and what it has too much.
struct IncompatibleKeys {
  std::vector<std::string> missing_keys, unexpected_keys;
};
// Around load_state_dict. The prefix is the module's path with a dot behind it.
using LoadPreHook = std::function<void(Module&, OrderedDict<std::string, Tensor>& state_dict, const std::string& prefix)>;
using LoadPostHook = std::function<void(Module&, IncompatibleKeys& keys)>;

namespace detail {

template <class Function>
struct Hook {
  uint64_t id;
  Function call;
};

struct HookLists {
  std::vector<Hook<ForwardPreHook>> forward_pre;
  std::vector<Hook<ForwardHook>> forward;
  std::vector<Hook<BackwardPreHook>> backward_pre;
  std::vector<Hook<BackwardHook>> backward;
  std::vector<Hook<LoadPreHook>> load_pre;
  std::vector<Hook<LoadPostHook>> load_post;

  bool empty() const {
    return forward_pre.empty() && forward.empty() && backward_pre.empty() && backward.empty() && load_pre.empty() && load_post.empty();
  }
  bool any_backward() const { return !backward_pre.empty() || !backward.empty(); }
};

struct HookTable {
  // Null where there is no hook. Never changed, only replaced: a call keeps the lists that it began with.
  std::shared_ptr<const HookLists> lists;
  uint64_t next_id = 0;

  template <class Function>
  uint64_t add(std::vector<Hook<Function>> HookLists::*list, Function hook, bool prepend);
  void remove(uint64_t id);
};

// A module's hooks. A copy of the module has hooks of its own, to which the handles of the original do not refer.
class HookOwner {
 public:
  HookOwner() = default;
  HookOwner(const HookOwner& other);
  HookOwner(HookOwner&&) noexcept = default;
  HookOwner& operator=(const HookOwner& other) { return *this = HookOwner(other); }
  HookOwner& operator=(HookOwner&&) noexcept = default;

  bool any() const { return table_ && table_->lists; }
  std::shared_ptr<const HookLists> lists() const { return table_ ? table_->lists : nullptr; }
  const std::shared_ptr<HookTable>& table();

 private:
  std::shared_ptr<HookTable> table_;
};

// What a hook returns goes to the list that it may replace: the one that is not const.
inline void replace(const std::vector<Tensor>&, const auto&) {}
inline void replace(std::vector<Tensor>& tensors, const Tensor& result) {
  if (result.defined()) tensors.assign(1, result);
}
inline void replace(std::vector<Tensor>& tensors, const std::vector<Tensor>& result) {
  if (!result.empty()) tensors = result;
}
template <class Hook, class... Lists>
void run_hook(Hook& hook, Module& module, Lists&... lists) {
  if constexpr (std::is_void_v<std::invoke_result_t<Hook&, Module&, Lists&...>>) {
    hook(module, lists...);
  } else {
    const auto result = hook(module, lists...);
    (replace(lists, result), ...);
  }
}

}  // namespace detail

// What a registration returns. remove() may be called again, from inside a hook, and after the module is gone.
class RemovableHandle {
 public:
  RemovableHandle() = default;
  RemovableHandle(std::weak_ptr<detail::HookTable> table, uint64_t id) : table_(std::move(table)), id_(id) {}

  uint64_t id() const { return id_; }
  void remove() {
    if (auto table = table_.lock()) table->remove(id_);
  }

 private:
  std::weak_ptr<detail::HookTable> table_;
  uint64_t id_ = 0;
};

namespace detail {

struct BackwardHookState;

// One call of a module that has hooks: run before() and after() around its forward. The lists hold pointers to the tensors among the
// arguments and the results.
class HookedCall {
 public:
  explicit HookedCall(Module& module);
  ~HookedCall();

  void before(const std::vector<Tensor*>& inputs);
  void after(const std::vector<Tensor*>& outputs);

 private:
  Module& module_;
  std::shared_ptr<const HookLists> lists_;
  std::vector<Tensor> inputs_;
  std::shared_ptr<BackwardHookState> backward_;
};

}  // namespace detail
}  // namespace wick::nn
