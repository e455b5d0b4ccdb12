// Custom Functions: what they save, return and change, and each misuse.
#include "wick/framework/autograd/function.h"

#include <gtest/gtest.h>

#include <thread>

#include "wick/framework/autograd/gradcheck.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

using autograd::AutogradContext;
using autograd::Function;
using autograd::variable_list;

Tensor numbers(std::initializer_list<double> list) { return tensor(list, kDouble).requires_grad_(); }

// ---- Values ------------------------------------------------------------------------------------------------------------------------

struct MulConstant : Function<MulConstant> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, double constant) {
    ctx->saved_data["constant"] = constant;
    EXPECT_FALSE(GradMode::is_enabled());
    return x * constant;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grad_outputs) {
    return {grad_outputs[0] * ctx->saved_data["constant"].toDouble(), Tensor()};
  }
};

TEST(CustomFunction, HasItsOwnGradient) {
  const Tensor x = numbers({1, 2});
  const Tensor y = MulConstant::apply(x, 5.5);
  EXPECT_EQ(values(y), (Numbers{5.5, 11}));
  EXPECT_EQ(node(y), "torch::autograd::CppNode<wick::test::(anonymous namespace)::MulConstant>");
  EXPECT_EQ(y.grad_fn()->next_edges().size(), 1u);
  EXPECT_EQ(y.grad_fn()->next_edge(0).function->name(), "AccumulateGrad");
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{5.5, 5.5}));
}

TEST(CustomFunction, FollowsTheGradMode) {
  const Tensor x = numbers({1, 2});
  {
    NoGradGuard no_grad;
    EXPECT_FALSE(MulConstant::apply(x, 2).requires_grad());
  }
  EXPECT_FALSE(MulConstant::apply(x.detach(), 2).requires_grad());
}

struct Cube : Function<Cube> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x) {
    const Tensor square = x * x;
    ctx->save_for_backward({x, Tensor(), square});
    return square * x;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grad_outputs) {
    const variable_list saved = ctx->get_saved_variables();
    EXPECT_EQ(saved.size(), 3u);
    EXPECT_FALSE(saved[1].defined());
    return {grad_outputs[0] * 3 * saved[0] * saved[0]};
  }
};

TEST(CustomFunction, IsDifferentiatedTwice) {
  const Tensor x = numbers({1, -2, 0.5});
  EXPECT_TRUE(autograd::gradcheck([](const variable_list& in) { return variable_list{Cube::apply(in[0])}; }, {x}));
  EXPECT_TRUE(autograd::gradgradcheck([](const variable_list& in) { return variable_list{Cube::apply(in[0])}; }, {x}));
}

TEST(CustomFunction, FreesWhatItSaved) {
  const Tensor y = Cube::apply(numbers({1, 2})).sum();
  y.backward();
  EXPECT_EQ(error_of([&] { y.backward(); })
                .find("Trying to backward through the graph a second time (or directly access saved tensors after they have already"), 0u);
}

TEST(CustomFunction, NoticesThatASavedTensorChanged) {
  const Tensor x = numbers({1, 2}) * 1;
  const Tensor y = Cube::apply(x);
  x.add_(1);
  EXPECT_EQ(error_of([&] { y.sum().backward(); })
                .find("one of the variables needed for gradient computation has been modified by an inplace operation"), 0u);
}

struct SavesItsOutput : Function<SavesItsOutput> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x) {
    const Tensor y = x.exp();
    ctx->save_for_backward({y});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) { return {g[0] * ctx->get_saved_variables()[0]}; }
};

TEST(CustomFunction, MaySaveAnOutput) {
  const auto fn = [](const variable_list& in) { return variable_list{SavesItsOutput::apply(in[0])}; };
  EXPECT_TRUE(autograd::gradcheck(fn, {numbers({0.5, 1})}));
  EXPECT_TRUE(autograd::gradgradcheck(fn, {numbers({0.5, 1})}));
  Tensor y = SavesItsOutput::apply(numbers({0.5, 1}));
  const auto node = y.grad_fn();
  y.reset();
  EXPECT_EQ(node->use_count(), 1);  // the saved output does not hold its node
}

