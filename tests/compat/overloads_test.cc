// Forms of functions that compat adds to wick's own, and attention over heads, beside PyTorch.
#include <torch/torch.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

using torch::Tensor;

Tensor waves(torch::IntArrayRef sizes, double step = 0.37, double from = 0) {
  return (torch::arange(torch::empty(sizes).numel(), torch::kDouble) * step + from).sin().view(sizes);
}

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const c10::Error& e) {
    const std::string text = e.what();
    return text.substr(0, text.find('\n'));
  }
  return "no error";
}

// The sum of the result, and those of the gradients' sizes where result i has the weight i + 1.
template <class F>
void expect_attention(const F& attend, const std::vector<double>& expected) {
  const Tensor q = waves({1, 4, 3, 5}).requires_grad_(), k = waves({1, 4, 6, 5}, 0.21, 1).requires_grad_(),
               v = waves({1, 4, 6, 2}, 0.53, 2).requires_grad_();
  const Tensor y = attend(q, k, v);
  (y * torch::arange(1, y.numel() + 1, torch::kDouble).view(y.sizes())).sum().backward();
  const std::vector<double> got{y.sum().item<double>(), q.grad().abs().sum().item<double>(), k.grad().abs().sum().item<double>(),
                                v.grad().abs().sum().item<double>()};
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-6 * std::fabs(expected[i])) << i;
}

// Scores of a few hundred have an error of one in bfloat16, which a softmax would not survive.
TEST(Attention, HalfPrecisionHasScoresOfFloat32) {
  const Tensor q = (waves({1, 2, 3, 8}) * 9).to(torch::kBFloat16), k = (waves({1, 2, 6, 8}, 0.21, 1) * 9).to(torch::kBFloat16),
               v = (waves({1, 2, 6, 2}, 0.53, 2) * 9).to(torch::kBFloat16);
  const Tensor y = torch::scaled_dot_product_attention(q, k, v);
  EXPECT_EQ(y.scalar_type(), torch::kBFloat16);
  const Tensor exact = torch::scaled_dot_product_attention(q.to(torch::kDouble), k.to(torch::kDouble), v.to(torch::kDouble));
  EXPECT_LT((y.to(torch::kDouble) - exact).abs().max().item<double>(), 0.032);
}

TEST(Attention, ValuesAndGradients) {
  using A = const Tensor&;
  expect_attention([](A q, A k, A v) { return torch::scaled_dot_product_attention(q, k, v); },
                   {1.49050173, 109.19333, 120.260935, 300});
  expect_attention([](A q, A k, A v) { return torch::scaled_dot_product_attention(q, k, v, {}, 0, true); },
                   {5.02624884, 82.149519, 114.849345, 300});
  expect_attention([](A q, A k, A v) { return torch::scaled_dot_product_attention(q, k, v, {}, 0, false, 0.3); },
                   {1.13863332, 88.6081928, 69.3645918, 300});
  // The second query sees no key.
  const Tensor seen = torch::tensor({{1, 0, 1, 1, 0, 1}, {0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}}).to(torch::kBool);
  expect_attention([&](A q, A k, A v) { return torch::scaled_dot_product_attention(q, k, v, seen); },
                   {-2.66235762, 41.7078524, 43.498719, 200});
  expect_attention([&](A q, A k, A v) { return torch::scaled_dot_product_attention(q, k, v, waves({3, 6}, 1.1)); },
                   {-2.73908865, 102.819967, 118.284305, 300});
  expect_attention([](A q, A k, A v) {
    return torch::scaled_dot_product_attention(q, k.slice(1, 0, 2), v.slice(1, 0, 2), {}, 0, false, {}, true);
  }, {1.5752447, 120.067874, 118.3116, 300});
}

TEST(Attention, Misuse) {
  const Tensor x = torch::rand({2, 3, 4}), mask = torch::ones({3, 3}).to(torch::kBool);
  EXPECT_THROW(torch::scaled_dot_product_attention(x, x, x, mask, 0, true), c10::Error);
  EXPECT_THROW(torch::scaled_dot_product_attention(x, x.to(torch::kDouble), x), c10::Error);
  EXPECT_THROW(torch::scaled_dot_product_attention(x, x, x, mask.to(torch::kInt)), c10::Error);
  EXPECT_THROW(torch::scaled_dot_product_attention(torch::rand({4}), x, x), c10::Error);
  const Tensor two = torch::rand({2, 2, 4}), three = torch::rand({3, 2, 4});
  EXPECT_THROW(torch::scaled_dot_product_attention(three, two, two, {}, 0, false, {}, true), c10::Error);
}

