// tensor(): a tensor from numbers that stand in the program.
//
//     wick::tensor(3.5)                            0-dim
//     wick::tensor({{1, 2}, {3, 4}})               nested braces of any depth
//     wick::tensor({1.0, 2.0}, wick::kFloat64)
//     wick::tensor(std::vector<float>{...})        any container that an ArrayRef can refer to
//
// Without a dtype among the options, integers give int64, floating-point numbers the default dtype, and bool, int8, uint8, int16 and the
// half types their own; no numbers at all give the default dtype. As in LibTorch all numbers must be of one C++ type, and the lists of
// one level of one length, and a number must fit into the dtype; else an Error.
#pragma once

#include <initializer_list>

#include "wick/framework/tensor.h"

namespace wick {

// What tensor() takes. It refers to the lists and containers that it is made of, so it lives only as an argument.
class TensorLiteral {
 public:
  // Without numbers, of shape [0].
  TensorLiteral() : kind_(Kind::kList) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16> ||
                                               is_complex_v<T>>>
  TensorLiteral(T number) : kind_(Kind::kNumber), dtype_(type_of<T>()), number_(number) {}
  TensorLiteral(std::initializer_list<TensorLiteral> list) : kind_(Kind::kList), data_(list.begin()), size_(list.size()) {}
  template <class C, class T = typename C::value_type,
            class = std::enable_if_t<std::is_convertible_v<const C&, ArrayRef<T>> && detail::DtypeOf<T>::value != ScalarType::Undefined>>
  TensorLiteral(const C& container) : kind_(Kind::kArray), dtype_(dtype_of<T>) {
    const ArrayRef<T> array(container);
    data_ = array.data();
    size_ = array.size();
  }

  Tensor make(const TensorOptions& options) const;
  // "{{1, 2}, {3, 4}}"
  void append_text(std::string& out) const;

 protected:
  enum class Kind : uint8_t { kNumber, kList, kArray };

  // The element type of a C++ number; an unsigned type without one counts as the signed type that holds it.
  template <class T>
  static constexpr ScalarType type_of() {
    if constexpr (std::is_same_v<T, unsigned short>) return kInt;
    else if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4) return kLong;
    else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, signed char>) return kChar;
    else if constexpr (std::is_same_v<T, long double>) return kDouble;
    else return dtype_of<T>;
  }

  const TensorLiteral* elements() const { return static_cast<const TensorLiteral*>(data_); }
  ScalarType first_type() const;
  Dims sizes() const;
  void check() const;
  template <class T>
  void write(T*& out) const;

  Kind kind_;
  ScalarType dtype_ = ScalarType::Undefined;  // of a number or an array
  Scalar number_;
  const void* data_ = nullptr;  // TensorLiterals of a list, numbers of an array
  size_t size_ = 0;
};

inline void append_text(std::string& out, const TensorLiteral& literal) { literal.append_text(out); }

inline Tensor tensor(TensorLiteral literal, const TensorOptions& options = {}) { return literal.make(options); }

}  // namespace wick
