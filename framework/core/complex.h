// Complex<T>: a real and an imaginary part, the element type of complex64 and complex128. It lies in memory as std::complex<T> and C's
// _Complex do, and converts from and to the former, whose header nobody needs to include for it.
//
// Products are formed from the parts as they are, so infinities can give NaN where C's Annex G would repair them: PyTorch's results.
// Quotients scale by the larger part of the divisor, so they overflow only where the result does.
#pragma once

#include <concepts>

#include "wick/framework/core/macros.h"

namespace wick {

template <class T>
struct Complex {
  using value_type = T;

  T real_ = T(0), imag_ = T(0);

  constexpr Complex() = default;
  WICK_HD constexpr Complex(T re, T im = T(0)) : real_(re), imag_(im) {}
  template <class U>
  WICK_HD explicit(sizeof(U) > sizeof(T)) constexpr Complex(const Complex<U>& z)
      : real_(static_cast<T>(z.real_)), imag_(static_cast<T>(z.imag_)) {}
  template <class S>
    requires requires(const S& z) { { z.imag() } -> std::floating_point; }
  explicit constexpr Complex(const S& z) : real_(static_cast<T>(z.real())), imag_(static_cast<T>(z.imag())) {}
  template <class S>
    requires std::same_as<typename S::value_type, T> && std::constructible_from<S, T, T>
  explicit constexpr operator S() const { return S(real_, imag_); }

  WICK_HD constexpr T real() const { return real_; }
  WICK_HD constexpr T imag() const { return imag_; }
  WICK_HD constexpr void real(T x) { real_ = x; }
  WICK_HD constexpr void imag(T x) { imag_ = x; }

  friend WICK_HD constexpr Complex operator+(Complex a, Complex b) { return {a.real_ + b.real_, a.imag_ + b.imag_}; }
  friend WICK_HD constexpr Complex operator-(Complex a, Complex b) { return {a.real_ - b.real_, a.imag_ - b.imag_}; }
  friend WICK_HD constexpr Complex operator*(Complex a, Complex b) {
    return {a.real_ * b.real_ - a.imag_ * b.imag_, a.real_ * b.imag_ + a.imag_ * b.real_};
  }
  // Smith, "Algorithm 116: complex division" (1962).
  friend WICK_HD constexpr Complex operator/(Complex a, Complex b) {
    const T c = b.real_ < 0 ? -b.real_ : b.real_, d = b.imag_ < 0 ? -b.imag_ : b.imag_;
    if (c == 0 && d == 0) return {a.real_ / c, a.imag_ / d};
    if (c >= d) {
      const T ratio = b.imag_ / b.real_, scale = T(1) / (b.real_ + b.imag_ * ratio);
      return {(a.real_ + a.imag_ * ratio) * scale, (a.imag_ - a.real_ * ratio) * scale};
    }
    const T ratio = b.real_ / b.imag_, scale = T(1) / (b.real_ * ratio + b.imag_);
    return {(a.real_ * ratio + a.imag_) * scale, (a.imag_ * ratio - a.real_) * scale};
  }
  friend WICK_HD constexpr Complex operator+(Complex a) { return a; }
  friend WICK_HD constexpr Complex operator-(Complex a) { return {-a.real_, -a.imag_}; }
  friend WICK_HD constexpr bool operator==(Complex a, Complex b) { return a.real_ == b.real_ && a.imag_ == b.imag_; }
  friend WICK_HD constexpr bool operator!=(Complex a, Complex b) { return !(a == b); }

  WICK_HD constexpr Complex& operator+=(Complex b) { return *this = *this + b; }
  WICK_HD constexpr Complex& operator-=(Complex b) { return *this = *this - b; }
  WICK_HD constexpr Complex& operator*=(Complex b) { return *this = *this * b; }
  WICK_HD constexpr Complex& operator/=(Complex b) { return *this = *this / b; }
};

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<Complex<T>> = true;

}  // namespace wick
