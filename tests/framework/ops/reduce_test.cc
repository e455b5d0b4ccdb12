// Reductions: accuracy, empty tensors, integers, NaN and ties, gradients where they are delicate, errors, layouts, threads.
#include <cmath>

#include "wick/framework/autograd/engine.h"
#include "wick/framework/core/parallel.h"
#include "wick/framework/ops/reduce.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

const double kNan = std::nan("");
const double kInf = HUGE_VAL;

// The same numbers, NaN equal to NaN.
void expect_same(const Tensor& x, const Numbers& expected) {
  const Numbers got = values(x);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(expected[i])) EXPECT_TRUE(std::isnan(got[i])) << "at " << i;
    else EXPECT_DOUBLE_EQ(got[i], expected[i]) << "at " << i;
  }
}

Tensor gradient_of(const Tensor& y, const Tensor& x) {
  y.sum().backward();
  return x.grad();
}

TEST(Sum, LongSumsOfFloatsStayAccurate) {
  EXPECT_EQ(ones(20000000).sum().item<float>(), 20000000.f);
  EXPECT_NEAR(full(1000000, 0.1).sum().item<float>(), 100000.0, 0.1);
  for (double mean : values(full({10485760, 2}, 300.0).mean(0))) EXPECT_NEAR(mean, 300, 1e-3);
  EXPECT_EQ(ones((1 << 24) + 8).cumsum(0).select(0, -1).item<float>(), 16777224.f);
}

// The general case against the one that needs no copy, on a tensor large enough for several chunks.
TEST(Sum, AgreesForEveryLayout) {
  const Tensor x = counting({6, 35, 9, 70}).remainder(17);
  const Tensor shuffled = x.permute({2, 0, 3, 1});
  for (int64_t d = 0; d < 4; ++d) {
    const Tensor expected = shuffled.contiguous().sum(d);
    EXPECT_TRUE(equal(shuffled.sum(d), expected)) << d;
    EXPECT_TRUE(equal(shuffled.to(kDouble).sum(d), expected)) << d;
  }
  EXPECT_TRUE(equal(shuffled.sum({0, 2}), shuffled.contiguous().sum({0, 2})));
  EXPECT_TRUE(equal(x.sum({0, 2}), x.sum(2).sum(0)));
  EXPECT_TRUE(equal(x.sum({1, 2, 3}), x.reshape({6, -1}).sum(1)));
  const Tensor sliced = x.slice(3, 1, 60, 3).slice(1, 2);
  EXPECT_TRUE(equal(sliced.sum(1), sliced.contiguous().sum(1)));
  EXPECT_TRUE(equal(sliced.amax({1, 3}), sliced.contiguous().amax({1, 3})));
  const Tensor expanded = x.select(3, 0).unsqueeze(3).expand({6, 35, 9, 4});
  EXPECT_TRUE(equal(expanded.sum(3), x.select(3, 0) * 4));
}

TEST(Sum, DoesNotDependOnThreads) {
  const int before = get_num_threads();
  const Tensor x = counting({300, 4099}).sin();
  std::vector<Tensor> results[2];
  for (int threads : {1, 3}) {
    set_num_threads(threads);
    for (const Tensor& y : {x.sum(), x.sum(0), x.sum(1), x.reshape({-1, 3}).mean(0), x.amax(), x.argmax(), x.logsumexp(0), x.norm(),
                            x.t().contiguous().var(OptionalIntArrayRef{0}, true, false)}) {
      results[threads == 1].push_back(y);
    }
  }
  set_num_threads(before);
  for (size_t i = 0; i < results[0].size(); ++i) EXPECT_TRUE(equal(results[0][i], results[1][i])) << i;
}

