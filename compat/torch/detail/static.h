// What can be said of a module at compile time.
#pragma once

#include <torch/csrc/utils/variadic.h>

namespace torch::detail {

template <class T>
struct has_forward : std::bool_constant<requires { &T::forward; }> {};

template <class... Ts>
constexpr bool check_not_lvalue_references() {
  return (... && (!std::is_lvalue_reference_v<Ts> || std::is_const_v<std::remove_reference_t<Ts>>));
}

template <class M>
using is_module = std::is_base_of<nn::Module, std::decay_t<M>>;
template <class M, class T = void>
using enable_if_module_t = std::enable_if_t<is_module<M>::value, T>;

// What M().forward(args...) gives; void where there is no such function.
template <class M, class... Args>
struct return_type_of_forward {
  using type = void;
};
template <class M, class... Args>
  requires requires(M& module, Args&&... args) { module.forward(static_cast<Args&&>(args)...); }
struct return_type_of_forward<M, Args...> {
  using type = decltype(std::declval<M&>().forward(std::declval<Args>()...));
};
template <class M, class... Args>
using return_type_of_forward_t = typename return_type_of_forward<M, Args...>::type;

}  // namespace torch::detail
