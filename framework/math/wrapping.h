// Wrapping<T>: an integer whose arithmetic wraps around, as PyTorch's does, instead of being undefined on overflow; with the names of
// the vocabulary that make sense for integers. Division by zero gives 0: a kernel must not trap.
#pragma once

#include <cstdint>
#include <type_traits>

#include "wick/framework/math/scalar.h"

namespace wick::math {

template <class T>
struct Wrapping {
  using U = std::make_unsigned_t<T>;
  T v;

  Wrapping() = default;
  WICK_HD Wrapping(T value) : v(value) {}

  friend WICK_HD Wrapping operator+(Wrapping a, Wrapping b) { return T(U(a.v) + U(b.v)); }
  friend WICK_HD Wrapping operator-(Wrapping a, Wrapping b) { return T(U(a.v) - U(b.v)); }
  friend WICK_HD Wrapping operator*(Wrapping a, Wrapping b) { return T(U(a.v) * U(b.v)); }
  friend WICK_HD Wrapping operator-(Wrapping a) { return T(U(0) - U(a.v)); }
  friend WICK_HD Wrapping operator&(Wrapping a, Wrapping b) { return T(a.v & b.v); }
  friend WICK_HD Wrapping operator|(Wrapping a, Wrapping b) { return T(a.v | b.v); }
  friend WICK_HD Wrapping operator^(Wrapping a, Wrapping b) { return T(a.v ^ b.v); }
  friend WICK_HD Wrapping operator~(Wrapping a) { return T(~a.v); }
  // Shifts by a negative or too large count: everything shifted out (the sign stays, to the right).
  friend WICK_HD Wrapping operator<<(Wrapping a, Wrapping b) { return U(b.v) >= 8 * sizeof(T) ? T(0) : T(U(a.v) << b.v); }
  friend WICK_HD Wrapping operator>>(Wrapping a, Wrapping b) { return T(a.v >> (U(b.v) >= 8 * sizeof(T) ? 8 * sizeof(T) - 1 : b.v)); }

  friend WICK_HD bool operator==(Wrapping a, Wrapping b) { return a.v == b.v; }
  friend WICK_HD bool operator!=(Wrapping a, Wrapping b) { return a.v != b.v; }
  friend WICK_HD bool operator<(Wrapping a, Wrapping b) { return a.v < b.v; }
  friend WICK_HD bool operator<=(Wrapping a, Wrapping b) { return a.v <= b.v; }
  friend WICK_HD bool operator>(Wrapping a, Wrapping b) { return a.v > b.v; }
  friend WICK_HD bool operator>=(Wrapping a, Wrapping b) { return a.v >= b.v; }

  friend WICK_HD Wrapping select(bool c, Wrapping a, Wrapping b) { return c ? a : b; }
  friend WICK_HD bool is_nan(Wrapping) { return false; }
  friend WICK_HD bool is_inf(Wrapping) { return false; }
  friend WICK_HD bool is_finite(Wrapping) { return true; }
  friend WICK_HD Wrapping max(Wrapping a, Wrapping b) { return b.v > a.v ? b : a; }
  friend WICK_HD Wrapping min(Wrapping a, Wrapping b) { return b.v < a.v ? b : a; }
  friend WICK_HD Wrapping fmax(Wrapping a, Wrapping b) { return max(a, b); }
  friend WICK_HD Wrapping fmin(Wrapping a, Wrapping b) { return min(a, b); }
  friend WICK_HD Wrapping abs(Wrapping a) { return a.v < 0 ? -a : a; }
  friend WICK_HD Wrapping sign(Wrapping a) { return T((a.v > 0) - (a.v < 0)); }
  friend WICK_HD Wrapping sgn(Wrapping a) { return sign(a); }
  friend WICK_HD Wrapping conj(Wrapping a) { return a; }
  friend WICK_HD Wrapping square(Wrapping a) { return a * a; }
  friend WICK_HD Wrapping floor(Wrapping a) { return a; }
  friend WICK_HD Wrapping ceil(Wrapping a) { return a; }
  friend WICK_HD Wrapping trunc(Wrapping a) { return a; }
  friend WICK_HD Wrapping round(Wrapping a) { return a; }
  friend WICK_HD Wrapping fmod(Wrapping a, Wrapping b) { return b.v == 0 ? T(0) : math::fmod(a.v, b.v); }
  friend WICK_HD Wrapping remainder(Wrapping a, Wrapping b) { return b.v == 0 ? T(0) : math::remainder(a.v, b.v); }
  friend WICK_HD Wrapping floor_divide(Wrapping a, Wrapping b) { return b.v == 0 ? T(0) : math::floor_divide(a.v, b.v); }
  friend WICK_HD Wrapping trunc_divide(Wrapping a, Wrapping b) {
    if (b.v == 0) return T(0);
    return b.v == -1 ? -a : Wrapping(T(a.v / b.v));
  }
  friend WICK_HD Wrapping gcd(Wrapping a, Wrapping b) {
    for (Wrapping r; b.v != 0; a = b, b = r) r = fmod(a, b);
    return abs(a);
  }
  friend WICK_HD bool has_sign(Wrapping a) { return a.v < 0; }
  friend WICK_HD Wrapping pow(Wrapping a, Wrapping b) { return math::pow(a.v, b.v); }
};

}  // namespace wick::math
