// Saved-tensor hooks, and checkpointing, which is made of them.
#include "wick/framework/autograd/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "wick/framework/autograd/engine.h"
#include "wick/framework/autograd/gradcheck.h"
#include "wick/framework/core/allocator.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

using autograd::SavedTensorHooksGuard;
using autograd::variable_list;
using utils::checkpoint;

Tensor numbers(std::initializer_list<double> list) { return tensor(list, kDouble).requires_grad_(); }

// ---- Saved-tensor hooks ------------------------------------------------------------------------------------------------------------

TEST(SavedTensorHooks, SeeEveryTensorThatIsSaved) {
  const Tensor x = numbers({1, 2});
  int packed = 0, unpacked = 0;
  Tensor y;
  {
    SavedTensorHooksGuard guard(
        [&](const Tensor& t) {
          EXPECT_FALSE(t.requires_grad());
          ++packed;
          return std::any(t * 10);  // neither recorded nor packed itself
        },
        [&](const std::any& object) { return ++unpacked, std::any_cast<const Tensor&>(object); });
    y = (x.exp() * x).sum();
  }
  EXPECT_EQ(packed, 3);
  EXPECT_EQ(unpacked, 0);
  (x * x).sum().backward();
  EXPECT_EQ(packed, 3);
  x.mutable_grad().reset();
  y.backward();
  EXPECT_EQ(unpacked, 3);
  const double e = std::exp(1.0);
  EXPECT_NEAR(values(x.grad())[0], 10 * e + 10 * 10 * e, 1e-9);  // each factor comes back ten times as large
}

TEST(SavedTensorHooks, KeepThePlaceInTheGraph) {
  SavedTensorHooksGuard guard([](const Tensor& t) { return std::any(t.clone()); },
                              [](const std::any& object) { return std::any_cast<const Tensor&>(object); });
  const auto fn = [](const variable_list& in) { return variable_list{(in[0] * in[1]).exp() * in[0].sigmoid()}; };
  const variable_list in{numbers({0.5, 0.25}), numbers({1, 2})};
  EXPECT_TRUE(autograd::gradcheck(fn, in));
  EXPECT_TRUE(autograd::gradgradcheck(fn, in));
}

TEST(SavedTensorHooks, OfTheInnermostGuardCount) {
  const auto unpack = [](const std::any& object) { return std::any_cast<const Tensor&>(object); };
  int outer_calls = 0, inner_calls = 0;
  const Tensor x = numbers({2});
  SavedTensorHooksGuard outer([&](const Tensor& t) { return ++outer_calls, std::any(t); }, unpack);
  {
    SavedTensorHooksGuard inner([&](const Tensor& t) { return ++inner_calls, std::any(t); }, unpack);
    x.exp();
  }
  EXPECT_EQ(outer_calls, 0);
  EXPECT_EQ(inner_calls, 1);
  x.exp();
  EXPECT_EQ(outer_calls, 1);
}

TEST(SavedTensorHooks, LetGoWhenTheGraphIsFreed) {
  const auto token = std::make_shared<int>(0);
  Tensor y;
  {
    using Packed = std::pair<std::shared_ptr<int>, Tensor>;
    SavedTensorHooksGuard guard([&](const Tensor& t) { return std::any(Packed(token, t)); },
                                [](const std::any& object) { return std::any_cast<const Packed&>(object).second; });
    y = numbers({2}).exp();
  }
  EXPECT_EQ(token.use_count(), 2);
  y.backward();
  EXPECT_EQ(token.use_count(), 1);
  EXPECT_EQ(error_of([&] { y.backward(); }).find("Trying to backward through the graph a second time"), 0u);
}

// ---- Checkpointing -----------------------------------------------------------------------------------------------------------------

struct Block {
  Tensor w;
  int* calls;
  Tensor operator()(const Tensor& x) const { return ++*calls, (x.mm(w).tanh() * x.mm(w).sigmoid()); }
};

