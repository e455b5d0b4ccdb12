// The element types of a tensor, PyTorch's names for them, and its rules for mixing them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wick/framework/core/complex.h"
#include "wick/framework/core/error.h"
#include "wick/framework/core/half.h"

namespace wick {

// X(C++ type, ScalarType, printed name, LibTorch's name of the C++ type). The numbers are PyTorch's: files contain them. What orders its
// elements, or counts in them, is for the first list, the real types; what only moves them is for both.
#define WICK_FORALL_DTYPES(X)                         \
  X(uint8_t, Byte, "uint8", "unsigned char")          \
  X(int8_t, Char, "int8", "signed char")              \
  X(int16_t, Short, "int16", "short int")             \
  X(int32_t, Int, "int32", "int")                     \
  X(int64_t, Long, "int64", "long int")               \
  X(::wick::Half, Half, "float16", "c10::Half")       \
  X(float, Float, "float32", "float")                 \
  X(double, Double, "float64", "double")              \
  X(bool, Bool, "bool", "bool")                       \
  X(::wick::BFloat16, BFloat16, "bfloat16", "c10::BFloat16")
#define WICK_FORALL_COMPLEX_DTYPES(X)                                           \
  X(::wick::Complex<float>, ComplexFloat, "complex64", "c10::complex<float>")   \
  X(::wick::Complex<double>, ComplexDouble, "complex128", "c10::complex<double>")
#define WICK_FORALL_DTYPES_AND_COMPLEX(X) WICK_FORALL_DTYPES(X) WICK_FORALL_COMPLEX_DTYPES(X)

enum class ScalarType : int8_t {
  Byte = 0,
  Char = 1,
  Short = 2,
  Int = 3,
  Long = 4,
  Half = 5,
  Float = 6,
  Double = 7,
  ComplexHalf = 8,
  ComplexFloat = 9,
  ComplexDouble = 10,
  Bool = 11,
  BFloat16 = 15,
  Undefined = 16,
};
using Dtype = ScalarType;

inline constexpr int kNumDtypes = 16;

inline constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = kByte, kU8 = kByte;
inline constexpr ScalarType kChar = ScalarType::Char, kInt8 = kChar, kI8 = kChar;
inline constexpr ScalarType kShort = ScalarType::Short, kInt16 = kShort, kI16 = kShort;
inline constexpr ScalarType kInt = ScalarType::Int, kInt32 = kInt, kI32 = kInt;
inline constexpr ScalarType kLong = ScalarType::Long, kInt64 = kLong, kI64 = kLong;
inline constexpr ScalarType kHalf = ScalarType::Half, kFloat16 = kHalf, kF16 = kHalf;
inline constexpr ScalarType kFloat = ScalarType::Float, kFloat32 = kFloat, kF32 = kFloat;
inline constexpr ScalarType kDouble = ScalarType::Double, kFloat64 = kDouble, kF64 = kDouble;
inline constexpr ScalarType kBool = ScalarType::Bool;
inline constexpr ScalarType kBFloat16 = ScalarType::BFloat16;
inline constexpr ScalarType kComplexFloat = ScalarType::ComplexFloat, kComplex64 = kComplexFloat;
inline constexpr ScalarType kComplexDouble = ScalarType::ComplexDouble, kComplex128 = kComplexDouble;

namespace detail {
template <class T>
struct DtypeOf;
#define WICK_DTYPE_OF(type, name, ...)                    \
  template <>                                             \
  struct DtypeOf<type> {                                  \
    static constexpr ScalarType value = ScalarType::name; \
  };
WICK_FORALL_DTYPES_AND_COMPLEX(WICK_DTYPE_OF)
#undef WICK_DTYPE_OF
// The other 64-bit integer of the platform is the same element type.
template <>
struct DtypeOf<long long> {
  static constexpr ScalarType value = ScalarType::Long;
};
}  // namespace detail

// The ScalarType of a C++ type: dtype_of<float> == kFloat.
template <class T>
inline constexpr ScalarType dtype_of = detail::DtypeOf<T>::value;

// In bytes; always inlined, since kernel files use it.
WICK_HD constexpr int64_t element_size(ScalarType t) {
  constexpr uint64_t kLog2 = 0x1000043232132100;  // a hexadecimal digit for each number of the enumeration
  return int64_t{1} << (kLog2 >> (4 * static_cast<unsigned>(t) & 63) & 15);
}
constexpr bool is_floating(ScalarType t) { return t == kFloat || t == kDouble || t == kHalf || t == kBFloat16; }
constexpr bool is_complex(ScalarType t) { return t >= ScalarType::ComplexHalf && t <= ScalarType::ComplexDouble; }
constexpr bool is_integral(ScalarType t, bool include_bool) { return t <= kLong || (include_bool && t == kBool); }
// The complex type whose parts are of type t, and the type of a complex type's parts; any other type is its own.
constexpr ScalarType to_complex_type(ScalarType t) {
  if (t == kHalf) return ScalarType::ComplexHalf;
  if (t == kFloat || t == kBFloat16) return kComplexFloat;
  return t == kDouble ? kComplexDouble : t;
}
constexpr ScalarType to_real_type(ScalarType t) {
  if (t == ScalarType::ComplexHalf) return kHalf;
  if (t == kComplexFloat) return kFloat;
  return t == kComplexDouble ? kDouble : t;
}

// "float32", as Python prints it behind `torch.`.
const char* dtype_name(ScalarType t);
// "Float", the name in PyTorch's error sentences and LibTorch's prints.
const char* to_string(ScalarType t);
// "float", "c10::Half": the C++ type, as some of PyTorch's sentences spell it.
const char* cpp_type_name(ScalarType t);
void append_text(std::string& out, ScalarType t);

// What dtype() of a tensor and of options gives: a ScalarType that prints as the C++ type does, `float`, where a ScalarType itself prints
// `Float`. It turns into a ScalarType wherever one is wanted.
class TypeMeta {
 public:
  constexpr TypeMeta() = default;
  constexpr explicit TypeMeta(ScalarType type) : type_(type) {}
  template <class T>
  static constexpr TypeMeta Make() { return TypeMeta(dtype_of<T>); }
  static constexpr TypeMeta fromScalarType(ScalarType type) { return TypeMeta(type); }

