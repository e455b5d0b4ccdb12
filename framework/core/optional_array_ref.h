// OptionalArrayRef: a list argument that may be left out (`sum(nullopt)`, `sum(1)`, `sum({0, 1})`).
#pragma once

#include <initializer_list>
#include <optional>

#include "wick/framework/core/array_ref.h"

namespace wick {

template <class T>
class OptionalArrayRef {
 public:
  constexpr OptionalArrayRef() = default;
  constexpr OptionalArrayRef(std::nullopt_t) {}
  constexpr OptionalArrayRef(const T& element) : list_(ArrayRef<T>(element)), has_value_(true) {}
  constexpr OptionalArrayRef(std::initializer_list<T> list) : list_(list), has_value_(true) {}
  // Not for what converts to an element: a number of another type would leave a list that refers to a temporary of this constructor.
  template <class C, class = std::enable_if_t<std::is_convertible_v<const C&, ArrayRef<T>> && !std::is_convertible_v<const C&, const T&> &&
                                              !std::is_same_v<C, OptionalArrayRef>>>
  constexpr OptionalArrayRef(const C& container) : list_(container), has_value_(true) {}
  constexpr OptionalArrayRef(const std::optional<ArrayRef<T>>& other)
      : list_(other.value_or(ArrayRef<T>())), has_value_(other.has_value()) {}

  constexpr bool has_value() const { return has_value_; }
  constexpr explicit operator bool() const { return has_value_; }
  constexpr const ArrayRef<T>& value() const { return list_; }
  constexpr const ArrayRef<T>& operator*() const { return list_; }
  constexpr const ArrayRef<T>* operator->() const { return &list_; }

 private:
  ArrayRef<T> list_;
  bool has_value_ = false;
};

using OptionalIntArrayRef = OptionalArrayRef<int64_t>;

}  // namespace wick
