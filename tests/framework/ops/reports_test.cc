// Kinds of fault that public reports about tensor libraries name: bounds that overflow, counts that never end, NaN taken for a number.
#include <cmath>
#include <functional>

#include "wick/framework/autograd/engine.h"
#include "wick/framework/autograd/gradcheck.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

constexpr double kInfinity = INFINITY;

Numbers gradient_of(const Tensor& y, const Tensor& x) { return values(autograd::grad({y.sum()}, {x}).at(0)); }

TEST(Reports, AnInfiniteBoundIsNone) {
  const Tensor x = leaf(tensor({-kInfinity, 1.0, kInfinity, double{NAN}}));
  EXPECT_EQ(gradient_of(x.clamp_min(0), x), (Numbers{0, 1, 1, 0}));
  EXPECT_EQ(gradient_of(x.clamp_max(0), x), (Numbers{1, 0, 0, 0}));
  EXPECT_EQ(gradient_of(x.clamp(-2, 2), x), (Numbers{0, 1, 0, 0}));
  EXPECT_EQ(gradient_of(x.clamp_min(kInfinity), x), (Numbers{0, 0, 0, 0}));
  const Tensor sloped = autograd::grad({x.clamp_min(0).square().sum()}, {x}, {}, std::nullopt, /*create_graph=*/true).at(0);
  EXPECT_EQ(values(sloped), (Numbers{0, 2, kInfinity, 0}));
}

TEST(Reports, LogitEndsAtZeroAndOne) {
  const Tensor p = leaf(tensor({-1.0, 0.0, 0.5, 1.0, 2.0, double{NAN}}));
  const Numbers g = gradient_of(logit(p), p);
  EXPECT_TRUE(std::isnan(g[0]) && g[1] == kInfinity && g[2] == 4 && g[3] == kInfinity && std::isnan(g[4]) && std::isnan(g[5]));
  EXPECT_EQ(gradient_of(logit(p, 0.1), p), (Numbers{0, 0, 4, 0, 0, 0}));
}

TEST(Reports, NumbersTooLargeForTheirType) {
  EXPECT_EQ(error_of([] { zeros({2}, kLong).fill_(0x1p63); }), "value cannot be converted to type int64_t without overflow");
  EXPECT_EQ(error_of([] { full({2}, 0x1p63, kLong); }), "value cannot be converted to type int64_t without overflow");
  EXPECT_EQ(values(zeros({1}, kLong).fill_(-0x1p63)), (Numbers{-0x1p63}));
  EXPECT_EQ(error_of([] { Scalar(1e300).toFloat(); }), "value cannot be converted to type float without overflow");
  EXPECT_EQ(error_of([] { full({}, 1e300, kDouble).item<float>(); }), "value cannot be converted to type float without overflow");
  EXPECT_EQ(Scalar(kInfinity).toFloat(), INFINITY);
  EXPECT_TRUE(std::isnan(Scalar(double{NAN}).to<Half>()));
}

TEST(Reports, CountsThatOverflow) {
  const Tensor one = ones({1}), many = one.expand({int64_t{1} << 62});
  const std::vector<std::function<void()>> calls = {
      [&] { many.repeat({4}); }, [&] { one.expand({INT64_MAX}).repeat({2, 2}); }, [&] { tensor({INT64_MAX}).bincount(); },
      [&] { one_hot(tensor({INT64_MAX})); }, [&] { one.diag_embed(INT64_MAX); }, [&] { one.diag(INT64_MIN); },
      [&] { one.diagflat(INT64_MIN); }, [&] { cat({one.expand({INT64_MAX}), one.expand({INT64_MAX})}); },
      [&] { constant_pad_nd(one, {INT64_MAX, INT64_MAX}); }, [&] { constant_pad_nd(one, {INT64_MIN, 0}); },
      [&] { pad(ones({1, 2}), {INT64_MAX, 1}, "replicate"); }, [&] { one.as_strided({2}, {1}, INT64_MAX); },
      [&] { empty_strided({2}, {INT64_MAX}); }, [&] { kron(one.expand({int64_t{1} << 32}), one.expand({int64_t{1} << 32})); },
      [&] { ones({6}).split_with_sizes({INT64_MAX, INT64_MAX, 8}); }, [&] { ones({4}).tensor_split(INT64_MAX); }};
  for (size_t i = 0; i < calls.size(); ++i) EXPECT_NE(error_of(calls[i]), "no error") << i;
  EXPECT_EQ(error_of(calls[2]), "maximum value of input overflowed, it should be < 9223372036854775807 but got 9223372036854775807");
}

