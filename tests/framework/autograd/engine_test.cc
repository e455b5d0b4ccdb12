#include "wick/framework/autograd/engine.h"

#include <fstream>
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "wick/framework/core/allocator.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

using autograd::grad;

Tensor number(double value) { return tensor(value, kDouble).requires_grad_(); }
Tensor numbers(std::initializer_list<double> list) { return tensor(list, kDouble).requires_grad_(); }

// ---- Backward ----------------------------------------------------------------------------------------------------------------------

TEST(Backward, FollowsTheChainRule) {
  const Tensor x = number(3), w = number(2);
  const Tensor y = (x * w + 1).square();
  y.backward();
  EXPECT_EQ(values(x.grad()), Numbers{28});
  EXPECT_EQ(values(w.grad()), Numbers{42});
  EXPECT_EQ(node(y), "PowBackward0");
  EXPECT_FALSE(y.grad().defined());
}

TEST(Backward, CountsEveryUseOfATensor) {
  const Tensor a = number(1);
  const Tensor b = a + a, c = b + b;
  c.backward();
  EXPECT_EQ(values(a.grad()), Numbers{4});
}

TEST(Backward, AddsToWhatIsThere) {
  const Tensor x = number(2);
  EXPECT_FALSE(x.grad().defined());
  (x * 3).backward();
  const Tensor held = x.grad();
  (x * 4).backward();
  EXPECT_EQ(values(x.grad()), Numbers{7});
  EXPECT_EQ(values(held), Numbers{7});  // in place, as PyTorch does it
  x.mutable_grad().reset();
  (x * 5).backward();
  EXPECT_EQ(values(x.grad()), Numbers{5});
}

TEST(Backward, SumsWhatBroadcastingStretched) {
  const Tensor x = leaf(ones({2, 1, 3}, kDouble)), bias = leaf(ones({3}, kDouble)), scale = number(2);
  (x.expand({2, 4, 3}) * scale + bias).sum().backward();
  EXPECT_EQ(sizes(x.grad()), (Longs{2, 1, 3}));
  EXPECT_EQ(values(x.grad()), Numbers(6, 8));
  EXPECT_EQ(values(bias.grad()), Numbers(3, 8));
  EXPECT_EQ(values(scale.grad()), Numbers{24});
  EXPECT_EQ(scale.grad().dim(), 0);
}

TEST(Backward, GivesAGradientTheDtypeOfItsTensor) {
  const Tensor x = tensor({1.0, 2.0}, kFloat).requires_grad_(), w = numbers({3, 4});
  const Tensor y = x * w;
  EXPECT_EQ(y.scalar_type(), kDouble);
  y.sum().backward();
  EXPECT_EQ(x.grad().scalar_type(), kFloat);
  EXPECT_EQ(values(x.grad()), (Numbers{3, 4}));
  EXPECT_EQ(w.grad().scalar_type(), kDouble);
}

TEST(Backward, TakesTheGradientOfWhatFollows) {
  const Tensor x = numbers({1, 2, 3});
  (x * x).backward(tensor({1.0, 10.0, 100.0}, kDouble));
  EXPECT_EQ(values(x.grad()), (Numbers{2, 40, 600}));
}

TEST(Backward, SharesNoMemoryBetweenGradients) {
  const Tensor x = numbers({1, 2}), y = numbers({3, 4});
  const Tensor upstream = tensor({1.0, 1.0}, kDouble);
  (x + y).backward(upstream);
  x.grad().add_(5);
  EXPECT_EQ(values(y.grad()), (Numbers{1, 1}));
  EXPECT_EQ(values(upstream), (Numbers{1, 1}));
  const Tensor z = numbers({1, 2});
  z.view({2, 1}).backward(upstream.view({2, 1}));
  z.grad().mul_(7);
  EXPECT_EQ(values(upstream), (Numbers{1, 1}));
}

TEST(Backward, ReachesOnlyTheOutputsThatAreUsed) {
  const Tensor x = numbers({1, 2, 3});
  const std::vector<Tensor> parts = x.unbind();
  (parts[1] * 5).backward();
  EXPECT_EQ(values(x.grad()), (Numbers{0, 5, 0}));
  const Tensor m = leaf(tensor({{1.0, 4.0}, {3.0, 2.0}}, kDouble));
  const auto [largest, where] = m.max(1);
  EXPECT_FALSE(where.requires_grad());
  largest.sum().backward();
  EXPECT_EQ(values(m.grad()), (Numbers{0, 1, 1, 0}));
}

