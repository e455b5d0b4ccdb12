// The tensor side of the data sets; what is computed is tested in split_test.cc, scaling_test.cc and csv_test.cc.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "wick/datasets/csv.h"
#include "wick/datasets/detail/tensors.h"
#include "wick/datasets/scalers.h"
#include "wick/datasets/tables.h"
#include "wick/datasets/train_test_split.h"
#include "wick/framework/core/error.h"
#include "wick/framework/ops/tensor_literal.h"
#include "wick/tests/framework/core/support.h"

namespace wick::datasets {
namespace {

using test::message_of;

template <class T>
std::vector<T> values_of(const Tensor& x) {
  const Tensor dense = x.contiguous();
  const T* first = dense.const_data_ptr<T>();
  return std::vector<T>(first, first + dense.numel());
}

// rows x 2 numbers 0, 1, 2, ...
Tensor counting(int64_t rows) {
  detail::Matrix matrix{{}, rows, 2};
  for (int64_t i = 0; i < 2 * rows; ++i) matrix.values.push_back(static_cast<double>(i));
  return detail::to_tensor(matrix);
}

TEST(TrainTestSplit, TakesTheSameRowsOfBoth) {
  const Iris iris = Iris::load();
  const auto [x_train, x_test, y_train, y_test] = train_test_split(iris.data, iris.target, {.test_size = 0.2, .random_state = 42});
  EXPECT_EQ(x_train.sizes(), (IntArrayRef{120, 4}));
  EXPECT_EQ(x_test.sizes(), (IntArrayRef{30, 4}));
  EXPECT_EQ(x_test.dtype(), kDouble);
  EXPECT_EQ(y_train.dtype(), kLong);
  const std::vector<double> x = values_of<double>(iris.data), test = values_of<double>(x_test);
  const std::vector<int64_t> y = values_of<int64_t>(y_test);
  EXPECT_EQ(y.size(), 30u);
  const int64_t rows[] = {73, 18, 118, 78, 76, 31};
  for (size_t i = 0; i < 6; ++i) {
    for (size_t c = 0; c < 4; ++c) EXPECT_EQ(test[4 * i + c], x[static_cast<size_t>(rows[i]) * 4 + c]);
    EXPECT_EQ(y[i], rows[i] / 50);
  }
  int64_t counts[3] = {};
  for (const int64_t label : values_of<int64_t>(y_train)) ++counts[label];
  EXPECT_EQ(counts[0], 40);
  EXPECT_EQ(counts[1], 41);
  EXPECT_EQ(counts[2], 39);
}

TEST(TrainTestSplit, KeepsClassesInProportion) {
  const Iris iris = Iris::load();
  const auto split = train_test_split(iris.data, iris.target, {.test_size = 0.2, .random_state = 1}, iris.target);
  int64_t counts[3] = {};
  for (const int64_t label : values_of<int64_t>(split.y_test)) ++counts[label];
  for (const int64_t count : counts) EXPECT_EQ(count, 10);
}

TEST(TrainTestSplit, TakesTensorsOfAnyShapeAndStride) {
  const Tensor x = counting(6);
  const auto split = train_test_split(x.select(1, 1), x.unsqueeze(2), {.test_size = 2, .shuffle = false});
  EXPECT_EQ(values_of<double>(split.x_train), (std::vector<double>{1, 3, 5, 7}));
  EXPECT_EQ(split.y_test.sizes(), (IntArrayRef{2, 2, 1}));
  EXPECT_EQ(values_of<double>(split.y_test), (std::vector<double>{8, 9, 10, 11}));
}

TEST(TrainTestSplit, RefusesWhatDoesNotFit) {
  EXPECT_EQ(message_of([] { train_test_split(counting(10), counting(5)); }),
            "Found input variables with inconsistent numbers of samples: [10, 5]");
  EXPECT_EQ(message_of([] { train_test_split(counting(4), counting(4).select(0, 0).select(0, 0)); }),
            "train_test_split: x and y must have a dimension of samples, got shapes [4, 2] and []");
  EXPECT_EQ(message_of([] { train_test_split(counting(4), counting(4), {}, counting(4)); }),
            "train_test_split: stratify must be a class for each of the 4 rows, got shape [4, 2]");
  const std::string dtype = message_of([] { train_test_split(counting(4), counting(4), {}, counting(4).select(1, 0)); });
  EXPECT_TRUE(dtype.starts_with("train_test_split: stratify must have an integer dtype")) << dtype;
}

TEST(Scalers, ScaleTheIrisTrainingSet) {
  const Iris iris = Iris::load();
  const auto split = train_test_split(iris.data, iris.target, {.test_size = 0.2, .random_state = 42});
  MinMaxScaler scaler;
  const Tensor train = scaler.fit_transform(split.x_train);
  EXPECT_TRUE(equal(scaler.data_min(), tensor({4.3, 2.0, 1.0, 0.1}, kDouble)));
  EXPECT_TRUE(equal(scaler.data_max(), tensor({7.7, 4.4, 6.7, 2.5}, kDouble)));
  EXPECT_EQ(train.sizes(), (IntArrayRef{120, 4}));
  for (const double value : values_of<double>(train)) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 1 + 1e-15);
  }
  const std::vector<double> back = values_of<double>(scaler.inverse_transform(scaler.transform(split.x_test)));
  const std::vector<double> test = values_of<double>(split.x_test);
  for (size_t i = 0; i < test.size(); ++i) EXPECT_NEAR(back[i], test[i], 1e-14);
}

TEST(Scalers, KeepTheDtype) {
  StandardScaler scaler;
  const Tensor x = counting(5);
  EXPECT_EQ(scaler.fit(x).transform(x).dtype(), kDouble);
  EXPECT_EQ(scaler.transform(x.to(kFloat)).dtype(), kFloat);
  EXPECT_EQ(scaler.transform(x.to(kLong)).dtype(), kDouble);
  const std::vector<float> scaled = values_of<float>(scaler.fit_transform(x.to(kFloat).t().contiguous().t()));
  EXPECT_FLOAT_EQ(scaled[0], -1.41421356f);
  EXPECT_FLOAT_EQ(scaled[9], 1.41421356f);
  EXPECT_EQ(values_of<double>(scaler.inverse_transform(scaler.transform(x.to(kLong)))), values_of<double>(x));
}

TEST(Scalers, RefuseOtherShapes) {
  MinMaxScaler scaler;
  EXPECT_EQ(message_of([&] { scaler.fit(counting(4).select(1, 0)); }),
            "Expected 2D array, got 1D array instead:\nMinMaxScaler takes one row per sample and one column per feature, but X is [4].");
}

TEST(ReadCsv, GivesTensors) {
  const std::string path = testing::TempDir() + "wick_datasets_test.csv";
  std::ofstream(path) << "a,kind,b\n1,v,2\n3,u,4\n5,v,6\n";
  const Csv labelled = read_csv(path, {.label = "kind"});
  EXPECT_EQ(labelled.data.sizes(), (IntArrayRef{3, 2}));
  EXPECT_EQ(values_of<double>(labelled.data), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values_of<int64_t>(labelled.target), (std::vector<int64_t>{1, 0, 1}));
  EXPECT_EQ(labelled.label_name, "kind");
  EXPECT_EQ(labelled.target_names, (std::vector<std::string>{"u", "v"}));
  EXPECT_EQ(labelled.feature_names, (std::vector<std::string>{"a", "b"}));
  std::ofstream(path) << "a\n1\n";
  EXPECT_FALSE(read_csv(path).target.defined());
  std::remove(path.c_str());
}

}  // namespace
}  // namespace wick::datasets
