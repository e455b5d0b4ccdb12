#pragma once

#include <utility>
#include <variant>

#include "wick/nn/enum.h"

namespace c10 {
using std::get;
using std::get_if;
using std::holds_alternative;
using std::in_place_index;
using std::in_place_type;
using std::monostate;
using std::variant;
using std::visit;

// The same for the enumerators of options, which are a OneOf in wick.
using wick::holds_alternative;
template <class T, class... Enumerators>
const T* get_if(const wick::OneOf<Enumerators...>* option) {
  static constexpr T kEnumerator{};
  return option && holds_alternative<T>(*option) ? &kEnumerator : nullptr;
}
template <class F, class... Enumerators>
decltype(auto) visit(F&& f, const wick::OneOf<Enumerators...>& option) {
  static constexpr variant<Enumerators...> kAll[] = {Enumerators{}...};
  return std::visit(std::forward<F>(f), kAll[option.index()]);
}
}  // namespace c10
