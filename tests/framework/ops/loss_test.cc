// Losses: the fused cross-entropy against its parts, ignored and bad targets, large logits, reductions, PyTorch's sentences.
#include <cmath>

#include "wick/framework/autograd/engine.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

const int64_t kReductions[] = {Reduction::None, Reduction::Mean, Reduction::Sum};

void expect_close(const Tensor& x, const Numbers& expected, double tolerance = 1e-6) {
  const Numbers got = values(x);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], tolerance * std::max(1.0, std::fabs(expected[i]))) << "at " << i;
}

// Every path of the kernel: classes in registers, rows, columns; float and double; with weights and without.
TEST(CrossEntropy, IsNllOfLogSoftmax) {
  for (ScalarType dtype : {kFloat, kDouble}) {
    for (int64_t classes : {1, 3, 16, 17, 60}) {
      for (Dims shape : {Dims{5}, Dims{37}, Dims{4, 2}, Dims{3, 5, 4}}) {
        const Tensor target = counting(shape).mul(7).remainder(classes).to(kLong);
        target.view(-1).select(0, 1).fill_(-100);
        shape.insert(1, classes);
        const Tensor weights[] = {Tensor(), counting({classes}).add(1).to(dtype)};
        for (const Tensor& weight : weights) {
          for (int64_t reduction : kReductions) {
            const Tensor x = leaf(counting(shape).mul(0.9).sin().mul(3).to(dtype)), y = leaf(x);
            const Tensor fused = cross_entropy_loss(x, target, weight, reduction);
            const Tensor parts = nll_loss(y.log_softmax(1), target, weight, reduction);
            ASSERT_EQ(sizes(fused), sizes(parts));
            expect_close(fused, values(parts));
            const Tensor g = counting(fused.sizes()).add(1).to(dtype);
            fused.backward(g);
            parts.backward(g);
            expect_close(x.grad(), values(y.grad()));
          }
        }
      }
    }
  }
}

TEST(CrossEntropy, LargeLogits) {
  Tensor x = leaf(tensor({1000.0, 0.0}).view({1, 2}));
  Tensor loss = cross_entropy_loss(x, tensor({1}));
  EXPECT_EQ(loss.item<float>(), 1000);
  loss.backward();
  EXPECT_EQ(values(x.grad()), (Numbers{1, -1}));
  x = leaf(tensor({1e4, -1e4}).view({1, 2}));
  loss = cross_entropy_loss(x, tensor({0}));
  EXPECT_EQ(loss.item<float>(), 0);
  loss.backward();
  EXPECT_EQ(values(x.grad()), (Numbers{0, 0}));
}

TEST(CrossEntropy, IgnoredTargets) {
  const Tensor logits = tensor({1.0, 2.0, 3.0, 1.0, 1.0, 1.0}).view({2, 3});
  for (int64_t ignore : {-100, 255, 1 << 25}) {
    const Tensor target = tensor({int64_t{2}, ignore});
    for (int64_t reduction : kReductions) {
      const Tensor x = leaf(logits);
      const Tensor loss = cross_entropy_loss(x, target, {}, reduction, ignore);
      if (reduction == Reduction::None) expect_close(loss, {0.4076059, 0});
      else expect_close(loss, {0.4076059});
      loss.sum().backward();
      expect_close(x.grad(), {0.0900306, 0.2447285, -0.3347590, 0, 0, 0});
    }
  }
  expect_close(cross_entropy_loss(logits, tensor({2, 0}), {}, Reduction::Mean, 0), {0.4076059});
  expect_close(cross_entropy_loss(logits, tensor({2, 0}), tensor({1.0, 2.0, 3.0})), {0.5803576});
  const Tensor none = tensor({-100, -100});
  EXPECT_TRUE(std::isnan(cross_entropy_loss(logits, none).item<float>()));
  EXPECT_EQ(values(cross_entropy_loss(logits, none, {}, Reduction::None)), (Numbers{0, 0}));
  const Tensor x = leaf(logits);
  const Tensor sum = cross_entropy_loss(x, none, {}, Reduction::Sum);
  EXPECT_EQ(sum.item<float>(), 0);
  sum.backward();
  EXPECT_EQ(values(x.grad()), Numbers(6, 0));
  EXPECT_TRUE(std::isnan(cross_entropy_loss(zeros({0, 3}), zeros(0, kLong)).item<float>()));
  EXPECT_EQ(cross_entropy_loss(zeros({0, 3}), zeros(0, kLong), {}, Reduction::Sum).item<float>(), 0);
}

