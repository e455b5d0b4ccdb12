// Tensors as std::span and as matrices of Eigen's: the same memory, which stays as long as the view.
#include <gtest/gtest.h>

#include <numeric>

#include "wick/framework/eigen.h"
#include "wick/framework/span.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

TEST(TensorSpan, IsTheMemoryAndKeepsIt) {
  const Tensor x = arange(6, kFloat).view({2, 3});
  const TensorSpan<float> span(x);
  EXPECT_EQ(std::accumulate(span.begin(), span.end(), 0.f), 15.f);
  span[4] = 10;
  EXPECT_EQ(x[1][1].item<float>(), 10);
  const TensorSpan<const double> kept(full({3}, 7.0, kDouble));
  EXPECT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[2], 7.0);
  EXPECT_TRUE(TensorSpan<float>(empty({0})).empty());
}

TEST(TensorSpan, RefusesOthers) {
  const Tensor x = ones({2, 3});
  EXPECT_EQ(error_of([&] { TensorSpan<float> span(x.t()); }), "TensorSpan: the tensor must be contiguous and on the CPU");
  EXPECT_EQ(error_of([&] { TensorSpan<float> span(x.to(kMeta)); }), "TensorSpan: the tensor must be contiguous and on the CPU");
  EXPECT_EQ(error_of([&] { TensorSpan<double> span(x); }), "expected scalar type Double but found Float");
}

TEST(EigenMap, HasTheStridesOfTheTensor) {
  const Tensor x = arange(6, kDouble).view({2, 3}), y = arange(3, kDouble);
  const EigenMap<double> a(x), transposed(x.t()), column(y), part(x.slice(1, 0, 3, 2));
  EXPECT_EQ(a(1, 0), 3);
  EXPECT_EQ(transposed(0, 1), 3);
  EXPECT_EQ(part(1, 1), 5);
  EXPECT_EQ(column.rows(), 3);
  const Eigen::MatrixXd product = a * column;
  EXPECT_EQ(product(1, 0), x.mv(y)[1].item<double>());
  EigenMap<double> written(x.t());
  written = Eigen::MatrixXd::Constant(3, 2, 4.0);
  EXPECT_EQ(values(x), Numbers(6, 4));
  const EigenMap<double> kept(full({2, 2}, 7.0, kDouble));
  EXPECT_EQ(kept.sum(), 28);
}

TEST(EigenMap, RefusesOthers) {
  EXPECT_EQ(error_of([] { EigenMap<float> map(ones({2, 2, 2})); }), "EigenMap: expected a vector or a matrix on the CPU, got [2, 2, 2]");
  EXPECT_EQ(error_of([] { EigenMap<float> map(ones({2}, kLong)); }), "expected scalar type Float but found Long");
}

}  // namespace
}  // namespace wick::test
