// The scalar vocabulary: where it differs from the C library's, and where it has no name there.
#include "wick/framework/math/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace wick::math {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
class ScalarTest : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(ScalarTest, FloatTypes);

TYPED_TEST(ScalarTest, NamesOfTheLibraryAreTheLibrary) {
  using T = TypeParam;
  volatile T hidden = T(0.3);  // or the compiler works some of them out, to the last bit
  const T x = hidden;
#define EXPECT_LIBRARY(name) EXPECT_EQ(math::name(x), std::name(x)) << #name
  EXPECT_LIBRARY(exp);
  EXPECT_LIBRARY(exp2);
  EXPECT_LIBRARY(expm1);
  EXPECT_LIBRARY(log);
  EXPECT_LIBRARY(log2);
  EXPECT_LIBRARY(log10);
  EXPECT_LIBRARY(log1p);
  EXPECT_LIBRARY(sqrt);
  EXPECT_LIBRARY(sin);
  EXPECT_LIBRARY(cos);
  EXPECT_LIBRARY(tan);
  EXPECT_LIBRARY(asin);
  EXPECT_LIBRARY(acos);
  EXPECT_LIBRARY(atan);
  EXPECT_LIBRARY(sinh);
  EXPECT_LIBRARY(cosh);
  EXPECT_LIBRARY(tanh);
  EXPECT_LIBRARY(asinh);
  EXPECT_LIBRARY(atanh);
  EXPECT_LIBRARY(erf);
  EXPECT_LIBRARY(erfc);
  EXPECT_LIBRARY(lgamma);
  EXPECT_LIBRARY(floor);
  EXPECT_LIBRARY(ceil);
  EXPECT_LIBRARY(trunc);
#undef EXPECT_LIBRARY
  EXPECT_EQ(math::acosh(x + 1), std::acosh(x + 1));
  EXPECT_EQ(math::pow(x, T(2.5)), std::pow(x, T(2.5)));
  EXPECT_EQ(math::atan2(x, T(-2)), std::atan2(x, T(-2)));
  EXPECT_EQ(math::hypot(x, T(2)), std::hypot(x, T(2)));
  EXPECT_EQ(math::fmod(T(-7), T(3)), T(-1));
  EXPECT_EQ(math::fma(x, x, T(1)), std::fma(x, x, T(1)));
  EXPECT_EQ(math::copysign(x, T(-0.0)), -x);
}

TYPED_TEST(ScalarTest, RoundsHalvesToEven) {
  using T = TypeParam;
  EXPECT_EQ(round(T(-2.5)), -2);
  EXPECT_EQ(round(T(0.5)), 0);
  EXPECT_EQ(round(T(1.5)), 2);
  EXPECT_EQ(round(T(0.49999997)), 0);
  EXPECT_EQ(round(T(8388609)), 8388609);
  EXPECT_TRUE(std::signbit(round(T(-0.5))));
}

TYPED_TEST(ScalarTest, ExtremesAndNan) {
  using T = TypeParam;
  const T nan = T(kNan);
  EXPECT_EQ(max(T(1), T(2)), 2);
  EXPECT_EQ(min(T(1), T(2)), 1);
  EXPECT_TRUE(is_nan(max(nan, T(1))) && is_nan(max(T(1), nan)) && is_nan(min(nan, T(1))) && is_nan(min(T(1), nan)));
  EXPECT_EQ(fmax(nan, T(1)), 1);
  EXPECT_EQ(fmax(T(1), nan), 1);
  EXPECT_EQ(fmin(nan, T(1)), 1);
  EXPECT_EQ(fmin(T(1), nan), 1);
  EXPECT_EQ(fmax(T(1), T(2)), 2);
  EXPECT_EQ(fmin(T(1), T(2)), 1);
  EXPECT_EQ(sign(nan), 0);
  EXPECT_EQ(sign(T(-3)), -1);
  EXPECT_TRUE(is_inf(T(-kInf)) && !is_inf(nan) && !is_inf(T(1)));
  EXPECT_TRUE(is_finite(T(1)) && !is_finite(nan) && !is_finite(T(kInf)));
}

