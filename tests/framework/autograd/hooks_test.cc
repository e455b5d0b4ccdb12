// Hooks on tensors: order, replaced gradients, removal, backward within backward.
#include <gtest/gtest.h>

#include "wick/framework/autograd/engine.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

Tensor number(double value) { return tensor(value, kDouble).requires_grad_(); }

TEST(TensorHooks, RunInOrderAndSeeEachOthersResult) {
  const Tensor x = number(1);
  Numbers seen;
  x.register_hook([&](const Tensor& g) { return seen.push_back(g.item<double>()), g * 2; });
  x.register_hook([&](const Tensor& g) { return seen.push_back(g.item<double>()), g + 1; });
  (x * 1).backward();
  EXPECT_EQ(seen, (Numbers{1, 2}));
  EXPECT_EQ(values(x.grad()), Numbers{3});
}

TEST(TensorHooks, ThatReturnNothingOnlyLook) {
  const Tensor x = number(2);
  const Tensor h = x * 3;
  Numbers seen;
  h.register_hook([&](const Tensor& g) { seen.push_back(g.item<double>()); });
  h.register_hook([&](const Tensor&) { return Tensor(); });
  (h * h).backward();
  EXPECT_EQ(seen, Numbers{12});
  EXPECT_EQ(values(x.grad()), Numbers{36});
}

TEST(TensorHooks, OnATensorWithHistoryChangeWhatIsBelow) {
  const Tensor x = number(2);
  const Tensor h = x * 3;
  h.register_hook([](const Tensor& g) { return g * 10; });
  h.retain_grad();  // keeps what the hooks have made of it
  (h * h).backward();
  EXPECT_EQ(values(h.grad()), Numbers{120});
  EXPECT_EQ(values(x.grad()), Numbers{360});
}

TEST(TensorHooks, SeeTheSumOfAllUses) {
  const Tensor x = number(1);
  Numbers seen;
  x.register_hook([&](const Tensor& g) { seen.push_back(g.item<double>()); });
  (x * 2 + x * 3 + x).backward();
  EXPECT_EQ(seen, Numbers{6});
}

TEST(TensorHooks, CaptureInGradAndChangeItsResult) {
  const Tensor x = number(1);
  x.register_hook([](const Tensor& g) { return g * 5; });
  EXPECT_EQ(values(autograd::grad({x * 2}, {x})[0]), Numbers{10});
}

TEST(TensorHooks, AreNotCalledOnceRemoved) {
  const Tensor x = number(1);
  int calls = 0;
  const unsigned first = x.register_hook([&](const Tensor&) { ++calls; });
  x.register_hook([&](const Tensor&) { calls += 10; });
  x.remove_hook(first);
  x.remove_hook(first);  // twice does no harm
  (x * 1).backward();
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(error_of([&] { x.remove_hook(7); }), "Invalid index, no hook at position 7");
}

TEST(TensorHooks, ThatAreAddedOrRemovedMeanwhileCountFromTheNextRun) {
  const Tensor x = number(1);
  std::vector<int> calls;
  unsigned second = 0;
  bool first_run = true;
  unsigned self = 0;
  self = x.register_hook([&](const Tensor&) {
    calls.push_back(1);
    if (!first_run) return;
    first_run = false;
    x.remove_hook(self);
    x.remove_hook(second);
    x.register_hook([&](const Tensor&) { calls.push_back(3); });
  });
  second = x.register_hook([&](const Tensor&) { calls.push_back(2); });
  (x * 1).backward();
  EXPECT_EQ(calls, (std::vector<int>{1, 2}));
  (x * 1).backward();
  EXPECT_EQ(calls, (std::vector<int>{1, 2, 3}));
}

TEST(TensorHooks, OfOneOutputSeeThatOutputsGradient) {
  const Tensor x = tensor({1.0, 2.0}, kDouble).requires_grad_();
  const std::vector<Tensor> parts = x.unbind();
  Numbers seen;
  parts[1].register_hook([&](const Tensor& g) { return seen.push_back(g.item<double>()), g * 7; });
  (parts[0] * 2 + parts[1] * 3).backward();
  EXPECT_EQ(seen, Numbers{3});
  EXPECT_EQ(values(x.grad()), (Numbers{2, 21}));
}