struct ManyArguments : Function<ManyArguments> {
  static Tensor forward(AutogradContext*, const Tensor& x, const std::optional<Tensor>& bias, TensorList rest, const variable_list& more,
                        const std::string&) {
    Tensor y = bias ? x + *bias : x * 1;
    for (const Tensor& t : rest) y = y + t;
    for (const Tensor& t : more) y = y + t;
    return y;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    EXPECT_TRUE(ctx->needs_input_grad(0));
    variable_list gx;
    for (int i = 1; i <= 6; ++i) gx.push_back(i == 6 || (i == 2 && !ctx->saved_data.empty()) ? Tensor() : g[0] * i);
    return gx;
  }
};

TEST(CustomFunction, TakesListsAndOptionals) {
  const Tensor x = numbers({1}), b = numbers({2}), c = numbers({3}), d = numbers({4}), e = numbers({5});
  const Tensor y = ManyArguments::apply(x, std::optional<Tensor>(b), TensorList{c, d}, variable_list{e}, "name");
  EXPECT_EQ(values(y), Numbers{15});
  y.backward();
  EXPECT_EQ(values(x.grad()), Numbers{1});
  EXPECT_EQ(values(b.grad()), Numbers{2});
  EXPECT_EQ(values(c.grad()), Numbers{3});
  EXPECT_EQ(values(d.grad()), Numbers{4});
  EXPECT_EQ(values(e.grad()), Numbers{5});
}

struct OptionalBias : Function<OptionalBias> {
  static Tensor forward(AutogradContext*, const Tensor& x, const std::optional<Tensor>& bias) { return bias ? x + *bias : x * 1; }
  static variable_list backward(AutogradContext*, variable_list g) { return {g[0], g[0]}; }
};

// ---- Several outputs ---------------------------------------------------------------------------------------------------------------

struct SumAndProduct : Function<SumAndProduct> {
  static variable_list forward(AutogradContext* ctx, const Tensor& a, const Tensor& b, bool materialize) {
    ctx->set_materialize_grads(materialize);
    ctx->save_for_backward({a, b});
    return {a + b, a * b, Tensor()};
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    const variable_list saved = ctx->get_saved_variables();
    EXPECT_EQ(g.size(), 3u);
    EXPECT_FALSE(g[2].defined());
    if (!g[0].defined()) return {g[1] * saved[1], Tensor(), Tensor()};
    return {g[0] + g[1] * saved[1], g[0] + g[1] * saved[0], Tensor()};
  }
};

TEST(CustomFunction, ReturnsSeveralOutputs) {
  const Tensor a = numbers({2}), b = numbers({3});
  const variable_list y = SumAndProduct::apply(a, b, true);
  EXPECT_EQ(y[1].output_nr(), 1);
  EXPECT_FALSE(y[2].defined());
  autograd::backward({y[0], y[1]}, {tensor({1.0}, kDouble), tensor({10.0}, kDouble)});
  EXPECT_EQ(values(a.grad()), Numbers{31});
  EXPECT_EQ(values(b.grad()), Numbers{21});
}

TEST(CustomFunction, GetsZerosOrNothingForUnusedOutputs) {
  const Tensor a = numbers({2}), b = numbers({3});
  SumAndProduct::apply(a, b, true)[1].backward();
  EXPECT_EQ(values(a.grad()), Numbers{3});
  EXPECT_EQ(values(b.grad()), Numbers{2});
  SumAndProduct::apply(a, b, false)[1].backward();
  EXPECT_EQ(values(a.grad()), Numbers{6});
  EXPECT_EQ(values(b.grad()), Numbers{2});
}

