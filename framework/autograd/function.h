// Operations of one's own, with a gradient of one's own.
//
//     struct MulConstant : autograd::Function<MulConstant> {
//       static Tensor forward(autograd::AutogradContext* ctx, const Tensor& x, double constant) {
//         ctx->saved_data["constant"] = constant;
//         return x * constant;
//       }
//       static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list grad_outputs) {
//         return {grad_outputs[0] * ctx->saved_data["constant"].toDouble(), Tensor()};
//       }
//     };
//     Tensor y = MulConstant::apply(x, 5.5);
//
// forward takes the context and any arguments, and returns a Tensor or a variable_list; nothing that it does is recorded. backward gets
// the gradient of each output and returns that of each argument, undefined for those that are no tensors. A TensorList or a
// std::vector<Tensor> counts as one argument for each of its tensors, an empty or undefined optional<Tensor> as one that is no tensor.
// backward is recorded where its own gradient is asked for, and may itself run a backward pass.
#pragma once

#include <initializer_list>
#include <string>
#include <typeinfo>
#include <unordered_map>

#include "wick/framework/autograd/engine.h"
#include "wick/framework/autograd/ivalue.h"

namespace wick::autograd {

class AutogradContext;
namespace detail {
class FunctionCall;
using FunctionBackward = variable_list (*)(AutogradContext*, variable_list);
void backward_function(const BackwardCall& call, FunctionBackward backward);
}  // namespace detail

using IndexRange = std::pair<size_t, size_t>;

// What forward hands to backward.
class AutogradContext {
 public:
  AutogradContext() = default;
  AutogradContext(const AutogradContext&) = delete;
  AutogradContext& operator=(const AutogradContext&) = delete;

  // Values that are no inputs or outputs. A tensor with history that is kept here, an output above all, may never be freed.
  std::unordered_map<std::string, IValue> saved_data;

  // In forward: inputs and outputs that backward needs; may be undefined. Later calls replace earlier ones.
  void save_for_backward(variable_list to_save) { to_save_ = std::move(to_save); }
  // In forward: inputs that it has changed in place. They must be returned, too.
  void mark_dirty(const variable_list& inputs) { mark(dirty_, inputs); }
  // In forward: outputs that have no gradient.
  void mark_non_differentiable(const variable_list& outputs) { mark(non_differentiable_, outputs); }
  // Whether backward gets zeros for the gradient of an output that was not used, or an undefined tensor. Default: zeros.
  void set_materialize_grads(bool value) { materialize_grads_ = value; }

  // In backward: what save_for_backward got. Throws where the graph has been freed, or a tensor changed in place since.
  variable_list get_saved_variables() const;
  // In backward: whether the gradient of tensor argument i will be used. Arguments that are no tensors are not counted.
  bool needs_input_grad(size_t i) const;
  // Whether any of those from first up to last - 1 will be.
  bool needs_input_grad(std::initializer_list<IndexRange> ranges) const;

 private:
  friend class detail::FunctionCall;
  friend void detail::backward_function(const BackwardCall&, detail::FunctionBackward);
  using Tensors = std::vector<const TensorImpl*>;

  static void mark(Tensors& set, const variable_list& tensors);

  Node* node_ = nullptr;
  const BackwardCall* call_ = nullptr;  // while backward runs
  variable_list to_save_;
  Tensors dirty_, non_differentiable_;
  bool materialize_grads_ = true;
};

namespace detail {

// "torch::autograd::CppNode<MulConstant>", as LibTorch calls the node of a Function. The string lives for ever.
const std::string& function_node_name(const std::type_info& type);

template <class T>
const OpInfo& function_info() {
  static const std::string& name = function_node_name(typeid(T));
  static const OpInfo info = {
      "custom_function", name.c_str(),
      [](const BackwardCall& call) {
        backward_function(call, [](AutogradContext* ctx, variable_list g) -> variable_list { return T::backward(ctx, std::move(g)); });
      },
      true};
  return info;
}

// One call of a Function: its tensor arguments are added in order, then forward runs, then its outputs get their history.
class FunctionCall {
 public:
  void add(const Tensor& x) {
    is_variable_.push_back(true);
    inputs_.push_back(x);
  }
  void add(const std::optional<Tensor>& x) {
    if (x && x->defined()) add(*x);
    else is_variable_.push_back(false);
  }
  void add(TensorList list) {
    for (const Tensor& x : list) add(x);
  }
  void add(const variable_list& list) { add(TensorList(list)); }
  template <class T>
  void add(const T&) { is_variable_.push_back(false); }

  AutogradContext* start(const OpInfo& info);
  void finish(variable_list& outputs);

 private:
  struct Extra;
  friend void backward_function(const BackwardCall&, FunctionBackward);

  Tensor attach(Tensor y, bool is_input, bool is_dirty, bool several);

  std::vector<bool> is_variable_;
  variable_list inputs_;
  bool recording_ = false;
  Ref<Node> node_;
  AutogradContext* context_ = nullptr;
};

}  // namespace detail

template <class X, class... Args>
using forward_t = decltype(X::forward(nullptr, std::declval<Args>()...));

template <class T>
struct Function {
  // Runs T::forward with a context and the arguments, and records T::backward.
  template <class X = T, class... Args>
  static auto apply(Args&&... args) -> std::enable_if_t<std::is_same_v<X, T>, forward_t<X, Args...>> {
    detail::FunctionCall call;
    (call.add(args), ...);
    AutogradContext* ctx = call.start(detail::function_info<X>());
    const auto forward = [&] {
      AutoGradMode off(false);
      return X::forward(ctx, std::forward<Args>(args)...);
    };
    if constexpr (std::is_same_v<forward_t<X, Args...>, variable_list>) {
      variable_list outputs = forward();
      call.finish(outputs);
      return outputs;
    } else {
      static_assert(std::is_same_v<forward_t<X, Args...>, Tensor>, "forward of a custom Function must return Tensor or variable_list");
      variable_list outputs{forward()};
      call.finish(outputs);
      return std::move(outputs[0]);
    }
  }
};

}  // namespace wick::autograd