TEST(TensorHooks, AreRecordedWithCreateGraph) {
  const Tensor x = number(3);
  x.register_hook([](const Tensor& g) { return g * g; });
  const Tensor first = autograd::grad({x * x}, {x}, {}, std::nullopt, true)[0];  // (2 x)²
  EXPECT_EQ(values(first), Numbers{36});
  Tensor second;
  {
    const unsigned ignored = first.register_hook([](const Tensor&) {});
    first.remove_hook(ignored);
    second = autograd::grad({first}, {x}, {}, std::nullopt, false)[0];
  }
  EXPECT_EQ(values(second), Numbers{24.0 * 24.0});  // 8 x, and the hook once more
}

// Hooks run without recording, like the pass that calls them.
TEST(TensorHooks, DoNotRecord) {
  const Tensor x = number(1);
  bool recorded = true;
  x.register_hook([&](const Tensor& g) { recorded = (x * g).requires_grad(); });
  (x * 1).backward();
  EXPECT_FALSE(recorded);
  (x * 1).backward({}, std::nullopt, true);
  EXPECT_TRUE(recorded);
  x.mutable_grad().reset();
}

// ---- Hooks after accumulation ------------------------------------------------------------------------------------------------------

TEST(PostAccumulateHooks, RunOnceALeafsGradientIsFinal) {
  const Tensor x = number(2);
  Numbers seen;
  x.register_hook([&](const Tensor&) { seen.push_back(-1); });
  x.register_post_accumulate_grad_hook([&](const Tensor& leaf) {
    EXPECT_TRUE(leaf.is_same(x));
    seen.push_back(leaf.grad().item<double>());
  });
  (x * x + x).backward();
  (x * 3).backward();
  EXPECT_EQ(seen, (Numbers{-1, 5, -1, 8}));
}

TEST(PostAccumulateHooks, MayStepAndDropTheGradient) {
  const Tensor x = number(2);
  const unsigned number_of_hook = x.register_post_accumulate_grad_hook([](const Tensor& leaf) {
    NoGradGuard no_grad;
    leaf.sub_(leaf.grad());
    leaf.mutable_grad().reset();
  });
  (x * 3).backward();
  EXPECT_EQ(values(x), Numbers{-1});
  EXPECT_FALSE(x.grad().defined());
  x.remove_post_accumulate_grad_hook(number_of_hook);
  (x * 3).backward();
  EXPECT_EQ(values(x), Numbers{-1});
  EXPECT_EQ(values(x.grad()), Numbers{3});
}

TEST(PostAccumulateHooks, KeepTheStorageOfAGradientThatIsThere) {
  const Tensor x = number(2), bucket = zeros({}, kDouble);
  x.mutable_grad() = bucket;
  double seen = 0;
  x.register_post_accumulate_grad_hook([&](const Tensor&) { seen = bucket.item<double>(); });
  (x * 3).backward();
  EXPECT_EQ(seen, 3);
}

TEST(PostAccumulateHooks, AreForLeaves) {
  const auto ignore = [](const Tensor&) {};
  EXPECT_EQ(error_of([&] { (number(2) * 2).register_post_accumulate_grad_hook(ignore); }),
            "post accumulate grad hooks cannot be registered on non-leaf tensors");
  EXPECT_EQ(error_of([&] { ones({1}).register_post_accumulate_grad_hook(ignore); }),
            "cannot register a hook on a tensor that doesn't require gradient");
  EXPECT_EQ(error_of([&] { number(2).remove_post_accumulate_grad_hook(0); }), "Invalid index, no hook at position 0");
}

TEST(Reentrant, BackwardInsideAHook) {
  const Tensor x = number(2), w = number(5);
  const Tensor h = x * 3;
  h.register_hook([&](const Tensor&) {
    AutoGradMode on(true);
    (w * w).backward();
  });
  (h * h).backward();
  EXPECT_EQ(values(x.grad()), Numbers{36});
  EXPECT_EQ(values(w.grad()), Numbers{10});
}

// The inner pass visits nodes that the outer one holds.
TEST(Reentrant, BackwardThroughTheSameGraph) {
  const Tensor x = number(2);
  const Tensor h = x * 3, y = h * h;
  Tensor inner;
  int depth = 0;
  h.register_hook([&](const Tensor&) {
    if (depth++ == 0) inner = autograd::grad({y}, {x}, {}, true)[0];
  });
  y.backward({}, true);
  EXPECT_EQ(values(inner), Numbers{36});
  EXPECT_EQ(values(x.grad()), Numbers{36});
  EXPECT_EQ(depth, 2);
}

