// IValue: a value of any of the types that PyTorch's files hold, under LibTorch's name. Values are plain: a copy of a list or a dict is
// a copy, only tensors share their memory.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "wick/framework/tensor.h"

namespace wick {

class IValue {
 public:
  using List = std::vector<IValue>;
  struct Tuple : List { using List::List; };
  using Dict = std::vector<std::pair<IValue, IValue>>;  // in the order of insertion

  IValue() = default;  // None
  template <class T>
    requires std::is_arithmetic_v<T>
  IValue(T x) {
    if constexpr (std::is_same_v<T, bool>) value_ = x;
    else if constexpr (std::is_integral_v<T>) value_ = static_cast<int64_t>(x);
    else value_ = static_cast<double>(x);
  }
  IValue(Tensor x) : value_(std::move(x)) {}
  IValue(std::string x) : value_(std::move(x)) {}
  IValue(const char* x) : IValue(std::string(x)) {}
  IValue(List x) : value_(std::move(x)) {}
  IValue(Tuple x) : value_(std::move(x)) {}
  IValue(Dict x) : value_(std::move(x)) {}
  IValue(const std::vector<Tensor>& x) : IValue(List(x.begin(), x.end())) {}

  bool isNone() const { return is<std::monostate>(); }
  bool isTensor() const { return is<Tensor>(); }
  bool isInt() const { return is<int64_t>(); }
  bool isDouble() const { return is<double>(); }
  bool isBool() const { return is<bool>(); }
  bool isString() const { return is<std::string>(); }
  bool isList() const { return is<List>(); }
  bool isTuple() const { return is<Tuple>(); }
  bool isGenericDict() const { return is<Dict>(); }

  // Each throws where the value is of another type; toDouble() takes an int as well.
  const Tensor& toTensor() const { return get<Tensor>(); }
  int64_t toInt() const { return get<int64_t>(); }
  double toDouble() const { return isInt() ? static_cast<double>(toInt()) : get<double>(); }
  bool toBool() const { return get<bool>(); }
  const std::string& toStringRef() const { return get<std::string>(); }
  std::string_view toStringView() const { return toStringRef(); }
  const List& toList() const { return isTuple() ? get<Tuple>() : get<List>(); }  // also of a tuple
  const Dict& toGenericDict() const { return get<Dict>(); }
  Dict& toGenericDict() { return const_cast<Dict&>(std::as_const(*this).toGenericDict()); }
  std::vector<Tensor> toTensorVector() const;
  // "Tensor", "Int", ...
  const char* tagKind() const;

  // What the dict has under this key; null where there is none, or no dict. at() throws instead.
  const IValue* find(std::string_view key) const;
  const IValue& at(std::string_view key) const;

 private:
  template <class T>
  bool is() const { return std::holds_alternative<T>(value_); }
  template <class T>
  const T& get() const {
    if (const T* value = std::get_if<T>(&value_)) return *value;
    wrong_type(IValue(T()).tagKind());
  }
  [[noreturn]] void wrong_type(const char* expected) const;

  std::variant<std::monostate, Tensor, int64_t, double, bool, std::string, List, Tuple, Dict> value_;
};

}  // namespace wick
