// Helpers for parameter packs.
#pragma once

#include <torch/torch.h>

#include <type_traits>
#include <utility>

namespace torch {

using std::decay_t;
using std::enable_if_t;

template <bool... values>
using all_of = std::bool_constant<(... && values)>;
template <bool... values>
using any_of = std::bool_constant<(... || values)>;

// function(x) for each of the arguments in order.
template <class Function, class... Ts>
void apply(Function function, Ts&&... ts) {
  (static_cast<void>(function(std::forward<Ts>(ts))), ...);
}

// function(accessor.operator()<T0>(0), accessor.operator()<T1>(1), ...)
template <class Result, class... Ts, class Function, class Accessor>
Result unpack(Function function, Accessor accessor) {
  return [&]<size_t... i>(std::index_sequence<i...>) {
    return Result(function(accessor.template operator()<Ts>(i)...));
  }(std::index_sequence_for<Ts...>());
}

// How many tensors there are among the arguments, those in lists included.
template <class... Args>
size_t count_tensors(const Args&... args) {
  const auto count = [](const auto& x) -> size_t {
    if constexpr (std::is_convertible_v<decltype(x), const Tensor&>) return 1;
    else if constexpr (std::is_convertible_v<decltype(x), TensorList>) return TensorList(x).size();
    else return 0;
  };
  return (size_t{0} + ... + count(args));
}
template <class... Args>
size_t count_variables(const Args&... args) {
  return count_tensors(args...);
}

}  // namespace torch
