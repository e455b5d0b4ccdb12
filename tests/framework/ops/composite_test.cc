// What PyTorch refuses of the operations that are written with others, and cases that the table of operations does not reach.
#include <cmath>

#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

constexpr double kNan = NAN, kInfinity = INFINITY;

TEST(Composite, RoundedQuotientsOfIntegersKeepTheirDtype) {
  const Tensor a = tensor({7, -7, 7, -7}), b = tensor({2, 2, -2, -2});
  EXPECT_EQ(values(div(a, b, "trunc")), (Numbers{3, -3, -3, 3}));
  EXPECT_EQ(values(div(a, b, "floor")), (Numbers{3, -4, -4, 3}));
  EXPECT_EQ(values(a.div(2, "floor")), (Numbers{3, -4, 3, -4}));
  EXPECT_EQ(a.div(2, "trunc").scalar_type(), kLong);
  EXPECT_EQ(a.div(b, std::nullopt).scalar_type(), kFloat);
  EXPECT_EQ(error_of([&] { a.div(b, "up"); }), "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found 'up'");
}

TEST(Composite, QuantilesOfRowsWithNaN) {
  const Tensor x = tensor({{1.0, 2.0, 3.0}, {4.0, kNan, 6.0}}, kDouble);
  const Numbers y = values(quantile(x, 0.5, 1));
  EXPECT_EQ(y[0], 2);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(values(nanquantile(x, 0.5, 1)), (Numbers{2, 5}));
  EXPECT_EQ(values(nansum(x, 1)), (Numbers{6, 10}));
  EXPECT_EQ(values(nanmean(x, 1)), (Numbers{2, 5}));
  EXPECT_EQ(values(std::get<0>(nanmedian(x, 1))), (Numbers{2, 4}));
  EXPECT_EQ(sizes(quantile(x, tensor({0.1, 0.9}, kDouble), 1, true)), (Longs{2, 2, 1}));
  EXPECT_EQ(error_of([&] { quantile(x, 1.5); }), "quantile() q must be in the range [0, 1] but got 1.5");
  EXPECT_EQ(error_of([&] { quantile(x, tensor({0.5f}, kFloat)); }), "quantile() q tensor must be same dtype as the input tensor");
}

TEST(Composite, DistinctElements) {
  const auto [nothing, where_to, count] = _unique2(empty({0}), true, true, true);
  EXPECT_EQ(nothing.numel() + where_to.numel() + count.numel(), 0);
  const auto [values_only, no_inverse, no_counts] = _unique2(tensor({3, 1, 3}));
  EXPECT_EQ(values(values_only), (Numbers{1, 3}));
  EXPECT_EQ(no_inverse.numel() + no_counts.numel(), 0);
  EXPECT_EQ(std::get<0>(_unique2(full({3}, kNan))).numel(), 3);
  const auto [rows, inverse, counts] = unique_consecutive(tensor({{1, 2}, {1, 2}, {0, 5}}), true, true, 0);
  EXPECT_EQ(values(rows), (Numbers{1, 2, 0, 5}));
  EXPECT_EQ(values(inverse), (Numbers{0, 0, 1}));
  EXPECT_EQ(values(counts), (Numbers{2, 1}));
}

TEST(Composite, PlacesInSortedSequences) {
  const Tensor edges = tensor({1.0, 3.0, 5.0});
  EXPECT_EQ(values(searchsorted(edges, tensor({0.0, 1.0, 3.5, kNan}))), (Numbers{0, 0, 2, 3}));
  EXPECT_EQ(values(searchsorted(edges, tensor({0.0, 1.0, 5.0}), false, true)), (Numbers{0, 1, 3}));
  EXPECT_EQ(values(searchsorted(edges, 3, false, false, "right")), (Numbers{2}));
  EXPECT_EQ(values(bucketize(2.5, tensor({1, 2, 3}))), (Numbers{2}));
  EXPECT_EQ(values(searchsorted(tensor({5.0, 1.0, 3.0}), tensor({4.0}), false, false, std::nullopt, tensor({1, 2, 0}))), (Numbers{2}));
  EXPECT_EQ(error_of([&] { bucketize(edges, ones({2, 2})); }), "boundaries tensor must be 1 dimension, but got dim(2)");
}

TEST(Composite, RunningProductsAndExtremes) {
  const Tensor x = tensor({2.0, 0.0, 3.0, 0.0}, TensorOptions(kDouble).requires_grad(true));
  cumprod(x, 0).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{1, 2 + 2 * 3 + 0, 0, 0}));
  EXPECT_EQ(values(cumsum(ones({3, 70}), 0).select(0, 2)), Numbers(70, 3));
  EXPECT_EQ(cumprod(tensor({true, true}), 0).scalar_type(), kLong);
  const auto [largest, place] = cummax(tensor({1.0, 3.0, 3.0, kNan, 5.0}), 0);
  EXPECT_EQ(values(place), (Numbers{0, 1, 2, 3, 3}));
  EXPECT_TRUE(std::isnan(values(largest)[4]));
  EXPECT_EQ(values(logcumsumexp(full({2}, -kInfinity, kDouble), 0)), (Numbers{-kInfinity, -kInfinity}));
  EXPECT_EQ(values(logcumsumexp(tensor({kInfinity, 1.0}, kDouble), 0)), (Numbers{kInfinity, kInfinity}));
}

TEST(Composite, RefusesWhatPyTorchRefuses) {
  const Tensor x = ones({2, 3}), line = ones({3});
  EXPECT_EQ(error_of([&] { trace(line); }), "trace: expected a matrix, but got tensor with dim 1");
  EXPECT_EQ(error_of([&] { diff(ones({})); }), "diff expects input to be at least one-dimensional");
  EXPECT_EQ(error_of([&] { bincount(line); }), "bincount only supports 1-d non-negative integral inputs.");
  EXPECT_EQ(error_of([&] { bincount(tensor({-1})); }), "bincount only supports 1-d non-negative integral inputs.");
  EXPECT_EQ(error_of([&] { histc(line, 0); }), "bins must be > 0");
  EXPECT_EQ(error_of([&] { renorm(x, 0, 0, 1); }), "renorm: non-positive-norm not supported");
  EXPECT_EQ(error_of([&] { rot90(x, 1, {0, 0}); }), "expected rotation dims to be different, but got dim0 = 0 and dim1 = 0");
  EXPECT_EQ(error_of([&] { tensor_split(x, 0); }), "number of sections must be larger than 0, got 0");
  EXPECT_EQ(error_of([&] { combinations(x); }), "Expect a 1D vector, but got shape [2, 3]");
  EXPECT_EQ(error_of([&] { masked_scatter(x, x.gt(0), line); }), "Number of elements of source < number of ones in mask");
  EXPECT_EQ(error_of([&] { select_scatter(x, ones({2}), 0, 0); }),
            "expected src to have a size equal to the slice of self. src size = [2], slice size = [3]");
  EXPECT_EQ(error_of([&] { x.scatter(0, zeros({1, 3}, kLong), x, "min"); }), "reduce argument must be either add or multiply.");
  EXPECT_EQ(error_of([&] { scatter_reduce(x, 0, zeros({1, 3}, kLong), x, "max"); }),
            "reduce argument must be either sum, prod, mean, amax or amin, got max");
  EXPECT_EQ(error_of([&] { polygamma(-1, line); }), "polygamma(n, x) does not support negative n.");
  EXPECT_EQ(error_of([&] { take(x, line); }), "take(): Expected a long tensor for index, but got Float");
}

}  // namespace
}  // namespace wick::test
