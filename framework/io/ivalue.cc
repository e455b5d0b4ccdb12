#include "wick/framework/io/ivalue.h"

namespace wick {

std::vector<Tensor> IValue::toTensorVector() const {
  std::vector<Tensor> tensors;
  for (const IValue& item : toList()) tensors.push_back(item.toTensor());
  return tensors;
}

const char* IValue::tagKind() const {
  static constexpr const char* kNames[] = {"None", "Tensor", "Int", "Double", "Bool", "String", "GenericList", "Tuple", "GenericDict"};
  return kNames[value_.index()];
}

void IValue::wrong_type(const char* expected) const { detail::raise<Error>("Expected ", expected, " but got ", tagKind()); }

const IValue* IValue::find(std::string_view key) const {
  if (!isGenericDict()) return nullptr;
  for (const auto& [name, value] : toGenericDict()) {
    if (name.isString() && name.toStringRef() == key) return &value;
  }
  return nullptr;
}

const IValue& IValue::at(std::string_view key) const {
  const IValue* value = find(key);
  WICK_CHECK(value, "the file has no \"", key, "\" here, where there is a ", tagKind());
  return *value;
}

}  // namespace wick
