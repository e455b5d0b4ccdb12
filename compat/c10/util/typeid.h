// TypeMeta under LibTorch's names.
#pragma once

#include "wick/framework/core/dtype.h"
#include "wick/framework/io/stream.h"

namespace caffe2 {
using wick::TypeMeta;
}

namespace c10 {
constexpr wick::ScalarType typeMetaToScalarType(caffe2::TypeMeta meta) { return meta; }
constexpr caffe2::TypeMeta scalarTypeToTypeMeta(wick::ScalarType type) { return caffe2::TypeMeta(type); }
inline caffe2::TypeMeta get_default_dtype() { return caffe2::TypeMeta(wick::default_dtype()); }
inline wick::ScalarType get_default_dtype_as_scalartype() { return wick::default_dtype(); }
}  // namespace c10