TEST(Backward, OfSeveralTensorsAtOnce) {
  const Tensor x = number(2);
  const Tensor a = x * 3, b = a * a;
  autograd::backward({a, b}, {Tensor(), tensor(10.0, kDouble)});
  EXPECT_EQ(values(x.grad()), Numbers{3 + 10 * 2 * 6 * 3});
  EXPECT_EQ(error_of([&] { autograd::backward({a, b}, {Tensor()}); }), "got 2 tensors and 1 gradients");
}

TEST(Backward, OfALeafIsItsUpstream) {
  const Tensor x = number(5);
  x.backward();
  EXPECT_EQ(values(x.grad()), Numbers{1});
}

TEST(Backward, AccumulatesIntoTheGivenInputsOnly) {
  const Tensor x = number(2), w = number(3);
  const Tensor h = x * w, y = h * h;
  y.backward({}, true, false, TensorList{x});
  EXPECT_EQ(values(x.grad()), Numbers{36});
  EXPECT_FALSE(w.grad().defined());
  y.backward({}, std::nullopt, false, TensorList{h});
  EXPECT_EQ(values(h.grad()), Numbers{12});
  EXPECT_FALSE(w.grad().defined());
}

// ---- Keeping and recording the graph -----------------------------------------------------------------------------------------------

const char* const kSecondTime = "Trying to backward through the graph a second time (or directly access saved tensors after they have "
                                "already been freed).";

TEST(RetainGraph, IsNeededForASecondPass) {
  const Tensor x = number(2);
  const Tensor y = x * x;
  y.backward({}, true);
  y.backward();
  EXPECT_EQ(values(x.grad()), Numbers{8});
  EXPECT_EQ(error_of([&] { y.backward(); }).find(kSecondTime), 0u);
  EXPECT_NE(error_of([&] { y.backward(); }).find("retain_graph"), std::string::npos);
  EXPECT_EQ(values(x.grad()), Numbers{8});
}

TEST(RetainGraph, IsNotNeededWhereNothingWasSaved) {
  const Tensor x = number(2);
  const Tensor y = x + 1;
  y.backward();
  y.backward();
  EXPECT_EQ(values(x.grad()), Numbers{2});
}

TEST(RetainGraph, ConcernsIndexingAsWell) {
  const Tensor b = numbers({1, 2, 3}), c = zeros({3}, kDouble);
  using Indices = std::vector<std::optional<Tensor>>;
  c.index_put_(Indices{tensor({1, 2})}, b.index(Indices{tensor({1, 1})}));
  const Tensor s = c.sum();
  s.backward();
  EXPECT_EQ(values(b.grad()), (Numbers{0, 2, 0}));
  EXPECT_EQ(error_of([&] { s.backward(); }).find(kSecondTime), 0u);
}

TEST(CreateGraph, GivesHigherDerivatives) {
  const Tensor x = number(2);
  const Tensor y = x.pow(3);
  const Tensor first = grad({y}, {x}, {}, std::nullopt, true)[0];
  const Tensor second = grad({first}, {x}, {}, std::nullopt, true)[0];
  const Tensor third = grad({second}, {x})[0];
  EXPECT_EQ(values(first), Numbers{12});
  EXPECT_EQ(values(second), Numbers{12});
  EXPECT_EQ(values(third), Numbers{6});
  EXPECT_FALSE(third.requires_grad());
}

TEST(CreateGraph, DifferentiatesThroughASavedOutput) {
  const Tensor x = numbers({1, 2});
  const Tensor slope = grad({x.tanh().sum()}, {x}, {}, std::nullopt, true)[0];
  slope.square().sum().backward();
  EXPECT_NEAR(values(x.grad())[0], -0.5373152, 1e-7);
  EXPECT_NEAR(values(x.grad())[1], -0.0192479, 1e-7);
}

TEST(CreateGraph, GivesAGradientPenalty) {
  const Tensor w = number(2), x = number(3);
  const Tensor loss = (w * x - 1).square();
  const Tensor slope = grad({loss}, {w}, {}, std::nullopt, true)[0];
  EXPECT_EQ(values(slope), Numbers{30});
  (slope.abs() - 1).square().backward();
  EXPECT_EQ(values(w.grad()), Numbers{1044});
}

TEST(CreateGraph, MakesTheAccumulatedGradientDifferentiable) {
  const Tensor x = number(3);
  (x * x).backward({}, std::nullopt, true);
  EXPECT_TRUE(x.grad().requires_grad());
  const Tensor g = x.grad();
  x.mutable_grad().reset();  // or the tensor and its gradient would hold each other
  g.backward();
  EXPECT_EQ(values(x.grad()), Numbers{2});
  x.mutable_grad().reset();
}

// ---- autograd::grad ----------------------------------------------------------------------------------------------------------------