TEST(Reports, DifferencesEnd) {
  EXPECT_EQ(sizes(tensor({1, 2, 3}).diff(INT64_MAX)), Longs{0});
  EXPECT_EQ(sizes(tensor({1, 2, 3}).diff(3)), Longs{0});
  EXPECT_EQ(values(tensor({1, 4, 9}).diff(2)), Numbers{2});
}

TEST(Reports, CombinationsOfMoreThanThereAre) {
  const Tensor x = leaf(tensor({1.0, 2.0, 3.0}));
  EXPECT_EQ(sizes(combinations(x, 40)), (Longs{0, 40}));
  EXPECT_EQ(sizes(combinations(arange(25), 20)), (Longs{53130, 20}));
  EXPECT_EQ(values(combinations(x, 2)), (Numbers{1, 2, 1, 3, 2, 3}));
  EXPECT_EQ(values(combinations(x, 2, true)), (Numbers{1, 1, 1, 2, 1, 3, 2, 2, 2, 3, 3, 3}));
  EXPECT_EQ(values(combinations(tensor({7}), 3, true)), (Numbers{7, 7, 7}));
  EXPECT_EQ(sizes(combinations(zeros({0}), 2, true)), (Longs{0, 2}));
  EXPECT_EQ(gradient_of(combinations(x, 2), x), (Numbers{2, 2, 2}));
}

TEST(Reports, NothingIsDrawnThatHasNoWeight) {
  const Tensor weights = tensor({0.f, 1e-45f, 0.f});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(multinomial(weights, 1).item<int64_t>(), 1);
}

TEST(Reports, QuantilesOfMoreThanFloat32Counts) {
  const int64_t n = (int64_t{1} << 24) + 4;
  const Tensor x = arange(n, kInt).remainder(2).to(kFloat);
  EXPECT_EQ(values(quantile(x, 1.0)), Numbers{1});
  EXPECT_EQ(values(quantile(x, 0.5)), Numbers{.5});
}

TEST(Reports, DistancesSayWhatIsWrong) {
  const Tensor a = ones({2, 2});
  EXPECT_EQ(error_of([&] { cdist(a, a, -1); }), "cdist only supports non-negative p values");
  EXPECT_EQ(error_of([&] { cdist(a, ones({2, 3})); }), "X1 and X2 must have the same number of columns. X1: 2 X2: 3");
  EXPECT_EQ(error_of([&] { cdist(a.to(kLong), a); }), "cdist only supports floating-point dtypes, X1 got: Long");
  EXPECT_EQ(error_of([&] { cdist(a, a.to(kInt)); }), "cdist only supports floating-point dtypes, X2 got: Int");
}

TEST(Reports, WhatIsRefused) {
  const Tensor flags = tensor({true, false, true}), z = tensor({Complex<double>(kInfinity, 0)});
  EXPECT_EQ(error_of([&] { flags.median(); }), "\"median_cpu\" not implemented for 'Bool'");
  EXPECT_EQ(error_of([&] { flags.nanmedian(0); }), "\"median_cpu\" not implemented for 'Bool'");
  EXPECT_EQ(error_of([&] { flags.kthvalue(1); }), "\"kthvalue_cpu\" not implemented for 'Bool'");
  EXPECT_EQ(error_of([&] { flags.topk(1); }), "topk does not support bool dtypes on CPU");
  EXPECT_EQ(error_of([&] { tensor({1, 2}).nanmean(); }),
            "nanmean(): expected input to have floating point or complex dtype but got Long");
  EXPECT_NE(error_of([&] { isposinf(z); }), "no error");
  EXPECT_NE(error_of([&] { isneginf(z); }), "no error");
  EXPECT_EQ(values(isposinf(tensor({kInfinity, double{NAN}, -kInfinity}))), (Numbers{1, 0, 0}));
  EXPECT_EQ(values(isneginf(tensor({1, 2}))), (Numbers{0, 0}));
  EXPECT_EQ(error_of([] { vsplit(ones({4}), 2); }),
            "torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with 1 dimensions!");
  const Tensor half = tensor({1.5}, kHalf);
  EXPECT_EQ(error_of([&] { flags.floor(); }), "\"floor_vml_cpu\" not implemented for 'Bool'");
  EXPECT_EQ(error_of([&] { flags.abs(); }), "\"abs_cpu\" not implemented for 'Bool'");
  EXPECT_EQ(error_of([&] { gcd(half, half); }), "\"gcd_cpu\" not implemented for 'Half'");
  EXPECT_EQ(error_of([&] { half & half; }), "\"bitwise_and_cpu\" not implemented for 'Half'");
  EXPECT_EQ(error_of([&] { nextafter(half, half); }), "\"nextafter_cpu\" not implemented for 'Half'");
  EXPECT_EQ(error_of([&] { half.clone().nextafter_(half); }), "\"nextafter_cpu\" not implemented for 'Half'");
  EXPECT_EQ(error_of([&] { nextafter(flags, flags); }), "\"nextafter_cpu\" not implemented for 'Bool'");
  EXPECT_EQ(error_of([&] { relu(flags); }), "Boolean inputs not supported for relu");
  EXPECT_EQ(values(square(flags)), (Numbers{1, 0, 1}));
  EXPECT_EQ(square(flags).scalar_type(), kLong);
}

