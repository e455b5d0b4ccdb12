// In a graph products take over what stands behind them: ReLU, GELU, GELU's gradient, the gradient of a bias.
#include "wick/tests/framework/cuda/captured.h"

namespace wick {
namespace {

constexpr const char* kTanh = "tanh";

class Epilogue : public CudaTest {
 protected:
  // 33 rows of 20 numbers, to be multiplied into rows of n.
  void make(int64_t n, ScalarType dtype = kFloat, bool gradients = false) {
    manual_seed(1);
    x = randn({33, 20}).to(kCUDA, dtype).requires_grad_(gradients);
    w = randn({n, 20}).mul(0.3).to(kCUDA, dtype).requires_grad_(gradients);
    b = randn({n}).to(kCUDA, dtype).requires_grad_(gradients);
  }
  Tensor product() const { return linear(x, w, b); }
  // What a layer and its gradients give; the weights make the gradient that arrives differ from place to place.
  Tensors layer(const std::function<Tensor(const Tensor&)>& activation) {
    const Tensor y = activation(product());
    for (Tensor* p : {&x, &w, &b}) p->mutable_grad() = Tensor();
    (y * y).sum().backward();
    return {y, x.grad(), w.grad(), b.grad()};
  }

  Tensor x, w, b;
};

TEST_F(Epilogue, ReluIsPartOfTheProduct) {
  for (const int64_t n : {16, 7}) {  // bits are not kept, so any width will do
    make(n);
    EXPECT_EQ(spared([&] { return Tensors{relu(product())}; }, 0), 1);
    EXPECT_EQ(spared([&] { return Tensors{relu(mm(x, w.t()))}; }, 0), 1);
    EXPECT_EQ(spared([&] { return Tensors{product().relu_()}; }, 0), 1);
  }
}

TEST_F(Epilogue, GeluByTanhIsPartOfTheProduct) {
  for (const ScalarType dtype : {kFloat, kHalf, kBFloat16}) {
    make(16, dtype);
    const double tolerance = dtype == kFloat ? 1e-5 : dtype == kHalf ? 4e-3 : 3e-2;
    EXPECT_EQ(spared([&] { return Tensors{gelu(product(), kTanh)}; }, tolerance), 1) << dtype;
    EXPECT_EQ(spared([&] { return Tensors{gelu(mm(x, w.t()), kTanh)}; }, tolerance), 1) << dtype;
    // Batches of rows are one matrix.
    const Tensor rows = x.view({3, 11, 20});
    EXPECT_EQ(spared([&] { return Tensors{gelu(linear(rows, w, b), kTanh)}; }, tolerance), 1) << dtype;
  }
}

// cuBLASLt's GELU is the approximation: the exact one stays what it is, bit for bit.
TEST_F(Epilogue, ExactGeluStaysExact) {
  make(16);
  EXPECT_EQ(spared([&] { return Tensors{gelu(product())}; }, 0), 0);
  make(16, kFloat, true);
  const auto of_layer = [&](const char* approximate) {
    return spared([&] { return layer([&](const Tensor& h) { return gelu(h, approximate); }); });
  };
  // The bias gradient; y * y goes with the activation, and its gradient with the activation's (fused_test).
  EXPECT_EQ(of_layer("none"), 3);
  EXPECT_EQ(of_layer(kTanh), 3);  // here the activation goes with the product
}

TEST_F(Epilogue, DoubleHasNoneButTheBias) {
  make(16, kDouble, true);
  EXPECT_EQ(spared([&] { return layer([](const Tensor& h) { return gelu(h, kTanh); }); }, 0), 0);
  EXPECT_EQ(spared([&] { return layer([](const Tensor& h) { return relu(h); }); }, 0), 0);
}

// A transformer's feed-forward layers: GELU with its argument kept, GELU's gradient in the second layer's product, the bias gradients
// beside those of the weights; and the two elementwise calls of the loss's gradient are one.
TEST_F(Epilogue, TrainsAFeedForwardNetwork) {
  for (const auto& [width, launches] : {std::pair<int64_t, int64_t>{24, 5}, {21, 3}}) {  // 21 is no multiple of 8: GELU is a kernel of ours
    manual_seed(2);
    nn::Linear first(20, width), second(width, 6);
    first->to(kCUDA);
    second->to(kCUDA);
    const Tensor data = randn({33, 20}).cuda(), target = randn({33, 6}).cuda();
    const auto step = [&] {
      const Tensor loss = mse_loss(second(gelu(first(data), kTanh)), target);
      first->zero_grad();
      second->zero_grad();
      loss.backward();
      return Tensors{loss, first->weight.grad(), first->bias.grad(), second->weight.grad(), second->bias.grad()};
    };
    EXPECT_EQ(spared(step), launches) << width;
    // The whole of it, once more in double on the host.
    const Captured fused = capture(true, step);
    nn::Linear first64(20, width), second64(width, 6);
    first64->to(kDouble);
    second64->to(kDouble);
    {
      NoGradGuard no_grad;
      first64->weight.copy_(first->weight), first64->bias.copy_(first->bias);
      second64->weight.copy_(second->weight), second64->bias.copy_(second->bias);
    }
    const Tensor loss = mse_loss(second64(gelu(first64(data.cpu().to(kDouble)), kTanh)), target.cpu().to(kDouble));
    loss.backward();
    const Tensors exact{loss, first64->weight.grad(), first64->bias.grad(), second64->weight.grad(), second64->bias.grad()};
    for (size_t i = 0; i < exact.size(); ++i) EXPECT_TRUE(fused.values[i].allclose(exact[i].detach().to(kFloat), 1e-4, 1e-5)) << i;
  }
}

TEST_F(Epilogue, WhoElseNeedsTheProductHasIt) {
  make(16);
  EXPECT_EQ(spared([&] {
    const Tensor h = product();
    return Tensors{gelu(h, kTanh), h};
  }), 1);
  EXPECT_EQ(spared([&] {
    const Tensor h = product();
    return Tensors{relu(h), h};
  }), 0);
  // Read between the product and its activation.
  EXPECT_EQ(spared([&] {
    const Tensor h = product(), e = h.exp();
    return Tensors{gelu(h, kTanh), e};
  }), 1);
  EXPECT_EQ(spared([&] {
    const Tensor h = product(), e = h.exp();
    return Tensors{relu(h), e};
  }), 1);  // not by the product: exp and ReLU are one launch
}

TEST_F(Epilogue, WhatStandsBetweenKeepsItsPlace) {
  make(16);
  // The product is changed before its activation.
  EXPECT_EQ(spared([&] {
    Tensor h = product();
    h.mul_(2);
    return Tensors{gelu(h, kTanh), h};
  }), 1);  // with the change, and not by the product
  // What the result replaces is read before.
  const Tensor old = ones({33, 16}, kCUDA);
  EXPECT_EQ(spared([&] {
    old.fill_(3);
    Tensor h = product();
    const Tensor sum = old + 1;
    old.copy_(h.relu_());
    return Tensors{sum, old};
  }), 1);
  // Part of the product is no product.
  EXPECT_EQ(spared([&] { return Tensors{gelu(product().slice(0, 0, 32), kTanh)}; }), 0);
}

// Sums in chunks, and sums of something else, stay launches of their own.
TEST_F(Epilogue, OnlyShortSumsAreTaken) {
  for (const auto& [rows, launches] : {std::pair<int64_t, int64_t>{64, 1}, {5000, 0}}) {
    const Tensor g = randn({rows, 8}).cuda(), data = randn({rows, 5}).cuda(), other = randn({rows, 8}).cuda();
    EXPECT_EQ(spared([&] { return Tensors{mm(g.t(), data), g.sum(0)}; }, 1e-3), launches) << rows;
    EXPECT_EQ(spared([&] { return Tensors{mm(g.t(), data), other.sum(0)}; }, 1e-3), 0);
    EXPECT_EQ(spared([&] { return Tensors{mm(g.t(), data), g.mean(0)}; }, 1e-3), 0);
    EXPECT_EQ(spared([&] { return Tensors{mm(g.t(), data), g.sum(1)}; }, 1e-3), 0);
  }
}

}  // namespace
}  // namespace wick
