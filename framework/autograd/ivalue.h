// IValue: a value of any of the kinds that a custom Function may keep for its backward pass and that PyTorch's files hold.
//
//     ctx->saved_data["scale"] = 2.5;
//     double scale = ctx->saved_data["scale"].toDouble();
//
// Unlike LibTorch's, a copy of a list or a dict is a copy; only tensors share their memory.
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "wick/framework/tensor.h"

namespace wick {

// Nothing, a tensor, a number, a bool, a string, a list, a tuple or a dict. The to... functions throw where another kind is held.
class IValue {
 public:
  using List = std::vector<IValue>;
  struct Tuple : List { using List::List; };
  using Dict = std::vector<std::pair<IValue, IValue>>;  // in the order of insertion

  IValue() = default;
  IValue(Tensor value) : value_(std::move(value)) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  IValue(T value) {
    if constexpr (std::is_same_v<T, bool>) value_ = value;
    else if constexpr (std::is_integral_v<T>) value_ = static_cast<int64_t>(value);
    else value_ = static_cast<double>(value);
  }
  IValue(const char* value) : value_(std::string(value)) {}
  IValue(std::string value) : value_(std::move(value)) {}
  IValue(const Scalar& value) {
    if (value.isBoolean()) value_ = value.to<bool>();
    else if (value.isIntegral(false)) value_ = value.to<int64_t>();
    else value_ = value.to<double>();
  }
  IValue(IntArrayRef value) : value_(List(value.begin(), value.end())) {}
  template <class T>
  IValue(const std::vector<T>& values) : value_(List(values.begin(), values.end())) {}
  IValue(List value) : value_(std::move(value)) {}
  IValue(Tuple value) : value_(std::move(value)) {}
  IValue(Dict value) : value_(std::move(value)) {}

  bool isNone() const { return is<std::monostate>(); }
  bool isTensor() const { return is<Tensor>(); }
  bool isDouble() const { return is<double>(); }
  bool isInt() const { return is<int64_t>(); }
  bool isBool() const { return is<bool>(); }
  bool isScalar() const { return isDouble() || isInt() || isBool(); }
  bool isString() const { return is<std::string>(); }
  bool isList() const { return is<List>(); }
  bool isTuple() const { return is<Tuple>(); }
  bool isGenericDict() const { return is<Dict>(); }
  // Lists of one kind; an empty list is one of every kind.
  bool isIntList() const { return is_list_of<int64_t>(); }
  bool isDoubleList() const { return is_list_of<double>(); }
  bool isBoolList() const { return is_list_of<bool>(); }
  bool isTensorList() const { return is_list_of<Tensor>(); }

  const Tensor& toTensor() const { return get<Tensor>("Tensor"); }
  double toDouble() const { return get<double>("Double"); }
  int64_t toInt() const { return get<int64_t>("Int"); }
  bool toBool() const { return get<bool>("Bool"); }
  const std::string& toStringRef() const { return get<std::string>("String"); }
  const List& toList() const { return isTuple() ? get<Tuple>("Tuple") : get<List>("List"); }  // a tuple's items as well
  const Dict& toGenericDict() const { return get<Dict>("GenericDict"); }
  Dict& toGenericDict() { return const_cast<Dict&>(std::as_const(*this).toGenericDict()); }
  std::vector<int64_t> toIntVector() const { return to_vector<int64_t>("Int"); }
  std::vector<double> toDoubleVector() const { return to_vector<double>("Double"); }
  std::vector<bool> toBoolVector() const { return to_vector<bool>("Bool"); }
  std::vector<Tensor> toTensorVector() const { return to_vector<Tensor>("Tensor"); }
  Scalar toScalar() const;

  // The kind that is held: "None", "Tensor", "Double", "Int", "Bool", "String", "List", "Tuple", "GenericDict".
  const char* tagKind() const;

 private:
  using Value = std::variant<std::monostate, Tensor, double, int64_t, bool, std::string, List, Tuple, Dict>;

  template <class T>
  bool is() const { return std::holds_alternative<T>(value_); }
  template <class T>
  bool is_list_of() const {
    return isList() && std::all_of(toList().begin(), toList().end(), [](const IValue& item) { return item.is<T>(); });
  }
  template <class T>
  const T& get(const char* kind) const {
    WICK_CHECK(is<T>(), "Expected ", kind, " but got ", tagKind());
    return *std::get_if<T>(&value_);
  }
  template <class T>
  std::vector<T> to_vector(const char* kind) const {
    std::vector<T> values;
    for (const IValue& item : toList()) values.push_back(item.get<T>(kind));
    return values;
  }

  Value value_;
};

}  // namespace wick