TEST(Overloads, Rounding) {
  EXPECT_TRUE(torch::round(torch::tensor({1.2345f, -2.675f, 0.5f, 150.f}), 2).allclose(torch::tensor({1.23f, -2.68f, 0.5f, 150.f})));
  EXPECT_TRUE(torch::round(torch::tensor({1234.5f, -2675.f, 150.f}), -2).equal(torch::tensor({1200.f, -2700.f, 200.f})));
  EXPECT_EQ(error_of([] { torch::round(torch::tensor({15, -3}), -1); }), "\"round_cpu\" not implemented for 'Long'");
}

// What PyTorch gives for its own samples.
TEST(Samples, Statistics) {
  const Tensor x = torch::tensor({{1., 2., 4.}, {2., 1., 7.}}), often = torch::tensor({1, 2, 1});
  const Tensor weights = torch::tensor({1., 2., 1.});
  EXPECT_EQ(torch::cov(x.to(torch::kBFloat16)).scalar_type(), torch::kBFloat16);
  EXPECT_TRUE(torch::cov(x, 1, often, Tensor()).allclose(torch::cov(torch::tensor({{1., 2., 2., 4.}, {2., 1., 1., 7.}}))));
  EXPECT_TRUE(torch::cov(x, 0, Tensor(), weights).allclose(torch::cov(x, 0, often)));
  EXPECT_EQ(error_of([&] { torch::cov(x, 1, weights); }),
            "cov(): expected fweights to have integral dtype but got fweights with Float dtype");
  EXPECT_EQ(error_of([&] { torch::cov(x, 1, c10::nullopt, often); }),
            "cov(): expected aweights to have floating point dtype but got aweights with Long dtype");
  EXPECT_EQ(error_of([&] { torch::cov(x, 1, often.unsqueeze(0)); }),
            "cov(): expected fweights to have one or fewer dimensions but got fweights with 2 dimensions");
  const Tensor turned = torch::corrcoef(torch::complex(x, x.flip({0})));
  EXPECT_TRUE(torch::real(turned.diagonal()).allclose(torch::ones({2})));
}

TEST(Samples, PlacesAndParts) {
  const Tensor x = torch::arange(6).view({2, 3});
  EXPECT_TRUE(torch::take_along_dim(x, torch::tensor({{-1}, {0}}), 1).equal(torch::tensor({{2}, {3}})));
  EXPECT_TRUE(torch::diff(x, 0, 1, x).equal(x));
  EXPECT_EQ(torch::ones({2, 3}, torch::kInt).sum_to_size({}).scalar_type(), torch::kLong);
  Tensor value = torch::tensor(2.f).requires_grad_();
  torch::zeros({3}).index_fill(0, torch::tensor({1, 1}), value).sum().backward();
  EXPECT_EQ(value.grad().item<float>(), 1);
  EXPECT_TRUE(torch::linalg_vander(torch::tensor(2.f), 2).equal(torch::tensor({{1.f, 2.f}})));
  EXPECT_EQ(error_of([] { torch::trapezoid(torch::ones({3}, torch::kBool)); }),
            "trapezoid: received a bool input for `x` or `y`, but bool is not supported");
  EXPECT_TRUE(torch::is_complex(torch::zeros({1}, torch::kComplexFloat)));
  EXPECT_TRUE(torch::is_complex(torch::kComplexFloat));
}

// The pivot is the entry whose parts' sizes have the largest sum: here 2 + 2i before 3.
TEST(Samples, Pivots) {
  const Tensor a = torch::complex(torch::tensor({{3., 1.}, {2., 1.}}), torch::tensor({{0., 0.}, {2., 0.}}));
  EXPECT_EQ(std::get<1>(torch::linalg_lu_factor(a))[0].item<int>(), 2);
  EXPECT_EQ(error_of([] { torch::linalg_lu_factor(torch::ones({2, 2}, torch::kHalf)); }), "\"lu_cpu\" not implemented for 'Half'");
  EXPECT_EQ(error_of([] { torch::geqrf(torch::ones({2, 2}, torch::kLong)); }), "\"geqrf_cpu\" not implemented for 'Long'");
  EXPECT_EQ(error_of([] { torch::ormqr(torch::ones({3, 2}), torch::ones({1}), torch::ones({3, 3})); }),
            "torch.ormqr: tau.shape[-1] must be equal to min(other.shape[-2], input.shape[-1])");
}

