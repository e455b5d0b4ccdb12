// Adam and AdamW: against PyTorch, and their first steps by hand.
#include "wick/optim/adam.h"

#include "wick/tests/optim/support.h"

namespace wick {
namespace {

using optim::Adam;
using optim::AdamOptions;
using optim::AdamParamState;
using optim::AdamW;
using optim::AdamWOptions;
using test::golden_gradient;
using test::golden_parameter;
using test::kGolden;
using test::parameter;
using test::set_grad;
using test::values;

struct Golden {
  bool decoupled, amsgrad;
  double weight_decay;
  bool maximize;
  float f[3];   // elements 0, 9 and 18 after 20 steps in float32
  double d[3];  // in float64
};

// PyTorch 2.15 on the CPU, foreach=False, lr 0.05, betas 0.8 and 0.95, eps 1e-3, with the data of support.h.
constexpr Golden kGoldens[] = {
    {false, false, 0, false, {-0.518013835f, 0.49699977f, 0.0381507501f},
     {-0.5180138394970464, 0.49699971899480755, 0.038150749541876326}},
    {false, false, 0, true, {-0.731986165f, 0.253000259f, -0.0381507501f},
     {-0.7319861605029536, 0.2530002810051925, -0.038150749541876326}},
    {false, false, 0.1, false, {-0.350528538f, 0.338457435f, 0.0249482989f},
     {-0.35052857675536414, 0.3384574939924404, 0.024948303793627766}},
    {false, false, 0.1, true, {-0.499179482f, 0.160810918f, -0.0249482989f},
     {-0.4991796354127159, 0.1608109182242914, -0.024948303793627766}},
    {false, true, 0, false, {-0.518986523f, 0.495455861f, 0.0377643369f}, {-0.5189865255228617, 0.4954557922576823, 0.03776433802385416}},
    {false, true, 0, true, {-0.731013477f, 0.254544139f, -0.0377643369f},
     {-0.7310134744771383, 0.2545442077423176, -0.03776433802385416}},
    {false, true, 0.1, false, {-0.35205555f, 0.338514507f, 0.0246909689f},
     {-0.35205558761068984, 0.3385145087636583, 0.024690969489409714}},
    {false, true, 0.1, true, {-0.499741197f, 0.162366718f, -0.0246909689f},
     {-0.49974118749728136, 0.16236675167716932, -0.024690969489409714}},
    {true, false, 0, false, {-0.518013835f, 0.49699977f, 0.0381507501f},
     {-0.5180138394970464, 0.49699971899480755, 0.038150749541876326}},
    {true, false, 0, true, {-0.731986165f, 0.253000259f, -0.0381507501f},
     {-0.7319861605029536, 0.2530002810051925, -0.038150749541876326}},
    {true, false, 0.1, false, {-0.467435539f, 0.451993406f, 0.034491919f},
     {-0.46743549226773046, 0.4519933243264031, 0.034491920209630274}},
    {true, false, 0.1, true, {-0.663327694f, 0.22646457f, -0.034491919f},
     {-0.6633276080755414, 0.22646453587955992, -0.034491920209630274}},
    {true, true, 0, false, {-0.518986523f, 0.495455861f, 0.0377643369f}, {-0.5189865255228617, 0.4954557922576823, 0.03776433802385416}},
    {true, true, 0, true, {-0.731013477f, 0.254544139f, -0.0377643369f}, {-0.7310134744771383, 0.2545442077423176, -0.03776433802385416}},
    {true, true, 0.1, false, {-0.468348235f, 0.450547516f, 0.0341230556f},
     {-0.468348242741197, 0.45054740569879703, 0.034123061592648066}},
    {true, true, 0.1, true, {-0.662414968f, 0.227910534f, -0.0341230556f},
     {-0.6624148576020745, 0.227910454507166, -0.034123061592648066}},
};

template <class Optimizer, class Options>
std::vector<double> run(const Golden& golden, Tensor param) {
  const ScalarType dtype = param.scalar_type();
  Optimizer optimizer({param}, Options(0.05)
                                   .betas({0.8, 0.95})
                                   .eps(1e-3)
                                   .weight_decay(golden.weight_decay)
                                   .amsgrad(golden.amsgrad)
                                   .maximize(golden.maximize));
  for (int step = 0; step < 20; ++step) {
    param.mutable_grad() = golden_gradient(step, dtype);
    optimizer.step();
  }
  return values(param);
}

std::vector<double> run(const Golden& golden, Tensor param) {
  return golden.decoupled ? run<AdamW, AdamWOptions>(golden, param) : run<Adam, AdamOptions>(golden, param);
}

TEST(Adam, AgreesWithPyTorch) {
  for (const Golden& golden : kGoldens) {
    const auto f = run(golden, golden_parameter(kFloat)), d = run(golden, golden_parameter(kDouble));
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(f[9 * i], golden.f[i], 5e-7) << "row " << &golden - kGoldens;
      EXPECT_NEAR(d[9 * i], golden.d[i], 1e-14) << "row " << &golden - kGoldens;
    }
  }
}

TEST(Adam, StridedParametersAgree) {
  for (const Golden& golden : kGoldens) {
    Tensor param = zeros({kGolden, 2}, kDouble).select(1, 1);
    param.copy_(golden_parameter(kDouble).detach());
    param.requires_grad_();
    const auto got = run(golden, param);
    for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(got[9 * i], golden.d[i], 1e-14) << "row " << &golden - kGoldens;
  }
}

template <class Optimizer, class Options>
std::vector<double> two_steps(const Options& options, double first, double second) {
  Tensor param = parameter({1});
  Optimizer optimizer({param}, options);
  std::vector<double> seen;
  for (const double g : {first, second}) {
    set_grad(param, g);
    optimizer.step();
    seen.push_back(param.item<double>());
  }
  return seen;
}

void expect_near(const std::vector<double>& got, double first, double second) {
  EXPECT_NEAR(got[0], first, 1e-10);
  EXPECT_NEAR(got[1], second, 1e-10);
}

TEST(Adam, FirstSteps) {
  expect_near(two_steps<Adam>(AdamOptions(0.1), 0.5, 0.25), 0.900000002, 0.8067820405);
  expect_near(two_steps<Adam>(AdamOptions(0.1).weight_decay(0.1), 0.5, 0.25), 0.9000000017, 0.8050097659);
  expect_near(two_steps<AdamW>(AdamWOptions(0.1).weight_decay(0.1), 0.5, 0.25), 0.890000002, 0.7878820405);
  expect_near(two_steps<Adam>(AdamOptions(0.1).eps(1), 0.5, 0.5), 0.9666666667, 0.9333333333);
}

TEST(Adam, ZeroAndMissingGradients) {
  EXPECT_EQ(two_steps<Adam>(AdamOptions(0.1), 0, 0), (std::vector<double>{1, 1}));
  expect_near(two_steps<AdamW>(AdamWOptions(0.1).weight_decay(0.1), 0, 0), 0.99, 0.9801);
  Tensor param = parameter({1});
  AdamW optimizer({param}, AdamWOptions(0.1).weight_decay(0.1));
  optimizer.step();
  EXPECT_EQ(param.item<double>(), 1);
  EXPECT_TRUE(optimizer.state().empty());
}

// Parameters count their steps by themselves.
TEST(Adam, StepsOfEachParameter) {
  Tensor early = parameter({1}), late = parameter({1});
  Adam optimizer({early, late}, AdamOptions(0.1));
  set_grad(early, 0.5);
  optimizer.step();
  set_grad(early, 0.25);
  set_grad(late, 0.5);
  optimizer.step();
  EXPECT_NEAR(early.item<double>(), 0.8067820405, 1e-10);
  EXPECT_NEAR(late.item<double>(), 0.900000002, 1e-10);
  const auto steps = [&](const Tensor& p) {
    return static_cast<const AdamParamState&>(*optimizer.state().at(p.unsafeGetTensorImpl())).step();
  };
  EXPECT_EQ(steps(early), 2);
  EXPECT_EQ(steps(late), 1);
}

TEST(Adam, WithoutInertia) {
  // beta1 = 0: the mean is the gradient itself, whatever it was before.
  expect_near(two_steps<Adam>(AdamOptions(0.1).betas({0, 0}).eps(0), 1e30, 0.5), 0.9, 0.8);
}

TEST(Adam, Errors) {
  const Tensor p = parameter({1});
  const auto error = [&](const AdamOptions& options) { return test::message_of<ValueError>([&] { Adam({p}, options); }); };
  EXPECT_EQ(error(AdamOptions(-1)), "Invalid learning rate: -1");
  EXPECT_EQ(error(AdamOptions(NAN)), "Invalid learning rate: nan");
  EXPECT_EQ(error(AdamOptions().eps(-1)), "Invalid epsilon value: -1");
  EXPECT_EQ(error(AdamOptions().betas({1, 0.9})), "Invalid beta parameter at index 0: 1");
  EXPECT_EQ(error(AdamOptions().betas({0.9, -1})), "Invalid beta parameter at index 1: -1");
  EXPECT_EQ(error(AdamOptions().weight_decay(-1)), "Invalid weight_decay value: -1");
}

}  // namespace
}  // namespace wick
