#include "wick/framework/core/half.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace wick {
namespace {

template <class T>
T from_bits(uint32_t bits) {
  T x;
  x.bits = static_cast<uint16_t>(bits);
  return x;
}

// Each of the 65,536 patterns as a float and back is itself, a NaN aside.
template <class T>
void expect_round_trip() {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = from_bits<T>(bits);
    if (std::isnan(value)) EXPECT_TRUE(std::isnan(static_cast<float>(T(value)))) << bits;
    else EXPECT_EQ(T(value).bits, bits);
  }
}

// Halfway between two neighbours the even one is taken, a little beside it the nearer one.
template <class T>
void expect_rounding_to_even(uint32_t largest) {
  for (uint32_t bits = 0; bits < largest; ++bits) {
    const double low = static_cast<float>(from_bits<T>(bits)), high = static_cast<float>(from_bits<T>(bits + 1));
    const float middle = static_cast<float>((low + high) / 2);
    EXPECT_EQ(T(middle).bits, bits % 2 ? bits + 1 : bits);
    EXPECT_EQ(T(std::nextafter(middle, 0.0f)).bits, bits);
    EXPECT_EQ(T(std::nextafter(middle, std::numeric_limits<float>::infinity())).bits, bits + 1);
  }
}

TEST(Half, EachValueRoundTrips) { expect_round_trip<Half>(); }
TEST(BFloat16, EachValueRoundTrips) { expect_round_trip<BFloat16>(); }
TEST(Half, RoundsToEven) { expect_rounding_to_even<Half>(0x7bff); }
TEST(BFloat16, RoundsToEven) { expect_rounding_to_even<BFloat16>(0x7f7f); }

TEST(Half, WhatIsTooLargeIsInfinite) {
  EXPECT_EQ(static_cast<float>(Half(65519.0f)), 65504.0f);
  EXPECT_EQ(static_cast<float>(Half(65520.0f)), std::numeric_limits<float>::infinity());
  EXPECT_EQ(static_cast<float>(Half(-1e30f)), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(Half(1e-30f).bits, 0);
  EXPECT_EQ(Half(-1e-30f).bits, 0x8000);
}

}  // namespace
}  // namespace wick