// A function above it that returns nothing: backward is called with zeros all the same.
struct Nothing : Function<Nothing> {
  static Tensor forward(AutogradContext*, const Tensor& x) { return x * 1; }
  static variable_list backward(AutogradContext*, variable_list) { return {Tensor()}; }
};
struct Counted : Function<Counted> {
  inline static int calls = 0;
  static Tensor forward(AutogradContext*, const Tensor& x) { return x * 1; }
  static variable_list backward(AutogradContext*, variable_list g) {
    ++calls;
    EXPECT_EQ(values(g[0]), (Numbers{0, 0}));
    return g;
  }
};

TEST(CustomFunction, IsCalledWithZerosBelowOneThatReturnsNothing) {
  const Tensor x = numbers({1, 2});
  Nothing::apply(Counted::apply(x)).sum().backward();
  EXPECT_EQ(Counted::calls, 1);
  EXPECT_EQ(values(x.grad()), (Numbers{0, 0}));
}

struct Mixed : Function<Mixed> {
  static variable_list forward(AutogradContext* ctx, const Tensor& x) {
    const Tensor mask = x > 0, extra = x + 1;
    ctx->mark_non_differentiable({extra});
    return {x + 2, extra, mask};
  }
  static variable_list backward(AutogradContext*, variable_list g) {
    EXPECT_EQ(values(g[1]), (Numbers{0, 0}));
    return {g[0]};
  }
};

TEST(CustomFunction, MarksOutputsAsNotDifferentiable) {
  const Tensor x = numbers({-1, 2});
  const variable_list y = Mixed::apply(x);
  EXPECT_TRUE(y[0].requires_grad());
  EXPECT_FALSE(y[1].requires_grad());
  EXPECT_FALSE(y[2].requires_grad());  // bool: never has a gradient
  y[0].sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{1, 1}));
}

// ---- Inputs as outputs -------------------------------------------------------------------------------------------------------------

struct Identity : Function<Identity> {
  static Tensor forward(AutogradContext*, Tensor x) { return x; }
  static variable_list backward(AutogradContext*, variable_list g) { return {g[0] * 2}; }
};

TEST(CustomFunction, ReturnsItsInput) {
  const Tensor x = numbers({1, 2});
  const Tensor y = Identity::apply(x);
  EXPECT_FALSE(y.is_same(x));
  EXPECT_TRUE(y.is_alias_of(x));
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{2, 2}));
  EXPECT_EQ(error_of([&] { Identity::apply(x * 1).add_(1); }),
            "Output 0 of torch::autograd::CppNode<wick::test::(anonymous namespace)::Identity> is a view and is being modified inplace. "
            "This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle "
            "view+inplace would override the custom backward associated with the custom Function, leading to incorrect gradients. This "
            "behavior is forbidden. You can fix this by cloning the output of the custom Function.");
  NoGradGuard no_grad;
  EXPECT_FALSE(Identity::apply(x).grad_fn());
}

struct AddInPlace : Function<AddInPlace> {
  static variable_list forward(AutogradContext* ctx, Tensor a, const Tensor& b, bool alone) {
    ctx->mark_dirty({a});
    a.add_(b);
    return alone ? variable_list{a} : variable_list{a, b + 2};
  }
  static variable_list backward(AutogradContext*, variable_list g) {
    return {g[0], g.size() == 1 ? g[0] * 10 : g[0] * 10 + g[1], Tensor()};
  }
};

TEST(CustomFunction, WritesToAnInput) {
  const Tensor x = tensor({1.0, 2.0}, kDouble), y = numbers({3, 4});
  const variable_list out = AddInPlace::apply(x, y, false);
  EXPECT_TRUE(out[0].is_same(x));
  EXPECT_TRUE(x.requires_grad());
  EXPECT_GE(x._version(), 1);
  (out[0].sum() + out[1].sum() * 100).backward();
  EXPECT_EQ(values(y.grad()), (Numbers{110, 110}));
}