// Two passes at once into one leaf.
TEST(Reentrant, BackwardIntoTheSameLeaf) {
  const Tensor x = number(2);
  const Tensor h = x * 3;
  h.register_hook([&](const Tensor&) {
    AutoGradMode on(true);
    (x * 100).backward();
  });
  (h + x).backward();
  EXPECT_EQ(values(x.grad()), Numbers{104});
}

TEST(Reentrant, NestsDeeply) {
  const Tensor x = number(1);
  int depth = 0;
  std::function<void()> again = [&] {
    AutoGradMode on(true);
    const Tensor y = x * 2;
    y.register_hook([&](const Tensor&) {
      if (++depth < 50) again();
    });
    y.backward();
  };
  again();
  EXPECT_EQ(depth, 50);
  EXPECT_EQ(values(x.grad()), Numbers{100});
}

// ---- Hooks of nodes ----------------------------------------------------------------------------------------------------------------

// Both kinds: notes what it sees, and multiplies what it may change.
struct Scaling : autograd::FunctionPreHook, autograd::FunctionPostHook {
  Scaling(Numbers& notes, double factor) : seen(notes), by(factor) {}
  autograd::variable_list operator()(const autograd::variable_list& grads) override { return scaled(grads); }
  autograd::variable_list operator()(const autograd::variable_list& inputs, const autograd::variable_list& grads) override {
    for (const Tensor& g : grads) seen.push_back(g.sum().item<double>());
    return scaled(inputs);
  }
  autograd::variable_list scaled(autograd::variable_list list) {
    for (Tensor& g : list) {
      if (!g.defined()) continue;  // that of a number
      seen.push_back(g.sum().item<double>());
      g = g * by;
    }
    return list;
  }
  Numbers& seen;
  double by;
};

TEST(NodeHooks, SeeAndChangeTheGradientsBeforeAndAfter) {
  const Tensor x = number(2), y = x * 3;
  Numbers before, after, of_tensor;
  y.register_hook([&](const Tensor& g) { of_tensor = values(g); });
  y.grad_fn()->add_pre_hook(std::make_unique<Scaling>(before, 10));
  y.grad_fn()->add_pre_hook(std::make_unique<Scaling>(before, 2));
  y.grad_fn()->add_post_hook(std::make_unique<Scaling>(after, 0.5));
  y.backward();
  EXPECT_EQ(of_tensor, Numbers{1});
  EXPECT_EQ(before, (Numbers{1, 10}));
  EXPECT_EQ(after, (Numbers{20, 60}));
  EXPECT_EQ(values(x.grad()), Numbers{30});
}

TEST(NodeHooks, OfALeafRunAroundTheAccumulation) {
  const Tensor x = number(2);
  Numbers before, after;
  const Ref<autograd::Node>& node = autograd::accumulator_of(x);
  node->add_pre_hook(std::make_unique<Scaling>(before, 4));
  node->add_post_hook(std::make_unique<Scaling>(after, 7));
  (x * 3).backward();
  EXPECT_EQ(before, Numbers{3});
  EXPECT_EQ(after, Numbers{12});
  EXPECT_EQ(values(x.grad()), Numbers{12});
  EXPECT_EQ(values(autograd::grad({x * 5}, {x}).at(0)), Numbers{5});  // nothing is accumulated, so they do not run
  EXPECT_EQ(before, Numbers{3});
}

TEST(NodeHooks, MustReturnAsManyGradients) {
  struct Forgetful : autograd::FunctionPreHook {
    autograd::variable_list operator()(const autograd::variable_list&) override { return {}; }
  };
  const Tensor x = number(2), y = x * 3;
  y.grad_fn()->add_pre_hook(std::make_unique<Forgetful>());
  EXPECT_EQ(error_of([&] { y.backward(); }), "a hook of MulBackward0 returned 0 gradients instead of 1");
}

// A tensor that retains its gradient retains that of its newest value.
TEST(RetainGrad, FollowsInPlaceOperations) {
  const Tensor x = ones({3}).requires_grad_();
  const Tensor y = x.clone(), base = x.clone(), view = base.slice(0, 0, 2);
  std::vector<double> seen;
  y.register_hook([&](const Tensor& g) { seen = values(g); });
  y.retain_grad();
  view.retain_grad();
  y.mul_(2);
  y.mul_(5);
  view.mul_(4);
  (y.sum() + base.sum()).backward();
  EXPECT_EQ(values(y.grad()), (Numbers{1, 1, 1}));
  EXPECT_EQ(seen, (Numbers{10, 10, 10}));
  EXPECT_EQ(values(x.grad()), (Numbers{14, 14, 11}));
}

}  // namespace
}  // namespace wick::test
