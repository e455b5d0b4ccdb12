// Random numbers on a device: the generator's known answer, reproducibility, the distributions, dropout.
#include <cmath>

#include "wick/tests/framework/cuda/device.h"

namespace wick {
namespace {

using CudaRandomTest = CudaTest;

constexpr int64_t kMany = 40000;

double mean_of(const Tensor& x) { return x.to(kDouble).mean().item<double>(); }
double deviation_of(const Tensor& x) { return x.to(kDouble).std().item<double>(); }

Tensor many(ScalarType dtype = kFloat) { return empty({kMany}, TensorOptions(dtype).device(kCUDA)); }

// The mean of `count` numbers with a standard deviation strays by less than five of its own.
void expect_mean(const Tensor& x, double mean, double deviation) {
  EXPECT_NEAR(mean_of(x), mean, 5 * deviation / std::sqrt(static_cast<double>(x.numel())));
}

// Salmon et al.'s known answer for philox4x32-10: the counter 0 and the key 0.
TEST_F(CudaRandomTest, KnownAnswer) {
  manual_seed(0);
  const Tensor x = empty({2}, TensorOptions(kLong).device(kCUDA)).random_(INT64_MIN, std::optional<int64_t>()).cpu();
  EXPECT_EQ(static_cast<uint64_t>(x[0].item<int64_t>()), 0x6627e8d5e169c58du);
  EXPECT_EQ(static_cast<uint64_t>(x[1].item<int64_t>()), 0xbc57ac4c9b00dbd8u);
}

TEST_F(CudaRandomTest, SeedsRepeat) {
  manual_seed(5);
  const Tensor a = randn({1000}, kCUDA).cpu(), b = randn({1000}, kCUDA).cpu();
  manual_seed(5);
  EXPECT_TRUE(randn({1000}, kCUDA).cpu().equal(a));
  EXPECT_TRUE(randn({1000}, kCUDA).cpu().equal(b));
  EXPECT_FALSE(a.equal(b));
  cuda::manual_seed(6);
  EXPECT_FALSE(randn({1000}, kCUDA).cpu().equal(a));
  // A number depends on its place, not on how many are drawn with it.
  manual_seed(5);
  EXPECT_TRUE(randn({400}, kCUDA).cpu().equal(a.slice(0, 0, 400)));
}

TEST_F(CudaRandomTest, Uniform) {
  manual_seed(1);
  for (const ScalarType t : {kFloat, kDouble, kHalf, kBFloat16}) {
    const Tensor x = many(t).uniform_(-1, 3);
    expect_mean(x, 1, 4 / std::sqrt(12.0));
    EXPECT_NEAR(deviation_of(x), 4 / std::sqrt(12.0), 0.03);
    EXPECT_TRUE(x.ge(-1).all().item<bool>() && x.lt(3).all().item<bool>()) << to_string(t);
  }
  const Tensor x = rand({kMany}, kCUDA).cpu();
  for (int64_t lag = 1; lag < 5; ++lag) {  // neighbours know nothing of each other
    expect_mean((x.slice(0, lag) - 0.5) * (x.slice(0, 0, kMany - lag) - 0.5), 0, 1 / 12.0);
  }
}

TEST_F(CudaRandomTest, Normal) {
  manual_seed(2);
  for (const ScalarType t : {kFloat, kDouble, kHalf}) {
    const Tensor x = many(t).normal_(2, 3).to(kDouble), z = (x - 2) / 3;
    expect_mean(z, 0, 1);
    expect_mean(z.pow(2), 1, std::sqrt(2.0));
    expect_mean(z.pow(3), 0, std::sqrt(15.0));
    expect_mean(z.pow(4), 3, std::sqrt(96.0));
    expect_mean(z.gt(1).to(kDouble), 0.158655, 0.37);
  }
  EXPECT_TRUE(randn({kMany}, kCUDA).isfinite().all().item<bool>());
}

TEST_F(CudaRandomTest, OtherDistributions) {
  manual_seed(3);
  expect_mean(many().exponential_(2), 0.5, 0.5);
  expect_mean(many().log_normal_(0, 0.5), std::exp(0.125), 0.61);
  expect_mean(many().cauchy_(1, 2).lt(3).to(kDouble), 0.75, 0.44);
  expect_mean(many(kInt).geometric_(0.25), 4, std::sqrt(12.0));
  EXPECT_TRUE(many(kInt).geometric_(0.25).ge(1).all().item<bool>());
  for (const ScalarType t : {kFloat, kBool, kLong, kHalf}) expect_mean(many(t).bernoulli_(0.3), 0.3, 0.46);
  EXPECT_EQ(mean_of(many().bernoulli_(1.0)), 1);
  EXPECT_EQ(mean_of(many().bernoulli_(0.0)), 0);
  const Tensor p = linspace(0, 1, kMany, TensorOptions(kFloat).device(kCUDA)), drawn = bernoulli(p);
  expect_mean(drawn.slice(0, 0, kMany / 2), 0.25, 0.5);
  EXPECT_EQ(drawn[0].item<float>(), 0);
  EXPECT_EQ(drawn[-1].item<float>(), 1);
}

TEST_F(CudaRandomTest, Integers) {
  manual_seed(4);
  const Tensor x = randint(-3, 7, {kMany}, TensorOptions(kLong).device(kCUDA));
  EXPECT_EQ(x.min().item<int64_t>(), -3);
  EXPECT_EQ(x.max().item<int64_t>(), 6);
  for (int64_t k = -3; k < 7; ++k) expect_mean(x.eq(k).to(kDouble), 0.1, 0.3);
  EXPECT_EQ(many(kByte).random_().max().item<int64_t>(), 255);
  EXPECT_TRUE(many(kChar).random_().ge(0).all().item<bool>());
  expect_mean(many(kBool).random_(), 0.5, 0.5);
}

TEST_F(CudaRandomTest, Permutations) {
  manual_seed(8);
  const TensorOptions options = TensorOptions(kLong).device(kCUDA);
  const Tensor a = randperm(3000, options), b = randperm(3000, options);
  EXPECT_FALSE(a.equal(b));
  EXPECT_TRUE(std::get<0>(sort(a)).equal(arange(3000, options)));
  expect_mean(a.slice(0, 0, 300), 1499.5, 866);
}

TEST_F(CudaRandomTest, DropoutKeepsItsMask) {
  manual_seed(6);
  const Tensor x = ones({kMany}, TensorOptions(kFloat).device(kCUDA)).requires_grad_();
  const Tensor y = dropout(x, 0.25, true);
  y.sum().backward();
  EXPECT_TRUE(x.grad().equal(y));
  expect_mean(y.detach().ne(0).to(kDouble), 0.75, 0.44);
  EXPECT_NEAR(y.max().item<float>(), 1 / 0.75, 1e-6);
  EXPECT_TRUE(dropout(x, 0.25, false).equal(x));
}

// A replayed graph goes on in the stream as eager steps would.
TEST_F(CudaRandomTest, GraphsDrawNewNumbers) {
  const Tensor x = ones({100}, TensorOptions(kFloat).device(kCUDA));
  Tensor y = zeros_like(x);
  const auto step = [&] { y.copy_(dropout(x, 0.5, true) + randn_like(x)); };
  std::vector<Tensor> eager;
  manual_seed(7);
  for (int i = 0; i < 3; ++i) step(), eager.push_back(y.cpu());
  Graph graph;
  {
    GraphCapture capture(graph);
    step();
  }
  for (int repeat = 0; repeat < 2; ++repeat) {
    manual_seed(7);
    for (int i = 0; i < 3; ++i) {
      graph.replay();
      EXPECT_TRUE(y.cpu().equal(eager[static_cast<size_t>(i)])) << "replay " << i;
    }
  }
}

TEST_F(CudaRandomTest, BadParameters) {
  Tensor x = many();
  EXPECT_EQ(message_of([&] { x.uniform_(2, 1); }).substr(0, 30), "uniform_ expects to return a [");
  EXPECT_EQ(message_of([&] { x.normal_(0, -1); }).substr(0, 26), "normal expects std >= 0.0,");
  EXPECT_NE(message_of([&] { x.exponential_(0); }), "");
  EXPECT_NE(message_of([&] { x.bernoulli_(1.5); }), "");
  EXPECT_NE(message_of([&] { many(kInt).normal_(); }), "");
}

}  // namespace
}  // namespace wick