TEST(Grad, LeavesTheTensorsAlone) {
  const Tensor x = number(2), w = number(3);
  const auto g = grad({x * w}, {w, x});
  EXPECT_EQ(values(g[0]), Numbers{2});
  EXPECT_EQ(values(g[1]), Numbers{3});
  EXPECT_FALSE(x.grad().defined());
  EXPECT_FALSE(w.grad().defined());
}

TEST(Grad, OfTensorsWithHistory) {
  const Tensor x = number(2);
  const Tensor h = x * 3;
  const Tensor y = h * h;
  EXPECT_EQ(values(grad({y}, {h})[0]), Numbers{12});
  EXPECT_EQ(values(grad({h}, {h})[0]), Numbers{1});
}

TEST(Grad, OfAnInputGivenTwice) {
  const Tensor x = number(2);
  const auto g = grad({x * x}, {x, x});
  EXPECT_EQ(values(g[0]), Numbers{4});
  EXPECT_EQ(values(g[1]), Numbers{4});
}

TEST(Grad, RefusesInputsThatAreNotUsedUnlessAllowed) {
  const Tensor x = number(2), other = number(1);
  EXPECT_EQ(error_of([&] { grad({x * 2}, {other}); }),
            "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired "
            "behavior.");
  const auto g = grad({x * 2}, {x, other}, {}, std::nullopt, false, true);
  EXPECT_EQ(values(g[0]), Numbers{2});
  EXPECT_FALSE(g[1].defined());
  EXPECT_EQ(error_of([&] { grad({x * 2}, {tensor(1.0)}); }), "One of the differentiated Tensors does not require grad");
}

// ---- Misuse ------------------------------------------------------------------------------------------------------------------------

TEST(Errors, OfBackward) {
  const Tensor x = numbers({1, 2});
  EXPECT_EQ(error_of([&] { (x * 2).backward(); }), "grad can be implicitly created only for scalar outputs");
  EXPECT_EQ(error_of([&] { tensor({1.0}).backward(); }), "element 0 of tensors does not require grad and does not have a grad_fn");
  EXPECT_EQ(error_of([&] { (x * 2).backward(ones({3}, kDouble)); }),
            "Mismatch in shape: grad_output[0] has a shape of [3] and output[0] has a shape of [2].");
  EXPECT_FALSE(x.grad().defined());
}

TEST(Errors, OfRequiresGrad) {
  EXPECT_EQ(error_of([] { tensor({1, 2}).requires_grad_(); }),
            "Only Tensors of floating point and complex dtype can require gradients");
  const Tensor x = number(1);
  EXPECT_EQ(error_of([&] { (x * 2).requires_grad_(false); }),
            "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't "
            "require differentiation use var_no_grad = var.detach().");
  EXPECT_EQ(error_of([] { tensor(1.0).retain_grad(); }), "can't retain_grad on Tensor that has requires_grad=False");
  EXPECT_EQ(error_of([] { tensor(1.0).register_hook([](const Tensor&) {}); }),
            "cannot register a hook on a tensor that doesn't require gradient");
  EXPECT_EQ(error_of([&] {
              Tensor out = zeros({}, kDouble);
              add_out(out, x, x);
            }),
            "add(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.");
}

TEST(Errors, LeaveTheGraphUsable) {
  const Tensor x = number(2);
  const Tensor y = x * x;
  const unsigned hook = y.register_hook([](const Tensor&) { throw std::runtime_error("from a hook"); });
  EXPECT_THROW(y.backward({}, true), std::runtime_error);
  EXPECT_TRUE(GradMode::is_enabled());
  y.remove_hook(hook);
  y.backward();
  EXPECT_EQ(values(x.grad()), Numbers{4});
}

// ---- What is recorded --------------------------------------------------------------------------------------------------------------

TEST(Recording, NeedsAnInputThatRequiresGrad) {
  const Tensor x = number(2), c = tensor(3.0, kDouble);
  EXPECT_FALSE((c * c).requires_grad());
  EXPECT_TRUE((c * x).requires_grad());
  EXPECT_FALSE((c * x).is_leaf());
  EXPECT_TRUE(x.is_leaf());
  EXPECT_FALSE(x.detach().requires_grad());
  EXPECT_FALSE((x > 1).requires_grad());
  Tensor y = x * 2;
  y.detach_();
  EXPECT_TRUE(y.is_leaf());
  EXPECT_FALSE(y.requires_grad());
}

