// Adagrad and RMSprop: against PyTorch, and the state that they keep.
#include "wick/optim/adagrad.h"
#include "wick/optim/rmsprop.h"
#include "wick/tests/optim/support.h"

namespace wick {
namespace {

using optim::Adagrad;
using optim::AdagradOptions;
using optim::AdagradParamState;
using optim::RMSprop;
using optim::RMSpropOptions;
using optim::RMSpropParamState;
using test::golden_gradient;
using test::golden_parameter;
using test::kGolden;
using test::parameter;
using test::set_grad;
using test::values;

// PyTorch 2.15 on the CPU, foreach=False, lr 0.05, eps 1e-3, with the data of support.h: elements 0, 9 and 18 after 20 steps.
struct AdagradGolden {
  double lr_decay, weight_decay, initial;
  bool maximize;
  float f[3];
  double d[3];

  AdagradOptions options() const {
    return AdagradOptions(0.05).lr_decay(lr_decay).weight_decay(weight_decay).initial_accumulator_value(initial).eps(1e-3).maximize(
        maximize);
  }
};
constexpr AdagradGolden kAdagrad[] = {
    {0, 0, 0, false, {-0.595870912f, 0.424610555f, 0.0145481536f}, {-0.5958708236208062, 0.4246105611542229, 0.01454815746635289}},
    {0.1, 0, 0, true, {-0.660527885f, 0.332094252f, -0.0161982197f}, {-0.6605279158856168, 0.3320942635767786, -0.016198217898275226}},
    {0, 0.1, 0.5, false, {-0.561071038f, 0.36434558f, 0.00243320502f}, {-0.5610709224901889, 0.36434557686834007, 0.002433203073232868}},
    {0.1, 0.1, 0.5, true, {-0.604600132f, 0.336448401f, -0.00189402932f},
     {-0.6046002301266058, 0.33644840015587635, -0.0018940304404363641}},
};

struct RmspropGolden {
  double alpha, weight_decay, momentum;
  bool centered, maximize;
  float f[3];
  double d[3];

