// IValue: a value of any of the kinds that a custom Function may keep for its backward pass and that PyTorch's files hold.
//
//     ctx->saved_data["scale"] = 2.5;
//     double scale = ctx->saved_data["scale"].toDouble();
//
// Unlike LibTorch's, a copy of a list or a dict is a copy; only tensors share their memory.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
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

  // The members that a variant of so many kinds makes dear are compiled in one place.
  IValue();
  IValue(const IValue& other);
  IValue(IValue&& other) noexcept;
  IValue& operator=(const IValue& other);
  IValue& operator=(IValue&& other) noexcept;
  ~IValue();

  IValue(Tensor value);
  IValue(double value);
  IValue(int64_t value);
  IValue(bool value);
  template <class T>
    requires std::is_arithmetic_v<T>
  IValue(T value) : IValue(static_cast<std::conditional_t<std::is_integral_v<T>, int64_t, double>>(value)) {}
  IValue(const char* value);
  IValue(std::string value);
  IValue(const Scalar& value);
  IValue(IntArrayRef value);
  template <class T>
  IValue(const std::vector<T>& values) : IValue(List(values.begin(), values.end())) {}
  IValue(List value);
  IValue(Tuple value);
  IValue(Dict value);
  template <class... T>
  IValue(const std::tuple<T...>& items) : IValue(std::apply([](const T&... x) { return Tuple{IValue(x)...}; }, items)) {}

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
  // LibTorch's, in compat/.
  auto toTuple() const; auto toTensorList() const; auto toIntList() const; auto toDoubleList() const; auto toModule() const;

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