TEST(Samples, KernelsThatSpecialFunctionsDoNotHave) {
  const Tensor half = torch::ones({2}, torch::kHalf), z = torch::ones({2}, torch::kComplexFloat), n = torch::ones({2}, torch::kLong);
  EXPECT_EQ(error_of([&] { torch::special_bessel_j0(half); }), "\"bessel_j0_cpu\" not implemented for 'Half'");
  EXPECT_EQ(error_of([&] { torch::special_zeta(half, half); }), "\"zeta_cpu\" not implemented for 'Half'");
  EXPECT_EQ(error_of([&] { torch::i0(z); }), "\"i0_vml_cpu\" not implemented for 'ComplexFloat'");
  EXPECT_EQ(error_of([&] { torch::igamma(n, n); }), "\"igamma_cpu\" not implemented for 'Long'");
  EXPECT_EQ(error_of([&] { torch::special_log_ndtr(half); }), "\"log_ndtr_cpu\" not implemented for 'Half'");
  EXPECT_EQ(torch::special_i0e(half).scalar_type(), torch::kHalf);
  EXPECT_EQ(torch::igamma(half, half).scalar_type(), torch::kHalf);
  EXPECT_EQ(error_of([] { torch::mvlgamma(torch::ones({2}, torch::kBool), 1); }), "The input tensor may not be a boolean tensor.");
}

TEST(Overloads, BoundsForEachElement) {
  const Tensor x = torch::tensor({{1.f, 2.f, 4.f}, {0.f, -1.f, 5.f}}), bound = torch::tensor({0.f, 1.f, 2.f});
  EXPECT_TRUE(torch::clamp(x, bound).equal(torch::tensor({{1.f, 2.f, 4.f}, {0.f, 1.f, 5.f}})));
  EXPECT_TRUE(torch::clamp(x, c10::nullopt, c10::optional<Tensor>(bound)).equal(torch::tensor({{0.f, 1.f, 2.f}, {0.f, -1.f, 2.f}})));
  EXPECT_TRUE(torch::clamp(x, 0, 2).equal(torch::tensor({{1.f, 2.f, 2.f}, {0.f, 0.f, 2.f}})));
  EXPECT_THROW(torch::clamp(x, c10::optional<Tensor>()), c10::Error);
}

TEST(Overloads, NumbersOnTheLeft) {
  EXPECT_TRUE(torch::remainder(7, torch::tensor({3, -4, 5})).equal(torch::tensor({1, -1, 2})));
  EXPECT_TRUE(torch::remainder(7.5, torch::tensor({3, -4})).equal(torch::tensor({1.5f, -0.5f})));
  EXPECT_TRUE(torch::bitwise_left_shift(torch::tensor({1, 2}), torch::Scalar(3)).equal(torch::tensor({8, 16})));
  EXPECT_TRUE(torch::bitwise_right_shift(torch::tensor({9, 16}), torch::Scalar(3)).equal(torch::tensor({1, 2})));
}

TEST(Overloads, Spreads) {
  const Tensor x = torch::tensor({{1.f, 2.f, 4.f}, {0.f, -1.f, 5.f}});
  const c10::optional<int64_t> none = 0, two = 2;
  EXPECT_TRUE(torch::var(x, at::IntArrayRef{1}, none).allclose(torch::tensor({1.555555582f, 6.888888836f})));
  EXPECT_NEAR(torch::var(x, at::IntArrayRef{0, 1}, two).item<float>(), 6.708333492f, 1e-5);
  EXPECT_TRUE(torch::var(x, at::IntArrayRef{0}, two).isinf().all().item<bool>());
  const Tensor deviations = torch::std(x, at::IntArrayRef{0}, c10::optional<int64_t>(), true);
  EXPECT_TRUE(deviations.allclose(torch::tensor({{0.707106769f, 2.12132025f, 0.707106769f}})));
  EXPECT_TRUE(torch::norm(x, 2, {1}, true, torch::kDouble).allclose(torch::tensor({{4.582575695}, {5.099019514}}, torch::kDouble)));
  EXPECT_EQ(torch::norm(x.to(torch::kInt), 1, torch::kFloat).item<float>(), 13);
  EXPECT_TRUE(torch::argsort(x, true, 1, true).equal(torch::tensor({{2, 1, 0}, {2, 0, 1}})));
}

