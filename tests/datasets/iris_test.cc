#include "wick/datasets/tables.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wick::datasets {
namespace {

TEST(Iris, HasShapesDtypesAndNames) {
  const Iris iris = Iris::load();
  EXPECT_EQ(iris.data.sizes(), (IntArrayRef{150, 4}));
  EXPECT_EQ(iris.data.dtype(), kDouble);
  EXPECT_EQ(iris.target.sizes(), (IntArrayRef{150}));
  EXPECT_EQ(iris.target.dtype(), kLong);
  EXPECT_EQ(iris.feature_names,
            (std::vector<std::string>{"sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"}));
  EXPECT_EQ(iris.target_names, (std::vector<std::string>{"setosa", "versicolor", "virginica"}));
}

// The hash of all values in millimetres was taken from scikit-learn's load_iris().data.
TEST(Iris, IsScikitLearnsCopy) {
  const Iris iris = Iris::load();
  const double* data = iris.data.const_data_ptr<double>();
  uint64_t hash = 1469598103934665603u;
  for (int64_t i = 0; i < 600; ++i) {
    const double millimetres = std::round(data[i] * 10);
    ASSERT_EQ(data[i], millimetres / 10) << i;
    hash = (hash ^ static_cast<uint64_t>(millimetres)) * 1099511628211u;
  }
  EXPECT_EQ(hash, 1074323663597244186u);
  for (int64_t i = 0; i < 150; ++i) EXPECT_EQ(iris.target.const_data_ptr<int64_t>()[i], i / 50);
}

TEST(Iris, EveryLoadIsACopyOfItsOwn) {
  const Iris first = Iris::load();
  first.data.mutable_data_ptr<double>()[0] = 99;
  EXPECT_EQ(Iris::load().data.const_data_ptr<double>()[0], 5.1);
}

}  // namespace
}  // namespace wick::datasets
