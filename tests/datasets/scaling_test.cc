// Expected numbers are scikit-learn 1.9's.
#include "wick/datasets/detail/scaling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "wick/framework/core/error.h"

namespace wick::datasets::detail {
namespace {

using Values = std::vector<double>;

const Matrix kData{{1, -1, 2, 5, 2, 0, 0, 5, 0, 1, -1, 5, 4.5, 3, 0.3, 5}, 4, 4};
const Matrix kOther{{3, 3, 3, 6}, 1, 4};

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const ValueError& error) {
    return error.what();
  }
  return "no ValueError";
}

void expect_near(const Values& actual, const Values& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 4e-16 * std::max(1.0, std::abs(expected[i]))) << i;
}

TEST(MinMaxScaling, IsScikitLearns) {
  MinMaxScaling scaler;
  scaler.fit(kData);
  EXPECT_EQ(scaler.data_min(), (Values{0, -1, -1, 5}));
  EXPECT_EQ(scaler.data_max(), (Values{4.5, 3, 2, 5}));
  EXPECT_EQ(scaler.scale(), (Values{0.2222222222222222, 0.25, 0.3333333333333333, 1}));
  EXPECT_EQ(scaler.shift(), (Values{0, 0.25, 0.3333333333333333, -5}));
  EXPECT_EQ(scaler.transform(kOther).values, (Values{0.6666666666666666, 1, 1.3333333333333333, 1}));
  const Matrix all = scaler.transform(kData);
  EXPECT_EQ(all.rows, 4);
  EXPECT_EQ(all.cols, 4);
  for (int64_t r = 0; r < 4; ++r) EXPECT_EQ(MatrixView(all).row(r)[3], 0);
  expect_near(scaler.inverse_transform(all).values, kData.values);
}

TEST(MinMaxScaling, TakesAnotherRange) {
  MinMaxScaling scaler(-1, 2);
  scaler.fit(kData);
  EXPECT_EQ(scaler.shift(), (Values{-1, -0.25, 0, -16}));
  EXPECT_EQ(scaler.transform(kOther).values, (Values{1, 2, 3, 2}));
  EXPECT_EQ(scaler.inverse_transform(scaler.transform(kOther)).values, kOther.values);
  const std::string order = "Minimum of desired feature range must be smaller than maximum. Got ";
  EXPECT_EQ(error_of([] { MinMaxScaling(1, 1); }), order + "(1, 1).");
  EXPECT_EQ(error_of([] { MinMaxScaling(0, std::nan("")); }), order + "(0, nan).");
}

TEST(MinMaxScaling, TreatsATinyRangeAsConstant) {
  MinMaxScaling scaler;
  scaler.fit(Matrix{{0, 1e-17, 2e-17}, 3, 1});
  EXPECT_EQ(scaler.scale(), Values{1});
}

TEST(StandardScaling, IsScikitLearns) {
  StandardScaling scaler;
  scaler.fit(kData);
  EXPECT_EQ(scaler.mean(), (Values{1.875, 0.75, 0.325, 5}));
  expect_near(scaler.var(), {2.796875, 2.1875, 1.166875, 0});
  expect_near(scaler.scale(), {1.6723860200324565, 1.479019945774904, 1.080219885023415, 1});
  expect_near(scaler.transform(kOther).values, {0.6726915834767423, 1.52127765851133, 2.476347674290421, 1});
  expect_near(scaler.inverse_transform(scaler.transform(kData)).values, kData.values);
}

TEST(StandardScaling, LeavesOutMeanOrDeviation) {
  StandardScaling no_mean(false, true), no_std(true, false);
  no_mean.fit(kData);
  no_std.fit(kData);
  expect_near(no_mean.transform(kOther).values, {1.793844222604646, 2.02837021134844, 2.777212344998603, 6});
  EXPECT_EQ(no_std.transform(kOther).values, (Values{1.125, 2.25, 2.675, 1}));
  expect_near(no_mean.inverse_transform(no_mean.transform(kOther)).values, kOther.values);
  EXPECT_EQ(no_std.inverse_transform(no_std.transform(kOther)).values, kOther.values);
}

TEST(StandardScaling, TreatsRoundingErrorsAsConstant) {
  StandardScaling scaler;
  scaler.fit(Matrix{Values(7, 0.1), 7, 1});
  EXPECT_EQ(scaler.scale(), Values{1});
  Values large;
  for (int i = 0; i < 7; ++i) large.push_back(1e8 + 1e-8 * i);
  scaler.fit(Matrix{large, 7, 1});
  EXPECT_EQ(scaler.scale(), Values{1});
  // Small numbers that do differ are not constant.
  scaler.fit(Matrix{{0, 1e-150, 2e-150}, 3, 1});
  EXPECT_NEAR(scaler.scale()[0] / 8.16496580927726e-151, 1, 1e-14);
}

TEST(StandardScaling, KeepsItsDigitsFarFromZero) {
  StandardScaling scaler;
  scaler.fit(Matrix{{1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4}, 4, 1});
  EXPECT_EQ(scaler.var(), Values{1.25});
}

template <class Scaling>
class AnyScaling : public testing::Test {};
using Scalings = testing::Types<MinMaxScaling, StandardScaling>;
TYPED_TEST_SUITE(AnyScaling, Scalings);

TYPED_TEST(AnyScaling, RefusesWhatItCannotScale) {
  const std::string name = std::is_same_v<TypeParam, MinMaxScaling> ? "MinMaxScaler" : "StandardScaler";
  TypeParam scaler;
  const std::string unfitted =
      "This " + name + " instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.";
  EXPECT_EQ(error_of([&] { scaler.transform(kData); }), unfitted);
  EXPECT_EQ(error_of([&] { scaler.inverse_transform(kData); }), unfitted);
  EXPECT_EQ(error_of([&] { scaler.fit(Matrix{{}, 0, 4}); }),
            "Found array with 0 sample(s) (shape=(0, 4)) while a minimum of 1 is required by " + name + ".");
  EXPECT_EQ(error_of([&] { scaler.fit(Matrix{{}, 4, 0}); }),
            "Found array with 0 feature(s) (shape=(4, 0)) while a minimum of 1 is required by " + name + ".");
  scaler.fit(kData);
  const Values before = scaler.transform(kOther).values;
  EXPECT_EQ(error_of([&] { scaler.transform(Matrix{{1, 2, 3}, 1, 3}); }),
            "X has 3 features, but " + name + " is expecting 4 features as input.");
  Matrix bad = kData;
  bad.values[6] = std::nan("");
  const std::string nan = "Input X contains NaN.\n" + name + " found nan in row 1, column 2.";
  EXPECT_EQ(error_of([&] { scaler.fit(bad); }), nan);
  EXPECT_EQ(error_of([&] { scaler.transform(bad); }), nan);
  EXPECT_EQ(error_of([&] { scaler.inverse_transform(bad); }), nan);
  bad.values[6] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of([&] { scaler.fit(bad); }),
            "Input X contains infinity or a value too large for dtype('float64').\n" + name + " found -inf in row 1, column 2.");
  EXPECT_EQ(error_of([&] { scaler.fit(Matrix{{-1.7e308, 1.7e308}, 2, 1}); }),
            "The values of column 0 lie too far apart for " + name + " in double precision.");
  EXPECT_EQ(scaler.transform(kOther).values, before);
  EXPECT_TRUE(scaler.transform(Matrix{{}, 0, 4}).values.empty());
}

}  // namespace
}  // namespace wick::datasets::detail