TEST(CrossEntropy, SecondDerivative) {
  const Tensor x = leaf(tensor({0.5, -1.0, 2.0}, kDouble).view({1, 3}));
  const Tensor first = autograd::grad({cross_entropy_loss(x, tensor({0}))}, {x}, {}, true, true)[0];
  const Tensor p = x.detach().softmax(1);
  // d(p_0 - 1) / dx_j = p_0 ([j == 0] - p_j)
  const Numbers q = values(p);
  expect_close(autograd::grad({first.select(1, 0).sum()}, {x})[0], {q[0] * (1 - q[0]), -q[0] * q[1], -q[0] * q[2]}, 1e-12);
}

TEST(CrossEntropy, ProbabilitiesAndSmoothing) {
  const Tensor x = counting({4, 3}).mul(0.8).sin(), target = tensor({0, 2, -100, 1});
  // A one-hot distribution is the class itself; smoothing mixes in the uniform one.
  const Tensor valid = tensor({0, 2, 1}), rows = x.index_select(0, tensor({0, 1, 3}));
  const Tensor one_hot = zeros({3, 3}).scatter_(1, valid.unsqueeze(1), 1.0);
  for (int64_t reduction : kReductions) {
    expect_close(cross_entropy_loss(rows, one_hot, {}, reduction), values(cross_entropy_loss(rows, valid, {}, reduction)));
    expect_close(cross_entropy_loss(rows, one_hot, {}, reduction, -100, 0.3),
                 values(cross_entropy_loss(rows, valid, {}, reduction, -100, 0.3)));
  }
  expect_close(cross_entropy_loss(x, target, {}, Reduction::Mean, -100, 0.3),
               values(cross_entropy_loss(rows, valid, {}, Reduction::Mean, -100, 0.3)));
  EXPECT_EQ(values(cross_entropy_loss(x, target, {}, Reduction::None, -100, 0.3))[2], 0);
}

TEST(CrossEntropy, ShapesAndNames) {
  const Tensor x = leaf(counting({2, 3})), target = tensor({2, 0});
  EXPECT_EQ(node(cross_entropy_loss(x, target)), "NllLossBackward0");
  EXPECT_EQ(node(cross_entropy_loss(x.view({2, 3, 1}), target.view({2, 1}))), "NllLoss2DBackward0");
  EXPECT_EQ(sizes(cross_entropy_loss(x, target)), (Longs{}));
  EXPECT_EQ(sizes(cross_entropy_loss(x.select(0, 0), tensor(2), {}, Reduction::None)), (Longs{}));
  expect_close(cross_entropy_loss(x.select(0, 0), tensor(2)), {0.4076059});
  expect_close(cross_entropy_loss(x.detach(), target.to(kByte)), values(cross_entropy_loss(x, target)));
  EXPECT_EQ(cross_entropy_loss(x.to(kHalf), target).scalar_type(), kHalf);
}