  RMSpropOptions options() const {
    return RMSpropOptions(0.05).alpha(alpha).weight_decay(weight_decay).momentum(momentum).centered(centered).maximize(maximize).eps(1e-3);
  }
};
constexpr RmspropGolden kRmsprop[] = {
    {0.9, 0, 0, false, false, {-0.544979632f, 0.544535518f, 0.045397535f}, {-0.5449795918604237, 0.5445355385154088, 0.045397514235356005}},
    {0.9, 0.1, 0, false, true, {-0.425205797f, 0.106710576f, -0.0289795045f},
     {-0.42520580604708097, 0.10671056614219718, -0.028979503814620767}},
    {0.9, 0, 0.8, false, false, {-0.143554226f, 0.981665373f, 0.160482392f}, {-0.1435541728592948, 0.9816654090887984, 0.1604823989925613}},
    {0.9, 0, 0, true, false, {-0.533149242f, 0.556897759f, 0.0495388582f}, {-0.5331492609386691, 0.5568977553334814, 0.04953885307488705}},
    {0.4, 0.1, 0.8, true, true, {0.124508008f, 0.0461102836f, 0.128453404f},
     {0.12450800158778318, 0.04611024688645639, 0.12845339679962722}},
};

template <class Optimizer, class Options>
std::vector<double> run(const Options& options, Tensor param) {
  Optimizer optimizer({param}, options);
  for (int step = 0; step < 20; ++step) {
    param.mutable_grad() = golden_gradient(step, param.scalar_type());
    optimizer.step();
  }
  return values(param);
}

// A parameter with gaps goes through copies, and must agree with the kernel; so must float16, as far as it can.
template <class Optimizer, class Golden, size_t n>
void expect_golden(const Golden (&goldens)[n]) {
  for (const Golden& golden : goldens) {
    SCOPED_TRACE(&golden - goldens);
    const auto f = run<Optimizer>(golden.options(), golden_parameter(kFloat));
    const auto d = run<Optimizer>(golden.options(), golden_parameter(kDouble));
    Tensor gaps = zeros({kGolden, 2}, kDouble).select(1, 1);
    gaps.copy_(golden_parameter(kDouble).detach());
    const auto strided = run<Optimizer>(golden.options(), gaps.requires_grad_());
    const auto half = run<Optimizer>(golden.options(), golden_parameter(kHalf));
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(f[9 * i], golden.f[i], 2e-6);
      EXPECT_NEAR(d[9 * i], golden.d[i], 1e-13);
      EXPECT_NEAR(strided[9 * i], golden.d[i], 1e-13);
      EXPECT_NEAR(half[9 * i], golden.d[i], 2e-2);
    }
  }
}

TEST(Adagrad, AgreesWithPyTorch) { expect_golden<Adagrad>(kAdagrad); }
TEST(RMSprop, AgreesWithPyTorch) { expect_golden<RMSprop>(kRmsprop); }

TEST(Adagrad, HasItsStateFromTheStart) {
  Tensor p = parameter({1, 2}), late = parameter({1});
  Adagrad optimizer({p}, AdagradOptions(0.5).initial_accumulator_value(0.25));
  auto& state = static_cast<AdagradParamState&>(*optimizer.state().at(p.unsafeGetTensorImpl()));
  EXPECT_EQ(values(state.sum()), (std::vector<double>{0.25, 0.25}));
  EXPECT_EQ(state.step(), 0);
  state.step(state.step() + 3);
  EXPECT_EQ(state.step(), 3);
  optimizer.add_param_group(optim::OptimizerParamGroup({late}));
  set_grad(late, 1);
  optimizer.step();
  EXPECT_NEAR(late.item<double>(), 1 - 0.5 / std::sqrt(1.25), 1e-9);
}

TEST(RMSprop, KeepsOnlyWhatItNeeds) {
  Tensor p = parameter({1, 2});
  RMSprop optimizer({p}, RMSpropOptions(0.5));
  set_grad(p, 1);
  optimizer.step();
  const auto& state = static_cast<const RMSpropParamState&>(*optimizer.state().at(p.unsafeGetTensorImpl()));
  EXPECT_TRUE(state.square_avg().defined());
  EXPECT_FALSE(state.grad_avg().defined() || state.momentum_buffer().defined());
  EXPECT_EQ(state.step(), 1);
}

TEST(Adagrad, Errors) {
  const Tensor p = parameter({1});
  const auto error = [&](const AdagradOptions& options) { return test::message_of<ValueError>([&] { Adagrad({p}, options); }); };
  EXPECT_EQ(error(AdagradOptions(-1)), "Invalid learning rate: -1");
  EXPECT_EQ(error(AdagradOptions().lr_decay(-1)), "Invalid lr_decay value: -1");
  EXPECT_EQ(error(AdagradOptions().weight_decay(-1)), "Invalid weight_decay value: -1");
  EXPECT_EQ(error(AdagradOptions().initial_accumulator_value(-1)), "Invalid initial_accumulator_value value: -1");
  EXPECT_EQ(error(AdagradOptions().eps(-1)), "Invalid epsilon value: -1");
}

TEST(RMSprop, Errors) {
  const Tensor p = parameter({1});
  const auto error = [&](const RMSpropOptions& options) { return test::message_of<ValueError>([&] { RMSprop({p}, options); }); };
  EXPECT_EQ(error(RMSpropOptions(-1)), "Invalid learning rate: -1");
  EXPECT_EQ(error(RMSpropOptions().eps(-1)), "Invalid epsilon value: -1");
  EXPECT_EQ(error(RMSpropOptions().momentum(-1)), "Invalid momentum value: -1");
  EXPECT_EQ(error(RMSpropOptions().weight_decay(-1)), "Invalid weight_decay value: -1");
  EXPECT_EQ(error(RMSpropOptions().alpha(-1)), "Invalid alpha value: -1");
}

// A state that does not fit, as a user may set it, is an error and not a write past its end.
TEST(RMSprop, StateOfAnotherShape) {
  Tensor p = parameter({1, 2});
  RMSprop optimizer({p}, RMSpropOptions(0.5));
  auto state = std::make_unique<RMSpropParamState>();
  state->square_avg(zeros({1}, kDouble));
  optimizer.state()[p.unsafeGetTensorImpl()] = std::move(state);
  set_grad(p, 1);
  EXPECT_EQ(test::message_of<Error>([&] { optimizer.step(); }), "optimizer: the state of a parameter of shape [2] has shape [1]");
  EXPECT_EQ(values(p), (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace wick