TEST(GradModes, NestAndAreRestored) {
  const Tensor x = number(2);
  {
    NoGradGuard no_grad;
    EXPECT_FALSE((x * 2).requires_grad());
    EXPECT_TRUE(tensor(1.0).requires_grad_().requires_grad());
    {
      AutoGradMode on(true);
      EXPECT_TRUE((x * 2).requires_grad());
    }
    EXPECT_FALSE(GradMode::is_enabled());
  }
  EXPECT_TRUE(GradMode::is_enabled());
  try {
    NoGradGuard no_grad;
    throw std::runtime_error("leaves the guard");
  } catch (const std::runtime_error&) {
  }
  EXPECT_TRUE(GradMode::is_enabled());
}

TEST(GradModes, BelongToAThread) {
  NoGradGuard no_grad;
  bool enabled = false;
  std::thread([&] { enabled = GradMode::is_enabled(); }).join();
  EXPECT_TRUE(enabled);
  EXPECT_FALSE(GradMode::is_enabled());
}

TEST(RetainGrad, KeepsTheGradientOfATensorWithHistory) {
  const Tensor x = number(2);
  const Tensor h = x * 3;
  h.retain_grad();
  EXPECT_TRUE(h.retains_grad());
  const Tensor y = h * h;
  y.backward({}, true);
  EXPECT_EQ(values(h.grad()), Numbers{12});
  y.backward();
  EXPECT_EQ(values(h.grad()), Numbers{24});
}

// ---- Threads -----------------------------------------------------------------------------------------------------------------------

TEST(Threads, RunIndependentGraphsOfSharedLeaves) {
  const Tensor w = leaf(ones({8, 8}, kDouble)), b = leaf(ones({8}, kDouble));
  constexpr int kThreads = 4, kSteps = 50;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const Tensor x = full({3, 8}, t + 1, kDouble);
      for (int step = 0; step < kSteps; ++step) (x.mm(w) + b).sum().backward();
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(values(w.grad()), Numbers(64, 3.0 * kSteps * (1 + 2 + 3 + 4)));
  EXPECT_EQ(values(b.grad()), Numbers(8, 3.0 * kSteps * kThreads));
}

TEST(Threads, TakeGradientsOfOneGraphInTurn) {
  const Tensor x = number(3);
  const Tensor y = x * x;
  Tensor g;
  std::thread([&] { g = grad({y}, {x}, {}, true)[0]; }).join();
  EXPECT_EQ(values(g), Numbers{6});
  EXPECT_EQ(values(grad({y}, {x})[0]), Numbers{6});
}

TEST(Threads, ReadAModelWithoutRecording) {
  const Tensor w = leaf(ones({4, 4}, kDouble));
  std::vector<std::thread> threads;
  std::vector<double> sums(4);
  for (size_t t = 0; t < sums.size(); ++t) {
    threads.emplace_back([&, t] {
      NoGradGuard no_grad;
      for (int step = 0; step < 50; ++step) sums[t] = w.mm(w).relu().sum().item<double>();
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(sums, std::vector<double>(4, 64.0));
}

// ---- Memory ------------------------------------------------------------------------------------------------------------------------

// Pages of memory that the system has given this process.
int64_t resident_pages() {
  int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

TEST(Memory, DoesNotGrowWithTheSteps) {
  const Tensor w = leaf(full({4, 3}, 0.5, kDouble)), b = leaf(zeros({3}, kDouble)), x = ones({5, 4}, kDouble);
  const auto step = [&] {
    const Tensor loss = (x.mm(w) + b).tanh().square().mean();
    loss.backward();
    NoGradGuard no_grad;
    w.sub_(w.grad(), 0.01);
    b.sub_(b.grad(), 0.01);
    w.mutable_grad().reset();
    b.mutable_grad().reset();
  };
  for (int i = 0; i < 10; ++i) step();
  const int64_t before = memory_stats().allocated;
  [[maybe_unused]] const int64_t pages = resident_pages();
  for (int i = 0; i < 10000; ++i) step();
  EXPECT_EQ(memory_stats().allocated, before);
#ifndef __SANITIZE_ADDRESS__  // it keeps what is freed for a while
  EXPECT_GT(pages, 0);
  EXPECT_LE(resident_pages() - pages, 64);
#endif
}

TEST(Memory, IsFreedWithTheGraph) {
  const Tensor x = leaf(ones({64}, kDouble));
  const int64_t before = memory_stats().allocated;
  {
    const Tensor y = x.exp().tanh();  // both keep their output
    const Tensor g = grad({y.sum()}, {x}, {}, std::nullopt, true)[0];
    EXPECT_GT(memory_stats().allocated, before);
  }
  EXPECT_EQ(memory_stats().allocated, before);
}

TEST(Grad, OfNothing) {
  const Tensor x = ones({1}).requires_grad_();
  EXPECT_EQ(error_of([&] { autograd::grad({x * 2}, {}); }), "grad requires non-empty inputs.");
}

}  // namespace
}  // namespace wick::test
