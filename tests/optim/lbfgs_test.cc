// L-BFGS: against PyTorch on Rosenbrock's function, and its rules about closures and groups.
#include "wick/optim/lbfgs.h"

#include "wick/framework/core/warning.h"
#include "wick/tests/optim/support.h"

namespace wick {
namespace {

using optim::LBFGS;
using optim::LBFGSOptions;
using optim::LBFGSParamState;
using test::message_of;
using test::parameter;
using test::values;

struct Golden {
  const char* line_search;
  int64_t history;
  double lr;
  int steps;
  double loss, x[6];
  int64_t n_iter, func_evals;

  LBFGSOptions options() const {
    const LBFGSOptions options = LBFGSOptions(lr).history_size(history).max_iter(8);
    return line_search ? LBFGSOptions(options).line_search_fn(std::string(line_search)) : options;
  }
};

// PyTorch 2.15 in float64: five and twenty steps from (-1.2, 1, 0.5, 0.25, -0.5, 2), kept in two parameters.
constexpr Golden kGoldens[] = {
    {nullptr, 100, 0.002, 5, 288.34375260859474,
     {-1.1542566701553907, 0.96739435030555, 0.49853336339809706, 0.19913592652302314, -0.7740050243614638, 1.911303598324551}, 40, 40},
    {nullptr, 100, 0.002, 20, 153.3003445125,
     {-1.00268584778804, 0.8275208219167541, 0.45115444006088373, 0.13805319156388438, -0.6397925016510035, 1.247443386601939}, 160, 160},
    {nullptr, 3, 0.002, 5, 264.9255287592059,
     {-1.1543822015566563, 0.9610641587717476, 0.48143126427928673, 0.16442469752174346, -0.9736599159629035, 2.023431906448985}, 40, 40},
    {nullptr, 3, 0.002, 20, 240.9813500261263,
     {-1.1471022515811937, 0.9649021614733145, 0.5082808007396696, 0.18495072881980368, -0.8679825342026364, 1.839065614872859}, 160, 160},
    {"strong_wolfe", 100, 1.0, 5, 4.187761312072441,
     {-0.9849887298701675, 0.9791659450522671, 0.9627127184962531, 0.9292986253853436, 0.8663469696376122, 0.7506347925610494}, 36, 51},
    {"strong_wolfe", 100, 1.0, 20, 3.9739405010289905,
     {-0.9865752567297167, 0.9833985585574733, 0.9721067001551326, 0.9474381280308262, 0.8986521208307436, 0.8075755593529831}, 57, 72},
    {"strong_wolfe", 3, 0.5, 5, 4.154911470909822,
     {-0.9819727556087811, 0.9746921945659618, 0.9544560160009088, 0.9111992952786344, 0.8297496100131633, 0.6852001895290235}, 39, 48},
    {"strong_wolfe", 3, 0.5, 20, 3.973940501131044,
     {-0.9865748223109734, 0.9833975525431774, 0.9721051943070762, 0.9474346823845485, 0.8986450894163425, 0.8075622038202164}, 65, 76},
};

struct Valley {
  Tensor a = parameter({-1.2, 1, 0.5}), b;
  double sign = 1;

