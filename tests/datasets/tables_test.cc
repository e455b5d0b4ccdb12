// The other embedded tables: that they are scikit-learn's. The sums were taken from its load_wine() and so on.
#include "wick/datasets/tables.h"

#include <gtest/gtest.h>

#include "wick/framework/ops/tensor_index.h"

namespace wick::datasets {
namespace {

void expect_table(const Table& table, IntArrayRef sizes, double sum, double squares, const std::vector<int64_t>& counts, double last) {
  EXPECT_EQ(table.data.sizes(), sizes);
  EXPECT_EQ(table.data.scalar_type(), kDouble);
  EXPECT_DOUBLE_EQ(table.data.sum().item<double>(), sum);
  EXPECT_DOUBLE_EQ((table.data * table.data).sum().item<double>(), squares);
  EXPECT_EQ(table.feature_names.size(), static_cast<size_t>(sizes[1]));
  EXPECT_EQ(table.target_names.size(), counts.size());
  for (size_t c = 0; c < counts.size(); ++c) EXPECT_EQ((table.target == static_cast<int64_t>(c)).sum().item<int64_t>(), counts[c]) << c;
  EXPECT_EQ(table.data[-1][-1].item<double>(), last);
}

TEST(Tables, Wine) {
  const Wine wine = Wine::load();
  expect_table(wine, {178, 13}, 159975.295999, 118768104.78031619, {59, 71, 48}, 560);
  EXPECT_EQ(wine.data[7][3].item<double>(), 17.6);
  EXPECT_EQ(wine.feature_names[0], "alcohol");
}

TEST(Tables, BreastCancer) {
  const BreastCancer cancer = BreastCancer::load();
  expect_table(cancer, {569, 30}, 1056474.4596356, 955069324.085005, {212, 357}, 0.07039);
  EXPECT_EQ(cancer.target_names[0], "malignant");
  EXPECT_EQ(cancer.feature_names[0], "mean radius");
}

TEST(Tables, Digits) {
  const Digits digits = Digits::load();
  expect_table(digits, {1797, 64}, 561718, 6907012, {178, 182, 177, 183, 181, 182, 181, 179, 174, 180}, 0);
  EXPECT_EQ(digits.images.sizes(), (IntArrayRef{1797, 8, 8}));
  EXPECT_TRUE(digits.images.is_alias_of(digits.data));
  EXPECT_EQ(digits.images[7][0][3].item<double>(), 8);
}

}  // namespace
}  // namespace wick::datasets
