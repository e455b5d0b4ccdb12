// Scalar: a number of any kind as an argument, so that `x + 1`, `x * 0.5` and `full(sizes, true)` mean what they say.
#pragma once

#include <cstdint>
#include <type_traits>

#include "wick/framework/core/dtype.h"

namespace wick {

class Scalar {
 public:
  Scalar() : Scalar(int64_t{0}) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Scalar(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      kind_ = Kind::kBool;
      value_.i = value;
    } else if constexpr (std::is_integral_v<T>) {
      kind_ = Kind::kInt;
      if constexpr (sizeof(T) == 8 && std::is_unsigned_v<T>) {
        WICK_CHECK(value <= static_cast<T>(INT64_MAX), "value cannot be converted to type int64_t without overflow");
      }
      value_.i = static_cast<int64_t>(value);
    } else {
      kind_ = Kind::kDouble;
      value_.d = static_cast<double>(value);
    }
  }
  Scalar(Half value) : Scalar(static_cast<float>(value)) {}
  Scalar(BFloat16 value) : Scalar(static_cast<float>(value)) {}
  template <class T>
  Scalar(Complex<T> value) : kind_(Kind::kComplex), imag_(value.imag_) { value_.d = value.real_; }

  bool isFloatingPoint() const { return kind_ == Kind::kDouble; }
  bool isIntegral(bool include_bool = false) const { return kind_ == Kind::kInt || (include_bool && kind_ == Kind::kBool); }
  bool isBoolean() const { return kind_ == Kind::kBool; }
  bool isComplex() const { return kind_ == Kind::kComplex; }
  ScalarType type() const {
    constexpr ScalarType kTypes[] = {kLong, kDouble, kBool, kComplexDouble};
    return kTypes[static_cast<int>(kind_)];
  }

  // The real ones throw where there is an imaginary part.
  Complex<double> toComplexDouble() const { return isComplex() ? Complex<double>(value_.d, imag_) : Complex<double>(toDouble()); }
  Complex<float> toComplexFloat() const { return static_cast<Complex<float>>(toComplexDouble()); }
  double toDouble() const {
    if (WICK_UNLIKELY(isComplex())) return to_real("double");
    return isFloatingPoint() ? value_.d : static_cast<double>(value_.i);
  }
  int64_t toLong() const { return to<int64_t>(); }
  int toInt() const { return to<int>(); }
  float toFloat() const { return to<float>(); }
  bool toBool() const {
    if (isComplex()) return value_.d != 0 || imag_ != 0;
    return isFloatingPoint() ? value_.d != 0 : value_.i != 0;
  }
  int8_t toChar() const { return to<int8_t>(); }
  uint8_t toByte() const { return to<uint8_t>(); }
  int16_t toShort() const { return to<int16_t>(); }

  // As a T; throws where that cannot hold the value: an integer type this one, a floating point type any so large.
  template <class T>
  T to() const {
    if constexpr (std::is_same_v<T, bool>) {
      return toBool();
    } else if constexpr (is_complex_v<T>) {
      return static_cast<T>(toComplexDouble());
    } else if constexpr (std::is_integral_v<T>) {
      if (WICK_UNLIKELY(isComplex())) return Scalar(to_real(dtype_cpp_name<T>())).template to<T>();
      const T value = isFloatingPoint() ? convert<T>(value_.d) : static_cast<T>(value_.i);
      // 2^63 is what the largest int64 rounds to.
      const bool fits = isFloatingPoint() ? static_cast<double>(value) == __builtin_trunc(value_.d) && value_.d < 0x1p63
                                          : static_cast<int64_t>(value) == value_.i || wraps_unsigned<T>();
      WICK_CHECK(fits, "value cannot be converted to type ", dtype_cpp_name<T>(), " without overflow");
      return value;
    } else {
      if (WICK_UNLIKELY(isComplex())) return convert<T>(to_real(cpp_type_name(dtype_of<T>)));
      const T value = convert<T>(toDouble());
      WICK_CHECK(static_cast<double>(value - value) == 0 || toDouble() - toDouble() != 0, "value cannot be converted to type ",
                 cpp_type_name(dtype_of<T>), " without overflow");
      return value;
    }
  }

  Scalar operator-() const {
    if (isComplex()) return -toComplexDouble();
    if (isFloatingPoint()) return -value_.d;
    return static_cast<int64_t>(0 - static_cast<uint64_t>(value_.i));
  }
  Scalar conj() const { return isComplex() ? Scalar(Complex<double>(value_.d, -imag_)) : *this; }
  bool equal(const Scalar& other) const {
    if (isComplex() || other.isComplex()) return toComplexDouble() == other.toComplexDouble();
    return isFloatingPoint() || other.isFloatingPoint() ? toDouble() == other.toDouble() : value_.i == other.value_.i;
  }
  friend bool operator==(const Scalar& a, const Scalar& b) { return a.equal(b); }

 private:
  enum class Kind : uint8_t { kInt, kDouble, kBool, kComplex };

  // PyTorch lets a negative number wrap into uint8 (so that -1 means 255), and so do we.
  template <class T>
  bool wraps_unsigned() const {
    return std::is_unsigned_v<T> && value_.i < 0 && value_.i >= -static_cast<int64_t>(T(-1));
  }
  template <class T>
  static const char* dtype_cpp_name() {
    constexpr const char* kByLog2Size[] = {std::is_signed_v<T> ? "int8_t" : "uint8_t", "int16_t", "int", "int64_t"};
    return kByLog2Size[__builtin_ctzll(sizeof(T))];
  }

  double to_real(const char* type) const {
    WICK_CHECK(imag_ == 0, "value cannot be converted to type ", type, " without overflow");
    return value_.d;
  }

  Kind kind_;
  union {
    int64_t i;
    double d;  // the real part of a complex number, too
  } value_;
  double imag_ = 0;
};

// "(1,2)", as a stream writes it.
template <class T>
void append_text(std::string& out, Complex<T> z) {
  detail::append_any(out, '('), detail::append_any(out, z.real_), detail::append_any(out, ',');
  detail::append_any(out, z.imag_), detail::append_any(out, ')');
}
inline void append_text(std::string& out, const Scalar& s) {
  if (s.isFloatingPoint()) detail::append_any(out, s.toDouble());
  else if (s.isComplex()) append_text(out, s.toComplexDouble());
  else if (s.isBoolean()) detail::append_any(out, s.toBool());
  else detail::append_any(out, s.toLong());
}

}  // namespace wick