// The wider type decides: no value is rounded on its way.
TEST(Reports, SearchAmongNumbersOfAnotherType) {
  const Tensor sorted = tensor({1, 3, 16777217});
  EXPECT_EQ(values(searchsorted(sorted, tensor({2.5f, 3.f, 16777216.f}))), (Numbers{1, 1, 2}));
  EXPECT_EQ(values(bucketize(tensor({2, 4}, kInt), tensor({1.5, 3.0}))), (Numbers{1, 2}));
  EXPECT_EQ(values(searchsorted(sorted, Scalar(2.5))), Numbers{1});
}

TEST(Reports, MatricesOfNaNHaveNoFactor) {
  const Tensor bad = tensor({{4., 0.}, {0., double{NAN}}});
  EXPECT_EQ(error_of<LinAlgError>([&] { linalg_cholesky(bad); }).substr(0, 96),
            "linalg.cholesky: The factorization could not be completed because the input is not positive-defi");
  EXPECT_EQ(values(linalg_cond(zeros({0, 0}))), Numbers{0});
}

TEST(Reports, TheSignOfNaNIsASign) {
  for (const int64_t n : {1, 40}) {
    const Tensor x = tensor({double{NAN}, 2.0, 0.0}).repeat(n), sign = tensor({-1.0, std::copysign(double{NAN}, -1.0), -0.0}).repeat(n);
    EXPECT_TRUE(signbit(copysign(x, sign)).all().item<bool>()) << n;
    EXPECT_FALSE(signbit(copysign(x, sign.neg())).any().item<bool>()) << n;
    EXPECT_TRUE(signbit(copysign(x.to(kFloat), sign.to(kFloat))).all().item<bool>()) << n;
  }
}

// ---- Beside PyTorch's own samples ---------------------------------------------------------------------------------------------------

TEST(Samples, ComplexNumbers) {
  const Tensor z = complex(tensor(2.0), tensor(-3.0));
  EXPECT_EQ(values(view_as_real(z.cumsum(0))), (Numbers{2, -3}));
  EXPECT_EQ(float_power(z.to(kComplexFloat), 2).scalar_type(), kComplexDouble);
  EXPECT_EQ(values(view_as_real(float_power(z, tensor({2})))), (Numbers{-5, -12}));
  EXPECT_EQ(float_power(tensor({2}, kInt), 2).scalar_type(), kDouble);
  const Tensor line = linspace(0, Complex<double>(2, -4), 3);
  EXPECT_EQ(line.scalar_type(), kComplexFloat);
  EXPECT_EQ(values(view_as_real(line)), (Numbers{0, 0, 1, -2, 2, -4}));
  EXPECT_EQ(values(view_as_real(linspace(1, 2, 2, kComplexDouble))), (Numbers{1, 0, 2, 0}));
  const Tensor two = view_as_complex(tensor({{1., 1.}, {3., -5.}})), places = tensor({0, 0});
  EXPECT_EQ(values(view_as_real(zeros({2}, kComplexFloat).scatter_reduce(0, places, two, "mean", /*include_self=*/false))),
            (Numbers{2, -2, 0, 0}));
}

