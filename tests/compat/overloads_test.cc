// Forms of functions that compat adds to wick's own, and attention over heads, beside PyTorch.
#include <torch/torch.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using torch::Tensor;

Tensor waves(torch::IntArrayRef sizes, double step = 0.37, double from = 0) {
  return (torch::arange(torch::empty(sizes).numel(), torch::kDouble) * step + from).sin().view(sizes);
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
  EXPECT_TRUE(torch::round(torch::tensor({15, -3}), -1).equal(torch::tensor({15, -3})));
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