// Several rows are folded at once; a row has the sum that it has alone, whichever rows stand around it.
TEST(Sum, OfARowDoesNotDependOnItsNeighbours) {
  for (const ScalarType dtype : {kFloat, kDouble}) {
    for (const int64_t width : {1, 7, 16, 33, 64, 100, 1024}) {
      const Tensor x = randn({37, width}, dtype);
      const Tensor sums = x.sum(1), distances = x.abs().sum(1), norms = x.norm(1, 1);
      for (int64_t i = 0; i < x.size(0); ++i) {
        ASSERT_EQ(sums[i].item<double>(), x[i].sum().item<double>()) << width << " row " << i;
        ASSERT_EQ(norms[i].item<double>(), distances[i].item<double>()) << width << " row " << i;
        ASSERT_NEAR(sums[i].item<double>(), x[i].to(kDouble).sum().item<double>(), 1e-4);
      }
    }
  }
}

TEST(Sum, IntegersAndBoolsAccumulateIn64Bits) {
  const Tensor bytes = tensor({200, 100}, kByte);
  EXPECT_EQ(bytes.sum().scalar_type(), kLong);
  EXPECT_EQ(bytes.sum().item<int64_t>(), 300);
  EXPECT_EQ(values(bytes.view({1, 2}).sum(1)), (Numbers{300}));
  EXPECT_EQ(values(bytes.cumsum(0)), (Numbers{200, 300}));
  EXPECT_EQ(ones(300, kByte).sum().item<int64_t>(), 300);
  EXPECT_EQ(tensor({1, 1, 0}, kBool).sum().item<int64_t>(), 2);
  EXPECT_EQ(values(tensor({1, 1, 0}, kBool).cumsum(0)), (Numbers{1, 2, 2}));
  EXPECT_EQ(tensor({100, 100}, kChar).prod().item<int64_t>(), 10000);
  EXPECT_EQ(tensor({1 << 30, 1 << 30, 5}, kInt).sum().item<int64_t>(), 2147483653);
  EXPECT_EQ(bytes.max().scalar_type(), kByte);
  EXPECT_EQ(full(4, INT64_MAX, kLong).sum().item<int64_t>(), -4);
  EXPECT_EQ(tensor({1.9, 1.9}).sum(kInt).item<int>(), 2);
  EXPECT_EQ(tensor({1, 2}).mean(kFloat).item<float>(), 1.5f);
  EXPECT_EQ(tensor({60000.0, 60000.0}, kHalf).mean().item<float>(), 60000.f);
}

TEST(Sum, UndoesBroadcasting) {
  const Tensor g = counting({2, 3, 4});
  EXPECT_TRUE(ops::sum_to(g, {2, 3, 4}).is_same(g));
  EXPECT_TRUE(equal(ops::sum_to(g, {3, 1}), g.sum({0, 2}).view({3, 1})));
  EXPECT_TRUE(equal(ops::sum_to(g, {4}), g.sum({0, 1})));
  EXPECT_EQ(sizes(ops::sum_to(g, {})), (Longs{}));
  EXPECT_EQ(sizes(ops::sum_to(ones({1, 1, 4}), {4})), (Longs{4}));
  const Tensor x = leaf(g);
  ops::sum_to(x, {1, 4}).sum().backward();
  EXPECT_TRUE(equal(x.grad(), ones_like(g)));
}

