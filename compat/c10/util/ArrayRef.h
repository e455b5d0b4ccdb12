// c10::ArrayRef and makeArrayRef.
#pragma once

#include "wick/framework/core/array_ref.h"

namespace c10 {
using wick::ArrayRef;
using wick::IntArrayRef;

template <class T>
constexpr ArrayRef<T> makeArrayRef(const T* data, size_t size) { return ArrayRef<T>(data, size); }
template <class C>
constexpr auto makeArrayRef(const C& container) { return ArrayRef<typename C::value_type>(container); }
}  // namespace c10