TEST(Checkpoint, GivesTheSameGradientsAndRunsTwice) {
  const Tensor x = leaf(randn({3, 3}, kDouble)), w = leaf(randn({3, 3}, kDouble));
  int calls = 0;
  const Block block{w, &calls};
  block(block(x)).sum().backward();
  const Numbers gx = values(x.grad()), gw = values(w.grad());
  x.mutable_grad().reset();
  w.mutable_grad().reset();
  calls = 0;
  const Tensor y = checkpoint(block, checkpoint(block, x)).sum();
  EXPECT_EQ(calls, 2);
  y.backward();
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(values(x.grad()), gx);
  EXPECT_EQ(values(w.grad()), gw);
  EXPECT_EQ(error_of([&] { y.backward(); }).find("Trying to backward through the graph a second time"), 0u);
}

TEST(Checkpoint, KeepsNothingBetween) {
  const Tensor x = leaf(ones({1000, 1000}));
  const auto fn = [](const Tensor& t) { return t.exp().exp().sin().sum(); };
  const auto kept_by = [](const auto& run) {
    const int64_t before = memory_stats().allocated;
    const Tensor y = run();
    return memory_stats().allocated - before;
  };
  EXPECT_GT(kept_by([&] { return fn(x); }), 8'000'000);
  EXPECT_LT(kept_by([&] { return checkpoint(fn, x); }), 100'000);
}

TEST(Checkpoint, RepeatsRandomNumbersAndPutsTheGeneratorBack) {
  const auto noisy = [](const Tensor& x) { return x * rand({4}, kDouble) * x; };
  const Tensor x = leaf(ones({4}, kDouble));
  manual_seed(3);
  noisy(x).sum().backward();
  const Numbers expected = values(x.grad());
  x.mutable_grad().reset();
  manual_seed(3);
  const Tensor y = checkpoint(noisy, x);
  const Numbers between = values(rand({2}, kDouble));
  y.sum().backward();
  const Numbers after = values(rand({2}, kDouble));
  EXPECT_EQ(values(x.grad()), expected);
  manual_seed(3);
  rand({4}, kDouble);
  EXPECT_EQ(values(rand({2}, kDouble)), between);
  EXPECT_EQ(values(rand({2}, kDouble)), after);
}

TEST(Checkpoint, TakesAnyArgumentsAndReturnsAnything) {
  const auto fn = [](const variable_list& list, const Tensor& none, double factor) {
    EXPECT_FALSE(none.defined());
    return std::pair(list[0] * list[1] * factor, list[1].exp());
  };
  const Tensor a = numbers({2}), b = numbers({3});
  const auto [y, z] = checkpoint(fn, variable_list{a, b}, Tensor(), 10.0);
  (y + z).backward();
  EXPECT_EQ(values(a.grad()), Numbers{30});
  EXPECT_EQ(values(b.grad()), Numbers{20 + std::exp(3.0)});
}

TEST(Checkpoint, IsDifferentiatedTwiceAndNested) {
  const auto inner = [](const Tensor& x) { return (x * x).exp(); };
  const auto outer = [&](const Tensor& x) { return checkpoint(inner, x.sin()) * x; };
  const auto fn = [&](const variable_list& in) { return variable_list{checkpoint(outer, in[0])}; };
  const Tensor x = numbers({0.3, -0.7});
  EXPECT_TRUE(autograd::gradcheck(fn, {x}));
  EXPECT_TRUE(autograd::gradgradcheck(fn, {x}));
  EXPECT_EQ(values(autograd::grad({fn({x})[0].sum()}, {x})[0]), values(autograd::grad({(inner(x.sin()) * x).sum()}, {x})[0]));
}

TEST(Checkpoint, NeedsTheSameWorkBothTimes) {
  int calls = 0;
  const auto fn = [&](const Tensor& x) { return ++calls == 1 ? x.exp() : x.exp().exp(); };
  const Tensor y = checkpoint(fn, numbers({1}));
  try {
    y.backward();
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\n"
                 "Number of tensors saved during forward: 1\nNumber of tensors saved during recomputation: 2");
  }
}

TEST(Checkpoint, CostsNothingWithoutRecording) {
  int calls = 0;
  const Tensor x = numbers({1});
  NoGradGuard no_grad;
  const Tensor y = checkpoint([&](const Tensor& t) { return ++calls, t.exp(); }, x);
  EXPECT_FALSE(y.requires_grad());
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace wick::test