TEST(Reduce, EmptyDimensions) {
  const Tensor z = zeros({2, 0});
  expect_same(z.sum(1), {0, 0});
  expect_same(z.prod(1), {1, 1});
  expect_same(z.mean(1), {kNan, kNan});
  expect_same(z.var(OptionalIntArrayRef{1}, true, false), {kNan, kNan});
  expect_same(z.norm(2, 1), {0, 0});
  expect_same(z.logsumexp(1), {-kInf, -kInf});
  EXPECT_TRUE(z.gt(0).all().item<bool>());
  EXPECT_FALSE(z.gt(0).any().item<bool>());
  EXPECT_EQ(sizes(z.sum(0)), (Longs{0}));
  EXPECT_EQ(sizes(z.amin(0)), (Longs{0}));
  EXPECT_EQ(sizes(z.cumsum(1)), (Longs{2, 0}));
  const auto [largest, places] = zeros({0, 5}).max(1);
  EXPECT_EQ(sizes(largest), (Longs{0}));
  EXPECT_EQ(places.scalar_type(), kLong);
  EXPECT_EQ(error_of<IndexError>([&] { z.max(1); }), "max(): Expected reduction dim 1 to have non-zero size.");
  EXPECT_EQ(error_of<IndexError>([] { zeros({0, 5}).argmax(0); }), "argmax(): Expected reduction dim 0 to have non-zero size.");
  EXPECT_EQ(error_of<IndexError>([&] { z.argmax(); }), "argmax(): Expected reduction dim to be specified for input.numel() == 0.");
  const char* no_dim =
      "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.";
  EXPECT_EQ(error_of([&] { z.min(); }), std::string("min") + no_dim);
  EXPECT_EQ(error_of([&] { z.amax(); }), std::string("amax") + no_dim);
  EXPECT_EQ(error_of([&] { z.norm(kInf); }),
            "linalg.vector_norm cannot compute the inf norm on an empty tensor because the operation does not have an identity");
  // A second dimension on a tensor that has no row: the gradient of nothing.
  const Tensor x = leaf(z);
  x.logsumexp(1).sum().backward();
  EXPECT_EQ(sizes(x.grad()), (Longs{2, 0}));
}

