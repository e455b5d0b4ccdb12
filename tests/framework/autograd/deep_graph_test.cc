// Graphs that are deep or wide: no recursion as deep as the graph, no node visited more than once.
#include <gtest/gtest.h>
#include <pthread.h>

#include <chrono>
#include <functional>

#include "wick/framework/autograd/engine.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

constexpr int kDepth = 100'000;

// Runs f on a thread whose stack has 512 kB.
void on_small_stack(const std::function<void()>& f) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 512 << 10), 0);
  pthread_t thread;
  const auto run = [](void* context) -> void* {
    (*static_cast<const std::function<void()>*>(context))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&f)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

Tensor chain(const Tensor& x) {
  Tensor y = x;
  for (int i = 0; i < kDepth; ++i) y = y + 1;
  return y;
}

TEST(DeepGraph, RunsBackward) {
  on_small_stack([] {
    const Tensor x = tensor(1.0, kDouble).requires_grad_();
    const Tensor y = chain(x);
    EXPECT_EQ(values(y), Numbers{kDepth + 1});
    y.backward();
    EXPECT_EQ(values(x.grad()), Numbers{1});
    EXPECT_EQ(values(autograd::grad({y}, {x})[0]), Numbers{1});
  });
}

TEST(DeepGraph, IsDropped) {
  on_small_stack([] {
    const Tensor x = tensor(1.0, kDouble).requires_grad_();
    chain(x);
    Tensor parts = tensor({1.0, 2.0}, kDouble).requires_grad_();
    for (int i = 0; i < kDepth / 10; ++i) parts = cat(parts.split(1));
    EXPECT_EQ(values(parts), (Numbers{1, 2}));
  });
}

TEST(DeepGraph, RecordsItsBackwardPass) {
  on_small_stack([] {
    const Tensor x = tensor(1.0, kDouble).requires_grad_();
    Tensor y = x;
    for (int i = 0; i < kDepth / 10; ++i) y = y * 1;
    const Tensor g = autograd::grad({y * x}, {x}, {}, std::nullopt, true)[0];
    EXPECT_EQ(values(g), Numbers{2});
    EXPECT_EQ(values(autograd::grad({g}, {x})[0]), Numbers{2});
  });
}

TEST(DeepGraph, OfInPlaceOperationsAndViews) {
  on_small_stack([] {
    const Tensor x = tensor({1.0, 2.0}, kDouble).requires_grad_();
    const Tensor y = x * 1;
    for (int i = 0; i < kDepth / 10; ++i) y.select(0, i % 2).add_(1);
    y.sum().backward();
    EXPECT_EQ(values(x.grad()), (Numbers{1, 1}));
  });
}

// The number of paths doubles sixty times; the number of nodes does not.
TEST(WideGraph, VisitsEachNodeOnce) {
  const auto start = std::chrono::steady_clock::now();
  const Tensor a = tensor(1.0, kDouble).requires_grad_();
  Tensor b = a;
  for (int i = 0; i < 60; ++i) b = b + b;
  b.backward({}, true);
  EXPECT_EQ(values(a.grad()), Numbers{0x1p60});
  EXPECT_EQ(values(autograd::grad({b}, {a})[0]), Numbers{0x1p60});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(WideGraph, SumsManyInputs) {
  const Tensor x = tensor(1.0, kDouble).requires_grad_();
  Tensor sum = x * 0;
  for (int i = 1; i <= 1000; ++i) sum = sum + x * i;
  sum.backward();
  EXPECT_EQ(values(x.grad()), Numbers{500500});
  const std::vector<Tensor> many(1000, x);
  EXPECT_EQ(values(autograd::grad({stack(many).sum()}, {x})[0]), Numbers{1000});
}

}  // namespace
}  // namespace wick::test
