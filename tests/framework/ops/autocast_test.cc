// Autocast: which precision operations choose, what becomes of gradients, and when converted weights are kept.
#include "wick/framework/ops/autocast.h"

#include <gtest/gtest.h>

#include "wick/framework/autograd/engine.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

ScalarType dtype_of(const Tensor& x) { return x.scalar_type(); }

TEST(Autocast, ProductsTakeTheLowPrecision) {
  const Tensor a = ones({2, 2}), b = ones({1, 2, 2}), image = ones({1, 1, 4, 4}), kernel = ones({1, 1, 3, 3});
  const autocast guard(kCPU);
  for (const Tensor& y : {mm(a, a), matmul(a, a), linear(a, a), addmm(a, a, a), bmm(b, b), baddbmm(b, b, b), addbmm(a, b, b)}) {
    EXPECT_EQ(dtype_of(y), kBFloat16);
  }
  EXPECT_EQ(dtype_of(conv2d(image, kernel)), kBFloat16);
  EXPECT_EQ(dtype_of(conv_transpose2d(image, kernel)), kBFloat16);
  EXPECT_EQ(dtype_of(a + a), kFloat);
  EXPECT_EQ(dtype_of(mm(a.to(kDouble), a.to(kDouble))), kDouble);
}

TEST(Autocast, LossesTakeFloat32) {
  const Tensor x = ones({2, 3}, kBFloat16), classes = zeros({2}, kLong);
  const autocast guard(kCPU);
  EXPECT_EQ(dtype_of(mse_loss(x, x)), kFloat);
  EXPECT_EQ(dtype_of(cross_entropy_loss(x, classes)), kFloat);
  EXPECT_EQ(dtype_of(smooth_l1_loss(x, x)), kFloat);
  EXPECT_EQ(dtype_of(binary_cross_entropy_with_logits(x, x)), kFloat);
}

TEST(Autocast, JoiningTakesTheWidest) {
  const Tensor f = ones({2}), b = ones({2}, kBFloat16);
  const autocast guard(kCPU);
  EXPECT_EQ(dtype_of(cat({b, f})), kFloat);
  EXPECT_EQ(dtype_of(stack({b, b})), kBFloat16);
}

TEST(Autocast, GradientsHaveTheDtypeOfTheirTensors) {
  const Tensor w = leaf(counting({2, 2}).add(0.1)), x = counting({2, 2});
  Tensor y;
  {
    const autocast guard(kCPU);
    y = mm(x, w);
  }
  y.sum().backward();
  EXPECT_EQ(dtype_of(y), kBFloat16);
  EXPECT_EQ(dtype_of(w.grad()), kFloat);
  EXPECT_EQ(values(w.grad()), (std::vector<double>{2, 2, 4, 4}));
}

TEST(Autocast, GuardsNest) {
  const Tensor a = ones({2, 2});
  const autocast outer(kCPU, kHalf);
  {
    const autocast off(kCPU, std::nullopt, false);
    EXPECT_EQ(dtype_of(mm(a, a)), kFloat);
    const autocast inner(kCPU, kBFloat16);
    EXPECT_EQ(dtype_of(mm(a, a)), kBFloat16);
  }
  EXPECT_EQ(dtype_of(mm(a, a)), kHalf);
  EXPECT_EQ(amp::get_autocast_dtype(kCPU), kHalf);
}

// A weight that is used twice is converted once; its gradient then arrives in one sum.
TEST(Autocast, ConvertsAWeightOnce) {
  const Tensor w = leaf(ones({2, 2})), x = ones({2, 2});
  const auto converted = [&] { return mm(x, w).grad_fn()->next_edge(1).function.get(); };
  const autocast guard(kCPU);
  const void* first = converted();
  const Tensor kept = mm(x, w);
  EXPECT_EQ(kept.grad_fn()->next_edge(1).function.get(), first);
  {
    const NoGradGuard no_grad;
    EXPECT_FALSE(mm(x, w).requires_grad());
  }
  amp::clear_cache();
  EXPECT_NE(converted(), first);
  amp::set_autocast_cache_enabled(false);
  const Tensor one = mm(x, w), other = mm(x, w);
  EXPECT_NE(one.grad_fn()->next_edge(1).function.get(), other.grad_fn()->next_edge(1).function.get());
}

TEST(Autocast, SettingsOfTheThread) {
  EXPECT_FALSE(amp::is_autocast_enabled(kCPU));
  EXPECT_EQ(amp::get_autocast_dtype(kCUDA), kHalf);
  {
    const autocast guard(kCPU);
    EXPECT_TRUE(amp::is_autocast_enabled(kCPU) && amp::is_autocast_cache_enabled());
    EXPECT_FALSE(amp::is_autocast_enabled(kCUDA));
  }
  EXPECT_FALSE(amp::is_autocast_enabled(kCPU));
  amp::set_autocast_enabled(kCPU, true);
  EXPECT_EQ(dtype_of(mm(ones({1, 1}), ones({1, 1}))), kBFloat16);
  amp::set_autocast_enabled(kCPU, false);
  EXPECT_EQ(error_of([] { amp::set_autocast_dtype(kCPU, kFloat); }),
            "Currently, AutocastCPU only support Bfloat16 and Half as the autocast_cpu_dtype");
  EXPECT_EQ(error_of([] { const autocast guard(kMeta); }), "User specified an unsupported autocast device_type 'meta'");
}

}  // namespace
}  // namespace wick::test
