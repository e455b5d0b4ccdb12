// Expected numbers are scikit-learn 1.9's.
#include "wick/datasets/scalers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "wick/framework/core/error.h"
#include "wick/framework/ops/tensor_literal.h"
#include "wick/tests/framework/core/support.h"

namespace wick::datasets {
namespace {

using test::message_of;

using Values = std::vector<double>;

Tensor matrix(const Values& values, int64_t rows, int64_t columns) { return tensor(values, kDouble).view({rows, columns}); }
Values values(const Tensor& x) { return Values(x.const_data_ptr<double>(), x.const_data_ptr<double>() + x.numel()); }

const Values kDataValues{1, -1, 2, 5, 2, 0, 0, 5, 0, 1, -1, 5, 4.5, 3, 0.3, 5};
Tensor data() { return matrix(kDataValues, 4, 4); }
Tensor other() { return matrix({3, 3, 3, 6}, 1, 4); }

void expect_near(const Values& actual, const Values& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 4e-16 * std::max(1.0, std::abs(expected[i]))) << i;
}

TEST(MinMaxScaler, IsScikitLearns) {
  MinMaxScaler scaler;
  scaler.fit(data());
  EXPECT_EQ(values(scaler.data_min()), (Values{0, -1, -1, 5}));
  EXPECT_EQ(values(scaler.data_max()), (Values{4.5, 3, 2, 5}));
  EXPECT_EQ(values(scaler.scale()), (Values{0.2222222222222222, 0.25, 0.3333333333333333, 1}));
  EXPECT_EQ(values(scaler.shift()), (Values{0, 0.25, 0.3333333333333333, -5}));
  EXPECT_EQ(values(scaler.transform(other())), (Values{0.6666666666666666, 1, 1.3333333333333333, 1}));
  const Tensor all = scaler.transform(data());
  EXPECT_EQ(all.sizes(), (IntArrayRef{4, 4}));
  for (size_t r = 0; r < 4; ++r) EXPECT_EQ(values(all)[4 * r + 3], 0);
  expect_near(values(scaler.inverse_transform(all)), kDataValues);
}

TEST(MinMaxScaler, TakesAnotherRange) {
  MinMaxScaler scaler(-1, 2);
  scaler.fit(data());
  EXPECT_EQ(values(scaler.shift()), (Values{-1, -0.25, 0, -16}));
  EXPECT_EQ(values(scaler.transform(other())), (Values{1, 2, 3, 2}));
  EXPECT_EQ(values(scaler.inverse_transform(scaler.transform(other()))), values(other()));
  const std::string order = "Minimum of desired feature range must be smaller than maximum. Got ";
  EXPECT_EQ(message_of<ValueError>([] { MinMaxScaler(1, 1); }), order + "(1, 1).");
  EXPECT_EQ(message_of<ValueError>([] { MinMaxScaler(0, std::nan("")); }), order + "(0, nan).");
}

TEST(MinMaxScaler, TreatsATinyRangeAsConstant) {
  MinMaxScaler scaler;
  scaler.fit(matrix({0, 1e-17, 2e-17}, 3, 1));
  EXPECT_EQ(values(scaler.scale()), Values{1});
}

TEST(StandardScaler, IsScikitLearns) {
  StandardScaler scaler;
  scaler.fit(data());
  EXPECT_EQ(values(scaler.mean()), (Values{1.875, 0.75, 0.325, 5}));
  expect_near(values(scaler.var()), {2.796875, 2.1875, 1.166875, 0});
  expect_near(values(scaler.scale()), {1.6723860200324565, 1.479019945774904, 1.080219885023415, 1});
  expect_near(values(scaler.transform(other())), {0.6726915834767423, 1.52127765851133, 2.476347674290421, 1});
  expect_near(values(scaler.inverse_transform(scaler.transform(data()))), kDataValues);
}

TEST(StandardScaler, LeavesOutMeanOrDeviation) {
  StandardScaler no_mean(false, true), no_std(true, false);
  no_mean.fit(data());
  no_std.fit(data());
  expect_near(values(no_mean.transform(other())), {1.793844222604646, 2.02837021134844, 2.777212344998603, 6});
  EXPECT_EQ(values(no_std.transform(other())), (Values{1.125, 2.25, 2.675, 1}));
  expect_near(values(no_mean.inverse_transform(no_mean.transform(other()))), values(other()));
  EXPECT_EQ(values(no_std.inverse_transform(no_std.transform(other()))), values(other()));
}

TEST(StandardScaler, TreatsRoundingErrorsAsConstant) {
  StandardScaler scaler;
  scaler.fit(matrix(Values(7, 0.1), 7, 1));
  EXPECT_EQ(values(scaler.scale()), Values{1});
  Values large;
  for (int i = 0; i < 7; ++i) large.push_back(1e8 + 1e-8 * i);
  scaler.fit(matrix(large, 7, 1));
  EXPECT_EQ(values(scaler.scale()), Values{1});
  // Small numbers that do differ are not constant.
  scaler.fit(matrix({0, 1e-150, 2e-150}, 3, 1));
  EXPECT_NEAR(values(scaler.scale())[0] / 8.16496580927726e-151, 1, 1e-14);
}

TEST(StandardScaler, KeepsItsDigitsFarFromZero) {
  StandardScaler scaler;
  scaler.fit(matrix({1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4}, 4, 1));
  EXPECT_EQ(values(scaler.var()), Values{1.25});
}

template <class Scaling>
class AnyScaling : public testing::Test {};
using Scalings = testing::Types<MinMaxScaler, StandardScaler>;
TYPED_TEST_SUITE(AnyScaling, Scalings);

TYPED_TEST(AnyScaling, RefusesWhatItCannotScale) {
  const std::string name = std::is_same_v<TypeParam, MinMaxScaler> ? "MinMaxScaler" : "StandardScaler";
  TypeParam scaler;
  const std::string unfitted =
      "This " + name + " instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.";
  EXPECT_EQ(message_of<ValueError>([&] { scaler.transform(data()); }), unfitted);
  EXPECT_EQ(message_of<ValueError>([&] { scaler.inverse_transform(data()); }), unfitted);
  EXPECT_EQ(message_of<ValueError>([&] { scaler.fit(matrix({}, 0, 4)); }),
            "Found array with 0 sample(s) (shape=(0, 4)) while a minimum of 1 is required by " + name + ".");
  EXPECT_EQ(message_of<ValueError>([&] { scaler.fit(matrix({}, 4, 0)); }),
            "Found array with 0 feature(s) (shape=(4, 0)) while a minimum of 1 is required by " + name + ".");
  scaler.fit(data());
  const Values before = values(scaler.transform(other()));
  EXPECT_EQ(message_of<ValueError>([&] { scaler.transform(matrix({1, 2, 3}, 1, 3)); }),
            "X has 3 features, but " + name + " is expecting 4 features as input.");
  Tensor bad = data();
  bad.mutable_data_ptr<double>()[6] = std::nan("");
  const std::string nan = "Input X contains NaN.\n" + name + " found nan in row 1, column 2.";
  EXPECT_EQ(message_of<ValueError>([&] { scaler.fit(bad); }), nan);
  EXPECT_EQ(message_of<ValueError>([&] { scaler.transform(bad); }), nan);
  EXPECT_EQ(message_of<ValueError>([&] { scaler.inverse_transform(bad); }), nan);
  bad.mutable_data_ptr<double>()[6] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_of<ValueError>([&] { scaler.fit(bad); }),
            "Input X contains infinity or a value too large for dtype('float64').\n" + name + " found -inf in row 1, column 2.");
  EXPECT_EQ(message_of<ValueError>([&] { scaler.fit(matrix({-1.7e308, 1.7e308}, 2, 1)); }),
            "The values of column 0 lie too far apart for " + name + " in double precision.");
  EXPECT_EQ(values(scaler.transform(other())), before);
  EXPECT_TRUE(scaler.transform(matrix({}, 0, 4)).numel() == 0);
}

}  // namespace
}  // namespace wick::datasets
