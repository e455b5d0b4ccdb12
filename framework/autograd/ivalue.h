// IValue: a value of one of the kinds that a custom Function may keep for its backward pass.
//
//     ctx->saved_data["scale"] = 2.5;
//     double scale = ctx->saved_data["scale"].toDouble();
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "wick/framework/tensor.h"

namespace wick {

// Nothing, a tensor, a number, a bool, a string, or a list of one kind. The to... functions throw where another kind is held.
class IValue {
 public:
  IValue() = default;
  IValue(Tensor value) : value_(std::move(value)) {}
  IValue(double value) : value_(value) {}
  IValue(bool value) : value_(value) {}
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  IValue(T value) : value_(static_cast<int64_t>(value)) {}
  IValue(const char* value) : value_(std::string(value)) {}
  IValue(std::string value) : value_(std::move(value)) {}
  IValue(const Scalar& value) {
    if (value.isBoolean()) value_ = value.to<bool>();
    else if (value.isIntegral(false)) value_ = value.to<int64_t>();
    else value_ = value.to<double>();
  }
  IValue(IntArrayRef value) : value_(value.vec()) {}
  IValue(std::vector<int64_t> value) : value_(std::move(value)) {}
  IValue(std::vector<double> value) : value_(std::move(value)) {}
  IValue(std::vector<bool> value) : value_(std::move(value)) {}
  IValue(std::vector<Tensor> value) : value_(std::move(value)) {}

  bool isNone() const { return is<std::monostate>(); }
  bool isTensor() const { return is<Tensor>(); }
  bool isDouble() const { return is<double>(); }
  bool isInt() const { return is<int64_t>(); }
  bool isBool() const { return is<bool>(); }
  bool isScalar() const { return isDouble() || isInt() || isBool(); }
  bool isString() const { return is<std::string>(); }
  bool isIntList() const { return is<std::vector<int64_t>>(); }
  bool isDoubleList() const { return is<std::vector<double>>(); }
  bool isBoolList() const { return is<std::vector<bool>>(); }
  bool isTensorList() const { return is<std::vector<Tensor>>(); }

  const Tensor& toTensor() const { return get<Tensor>("Tensor"); }
  double toDouble() const { return get<double>("Double"); }
  int64_t toInt() const { return get<int64_t>("Int"); }
  bool toBool() const { return get<bool>("Bool"); }
  const std::string& toStringRef() const { return get<std::string>("String"); }
  const std::vector<int64_t>& toIntVector() const { return get<std::vector<int64_t>>("IntList"); }
  const std::vector<double>& toDoubleVector() const { return get<std::vector<double>>("DoubleList"); }
  const std::vector<bool>& toBoolVector() const { return get<std::vector<bool>>("BoolList"); }
  const std::vector<Tensor>& toTensorVector() const { return get<std::vector<Tensor>>("TensorList"); }
  Scalar toScalar() const;

  // The kind that is held: "None", "Tensor", "Double", "Int", "Bool", "String", "IntList", "DoubleList", "BoolList", "TensorList".
  const char* tagKind() const;

 private:
  using Value = std::variant<std::monostate, Tensor, double, int64_t, bool, std::string, std::vector<int64_t>, std::vector<double>,
                             std::vector<bool>, std::vector<Tensor>>;

  template <class T>
  bool is() const { return std::holds_alternative<T>(value_); }
  template <class T>
  const T& get(const char* kind) const {
    WICK_CHECK(is<T>(), "Expected ", kind, " but got ", tagKind());
    return *std::get_if<T>(&value_);
  }

  Value value_;
};

}  // namespace wick
