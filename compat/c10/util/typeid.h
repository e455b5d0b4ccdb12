// LibTorch's second word for an element type, TypeMeta: it prints the name of the C++ type. wick's tensors and options give a
// ScalarType in its place; each turns into the other.
#pragma once

#include <ostream>
#include <string_view>

#include "wick/framework/core/dtype.h"

namespace caffe2 {

class TypeMeta {
 public:
  constexpr TypeMeta() = default;
  constexpr TypeMeta(wick::ScalarType type) : type_(type) {}
  template <class T>
  static constexpr TypeMeta Make() { return TypeMeta(wick::dtype_of<T>); }
  static constexpr TypeMeta fromScalarType(wick::ScalarType type) { return TypeMeta(type); }

  constexpr operator wick::ScalarType() const { return type_; }
  constexpr wick::ScalarType toScalarType() const { return type_; }
  constexpr bool isScalarType(wick::ScalarType type) const { return type_ == type; }
  template <class T>
  constexpr bool Match() const { return type_ == wick::dtype_of<T>; }
  std::string_view name() const { return wick::cpp_type_name(type_); }
  size_t itemsize() const { return static_cast<size_t>(wick::element_size(type_)); }
  friend std::ostream& operator<<(std::ostream& out, TypeMeta meta) { return out << meta.name(); }

 private:
  wick::ScalarType type_ = wick::ScalarType::Undefined;
};

}  // namespace caffe2

namespace c10 {
constexpr wick::ScalarType typeMetaToScalarType(caffe2::TypeMeta meta) { return meta; }
constexpr caffe2::TypeMeta scalarTypeToTypeMeta(wick::ScalarType type) { return type; }
inline caffe2::TypeMeta get_default_dtype() { return wick::default_dtype(); }
inline wick::ScalarType get_default_dtype_as_scalartype() { return wick::default_dtype(); }
}  // namespace c10