TEST(CustomFunction, WritesToAViewOfAnInput) {
  const Tensor leaf = numbers({1, 2, 3}), y = numbers({5, 6});
  const Tensor x = leaf * 1;
  AddInPlace::apply(x.slice(0, 0, 2), y, true);
  EXPECT_EQ(values(x), (Numbers{6, 8, 3}));
  (x * x).sum().backward();
  EXPECT_EQ(values(leaf.grad()), (Numbers{12, 16, 6}));
  EXPECT_EQ(values(y.grad()), (Numbers{120, 160}));
}

TEST(CustomFunctionErrors, OfWritingToInputs) {
  const Tensor x = numbers({1, 2}), y = numbers({3, 4});
  EXPECT_EQ(error_of([&] { AddInPlace::apply(x, y, false); }),
            "a leaf Variable that requires grad has been used in an in-place operation.");
  EXPECT_EQ(error_of([&] { AddInPlace::apply((x * 1).slice(0, 0, 2), y, false); })
                .find("If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more than "
                      "one Tensor."), 0u);
}

// ---- Errors ------------------------------------------------------------------------------------------------------------------------

struct Returns : Function<Returns> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, int64_t count, bool defined) {
    ctx->saved_data["count"] = count;
    ctx->saved_data["defined"] = defined;
    return x * 1;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    variable_list gx{g[0]};
    while (static_cast<int64_t>(gx.size()) < ctx->saved_data["count"].toInt()) {
      gx.push_back(ctx->saved_data["defined"].toBool() ? g[0] : Tensor());
    }
    return gx;
  }
};

TEST(CustomFunctionErrors, OfTheNumberOfGradients) {
  const Tensor x = numbers({1, 2});
  const auto run = [&](int64_t count, bool defined) { return error_of([&] { Returns::apply(x, count, defined).sum().backward(); }); };
  const std::string name = "function torch::autograd::CppNode<wick::test::(anonymous namespace)::Returns> returned ";
  EXPECT_EQ(run(3, false), "no error");
  EXPECT_EQ(run(5, false), "no error");  // undefined ones beyond the last argument do no harm
  EXPECT_EQ(run(2, false), name + "an incorrect number of gradients (expected 3, got 2)");
  EXPECT_EQ(run(4, true), name + "an incorrect number of gradients (expected 3, got 4)");
  EXPECT_EQ(run(3, true),
            name + "a gradient different that is defined at position 2, std the corresponding forward input was not a Variable");
  EXPECT_EQ(error_of([&] { OptionalBias::apply(x, std::nullopt).sum().backward(); }),
            "function torch::autograd::CppNode<wick::test::(anonymous namespace)::OptionalBias> returned a gradient different that is "
            "defined at position 2, std the corresponding forward input was not a Variable");
}

struct WrongShape : Function<WrongShape> {
  static Tensor forward(AutogradContext*, const Tensor& x) { return x * 2; }
  static variable_list backward(AutogradContext*, variable_list) { return {ones({10})}; }
};

TEST(CustomFunctionErrors, OfTheShapeOfAGradient) {
  EXPECT_EQ(error_of([] { WrongShape::apply(ones({5, 5}).requires_grad_()).sum().backward(); }),
            "Function torch::autograd::CppNode<wick::test::(anonymous namespace)::WrongShape> returned an invalid gradient at index 0 - "
            "got [10] but expected shape compatible with [5, 5]");
}

struct AsksBeyondItsInputs : Function<AsksBeyondItsInputs> {
  static Tensor forward(AutogradContext*, const Tensor& x) { return x * 2; }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    ctx->needs_input_grad(1);
    return g;
  }
};

TEST(CustomFunctionErrors, OfAskingBeyondTheInputs) {
  EXPECT_EQ(error_of<IndexError>([] { AsksBeyondItsInputs::apply(numbers({1})).sum().backward(); }),
            "needs_input_grad: the function has 1 tensor arguments with a gradient, got index 1");
}