TEST(CrossEntropy, Errors) {
  const Tensor x = leaf(zeros({2, 3}));
  for (int64_t bad : {5, 3, -4}) {
    EXPECT_EQ(error_of<IndexError>([&] {
                cross_entropy_loss(x, tensor({int64_t{2}, bad}));
              }),
              "Target " + std::to_string(bad) + " is out of bounds.");
    EXPECT_EQ(error_of<IndexError>([&] {
                nll_loss(x, tensor({int64_t{2}, bad}));
              }),
              "Target " + std::to_string(bad) + " is out of bounds.");
  }
  EXPECT_EQ(error_of<ValueError>([&] {
              cross_entropy_loss(x, tensor({2, 1, 0}));
            }),
            "Expected input batch_size (2) to match target batch_size (3).");
  EXPECT_EQ(error_of([&] { cross_entropy_loss(x, tensor({2.0, 1.0})); }), "expected target dtype to be Long or Byte, but got Float");
  EXPECT_EQ(error_of([&] { cross_entropy_loss(x, tensor({2, 1}, kInt)); }), "expected target dtype to be Long or Byte, but got Int");
  EXPECT_EQ(error_of([&] { cross_entropy_loss(x, tensor({2, 1}), ones(2)); }),
            "weight tensor should be defined either for all 3 classes or no classes but got weight tensor of shape: [2]");
  EXPECT_EQ(error_of([&] { cross_entropy_loss(x, tensor({2, 1}), ones(3, kDouble)); }), "expected scalar type Float but found Double");
  EXPECT_EQ(error_of([&] { cross_entropy_loss(x, zeros({2, 3}).softmax(1), {}, Reduction::Mean, -100, 2.0); }),
            "label_smoothing must be between 0.0 and 1.0. Got: 2");
  EXPECT_EQ(error_of([] { cross_entropy_loss(zeros({2, 3, 4}), zeros({2, 5}, kLong)); }), "Expected target size [2, 4], got [2, 5]");
  EXPECT_EQ(error_of<NotImplementedError>([] { cross_entropy_loss(zeros({2, 3}, kLong), tensor({0, 1})); }),
            "\"log_softmax_lastdim_kernel_impl\" not implemented for 'Long'");
  EXPECT_EQ(error_of<ValueError>([] { nll_loss(tensor(1.0), tensor(1)); }), "Expected 1 or more dimensions (got 0)");
}

TEST(MseLoss, ReductionsBroadcastingAndErrors) {
  const Tensor x = leaf(counting({2, 3})), target = tensor({1.0, 1.0, 1.0});
  EXPECT_FLOAT_EQ(mse_loss(x, target).item<float>(), 31.f / 6);
  EXPECT_EQ(mse_loss(x, target, Reduction::Sum).item<float>(), 31);
  EXPECT_EQ(values(mse_loss(x, target, Reduction::None)), (Numbers{1, 0, 1, 4, 9, 16}));
  EXPECT_EQ(node(mse_loss(x, target)), "MseLossBackward0");
  const Tensor t = leaf(target);
  mse_loss(x, t, Reduction::Sum).backward();
  EXPECT_EQ(values(x.grad()), (Numbers{-2, 0, 2, 4, 6, 8}));
  EXPECT_EQ(values(t.grad()), (Numbers{-2, -6, -10}));
  EXPECT_TRUE(std::isnan(mse_loss(zeros(0), zeros(0)).item<float>()));
  EXPECT_EQ(error_of<NotImplementedError>([] { mse_loss(zeros(2, kLong), zeros(2, kLong)); }), "\"mse_cpu\" not implemented for 'Long'");
  EXPECT_EQ(error_of<ValueError>([&] { mse_loss(x, target, 7); }), "7 is not a valid value for reduction");
}

TEST(L1Loss, ValuesAndGradientAtZero) {
  const Tensor x = leaf(tensor({1.0, 3.0, 0.0})), target = ones(3);
  EXPECT_EQ(l1_loss(x, target).item<float>(), 1);
  l1_loss(x, target, Reduction::Sum).backward();
  EXPECT_EQ(values(x.grad()), (Numbers{0, 1, -1}));
}

}  // namespace
}  // namespace wick::test
