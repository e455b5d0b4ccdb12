// Half and BFloat16: two bytes that are stored as such and computed with as float.
#pragma once

#include <bit>
#include <cstdint>

#include "wick/framework/core/macros.h"

namespace wick {

// The upper half of a float32, rounded to nearest even; NaN stays NaN.
struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  WICK_HD BFloat16(float value) {
    const uint32_t word = __builtin_bit_cast(uint32_t, value);
    bits = value != value ? uint16_t{0x7fc0} : static_cast<uint16_t>((word + 0x7fff + ((word >> 16) & 1)) >> 16);
  }
  WICK_HD operator float() const { return __builtin_bit_cast(float, static_cast<uint32_t>(bits) << 16); }
};

// IEEE 754 binary16, rounded to nearest even.
struct Half {
  uint16_t bits = 0;

  Half() = default;
  WICK_HD Half(float value) {
    const uint32_t word = __builtin_bit_cast(uint32_t, value);
    const uint16_t sign = static_cast<uint16_t>((word >> 16) & 0x8000);
    const uint32_t magnitude = word & 0x7fffffff;
    if (magnitude > 0x7f800000) {
      bits = sign | 0x7e00;
    } else if (magnitude >= 0x477ff000) {  // rounds to 65536 or more, or is infinite
      bits = sign | 0x7c00;
    } else if (magnitude < 0x38800000) {  // subnormal: adding 0.5 lets the float adder do shift and rounding
      const float shifted = __builtin_bit_cast(float, magnitude) + 0.5f;
      bits = static_cast<uint16_t>(sign | (__builtin_bit_cast(uint32_t, shifted) - 0x3f000000));
    } else {
      const uint32_t rebased = magnitude - 0x38000000;  // exponent bias 127 -> 15
      bits = static_cast<uint16_t>(sign | ((rebased + 0xfff + ((rebased >> 13) & 1)) >> 13));
    }
  }
  WICK_HD operator float() const {
    const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
    const uint32_t magnitude = bits & 0x7fff;
    uint32_t word;
    if (magnitude >= 0x7c00) {
      word = 0x7f800000 | ((magnitude & 0x3ff) << 13);
    } else if (magnitude >= 0x400) {
      word = (magnitude << 13) + 0x38000000;
    } else {  // subnormal: magnitude * 2^-24 is exact in float
      word = __builtin_bit_cast(uint32_t, static_cast<float>(magnitude) * 5.9604644775390625e-8f);
    }
    return __builtin_bit_cast(float, sign | word);
  }
};

}  // namespace wick
