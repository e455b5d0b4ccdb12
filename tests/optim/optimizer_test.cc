// What all optimisers share, shown on SGD: groups, options, closures, gradients, errors, memory.
#include "wick/optim/optimizer.h"

#include "wick/framework/core/allocator.h"
#include "wick/framework/core/warning.h"
#include "wick/framework/graph/graph.h"
#include "wick/optim/adagrad.h"
#include "wick/optim/adam.h"
#include "wick/optim/rmsprop.h"
#include "wick/optim/sgd.h"
#include "wick/tests/optim/support.h"

namespace wick {
namespace {

using optim::OptimizerParamGroup;
using optim::SGD;
using optim::SGDOptions;
using test::message_of;
using test::parameter;
using test::set_grad;
using test::values;

SGDOptions& options_of(SGD& optimizer, size_t group) { return static_cast<SGDOptions&>(optimizer.param_groups()[group].options()); }

// ---- Groups and options ------------------------------------------------------------------------------------------------------------

TEST(Optimizer, GroupsHaveTheirOwnOptions) {
  Tensor a = parameter({1}), b = parameter({1}), c = parameter({1}, kFloat);
  std::vector<OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{a}, std::make_unique<SGDOptions>(SGDOptions(0.5)));
  groups.emplace_back(std::vector<Tensor>{b, c});
  SGD optimizer(groups, SGDOptions(0.25));
  for (const Tensor& p : {a, b, c}) set_grad(p, 1);
  optimizer.step();
  EXPECT_EQ(values(a)[0], 0.5);
  EXPECT_EQ(values(b)[0], 0.75);
  EXPECT_EQ(values(c)[0], 0.75);
  options_of(optimizer, 1).lr(0.5).maximize(true);
  optimizer.step();
  EXPECT_EQ(values(a)[0], 0);
  EXPECT_EQ(values(b)[0], 1.25);
}

TEST(Optimizer, OptionsLeftOpenComeFromTheDefaults) {
  std::vector<OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{parameter({1})}, std::make_unique<SGDOptions>(SGDOptions(0.01).weight_decay(0.22)));
  groups.emplace_back(std::vector<Tensor>{parameter({1})}, std::make_unique<SGDOptions>(SGDOptions(0.02)));
  groups.emplace_back(std::vector<Tensor>{parameter({1})});
  const SGDOptions defaults = SGDOptions(0.5).momentum(0.9).weight_decay(0.05).nesterov(true);
  SGD optimizer(groups, defaults);
  EXPECT_EQ(options_of(optimizer, 0), SGDOptions(0.01).momentum(0.9).weight_decay(0.22).nesterov(true));
  EXPECT_EQ(options_of(optimizer, 1), SGDOptions(0.02).momentum(0.9).weight_decay(0.05).nesterov(true));
  EXPECT_EQ(options_of(optimizer, 2), defaults);
  EXPECT_FALSE(options_of(optimizer, 1) == defaults);
  EXPECT_EQ(static_cast<SGDOptions&>(optimizer.defaults()), defaults);
}

TEST(Optimizer, LearningRateOfAnyOptions) {
  SGD optimizer({parameter({1})}, 0.5);
  optim::OptimizerOptions& options = optimizer.param_groups()[0].options();
  EXPECT_EQ(options.get_lr(), 0.5);
  options.set_lr(0.125);
  EXPECT_EQ(options_of(optimizer, 0).lr(), 0.125);
  EXPECT_EQ(options.clone()->get_lr(), 0.125);
}

// The options of a program's own optimiser need not list their fields.
TEST(Optimizer, OptionsOfOnesOwn) {
  struct Plain : optim::OptimizerCloneableOptions<Plain> {};
  struct Bare : optim::OptimizerOptions {};
  const Plain plain;
  EXPECT_NE(plain.clone(), nullptr);
  EXPECT_NE(message_of<NotImplementedError>([&] { plain.get_lr(); }).find("you must override it in your subclass"), std::string::npos);
  EXPECT_THROW(Bare().clone(), NotImplementedError);
  EXPECT_THROW(Bare().set_lr(1), NotImplementedError);
}

TEST(Optimizer, CopiesOfAGroupShareNoOptions) {
  OptimizerParamGroup group({parameter({1})}, std::make_unique<SGDOptions>(0.5));
  OptimizerParamGroup copy(group);
  copy.options().set_lr(0.25);
  EXPECT_EQ(group.options().get_lr(), 0.5);
  EXPECT_FALSE(group.numbers().is_same(copy.numbers()));
  EXPECT_FALSE(OptimizerParamGroup({parameter({1})}).has_options());
}

TEST(Optimizer, BeginsWithoutParameters) {
  Tensor a = parameter({1}), b = parameter({1});
  SGD optimizer(std::vector<OptimizerParamGroup>{}, SGDOptions(0.5));
  EXPECT_TRUE(message_of<ValueError>([&] { optimizer.step(); }).starts_with("optimizer got an empty parameter list\n"));
  optimizer.add_param_group(OptimizerParamGroup({a}));
  optimizer.add_param_group(OptimizerParamGroup({b}));
  EXPECT_EQ(optimizer.param_groups().size(), 2u);
  set_grad(a, 1);
  set_grad(b, 1);
  optimizer.step();
  EXPECT_EQ(values(a)[0], 0.5);
  EXPECT_EQ(values(b)[0], 0.5);
}