TEST(Samples, ResultsHaveMemoryOfTheirOwn) {
  const Tensor one = tensor({5.f}), twice = one.repeat_interleave(2);
  twice[0] = 7;
  EXPECT_EQ(values(twice), (Numbers{7, 5}));
  EXPECT_EQ(values(one), Numbers{5});
  EXPECT_TRUE(arange(6).slice(0, 0, 6, 2).ravel().is_contiguous());
  EXPECT_TRUE(std::get<0>(rand({3, 4}).kthvalue(2)).is_contiguous());
}

TEST(Samples, Matrices) {
  for (const Scalar& order : {Scalar(1), Scalar(2), Scalar(kInfinity)})
    EXPECT_EQ(values(linalg_matrix_norm(zeros({0, 0}), order)), Numbers{0});
  EXPECT_EQ(values(linalg_matrix_norm(zeros({2, 0, 3}), 1)), (Numbers{0, 0}));
  EXPECT_EQ(error_of([] { linalg_matrix_norm(ones({2, 2}, kLong), 1); }),
            "linalg.matrix_norm: Expected a floating point or complex tensor as input. Got Long");
  EXPECT_EQ(values(linalg_vector_norm(tensor({8., 8.}, kHalf), 6)), Numbers{8.9765625});
  EXPECT_EQ(values(linalg_matrix_power(tensor({{1, 1}, {1, 0}}), 5)), (Numbers{8, 5, 5, 3}));
  const Tensor a = rand({3, 2}, kDouble), b = rand({3, 1}, kDouble);
  EXPECT_EQ(std::get<2>(linalg_lstsq(a, b, std::nullopt, "gels")).numel(), 0);
  EXPECT_EQ(std::get<2>(linalg_lstsq(a, b)).item<int64_t>(), 2);
  EXPECT_EQ(std::get<3>(linalg_lstsq(a, b, std::nullopt, "gelsd")).numel(), 2);
  EXPECT_EQ(std::get<1>(linalg_lstsq(a.to(kComplexDouble), b.to(kComplexDouble))).scalar_type(), kDouble);
  EXPECT_EQ(error_of([] { linalg_cross(ones({5, 3}), ones({5, 1}), -1); }),
            "linalg.cross: inputs dimension -1 must have length 3. Got 3 and 1");
}

TEST(Samples, QrOfWideMatricesHasADerivative) {
  const Tensor a = rand({2, 2, 5}, kDouble).requires_grad_();
  const auto factors = [](const std::vector<Tensor>& x) {
    const auto [q, r] = linalg_qr(x[0]);
    return std::vector<Tensor>{q, r};
  };
  EXPECT_TRUE(autograd::gradcheck(factors, {a}));
  const auto [q, r] = linalg_qr(a);
  EXPECT_TRUE(q.matmul(r).allclose(a));
  EXPECT_EQ(values(r.tril(-1).abs().sum()), Numbers{0});
}

TEST(Samples, Sentences) {
  const Tensor flags = tensor({true, false}), none = zeros({0});
  EXPECT_EQ(error_of([&] { searchsorted(flags, flags); }), "\"searchsorted_out_cpu\" not implemented for 'Bool'");
  EXPECT_EQ(error_of([&] { bucketize(ones({2}), ones({1, 2})); }), "boundaries tensor must be 1 dimension, but got dim(2)");
  EXPECT_EQ(error_of([] { repeat_interleave(tensor(3)); }), "repeat_interleave only accept 1D vector as repeat");
  EXPECT_EQ(error_of([&] { aminmax(none); }),
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
  EXPECT_EQ(error_of<IndexError>([] { aminmax(zeros({2, 0}), 1); }), "aminmax: Expected reduction dim 1 to have non-zero size.");
  EXPECT_EQ(error_of([&] { bitwise_left_shift(flags, flags); }), "\"lshift_cpu\" not implemented for 'Bool'");
  EXPECT_EQ(error_of([&] { floor_divide(flags, ones({2}, kBool)); }), "\"div_floor_cpu\" not implemented for 'Bool'");
  EXPECT_EQ(error_of([] { clamp(zeros({2}, kComplexFloat), zeros({2}, kComplexFloat), Tensor()); }),
            "clamp is not supported for complex types");
  EXPECT_EQ(values(ones({3}).gather(0, zeros({0}, kByte))), Numbers{});
}

}  // namespace
}  // namespace wick::test