TEST(IValues, HoldOneKind) {
  EXPECT_TRUE(IValue().isNone());
  EXPECT_EQ(IValue(3).toInt(), 3);
  EXPECT_EQ(IValue(3u).toScalar().to<int64_t>(), 3);
  EXPECT_EQ(IValue(true).toScalar().to<bool>(), true);
  EXPECT_EQ(IValue(Scalar(2.5)).toDouble(), 2.5);
  EXPECT_EQ(IValue("text").toStringRef(), "text");
  EXPECT_EQ(IValue(IntArrayRef{1, 2}).toIntVector(), (Longs{1, 2}));
  EXPECT_EQ(IValue(std::vector<bool>{true}).toBoolVector().size(), 1u);
  EXPECT_EQ(IValue(variable_list(2)).toTensorVector().size(), 2u);
  EXPECT_EQ(error_of([] { IValue(1.5).toTensor(); }), "Expected Tensor but got Double");
  EXPECT_EQ(error_of([] { IValue(ones({1})).toInt(); }), "Expected Int but got Tensor");
  EXPECT_EQ(error_of([] { IValue("x").toScalar(); }), "Expected Scalar but got String");
}

// ---- Backward within backward ------------------------------------------------------------------------------------------------------

struct Reenter : Function<Reenter> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input) {
    AutoGradMode recording(true);
    const Tensor x = input.tensor_data().requires_grad_();
    const Tensor y = x * x;
    ctx->saved_data["x"] = x;
    ctx->saved_data["y"] = y;
    return y.detach();
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    AutoGradMode recording(true);
    ctx->saved_data["y"].toTensor().sum().backward();
    return {ctx->saved_data["x"].toTensor().grad().detach() * g[0]};
  }
};

TEST(CustomFunction, RunsBackwardInsideItsBackward) {
  const Tensor x = numbers({1, 2});
  (Reenter::apply(x) * 10).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{20, 40}));
}

struct Deep : Function<Deep> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input) {
    AutoGradMode recording(true);
    const Tensor x = input.tensor_data().requires_grad_();
    ctx->saved_data["x"] = x - 1;
    return ctx->saved_data["x"].toTensor().detach();
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    const Tensor x = ctx->saved_data["x"].toTensor();
    if (x.item<double>() > 0) {
      AutoGradMode recording(true);
      Deep::apply(x).sum().backward();
    }
    return {g[0]};
  }
};

TEST(CustomFunction, NestsItsBackwardDeeply) {
  const Tensor x = numbers({5000});  // deeper than a stack
  Deep::apply(x).sum().backward();
  EXPECT_EQ(values(x.grad()), Numbers{1});
}

// Notes which of its gradients are wanted.
struct Noted : Function<Noted> {
  static Tensor forward(AutogradContext*, const Tensor& a, const Tensor& b) { return a + b; }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    wanted = {ctx->needs_input_grad(0), ctx->needs_input_grad(1)};
    EXPECT_EQ(ctx->needs_input_grad({{0, 1}}), wanted[0]);
    EXPECT_TRUE(ctx->needs_input_grad({{0, 1}, {1, 2}}));
    return {g[0], g[0]};
  }
  static std::vector<bool> wanted;
};
std::vector<bool> Noted::wanted;

TEST(CustomFunction, KnowsWhichGradientsARunAsksFor) {
  const Tensor a = numbers({1}), b = numbers({2}), deep = b * 2, y = Noted::apply(a, deep).sum();
  autograd::grad({y}, {a}, {}, true);
  EXPECT_EQ(Noted::wanted, (std::vector{true, false}));
  autograd::grad({y}, {b}, {}, true);
  EXPECT_EQ(Noted::wanted, (std::vector{false, true}));
  autograd::grad({y}, {deep}, {}, true);
  EXPECT_EQ(Noted::wanted, (std::vector{false, true}));
  y.backward();
  EXPECT_EQ(Noted::wanted, (std::vector{true, true}));
}

TEST(CustomFunction, RunsInSeveralThreads) {
  const Tensor shared = numbers({1, 2});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) (Cube::apply(shared) + Reenter::apply(shared)).sum().backward();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(values(shared.grad()), (Numbers{200 * 5, 200 * 16}));
}

}  // namespace
}  // namespace wick::test