TEST(Optimizer, MovesWithItsState) {
  Tensor p = parameter({1});
  SGD first({p}, SGDOptions(0.5).momentum(0.5));
  set_grad(p, 1);
  first.step();
  SGD second(std::move(first));
  second.step();
  EXPECT_EQ(values(p)[0], 1 - 0.5 - 0.75);
}

// ---- A step ------------------------------------------------------------------------------------------------------------------------

TEST(Optimizer, ClosureComputesTheLossWithGradients) {
  Tensor p = parameter({3});
  SGD optimizer({p}, SGDOptions(0.25));
  NoGradGuard no_grad;
  int calls = 0;
  const Tensor loss = optimizer.step([&] {
    ++calls;
    EXPECT_TRUE(GradMode::is_enabled());
    set_grad(p, 2);
    return p * p;
  });
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(loss.requires_grad());
  EXPECT_EQ(loss.item<double>(), 9);
  EXPECT_EQ(values(p)[0], 2.5);
  EXPECT_FALSE(GradMode::is_enabled());
  EXPECT_FALSE(optimizer.step().defined());
}

// The update is one in-place operation on each parameter that has a gradient.
TEST(Optimizer, StepCountsAsInPlace) {
  Tensor with = parameter({1}), without = parameter({1}), strided = zeros({3, 2}, kDouble).select(1, 0);
  strided.requires_grad_();
  SGD optimizer({with, without, strided}, SGDOptions(0.5));
  set_grad(with, 1);
  strided.mutable_grad() = ones({3}, kDouble);
  const int64_t before[] = {with._version(), without._version(), strided._version()};
  optimizer.step();
  EXPECT_EQ(with._version(), before[0] + 1);
  EXPECT_EQ(without._version(), before[1]);
  EXPECT_EQ(strided._version(), before[2] + 1);
  EXPECT_TRUE(with.is_leaf() && with.requires_grad());
  EXPECT_TRUE(strided.is_leaf() && strided.requires_grad());
}

TEST(Optimizer, NoGradientNoChange) {
  Tensor p = parameter({1});
  SGD optimizer({p}, SGDOptions(0.5).momentum(0.9).weight_decay(0.5));
  optimizer.step();
  EXPECT_EQ(values(p)[0], 1);
  EXPECT_TRUE(optimizer.state().empty());
  set_grad(p, 0);
  optimizer.step();
  EXPECT_EQ(values(p)[0], 0.75);
}

TEST(Optimizer, StepsDoNotAllocate) {
  std::vector<Tensor> params;
  for (int i = 0; i < 40; ++i) params.push_back(parameter(std::vector<double>(static_cast<size_t>(i), 1.0), i % 2 ? kFloat : kDouble));
  SGD sgd(params, SGDOptions(0.5).momentum(0.5).dampening(0.1));
  optim::Adam adam(params, optim::AdamOptions().amsgrad(true));
  for (const Tensor& p : params) set_grad(p, 1);
  sgd.step();
  adam.step();
  const MemoryStats before = memory_stats();
  for (int step = 0; step < 10; ++step) {
    options_of(sgd, 0).lr(0.1 * step);
    sgd.step();
    adam.step();
  }
  EXPECT_EQ(memory_stats().allocations, before.allocations);
}

TEST(Optimizer, EmptyParameters) {
  Tensor p = zeros({0, 3}, kFloat);
  p.requires_grad_();
  SGD optimizer({p}, SGDOptions(0.5).momentum(0.5));
  set_grad(p, 1);
  optimizer.step();
  EXPECT_EQ(p.numel(), 0);
}

// ---- Captured steps ----------------------------------------------------------------------------------------------------------------

// Captured before any step was made, on a parameter that the kernel takes and on one that operations update.
template <class Optimizer, class Options>
void expect_replays_like_eager(const Options& options) {
  const auto make = [] {
    Tensor strided = ones({3, 2}, kDouble).select(1, 0);
    strided.requires_grad_();
    return std::vector<Tensor>{parameter({1, 2}, kFloat), strided};
  };
  const std::vector<Tensor> eager = make(), captured = make();
  Optimizer one(eager, options), other(captured, options);
  for (const auto& params : {eager, captured}) {
    for (const Tensor& p : params) set_grad(p, 0.5);
  }
  Graph graph;
  {
    GraphCapture capture(graph);
    other.step();
  }
  EXPECT_EQ(values(captured[0]), (std::vector<double>{1, 2}));
  for (int step = 0; step < 4; ++step) {
    if (step == 2) {
      for (optim::Optimizer* optimizer : {static_cast<optim::Optimizer*>(&one), static_cast<optim::Optimizer*>(&other)}) {
        optimizer->param_groups()[0].options().set_lr(0.25);
        optimizer->refresh_options();
      }
    }
    one.step();
    graph.replay();
    for (size_t i = 0; i < eager.size(); ++i) EXPECT_EQ(values(captured[i]), values(eager[i])) << "step " << step;
  }
}

