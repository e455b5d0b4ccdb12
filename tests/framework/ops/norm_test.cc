// Batch, layer, group and instance norm against their formulas, by operations that have no kernel in common with them.
#include <cmath>

#include "wick/framework/autograd/gradcheck.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

Tensor wave(IntArrayRef shape, double frequency, ScalarType dtype = kDouble) {
  return (arange(checked_numel(shape), kDouble) * frequency).sin().view(shape).to(dtype);
}

void expect_close(const Tensor& x, const Tensor& expected, double tolerance) {
  ASSERT_EQ(sizes(x), sizes(expected));
  const Numbers a = values(x), b = values(expected);
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance * std::max(1.0, std::fabs(b[i]))) << "at " << i;
}

Tensor normalised(const Tensor& x, IntArrayRef dims) {
  const Tensor mean = x.mean(dims, true);
  return (x - mean) / ((x - mean).square().mean(dims, true) + 1e-5).sqrt();
}

Tensor batch(const Tensor& x, const Tensor& w, const Tensor& b) { return batch_norm(x, w, b, {}, {}, true, 0.1, 1e-5, false); }

// Values, and the fused gradients against those of the formula; planes shorter and longer than a pack, and none.
TEST(Norm, IsTheFormula) {
  for (const ScalarType dtype : {kFloat, kDouble}) {
    const double tolerance = dtype == kFloat ? 1e-4 : 1e-10;
    const auto check = [&](const Tensor& x0, IntArrayRef weights, const auto& fused, const auto& formula) {
      const Tensor x = leaf(x0), w = leaf(wave(weights, 0.9) + 1.5), b = leaf(wave(weights, 1.7));
      const Tensor fx = leaf(x0.to(dtype)), fw = leaf(w.to(dtype)), fb = leaf(b.to(dtype));
      const Tensor y = formula(x, w, b), fy = fused(fx, fw, fb), g = wave(y.sizes(), 0.37);
      expect_close(fy, y, tolerance);
      y.backward(g);
      fy.backward(g.to(dtype));
      expect_close(fx.grad(), x.grad(), tolerance);
      expect_close(fw.grad(), w.grad(), tolerance * 10);
      expect_close(fb.grad(), b.grad(), tolerance * 10);
    };
    for (const int64_t width : {1, 3, 16, 45}) {
      check(wave({6, 4, width, 2}, 0.7) + 3, {4}, batch, [](const Tensor& x, const Tensor& w, const Tensor& b) {
        return normalised(x, {0, 2, 3}) * w.view({1, 4, 1, 1}) + b.view({1, 4, 1, 1});
      });
      check(wave({6, 2 * width}, 0.7), {2 * width}, batch, [](const Tensor& x, const Tensor& w, const Tensor& b) {
        return normalised(x, 0) * w + b;
      });
      check(wave({5, 2, width + 1}, 0.7), {width + 1},
            [&](const Tensor& x, const Tensor& w, const Tensor& b) { return layer_norm(x, width + 1, w, b); },
            [](const Tensor& x, const Tensor& w, const Tensor& b) { return normalised(x, 2) * w + b; });
      check(wave({3, 6, width, 2}, 0.7), {6}, [](const Tensor& x, const Tensor& w, const Tensor& b) { return group_norm(x, 2, w, b); },
            [&](const Tensor& x, const Tensor& w, const Tensor& b) {
              const Tensor y = normalised(x.reshape({3, 2, 6 * width}), 2).view(x.sizes());
              return y * w.view({1, 6, 1, 1}) + b.view({1, 6, 1, 1});
            });
      check(wave({3, 4, width + 1}, 0.7), {4},
            [](const Tensor& x, const Tensor& w, const Tensor& b) { return instance_norm(x, w, b, {}, {}, true, 0.1, 1e-5, false); },
            [](const Tensor& x, const Tensor& w, const Tensor& b) { return normalised(x, 2) * w.view({1, 4, 1}) + b.view({1, 4, 1}); });
    }
    check(wave({4, 6}, 0.7), {6}, [](const Tensor& x, const Tensor& w, const Tensor& b) { return group_norm(x, 3, w, b); },
          [](const Tensor& x, const Tensor& w, const Tensor& b) { return normalised(x.reshape({4, 3, 2}), 2).view({4, 6}) * w + b; });
  }
}

TEST(Norm, RunningStatistics) {
  Tensor mean = zeros({1}), var = ones({1});
  const Tensor y = batch_norm(tensor({{1.f}, {3.f}}), {}, {}, mean, var, true, 0.1, 1e-5, false);
  EXPECT_NEAR(values(y)[0], -0.999995, 1e-6);
  EXPECT_NEAR(mean.item<double>(), 0.2, 1e-7);
  EXPECT_NEAR(var.item<double>(), 1.1, 1e-6);  // of the unbiased variance, 2
  EXPECT_EQ(mean._version(), 1);
  // In evaluation they are used and stay; the gradient has no part through them.
  const Tensor x = leaf(tensor({{1.f}}));
  const Tensor z = batch_norm(x, {}, {}, mean, var, false, 0.1, 1e-5, false);
  EXPECT_NEAR(z.item<double>(), 0.7627666, 1e-6);
  z.sum().backward();
  EXPECT_NEAR(x.grad().item<double>(), 1 / std::sqrt(1.1 + 1e-5), 1e-6);
  EXPECT_NEAR(mean.item<double>(), 0.2, 1e-7);
  // One image is enough if it has pixels.
  var.fill_(1);
  const Tensor image = leaf(tensor({{{{1.f, 2.f}, {3.f, 4.f}}}}));
  batch_norm(image, {}, {}, mean, var, true, 0.1, 1e-5, false).sum().backward();
  EXPECT_NEAR(var.item<double>(), 1.0666666, 1e-6);
  for (const double g : values(image.grad())) EXPECT_NEAR(g, 0, 1e-6);
  // Instance norm keeps the mean over the batch.
  Tensor means = zeros({1}), vars = ones({1});
  instance_norm(tensor({{{1.f, 3.f}}, {{5.f, 9.f}}}), {}, {}, means, vars, true, 0.1, 1e-5, false);
  EXPECT_NEAR(means.item<double>(), 0.45, 1e-6);
  EXPECT_NEAR(vars.item<double>(), 0.9 + 0.1 * 5, 1e-6);
}

