// state_dict() and load_state_dict(): what they hold, that training goes on from there, and what does not fit.
#include "wick/framework/graph/graph.h"
#include "wick/optim/adam.h"
#include "wick/optim/rmsprop.h"
#include "wick/optim/sgd.h"
#include "wick/tests/optim/support.h"

namespace wick {
namespace {

using optim::Adam;
using optim::AdamOptions;
using optim::AdamParamState;
using optim::OptimizerParamGroup;
using optim::RMSprop;
using optim::RMSpropOptions;
using optim::SGD;
using optim::SGDOptions;
using optim::StateDict;
using test::message_of;
using test::parameter;
using test::set_grad;
using test::values;

TEST(StateDict, NamesEverything) {
  const Tensor a = parameter({1, 2}), b = parameter({3}), c = parameter({4});
  std::vector<OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{a, b});
  groups.emplace_back(std::vector<Tensor>{c}, std::make_unique<AdamOptions>(0.25));
  Adam optimizer(groups, AdamOptions(0.5).amsgrad(true));
  set_grad(a, 1);
  set_grad(c, 1);
  optimizer.step();
  const StateDict dict = optimizer.state_dict();
  std::vector<std::string> keys;
  for (const auto& [key, value] : dict) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{
                      "param_groups.0.amsgrad", "param_groups.0.betas", "param_groups.0.eps", "param_groups.0.lr",
                      "param_groups.0.maximize", "param_groups.0.params",
                      "param_groups.0.weight_decay", "param_groups.1.amsgrad", "param_groups.1.betas",
                      "param_groups.1.eps", "param_groups.1.lr", "param_groups.1.maximize", "param_groups.1.params",
                      "param_groups.1.weight_decay", "state.0.exp_avg", "state.0.exp_avg_sq", "state.0.max_exp_avg_sq", "state.0.step",
                      "state.2.exp_avg", "state.2.exp_avg_sq", "state.2.max_exp_avg_sq", "state.2.step"}));
  EXPECT_EQ(dict.at("param_groups.0.params").toIntVector(), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(dict.at("param_groups.1.params").toIntVector(), (std::vector<int64_t>{2}));
  EXPECT_EQ(dict.at("param_groups.1.lr").toDouble(), 0.25);
  EXPECT_EQ(dict.at("param_groups.0.betas").toDoubleVector(), (std::vector<double>{0.9, 0.999}));
  EXPECT_TRUE(dict.at("param_groups.1.amsgrad").toBool());
  EXPECT_EQ(dict.at("state.2.step").toTensor().item<int64_t>(), 1);
  EXPECT_EQ(dict.at("state.0.exp_avg").toTensor().sizes(), a.sizes());
}

// Three steps are the same as two, a load into a fresh optimiser, and one.
template <class Optimizer, class Options>
void expect_goes_on(const Options& options, const Options& others) {
  const Tensor one = parameter({1, 2}, kFloat), other = parameter({1, 2}, kFloat);
  Optimizer first({one}, options), second({other}, others);
  const auto step = [](const Tensor& p, Optimizer& optimizer, double g) {
    set_grad(p, g);
    optimizer.step();
  };
  step(one, first, 1);
  step(one, first, 0.5);
  {
    NoGradGuard no_grad;
    other.copy_(one);
  }
  second.load_state_dict(first.state_dict());
  EXPECT_TRUE(static_cast<const Options&>(second.param_groups()[0].options()) == options);
  step(one, first, 0.25);
  step(other, second, 0.25);
  EXPECT_EQ(values(other), values(one));
}

TEST(StateDict, TrainingGoesOn) {
  expect_goes_on<SGD>(SGDOptions(0.5).momentum(0.5).dampening(0.25), SGDOptions(1));
  expect_goes_on<Adam>(AdamOptions(0.5).betas({0.5, 0.75}), AdamOptions(1).amsgrad(true));
  expect_goes_on<RMSprop>(RMSpropOptions(0.5).momentum(0.5).centered(true), RMSpropOptions(1));
}