TEST(Optimizer, CapturedStepsReplayLikeEagerOnes) {
  expect_replays_like_eager<SGD>(SGDOptions(0.5));
  expect_replays_like_eager<SGD>(SGDOptions(0.5).momentum(0.5).dampening(0.25).weight_decay(0.125));
  expect_replays_like_eager<optim::Adam>(optim::AdamOptions(0.5).weight_decay(0.125).amsgrad(true));
  expect_replays_like_eager<optim::AdamW>(optim::AdamWOptions(0.5));
  expect_replays_like_eager<optim::Adagrad>(optim::AdagradOptions(0.5).lr_decay(0.125).initial_accumulator_value(0.5));
  expect_replays_like_eager<optim::RMSprop>(optim::RMSpropOptions(0.5).momentum(0.5).centered(true).weight_decay(0.125));
}

// ---- zero_grad ---------------------------------------------------------------------------------------------------------------------

TEST(Optimizer, ZeroGrad) {
  Tensor a = parameter({1, 2}), b = parameter({1});
  SGD optimizer({a, b}, SGDOptions(0.5));
  set_grad(a, 3);
  const Tensor held = a.grad();
  optimizer.zero_grad(false);
  EXPECT_TRUE(a.grad().is_same(held));
  EXPECT_EQ(values(held), (std::vector<double>{0, 0}));
  EXPECT_FALSE(b.grad().defined());
  optimizer.zero_grad();
  EXPECT_FALSE(a.grad().defined());
  EXPECT_TRUE(held.defined());
}

TEST(Optimizer, ZeroGradCutsTheHistoryOfAGradient) {
  Tensor p = parameter({1});
  SGD optimizer({p}, SGDOptions(0.5));
  p.mutable_grad() = p * 2;
  ASSERT_TRUE(p.grad().requires_grad());
  optimizer.zero_grad(false);
  EXPECT_FALSE(p.grad().requires_grad());
  EXPECT_EQ(values(p.grad())[0], 0);
}

// ---- Errors ------------------------------------------------------------------------------------------------------------------------

TEST(Optimizer, Errors) {
  const Tensor p = parameter({1});
  const auto error = [](const std::vector<Tensor>& params, const SGDOptions& options) {
    return message_of<ValueError>([&] { SGD(params, options); });
  };
  EXPECT_EQ(error({p}, SGDOptions(-1)), "Invalid learning rate: -1");
  EXPECT_EQ(error({p}, SGDOptions(NAN)), "Invalid learning rate: nan");
  EXPECT_EQ(error({p}, SGDOptions(1).momentum(-0.5)), "Invalid momentum value: -0.5");
  EXPECT_EQ(error({p}, SGDOptions(1).weight_decay(-0.5)), "Invalid weight_decay value: -0.5");
  const char* nesterov = "Nesterov momentum requires a momentum and zero dampening";
  EXPECT_EQ(error({p}, SGDOptions(1).nesterov(true)), nesterov);
  EXPECT_EQ(error({p}, SGDOptions(1).nesterov(true).momentum(0.9).dampening(0.5)), nesterov);
  EXPECT_TRUE(error({p * 2}, SGDOptions(1)).starts_with("can't optimize a non-leaf Tensor\n"));
  EXPECT_EQ(error({p, p}, SGDOptions(1)).find("optimizer contains a parameter group with duplicate parameters"), 0u);
  EXPECT_EQ(message_of<TypeError>([] { SGD(std::vector<Tensor>{Tensor()}, SGDOptions(1)); })
                .find("optimizer can only optimize Tensors, but one of the params is"), 0u);
}

TEST(Optimizer, GroupsThatDoNotFit) {
  const Tensor p = parameter({1}), q = parameter({1});
  SGD optimizer({p}, SGDOptions(1));
  const char* twice = "some parameters appear in more than one parameter group";
  EXPECT_EQ(message_of<ValueError>([&] { optimizer.add_param_group(OptimizerParamGroup({q, p})); }), twice);
  EXPECT_EQ(message_of<ValueError>([&] { optimizer.add_param_group({{q}, std::make_unique<SGDOptions>(-2)}); }),
            "Invalid learning rate: -2");
  EXPECT_THROW(optimizer.add_param_group({{q}, std::make_unique<optim::AdamOptions>()}), TypeError);
  EXPECT_EQ(optimizer.param_groups().size(), 1u);
}

TEST(Optimizer, GradientThatDoesNotFitChangesNothing) {
  Tensor a = parameter({1}), b = parameter({1, 2});
  SGD optimizer({a, b}, SGDOptions(1));
  set_grad(a, 1);
  b.mutable_grad() = ones({3}, kDouble);
  EXPECT_EQ(message_of<Error>([&] { optimizer.step(); })
                .find("attempting to assign a gradient of size '[3]' to a tensor of size '[2]'. Please ensure that the gradient and the "
                      "tensor are the same size"), 0u);
  EXPECT_EQ(values(a)[0], 1);
}

}  // namespace
}  // namespace wick