  Valley() : b(parameter({0.25, -0.5, 2}).detach().view({1, 3})) { b.requires_grad_(); }
  Tensor x() const { return cat({a, b.reshape({-1})}); }
  Tensor loss() const {
    const Tensor all = x(), head = all.slice(0, 0, 5), tail = all.slice(0, 1, 6);
    return (100 * (tail - head * head).pow(2) + (1 - head).pow(2)).sum() * sign;
  }
  Tensor descend(LBFGS& optimizer) const {
    return optimizer.step([&] {
      optimizer.zero_grad();
      const Tensor y = loss();
      y.backward();
      return y;
    });
  }
};

TEST(Lbfgs, AgreesWithPyTorch) {
  for (const Golden& golden : kGoldens) {
    SCOPED_TRACE(&golden - kGoldens);
    for (const bool maximize : {false, true}) {
      Valley valley;
      valley.sign = maximize ? -1 : 1;
      LBFGS optimizer({valley.a, valley.b}, golden.options().maximize(maximize));
      Tensor loss;
      for (int step = 0; step < golden.steps; ++step) loss = valley.descend(optimizer);
      EXPECT_NEAR(loss.item<double>(), valley.sign * golden.loss, 1e-6);
      for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(values(valley.x())[i], golden.x[i], 1e-8);
      const auto& state = static_cast<const LBFGSParamState&>(*optimizer.state().at(valley.a.unsafeGetTensorImpl()));
      EXPECT_EQ(state.n_iter(), golden.n_iter);
      EXPECT_EQ(state.func_evals(), golden.func_evals);
    }
  }
}

TEST(Lbfgs, FindsTheMinimum) {
  Valley valley;
  LBFGS optimizer({valley.a, valley.b}, LBFGSOptions(1).line_search_fn("strong_wolfe").max_iter(100));
  for (int step = 0; step < 3; ++step) valley.descend(optimizer);
  EXPECT_LT(valley.loss().item<double>(), 4);
  EXPECT_LT(valley.a.grad().abs().max().item<double>(), 1e-3);
}

TEST(Lbfgs, StepsWithoutWarnings) {
  struct Handler : WarningHandler {
    void process(const SourceLocation&, const std::string&, bool) override { ++count; }
    int count = 0;
  } handler;
  Warning::set_warning_handler(&handler);
  for (const bool search : {false, true}) {
    Valley valley;
    LBFGS optimizer({valley.a, valley.b}, search ? LBFGSOptions(1).line_search_fn("strong_wolfe") : LBFGSOptions(0.002));
    valley.descend(optimizer);
  }
  Warning::set_warning_handler(nullptr);
  EXPECT_EQ(handler.count, 0);
}

// A state dict holds all that goes on from there.
TEST(Lbfgs, GoesOnFromItsState) {
  const LBFGSOptions options = LBFGSOptions(1).line_search_fn("strong_wolfe").max_iter(4);
  Valley one, other;
  LBFGS first({one.a, one.b}, options), second({other.a, other.b}, LBFGSOptions(0.5));
  one.descend(first);
  {
    NoGradGuard no_grad;
    other.a.copy_(one.a);
    other.b.copy_(one.b);
  }
  second.load_state_dict(first.state_dict());
  one.descend(first);
  other.descend(second);
  EXPECT_EQ(values(one.x()), values(other.x()));
  EXPECT_TRUE(static_cast<const LBFGSOptions&>(second.param_groups()[0].options()) == options);
}

// A gradient that never changes makes no history, and what is not there yet is None in the files of others.
TEST(Lbfgs, AStateWithoutHistoryGoesOn) {
  const auto closure_of = [](const Tensor& p) {
    return [p] {
      p.mutable_grad() = ones_like(p.detach());
      return (p.detach() * 1).sum();
    };
  };
  const Tensor p = parameter({1, 2}), q = parameter({1, 2});
  LBFGS one({p}, LBFGSOptions(0.5).max_iter(1)), two({q}, LBFGSOptions(0.5).max_iter(1));
  one.step(closure_of(p));
  const auto& state = static_cast<const optim::LBFGSParamState&>(*one.state().at(p.unsafeGetTensorImpl()));
  EXPECT_FALSE(state.H_diag().defined());
  optim::StateDict dict = one.state_dict();
  dict["state.0.H_diag"] = IValue();
  two.load_state_dict(dict);
  {
    NoGradGuard off;
    q.copy_(p);
  }
  one.step(closure_of(p));
  two.step(closure_of(q));
  EXPECT_EQ(values(q), values(p));
  ASSERT_TRUE(state.al().has_value());
  EXPECT_EQ(state.al()->size(), state.old_dirs().size());
}

TEST(Lbfgs, ParameterWithoutGradient) {
  Tensor used = parameter({3}), unused = parameter({1});
  LBFGS optimizer({used, unused}, LBFGSOptions(1));
  const Tensor loss = optimizer.step([&] {
    optimizer.zero_grad();
    const Tensor y = used * used;
    y.backward();
    return y;
  });
  EXPECT_EQ(loss.item<double>(), 9);
  EXPECT_NEAR(used.item<double>(), 0, 1e-6);
  EXPECT_EQ(unused.item<double>(), 1);
}

TEST(Lbfgs, Errors) {
  const Tensor p = parameter({1}), q = parameter({1});
  LBFGS optimizer({p}, LBFGSOptions(1));
  EXPECT_EQ(message_of<Error>([&] { optimizer.step(nullptr); }), "LBFGS requires a closure function");
  EXPECT_EQ(message_of<ValueError>([&] { LBFGS({p}, LBFGSOptions(-1)); }), "Invalid learning rate: -1");
  EXPECT_EQ(message_of<Error>([&] { LBFGS({p}, LBFGSOptions(1).line_search_fn("armijo")); }), "only 'strong_wolfe' is supported");
  EXPECT_EQ(message_of<ValueError>([&] { LBFGS({p}, LBFGSOptions(1).history_size(0)); }), "Invalid history_size: 0");
  const char* groups = "LBFGS doesn't support per-parameter options (parameter groups)";
  EXPECT_EQ(message_of<ValueError>([&] { LBFGS(std::vector<optim::OptimizerParamGroup>{{{p}}, {{q}}}); }), groups);
  optimizer.add_param_group(optim::OptimizerParamGroup({q}));
  EXPECT_EQ(message_of<ValueError>([&] { optimizer.step([&] { return p * 2; }); }), groups);
}

}  // namespace
}  // namespace wick