TYPED_TEST(ScalarTest, DivisionIsPythons) {
  using T = TypeParam;
  EXPECT_EQ(remainder(T(-7), T(3)), 2);
  EXPECT_EQ(remainder(T(7), T(-3)), -2);
  EXPECT_EQ(remainder(T(7), T(3)), 1);
  EXPECT_TRUE(is_nan(remainder(T(1), T(0))));
  EXPECT_EQ(floor_divide(T(-7), T(3)), -3);
  EXPECT_EQ(floor_divide(T(7), T(-3)), -3);
  EXPECT_EQ(floor_divide(T(7), T(3)), 2);
  EXPECT_EQ(floor_divide(T(-1), T(kInf)), -1);
  EXPECT_EQ(floor_divide(T(1), T(0)), T(kInf));
  EXPECT_TRUE(std::signbit(floor_divide(T(-0.0), T(3))));
  // The quotient rounds to a whole number that it does not reach.
  EXPECT_EQ(floor_divide(1.0, 0.1), 9);
}

TYPED_TEST(ScalarTest, SigmoidAndItsIntegralInTheTails) {
  using T = TypeParam;
  EXPECT_EQ(sigmoid(T(0)), T(0.5));
  EXPECT_EQ(sigmoid(T(-1000)), 0);
  EXPECT_EQ(sigmoid(T(1000)), 1);
  EXPECT_NEAR(sigmoid(T(-80)) / 1.8048513878454153e-35, 1, 1e-6);
  EXPECT_EQ(log1p_exp(T(1000)), 1000);
  EXPECT_NEAR(log1p_exp(T(0)), 0.6931471805599453, 1e-7);
  EXPECT_NEAR(log1p_exp(T(-80)) / 1.8048513878454153e-35, 1, 1e-6);
  EXPECT_EQ(log1p_exp(T(-kInf)), 0);
  EXPECT_TRUE(is_nan(sigmoid(T(kNan))) && is_nan(log1p_exp(T(kNan))));
}

TYPED_TEST(ScalarTest, SmallPowersAndSelection) {
  using T = TypeParam;
  EXPECT_EQ(neg(T(2)), -2);
  EXPECT_EQ(square(T(-3)), 9);
  EXPECT_EQ(reciprocal(T(4)), T(0.25));
  EXPECT_EQ(rsqrt(T(4)), T(0.5));
  EXPECT_EQ(rsqrt(T(0)), T(kInf));
  EXPECT_EQ(conj(T(5)), 5);
  EXPECT_EQ(sgn(T(5)), 1);
  EXPECT_EQ(abs(T(-5)), 5);
  EXPECT_EQ(select(true, T(1), T(2)), 1);
  EXPECT_EQ(select(false, T(1), T(2)), 2);
  EXPECT_TRUE(any(true) && all(true) && !any(false) && !all(false));
}

TEST(ScalarIntegers, WrapAround) {
  constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(abs(kLeast), kLeast);
  EXPECT_EQ(neg(kLeast), kLeast);
  EXPECT_EQ(floor_divide(kLeast, -1), kLeast);
  EXPECT_EQ(remainder(kLeast, -1), 0);
  EXPECT_EQ(square(int64_t{1} << 32), 0);
  EXPECT_EQ(pow(int32_t{3}, int32_t{21}), static_cast<int32_t>(10460353203u & 0xffffffffu));
  EXPECT_EQ(neg(uint8_t{1}), 255);
}

TEST(ScalarIntegers, DivisionIsPythons) {
  for (int x = -7; x <= 7; ++x) {
    for (const int y : {-3, -2, -1, 1, 2, 3}) {
      const double quotient = std::floor(static_cast<double>(x) / y);
      EXPECT_EQ(floor_divide(x, y), quotient) << x << " / " << y;
      EXPECT_EQ(remainder(x, y), x - quotient * y) << x << " % " << y;
      EXPECT_EQ(fmod(x, y), std::fmod(x, y)) << x << " % " << y;
    }
  }
  EXPECT_EQ(remainder(uint8_t{250}, uint8_t{7}), 5);
}

TEST(ScalarIntegers, PowersAndSigns) {
  EXPECT_EQ(pow(-2, 3), -8);
  EXPECT_EQ(pow(7, 0), 1);
  EXPECT_EQ(pow(2, -1), 0);
  EXPECT_EQ(pow(1, -5), 1);
  EXPECT_EQ(pow(-1, -5), -1);
  EXPECT_EQ(pow(-1, -4), 1);
  EXPECT_EQ(sign(int64_t{-9}), -1);
  EXPECT_EQ(sign(uint8_t{9}), 1);
  EXPECT_EQ(max(int64_t{2}, int64_t{3}), 3);
  EXPECT_EQ(min(uint8_t{2}, uint8_t{3}), 2);
  EXPECT_EQ(max(false, true), true);
  EXPECT_EQ(round(5), 5);
  EXPECT_FALSE(is_nan(3) || is_inf(3));
  EXPECT_TRUE(is_finite(3));
}

}  // namespace
}  // namespace wick::math
