#include "wick/framework/autograd/ivalue.h"

namespace wick {

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
