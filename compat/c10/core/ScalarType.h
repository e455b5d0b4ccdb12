// The element types under LibTorch's names: toString, CppTypeToScalarType, elementSize.
#pragma once

#include <c10/util/Exception.h>
#include <c10/util/complex.h>

#include "wick/framework/core/dtype.h"
#include "wick/framework/io/stream.h"

namespace c10 {

#define WICK_USING_DTYPE(cpp, name, ...) using wick::k##name;
WICK_FORALL_DTYPES_AND_COMPLEX(WICK_USING_DTYPE)
#undef WICK_USING_DTYPE
using wick::BFloat16;
using wick::Half;
using wick::ScalarType;
using wick::kF16;
using wick::kF32;
using wick::kF64;
using wick::kFloat16;
using wick::kFloat32;
using wick::kFloat64;
using wick::kI16;
using wick::kI32;
using wick::kI64;
using wick::kI8;
using wick::kInt16;
using wick::kInt32;
using wick::kInt64;
using wick::kInt8;
using wick::kU8;
using wick::kUInt8;
inline constexpr ScalarType kComplexHalf = ScalarType::ComplexHalf;  // can be named; no tensor has it

template <class T>
struct CppTypeToScalarType {
  static constexpr ScalarType value = wick::dtype_of<T>;
};

namespace impl {
template <ScalarType type>
struct ScalarTypeToCPPType;
#define WICK_CPP_TYPE(cpp, name, ...)           \
  template <>                                   \
  struct ScalarTypeToCPPType<ScalarType::name> { \
    using type = cpp;                           \
  };
WICK_FORALL_DTYPES_AND_COMPLEX(WICK_CPP_TYPE)
#undef WICK_CPP_TYPE
template <ScalarType type>
using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<type>::type;
}  // namespace impl

inline const char* toString(ScalarType type) { return wick::to_string(type); }
constexpr size_t elementSize(ScalarType type) { return static_cast<size_t>(wick::element_size(type)); }
constexpr bool isIntegralType(ScalarType type, bool includeBool = false) { return wick::is_integral(type, includeBool); }
constexpr bool isFloatingType(ScalarType type) { return wick::is_floating(type); }
constexpr bool isComplexType(ScalarType type) { return wick::is_complex(type); }
constexpr ScalarType toComplexType(ScalarType type) { return wick::to_complex_type(type); }
// Of a complex type's parts; the type of float types themselves.
constexpr ScalarType toRealValueType(ScalarType type) { return wick::to_real_type(type); }
constexpr bool isQIntType(ScalarType) { return false; }
constexpr bool isSignedType(ScalarType type) { return type != kByte && type != kBool; }
inline ScalarType promoteTypes(ScalarType a, ScalarType b) { return wick::promote_types(a, b); }
inline bool canCast(ScalarType from, ScalarType to) { return wick::can_cast(from, to); }

}  // namespace c10