TEST(StateDict, LoadedValuesAreCopies) {
  const Tensor one = parameter({1}), other = parameter({1});
  SGD first({one}, SGDOptions(0.5).momentum(0.5)), second({other}, SGDOptions(0.5).momentum(0.5));
  set_grad(one, 1);
  first.step();
  const StateDict dict = first.state_dict();
  second.load_state_dict(dict);
  first.step();
  EXPECT_EQ(dict.at("state.0.momentum_buffer").toTensor().item<double>(), 1.5);
  EXPECT_EQ(second.state_dict().at("state.0.momentum_buffer").toTensor().item<double>(), 1);
}

// What others write: a parameter of another precision, steps as a number or in float32, keys that we do not know.
TEST(StateDict, OfOtherWriters) {
  const Tensor p = parameter({1, 2}, kFloat);
  Adam optimizer({p}, AdamOptions(0.5));
  StateDict dict = optimizer.state_dict();
  dict["param_groups.0.foreach"] = true;
  dict["param_groups.0.weight_decay"] = 0;
  dict["state.0.exp_avg"] = full({2}, 0.5, kDouble);
  dict["state.0.exp_avg_sq"] = full({2}, 0.25, kDouble);
  const std::vector<IValue> steps{IValue(7), IValue(full({}, 7.0, kFloat))};
  for (const IValue& step : steps) {
    dict["state.0.step"] = step;
    optimizer.load_state_dict(dict);
    const auto& state = static_cast<const AdamParamState&>(*optimizer.state().at(p.unsafeGetTensorImpl()));
    EXPECT_EQ(state.step(), 7);
    EXPECT_EQ(state.exp_avg().scalar_type(), kFloat);
    EXPECT_EQ(values(state.exp_avg()), (std::vector<double>{0.5, 0.5}));
  }
}

// A captured step finds what was loaded after the capture.
TEST(StateDict, LoadsWhereCapturedStepsRead) {
  const Tensor eager = parameter({1}), captured = parameter({1});
  SGD one({eager}, SGDOptions(0.5).momentum(0.5)), other({captured}, SGDOptions(0.25).momentum(0.5));
  set_grad(eager, 1);
  set_grad(captured, 1);
  Graph graph;
  {
    GraphCapture capture(graph);
    other.step();
  }
  one.step();
  other.load_state_dict(one.state_dict());
  one.step();
  graph.replay();
  EXPECT_EQ(eager.item<double>(), 1 - 0.5 - 0.75);
  EXPECT_EQ(captured.item<double>(), 1 - 0.75);
}

TEST(StateDict, WhatDoesNotFitChangesNothing) {
  const Tensor p = parameter({1}), q = parameter({1});
  SGD optimizer({p}, SGDOptions(0.5)), two({p, q}, SGDOptions(1));
  EXPECT_EQ(message_of<ValueError>([&] { optimizer.load_state_dict({}); }), "loaded state dict has a different number of parameter groups");
  EXPECT_EQ(message_of<ValueError>([&] { optimizer.load_state_dict(two.state_dict()); }),
            "loaded state dict contains a parameter group that doesn't match the size of optimizer's group");
  StateDict dict = optimizer.state_dict();
  dict["param_groups.0.lr"] = -1.0;
  EXPECT_EQ(message_of<ValueError>([&] { optimizer.load_state_dict(dict); }), "Invalid learning rate: -1");
  dict["param_groups.0.lr"] = "fast";
  EXPECT_THROW(optimizer.load_state_dict(dict), Error);
  EXPECT_EQ(optimizer.param_groups()[0].options().get_lr(), 0.5);
  Adam adam({p}, AdamOptions(0.25));
  set_grad(p, 1);
  adam.step();
  EXPECT_EQ(message_of<ValueError>([&] { optimizer.load_state_dict(adam.state_dict()); }).substr(0, 31), "loaded state dict has a state '");
  EXPECT_EQ(optimizer.param_groups()[0].options().get_lr(), 0.5);
}

}  // namespace
}  // namespace wick
