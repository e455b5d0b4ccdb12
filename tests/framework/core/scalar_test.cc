#include "wick/framework/core/scalar.h"

#include <cstdint>
#include <cmath>
#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "wick/tests/framework/core/support.h"

namespace wick {
namespace {

using test::error_of;

std::string overflow(const std::string& type) { return "value cannot be converted to type " + type + " without overflow"; }

TEST(Scalar, KeepsTheKindOfNumber) {
  EXPECT_TRUE(Scalar(1).isIntegral());
  EXPECT_TRUE(Scalar(true).isBoolean());
  EXPECT_FALSE(Scalar(true).isIntegral());
  EXPECT_TRUE(Scalar(true).isIntegral(/*include_bool=*/true));
  EXPECT_TRUE(Scalar(1.5f).isFloatingPoint());
  EXPECT_TRUE(Scalar(Complex<float>(1, 2)).isComplex());
  EXPECT_EQ(Scalar(1).type(), kLong);
  EXPECT_EQ(Scalar(1.f).type(), kDouble);
  EXPECT_EQ(Scalar(true).type(), kBool);
}

TEST(Scalar, ConvertsWhatFits) {
  EXPECT_EQ(Scalar(INT64_MAX).toLong(), INT64_MAX);
  EXPECT_EQ(Scalar(-128).toChar(), -128);
  EXPECT_EQ(Scalar(-1).toByte(), 255);  // as in PyTorch, a negative number wraps into uint8
  EXPECT_EQ(Scalar(2.75).toInt(), 2);
  EXPECT_EQ(Scalar(0.5).toBool(), true);
  EXPECT_EQ(Scalar(HUGE_VAL).toFloat(), HUGE_VALF);
}

TEST(Scalar, RefusesWhatDoesNot) {
  EXPECT_EQ(error_of([] { Scalar(128).toChar(); }), overflow("int8_t"));
  EXPECT_EQ(error_of([] { Scalar(256).toByte(); }), overflow("uint8_t"));
  EXPECT_EQ(error_of([] { Scalar(-256).toByte(); }), overflow("uint8_t"));
  EXPECT_EQ(error_of([] { Scalar(40000).toShort(); }), overflow("int16_t"));
  EXPECT_EQ(error_of([] { Scalar(int64_t{1} << 40).toInt(); }), overflow("int"));
  EXPECT_EQ(error_of([] { Scalar(1e30).toLong(); }), overflow("int64_t"));
  EXPECT_EQ(error_of([] { Scalar(1e300).toFloat(); }), overflow("float"));
  EXPECT_EQ(error_of([] { Scalar(std::numeric_limits<double>::quiet_NaN()).toLong(); }), overflow("int64_t"));
  EXPECT_EQ(error_of([] { Scalar(UINT64_MAX); }), overflow("int64_t"));
  EXPECT_EQ(error_of([] { Scalar(Complex<double>(1, 2)).toDouble(); }), overflow("double"));
}

TEST(Scalar, NegatesAndCompares) {
  EXPECT_EQ((-Scalar(3)).toLong(), -3);
  EXPECT_EQ((-Scalar(INT64_MIN)).toLong(), INT64_MIN);
  EXPECT_EQ((-Scalar(2.5)).toDouble(), -2.5);
  EXPECT_TRUE(Scalar(1).equal(1.0));
  EXPECT_TRUE(Scalar(1).equal(true));
  EXPECT_FALSE(Scalar(1).equal(Complex<double>(1, 1)));
}

}  // namespace
}  // namespace wick
