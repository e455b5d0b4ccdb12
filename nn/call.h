// How a module is called.
//
// operator() of ModuleHolder, Cloneable, AnyModule and Sequential, and nn::call for any module, all end in call_module(). Without hooks
// that is a test and a direct call of forward(): no argument is copied. With hooks it is, as in Python: forward pre-hooks, forward(),
// forward hooks; full backward hooks run later, in backward. forward() itself, called by name, runs no hook of its module.
//
// To an Error that leaves the call a line is added that names the module, so that the message ends with the path to where it arose.
#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "wick/framework/core/call_frame.h"
#include "wick/nn/module.h"

namespace wick::nn {
namespace detail {

template <class M, class... Args>
using ForwardResult = decltype(std::declval<M&>().forward(std::declval<Args>()...));

// ---- The tensors in a value, which hooks see ----

template <class T>
inline constexpr bool kHasTensors = std::is_base_of_v<Tensor, T>;
template <class T>
inline constexpr bool kHasTensors<std::optional<T>> = kHasTensors<T>;
template <class T>
inline constexpr bool kHasTensors<std::vector<T>> = kHasTensors<T>;
template <>
inline constexpr bool kHasTensors<TensorList> = true;
template <class... T>
inline constexpr bool kHasTensors<std::tuple<T...>> = (false || ... || kHasTensors<T>);
template <class A, class B>
inline constexpr bool kHasTensors<std::pair<A, B>> = kHasTensors<A> || kHasTensors<B>;

template <class T>
void collect_tensors(T& value, std::vector<Tensor*>& slots) {
  if constexpr (std::is_base_of_v<Tensor, T>) {
    slots.push_back(&value);
  } else if constexpr (!kHasTensors<T>) {
    return;
  } else if constexpr (requires { value.has_value(); }) {
    if (value) collect_tensors(*value, slots);
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    std::apply([&](auto&... element) { (collect_tensors(element, slots), ...); }, value);
  } else {
    for (auto& element : value) collect_tensors(element, slots);
  }
}

// An argument while hooks may replace its tensors: a copy where it has any, the argument itself where it has none.
template <class Arg, bool kCopied = kHasTensors<std::decay_t<Arg>>>
struct HookedArg {
  Arg&& value;
  void collect(std::vector<Tensor*>&) {}
  Arg&& get() { return static_cast<Arg&&>(value); }
};
template <class Arg>
struct HookedArg<Arg, true> {
  std::decay_t<Arg> value;
  void collect(std::vector<Tensor*>& slots) { collect_tensors(value, slots); }
  Arg&& get() { return static_cast<Arg&&>(value); }
};
template <class Arg>
  requires std::is_same_v<std::decay_t<Arg>, TensorList>
struct HookedArg<Arg, true> {
  std::vector<Tensor> value;
  explicit HookedArg(TensorList list) : value(list.vec()) {}
  void collect(std::vector<Tensor*>& slots) { collect_tensors(value, slots); }
  TensorList get() { return value; }
};

template <class M, class... Args>
WICK_COLD ForwardResult<M, Args...> call_with_hooks(M& module, Args&&... args) {
  HookedCall call(module);
  std::vector<Tensor*> inputs, outputs;
  std::tuple<HookedArg<Args>...> values{HookedArg<Args>{std::forward<Args>(args)}...};
  return std::apply(
      [&](auto&... value) -> ForwardResult<M, Args...> {
        (value.collect(inputs), ...);
        call.before(inputs);
        if constexpr (std::is_void_v<ForwardResult<M, Args...>>) {
          module.forward(value.get()...);
          call.after(outputs);
        } else {
          using Result = ForwardResult<M, Args...>;
          Result result = module.forward(value.get()...);
          // Where forward() returns a reference to a constant, hooks can look but not replace.
          constexpr bool kConstant = std::is_const_v<std::remove_reference_t<Result>>;
          std::conditional_t<kConstant, std::decay_t<Result>, Result&> seen = result;
          collect_tensors(seen, outputs);
          call.after(outputs);
          return static_cast<Result&&>(result);
        }
      },
      values);
}

// "in module fc1 (Linear)"
WICK_COLD std::string call_frame(const Module& module);
WICK_COLD void add_call_context(Error& error, const Module& module);

template <class M, class... Args>
WICK_INLINE ForwardResult<M, Args...> call_module(M& module, Args&&... args) {
  if constexpr (!std::is_base_of_v<Module, M>) {
    return module.forward(std::forward<Args>(args)...);
  } else {
    const Module& base = module;
    CallScope scope;
    if (WICK_UNLIKELY(t_state.anomaly)) scope.enter(call_frame(base));
    try {
      if (WICK_UNLIKELY(base.hooks().any())) return call_with_hooks(module, std::forward<Args>(args)...);
      return module.forward(std::forward<Args>(args)...);
    } catch (Error& error) {
      add_call_context(error, base);
      throw;
    }
  }
}

}  // namespace detail

// model(args...) for a module of any class, by reference or in a shared_ptr. Its forward() must be accessible.
template <class M, class... Args>
  requires std::is_base_of_v<Module, M>
auto call(M& model, Args&&... args) -> detail::ForwardResult<M, Args...> {
  return detail::call_module(model, std::forward<Args>(args)...);
}
template <class M, class... Args>
auto call(const std::shared_ptr<M>& model, Args&&... args) -> detail::ForwardResult<M, Args...> {
  WICK_CHECK(model, "nn::call: the module is null");
  return detail::call_module(*model, std::forward<Args>(args)...);
}
template <class Contained, class... Args>
auto call(const ModuleHolder<Contained>& model, Args&&... args) -> detail::ForwardResult<Contained, Args...> {
  return model(std::forward<Args>(args)...);
}

}  // namespace wick::nn