TEST(Reduce, Errors) {
  const Tensor x = zeros({2, 3}), i = zeros({2, 3}, kLong);
  EXPECT_EQ(error_of<IndexError>([&] { x.sum(2); }), "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
  EXPECT_EQ(error_of([&] { x.sum({0, -2}); }), "dim 0 appears multiple times in the list of dims");
  EXPECT_EQ(error_of<IndexError>([] { tensor(5.0).sum(1); }), "Dimension out of range (expected to be in range of [-1, 0], but got 1)");
  EXPECT_EQ(tensor(5.0).sum(-1).item<float>(), 5);
  EXPECT_EQ(error_of<NotImplementedError>([&] { i.mean(); }),
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long");
  EXPECT_EQ(error_of<NotImplementedError>([&] { x.mean(kInt); }),
            "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: Int");
  EXPECT_EQ(error_of<NotImplementedError>([&] { i.std(); }), "std and var only support floating point and complex dtypes");
  EXPECT_EQ(error_of<NotImplementedError>([&] { i.norm(); }),
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long");
  EXPECT_EQ(error_of<NotImplementedError>([&] { i.gt(0).argmax(); }), "argmax(): does not support bool input");
}

TEST(Reduce, NodeNames) {
  const Tensor x = leaf(counting({2, 3}));
  EXPECT_EQ(node(x.sum()), "SumBackward0");
  EXPECT_EQ(node(x.sum(1)), "SumBackward1");
  EXPECT_EQ(node(x.mean()), "MeanBackward0");
  EXPECT_EQ(node(x.mean(1)), "MeanBackward1");
  EXPECT_EQ(node(x.max()), "MaxBackward1");
  EXPECT_EQ(node(std::get<0>(x.max(1))), "MaxBackward0");
  EXPECT_EQ(node(std::get<1>(x.max(1))), "none");
  EXPECT_EQ(node(x.argmax(1)), "none");
  EXPECT_EQ(node(x.norm()), "NormBackward0");
  EXPECT_EQ(node(x.logsumexp(1)), "LogsumexpBackward0");
}

TEST(Extremes, NanWinsAndTheFirstOfEqualsIsTheIndex) {
  const Tensor x = tensor({1.0, kNan, 5.0, kNan, 5.0, -1.0, 5.0, 2.0, 5.0, -1.0}).view({2, 5});
  EXPECT_EQ(values(x.argmax(1)), (Numbers{1, 1}));
  EXPECT_EQ(values(x.argmin(1)), (Numbers{1, 0}));
  expect_same(std::get<0>(x.max(1)), {kNan, 5});
  expect_same(x.amin(1), {kNan, -1});
  expect_same(x.max(), {kNan});
  EXPECT_EQ(values(x.argmin(0)), (Numbers{1, 0, 1, 0, 1}));
  EXPECT_EQ(x.argmax().item<int64_t>(), 1);
  EXPECT_EQ(full(70000, -kInf).argmax().item<int64_t>(), 0);
  // The place counts elements in their logical order, whatever the memory's.
  EXPECT_EQ(counting({3, 4}).t().argmax().item<int64_t>(), 11);
  EXPECT_EQ(counting({3, 4}).t().neg().argmin().item<int64_t>(), 11);
  Tensor late = zeros(200000);
  late.slice(0, 150001).fill_(1);
  EXPECT_EQ(late.argmax().item<int64_t>(), 150001);
  EXPECT_EQ(sizes(x.argmax(std::nullopt, true)), (Longs{1, 1}));
}

TEST(Extremes, GradientIsSharedByEquals) {
  const Tensor x = leaf(tensor({2.0, 2.0, 1.0, 2.0}));
  EXPECT_EQ(values(gradient_of(x.max() * 3, x)), (Numbers{1, 1, 0, 1}));
  const Tensor y = leaf(tensor({1.0, 1.0, 0.0, 5.0}).view({2, 2}));
  EXPECT_EQ(values(gradient_of(y.amax(1), y)), (Numbers{0.5, 0.5, 0, 1}));
  const Tensor z = leaf(tensor({1.0, 1.0, 0.0, 5.0}).view({2, 2}));
  EXPECT_EQ(values(gradient_of(std::get<0>(z.max(1, true)), z)), (Numbers{1, 0, 0, 1}));
}

TEST(Norm, GradientsAtZero) {
  for (double p : {1.0, 2.0, kInf, 3.0, 1.5, 0.5}) {
    const Tensor x = leaf(zeros(2));
    EXPECT_EQ(values(gradient_of(x.norm(p), x)), (Numbers{0, 0})) << p;
  }
  const Tensor x = leaf(tensor({3.0, -3.0}));
  EXPECT_EQ(values(gradient_of(x.norm(kInf), x)), (Numbers{0.5, -0.5}));
  EXPECT_EQ(tensor({3.0, 0.0, -4.0}).norm(0).item<float>(), 2);
  EXPECT_EQ(tensor({3.0, 0.0, -4.0}).norm(-kInf).item<float>(), 0);
  EXPECT_EQ(tensor({3.0, 0.0, -4.0}).norm().item<float>(), 5);
}

TEST(Variance, DelicateCases) {
  for (bool deviation : {false, true}) {
    const Tensor x = leaf(ones(3)), one = leaf(ones({1, 1}));
    EXPECT_EQ(values(gradient_of(deviation ? x.std() : x.var(), x)), (Numbers{0, 0, 0}));
    expect_same(deviation ? one.std() : one.var(), {kNan});
    EXPECT_EQ(sizes(gradient_of(deviation ? one.std() : one.var(), one)), (Longs{1, 1}));
  }
  expect_same(tensor({1.0, kInf}).var(), {kNan});
  // The mean is large against the spread.
  EXPECT_NEAR((counting(1000).remainder(2) + 4096).var(false).item<float>(), 0.25, 1e-6);
}

// A plain number is a dimension, not the bool `unbiased`.
TEST(Variance, OfOneDimension) {
  const Tensor x = tensor({{1.0, 2.0}, {3.0, 8.0}});
  expect_same(x.var(0), {2, 18});
  expect_same(var(x, 1), {0.5, 12.5});
  expect_same(std::get<0>(var_mean(x, 0)), {2, 18});
  expect_same(std::get<1>(std_mean(x, 0)), {2, 5});
  EXPECT_EQ(x.std(1).sizes(), IntArrayRef({2}));
  EXPECT_EQ(x.var(false).dim(), 0);
}

TEST(Logsumexp, InfinitiesAndLargeValues) {
  const auto check = [](const Numbers& x, double value, const Numbers& gradient) {
    const Tensor t = leaf(tensor(x).to(kFloat));
    const Tensor y = t.logsumexp(0);
    EXPECT_FLOAT_EQ(y.item<float>(), static_cast<float>(value));
    expect_same(gradient_of(y, t), gradient);
  };
  check({-kInf, -kInf}, -kInf, {0, 0});
  check({-kInf, 2}, 2, {0, 1});
  check({1000, 1000}, 1000.6931, {0.5, 0.5});
  check({-1000, -1000}, -999.3069, {0.5, 0.5});
  EXPECT_EQ(tensor({kInf, 0.0}).logsumexp(0).item<float>(), kInf);
  EXPECT_EQ(tensor({1, 1}).logsumexp(0).scalar_type(), kFloat);
}

TEST(Prod, GradientsWithZeros) {
  const auto gradient = [](const Numbers& x) {
    const Tensor t = leaf(tensor(x));
    return values(gradient_of(t.prod(), t));
  };
  EXPECT_EQ(gradient({2, 3, 4}), (Numbers{12, 8, 6}));
  EXPECT_EQ(gradient({2, 0, 4}), (Numbers{0, 8, 0}));
  EXPECT_EQ(gradient({0, 0, 4}), (Numbers{0, 0, 0}));
  // The mixed second derivative of x y z at (0, 0, 4) with respect to x and y is z.
  const Tensor t = leaf(tensor({0.0, 0.0, 4.0}));
  const Tensor first = autograd::grad({t.prod()}, {t}, {}, true, true)[0];
  EXPECT_EQ(values(autograd::grad({first.select(0, 0)}, {t})[0]), (Numbers{0, 4, 0}));
}

TEST(Truth, AllAndAny) {
  const Tensor x = tensor({1, 0, 1, 1}, kByte).view({2, 2});
  EXPECT_EQ(values(x.all(1)), (Numbers{0, 1}));
  EXPECT_EQ(values(x.any(0, true)), (Numbers{1, 1}));
  EXPECT_EQ(x.all().scalar_type(), kByte);
  EXPECT_EQ(x.to(kFloat).all().scalar_type(), kBool);
  EXPECT_TRUE(full(3, kNan).all().item<bool>());
  EXPECT_FALSE(zeros(100).any().item<bool>());
}

TEST(Equal, ShapesAndValues) {
  EXPECT_TRUE(equal(ones({2, 2}), ones({2, 2})));
  EXPECT_FALSE(equal(ones({2, 2}), ones(4)));
  EXPECT_FALSE(equal(full(2, kNan), full(2, kNan)));
  EXPECT_TRUE(equal(zeros(0), zeros(0)));
}

TEST(Cumsum, AlongEitherDimension) {
  const Tensor x = leaf(counting({2, 3}));
  EXPECT_EQ(values(x.cumsum(0)), (Numbers{0, 1, 2, 3, 5, 7}));
  EXPECT_EQ(values(x.t().cumsum(0)), (Numbers{0, 3, 1, 7, 3, 12}));
  x.cumsum(1).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{3, 2, 1, 3, 2, 1}));
  EXPECT_EQ(tensor(3.0).cumsum(0).item<float>(), 3);
}

TEST(Cumsum, LinesWithAndWithoutNeighbours) {
  for (const ScalarType dtype : {kFloat, kDouble, kLong, kChar}) {
    const Tensor x = (arange(1000, kLong).remainder(17) - 8).to(dtype), both = stack({x, x}, 1);
    EXPECT_TRUE(x.cumsum(0).equal(both.cumsum(0).select(1, 1)));
    EXPECT_TRUE(x.view({10, 100}).cumsum(1).equal(both.view({10, 100, 2}).cumsum(1).select(2, 0)));
    const auto [values, places] = x.cummax(0);
    const auto [both_values, both_places] = both.cummax(0);
    EXPECT_TRUE(values.equal(both_values.select(1, 0)) && places.equal(both_places.select(1, 0)));
  }
}

TEST(Reduce, MetaTensorsHaveShapes) {
  const Tensor x = empty({4, 5}, TensorOptions(kFloat).device(kMeta));
  EXPECT_EQ(sizes(x.sum(1)), (Longs{4}));
  EXPECT_EQ(sizes(std::get<1>(x.max(0, true))), (Longs{1, 5}));
  EXPECT_TRUE(x.softmax(1).is_meta());
}

}  // namespace
}  // namespace wick::test