TEST(Norm, FarFromZero) {
  const Tensor x = wave({2, 2, 300}, 0.7).to(kFloat) + 10000;
  expect_close(batch(x, {}, {}), normalised(x.to(kDouble), {0, 2}), 1e-3);  // the mean itself is rounded to 5e-4
}

TEST(Norm, DerivativesOfTwoOrders) {
  using autograd::variable_list;
  const auto check = [](IntArrayRef shape, IntArrayRef weights, const autograd::DifferentiableFunction& f) {
    const Tensor x = leaf(wave(shape, 0.7)), w = leaf(wave(weights, 0.9) + 1.5), b = leaf(wave(weights, 1.7));
    EXPECT_TRUE(autograd::gradcheck(f, {x, w, b}));
    EXPECT_TRUE(autograd::gradgradcheck(f, {x, w, b}));
  };
  check({3, 2, 2}, {2}, [](const variable_list& in) -> variable_list { return {batch(in[0], in[1], in[2])}; });
  const Tensor mean = wave({2}, 0.3), var = wave({2}, 0.4) + 2;
  check({3, 2, 2}, {2}, [&](const variable_list& in) -> variable_list {
    return {batch_norm(in[0], in[1], in[2], mean, var, false, 0.1, 1e-5, false)};
  });
  check({2, 2, 3}, {2, 3}, [](const variable_list& in) -> variable_list { return {layer_norm(in[0], {2, 3}, in[1], in[2])}; });
  // A weight that no view flattens.
  check({2, 2, 3}, {3, 2}, [](const variable_list& in) -> variable_list { return {layer_norm(in[0], {2, 3}, in[1].t(), in[2].t())}; });
  check({2, 4, 2}, {4}, [](const variable_list& in) -> variable_list { return {group_norm(in[0], 2, in[1], in[2])}; });
  check({2, 2, 3}, {2}, [](const variable_list& in) -> variable_list {
    return {instance_norm(in[0], in[1], in[2], {}, {}, true, 0.1, 1e-5, false)};
  });
}

TEST(Norm, NamesDtypesAndEmpty) {
  const Tensor x = leaf(wave({2, 4, 3}, 0.7, kFloat));
  EXPECT_EQ(node(batch(x, {}, {})), "NativeBatchNormBackward0");
  EXPECT_EQ(node(layer_norm(x, 3)), "NativeLayerNormBackward0");
  EXPECT_EQ(node(group_norm(x, 2)), "NativeGroupNormBackward0");
  EXPECT_EQ(layer_norm(x.to(kHalf), 3).scalar_type(), kHalf);
  const Tensor none = leaf(zeros({0, 3})), w = leaf(ones({3}));
  const Tensor y = layer_norm(none, 3, w);
  EXPECT_EQ(sizes(y), (Longs{0, 3}));
  y.sum().backward();
  EXPECT_EQ(values(w.grad()), (Numbers{0, 0, 0}));
}

TEST(Norm, Errors) {
  const Tensor x = zeros({2, 3}), three = zeros({3}), four = zeros({4});
  EXPECT_EQ(error_of([&] { batch_norm(x, {}, {}, four, three, false, 0.1, 1e-5, false); }), "running_mean should contain 3 elements not 4");
  EXPECT_EQ(error_of([&] { batch_norm(x, four, {}, three, three, false, 0.1, 1e-5, false); }), "weight should contain 3 elements not 4");
  EXPECT_EQ(error_of([&] { layer_norm(x, 4); }),
            "Given normalized_shape=[4], expected input with shape [*, 4], but got input of size[2, 3]");
  EXPECT_EQ(error_of([&] { layer_norm(x, 3, four); }),
            "Expected weight to be of same shape as normalized_shape, but got weight of shape [4] and normalized_shape = [3]");
  EXPECT_EQ(error_of([&] { group_norm(zeros({2, 3, 4}), 2); }),
            "Expected number of channels in input to be divisible by num_groups, but got input of shape [2, 3, 4] and num_groups=2");
  EXPECT_EQ(error_of([&] { group_norm(zeros({2, 0, 4}), 1); }), "Expected number of channels to be greater than 0, got 0");
  EXPECT_EQ(error_of([&] { group_norm(zeros({2, 3, 0}), 1); }), "Expected HxW to be greater than 0, got 0");
  EXPECT_EQ(error_of([&] { batch_norm(x, {}, {}, leaf(zeros({3})), three, true, 0.1, 1e-5, false); }),
            "The function 'native_batch_norm' is not differentiable with respect to argument 'running_mean'. This input cannot have "
            "requires_grad True.");
  EXPECT_EQ(error_of([&] { group_norm(four, 2); }), "Expected at least 2 dimensions for input tensor but received 1");
  EXPECT_EQ(error_of([&] { instance_norm(zeros({2, 3, 4}), {}, {}, {}, {}, false, 0.1, 1e-5, false); }),
            "Expected running_mean and running_var to be defined when use_input_stats is false");
}

}  // namespace
}  // namespace wick::test