  constexpr operator ScalarType() const { return type_; }
  constexpr ScalarType toScalarType() const { return type_; }
  constexpr bool isScalarType(ScalarType type) const { return type_ == type; }
  template <class T>
  constexpr bool Match() const { return type_ == dtype_of<T>; }
  std::string_view name() const { return cpp_type_name(type_); }
  constexpr size_t itemsize() const { return static_cast<size_t>(element_size(type_)); }

 private:
  ScalarType type_ = ScalarType::Undefined;
};
inline void append_text(std::string& out, TypeMeta meta) { out += meta.name(); }

// The type that both promote to (torch.promote_types).
ScalarType promote_types(ScalarType a, ScalarType b);
// Whether a value of `from` may be written into a tensor of `to` by an in-place operation: not from complex to real, from floating
// point to integers, or from integers to bool.
bool can_cast(ScalarType from, ScalarType to);

ScalarType default_dtype();  // float32 until set_default_dtype
void set_default_dtype(ScalarType t);

// Calls f.template operator()<T>() with the C++ type of `t`; throws for types without one. The first is for the real types alone.
#define WICK_CASE(type, name, ...) \
  case ScalarType::name:           \
    return f.template operator()<type>();
#define WICK_DISPATCH(dispatch, types)                                                                           \
  template <class F>                                                                                             \
  decltype(auto) dispatch(ScalarType t, const char* op, F&& f) {                                                 \
    switch (t) {                                                                                                 \
      types(WICK_CASE)                                                                                           \
      default:                                                                                                   \
        detail::raise<NotImplementedError>("\"", op, "\" not implemented for '", to_string(t), "'");             \
    }                                                                                                            \
  }
WICK_DISPATCH(dispatch_dtype, WICK_FORALL_DTYPES)
WICK_DISPATCH(dispatch_any_dtype, WICK_FORALL_DTYPES_AND_COMPLEX)
#undef WICK_DISPATCH
#undef WICK_CASE

// A float turned into an integer saturates, and NaN becomes 0, instead of being undefined; an integer turned into a narrower one
// wraps; anything but 0 is true. A real number is a complex one without imaginary part, and what becomes real loses that part.
template <class To, class From>
WICK_HD To convert(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (is_complex_v<To>) {
    if constexpr (is_complex_v<From>) return To(x);
    else return To(convert<typename To::value_type>(x));
  } else if constexpr (is_complex_v<From>) {
    return convert<To>(x.real_);
  } else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
    // Half and BFloat16 compute as float. The bounds are powers of two, so they are exact in either type.
    const auto v = [&] { if constexpr (std::is_same_v<From, double>) return x; else return static_cast<float>(x); }();
    using V = decltype(v);
    // 8- and 16-bit types go through int32 and wrap, as PyTorch's do.
    using Wide = std::conditional_t<(sizeof(To) < 4), int32_t, To>;
    constexpr V high = static_cast<V>(sizeof(Wide) == 8 ? 9223372036854775808.0 : 2147483648.0);
    if (!(v == v)) return 0;
    if (v >= high) return static_cast<To>(sizeof(Wide) == 8 ? INT64_MAX : INT32_MAX);
    if (v < -high) return static_cast<To>(sizeof(Wide) == 8 ? INT64_MIN : INT32_MIN);
    return static_cast<To>(static_cast<Wide>(v));
  } else if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>) {
    return To(static_cast<float>(x));
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace wick
