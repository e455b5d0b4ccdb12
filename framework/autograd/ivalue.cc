#include "wick/framework/autograd/ivalue.h"

namespace wick {

IValue::IValue() = default;
IValue::IValue(const IValue& other) = default;
IValue::IValue(IValue&& other) noexcept = default;
IValue& IValue::operator=(const IValue& other) = default;
IValue& IValue::operator=(IValue&& other) noexcept = default;
IValue::~IValue() = default;

IValue::IValue(Tensor value) : value_(std::move(value)) {}
IValue::IValue(double value) : value_(value) {}
IValue::IValue(int64_t value) : value_(value) {}
IValue::IValue(bool value) : value_(value) {}
IValue::IValue(const char* value) : value_(std::string(value)) {}
IValue::IValue(std::string value) : value_(std::move(value)) {}
IValue::IValue(const Scalar& value) {
  if (value.isBoolean()) value_ = value.to<bool>();
  else if (value.isIntegral(false)) value_ = value.to<int64_t>();
  else value_ = value.to<double>();
}
IValue::IValue(IntArrayRef value) : value_(List(value.begin(), value.end())) {}
IValue::IValue(List value) : value_(std::move(value)) {}
IValue::IValue(Tuple value) : value_(std::move(value)) {}
IValue::IValue(Dict value) : value_(std::move(value)) {}

const char* IValue::tagKind() const {
  static constexpr const char* kKinds[] = {"None", "Tensor", "Double", "Int", "Bool", "String", "List", "Tuple", "GenericDict"};
  static_assert(std::size(kKinds) == std::variant_size_v<Value>);
  return kKinds[value_.index()];
}

Scalar IValue::toScalar() const {
  if (isInt()) return Scalar(toInt());
  if (isBool()) return Scalar(toBool());
  WICK_CHECK(isDouble(), "Expected Scalar but got ", tagKind());
  return Scalar(toDouble());
}

}  // namespace wick