TEST(Overloads, WritingByIndices) {
  const Tensor x = torch::tensor({{1.f, 2.f, 4.f}, {0.f, -1.f, 5.f}}), twice = torch::tensor({{0, 0, 1}});
  EXPECT_TRUE(torch::scatter(x, 1, twice, 3.0, "add").equal(torch::tensor({{7.f, 5.f, 4.f}, {0.f, -1.f, 5.f}})));
  EXPECT_TRUE(torch::scatter(x, 1, twice, 3.0, "multiply").equal(torch::tensor({{9.f, 6.f, 4.f}, {0.f, -1.f, 5.f}})));
  const Tensor value = torch::tensor(2.f).requires_grad_(), y = torch::index_fill(x, 0, torch::tensor({1}), value);
  y.sum().backward();
  EXPECT_TRUE(y.equal(torch::tensor({{1.f, 2.f, 4.f}, {2.f, 2.f, 2.f}})));
  EXPECT_EQ(value.grad().item<float>(), 3);
  EXPECT_THROW(torch::index_fill(x, 0, torch::tensor({1}), torch::tensor({1.f, 2.f})), c10::Error);
}

// As the functions of the same name.
TEST(Overloads, AreMethodsToo) {
  const Tensor x = torch::tensor({{1.25f, -2.75f, 4.f}, {0.f, -1.f, 5.f}}), low = torch::tensor({0.f, -2.f, 1.f}), high = low + 2;
  EXPECT_TRUE(x.round(1).equal(torch::round(x, 1)) && x.clone().round_(0).equal(x.round()));
  EXPECT_TRUE(x.clamp(low, high).equal(torch::clamp(x, low, high)) && x.clone().clamp_(low).equal(torch::clamp(x, low)));
  EXPECT_TRUE(x.clamp(0).equal(x.clamp_min(0)) && x.clamp(c10::nullopt, 2).equal(x.clamp_max(2)));
  EXPECT_TRUE(x.argsort(true, 1, true).equal(x.argsort(1, true)));
  EXPECT_TRUE(x.norm(2, {0}, true, torch::kDouble).equal(torch::norm(x, 2, {0}, true, torch::kDouble)));
  EXPECT_EQ(x.norm(1, torch::kDouble).item<double>(), 14);
  const c10::optional<int64_t> none = 0;
  EXPECT_TRUE(x.var(at::IntArrayRef{1}, none, true).equal(torch::var(x, at::IntArrayRef{1}, none, true)));
  EXPECT_TRUE(x.std(at::IntArrayRef{0}, none).equal(torch::std(x, at::IntArrayRef{0}, none)));
  const Tensor index = torch::tensor({{0, 0, 1}}), value = torch::tensor(9.f);
  EXPECT_TRUE(x.scatter(1, index, 3.0, "add").equal(torch::scatter(x, 1, index, 3.0, "add")));
  EXPECT_TRUE(x.clone().scatter_(1, index, 3.0, "multiply").equal(torch::scatter(x, 1, index, 3.0, "multiply")));
  EXPECT_TRUE(x.index_fill(1, torch::tensor({0}), value).equal(x.index_fill(1, torch::tensor({0}), 9)));
  EXPECT_TRUE(x.clone().index_fill_(1, torch::tensor({2}), value).equal(x.index_fill(1, torch::tensor({2}), 9)));
}

TEST(Overloads, DifferencesBetweenEnds) {
  const Tensor x = torch::tensor({{1, 4, 9}}), end = torch::tensor({{0}});
  EXPECT_TRUE(torch::diff(x, 1, 1, end, end).equal(torch::tensor({{1, 3, 5, -9}})));
  EXPECT_TRUE(x.diff(1, 1, {}, end).equal(torch::tensor({{3, 5, -9}})));
  EXPECT_TRUE(torch::diff(x, 2, 1, end).equal(torch::tensor({{2, 2}})));
  EXPECT_THROW(torch::diff(x, 1, 1, torch::tensor({0})), c10::Error);
}

}  // namespace
