// c10::complex, which is wick's element type, with the functions that LibTorch has for it in std and its literals.
#pragma once

#include <complex>
#include <ostream>

#include "wick/framework/core/complex.h"

namespace c10 {

template <class T>
using complex = wick::Complex<T>;

namespace complex_literals {
constexpr complex<float> operator""_if(long double imag) { return {0.0f, static_cast<float>(imag)}; }
constexpr complex<double> operator""_id(long double imag) { return {0.0, static_cast<double>(imag)}; }
constexpr complex<float> operator""_if(unsigned long long imag) { return {0.0f, static_cast<float>(imag)}; }
constexpr complex<double> operator""_id(unsigned long long imag) { return {0.0, static_cast<double>(imag)}; }
}  // namespace complex_literals

}  // namespace c10

namespace wick {
template <class T>
std::ostream& operator<<(std::ostream& out, const Complex<T>& z) { return out << std::complex<T>(z.real_, z.imag_); }
}  // namespace wick

namespace std {
template <class T>
constexpr T real(const wick::Complex<T>& z) { return z.real(); }
template <class T>
constexpr T imag(const wick::Complex<T>& z) { return z.imag(); }
template <class T>
T abs(const wick::Complex<T>& z) { return std::abs(std::complex<T>(z.real_, z.imag_)); }
template <class T>
T arg(const wick::Complex<T>& z) { return std::arg(std::complex<T>(z.real_, z.imag_)); }
template <class T>
constexpr T norm(const wick::Complex<T>& z) { return z.real_ * z.real_ + z.imag_ * z.imag_; }
template <class T>
constexpr wick::Complex<T> conj(const wick::Complex<T>& z) { return {z.real_, -z.imag_}; }
}  // namespace std
