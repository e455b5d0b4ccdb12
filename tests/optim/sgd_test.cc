// SGD's arithmetic: against PyTorch, over parameters of many shapes and dtypes, and what makes a first step special.
#include "wick/optim/sgd.h"

#include "wick/framework/core/parallel.h"
#include "wick/tests/optim/support.h"

namespace wick {
namespace {

using optim::OptimizerParamGroup;
using optim::SGD;
using optim::SGDOptions;
using optim::SGDParamState;
using test::golden_gradient;
using test::golden_parameter;
using test::kGolden;
using test::parameter;
using test::set_grad;
using test::values;

struct Golden {
  double momentum, dampening;
  bool nesterov;
  double weight_decay;
  bool maximize;
  float f[3];   // elements 0, 9 and 18 after 20 steps in float32
  double d[3];  // in float64

  SGDOptions options() const {
    return SGDOptions(0.05).momentum(momentum).dampening(dampening).nesterov(nesterov).weight_decay(weight_decay).maximize(maximize);
  }
};

// PyTorch 2.15 on the CPU, foreach=False, with the parameter and the gradients of support.h.
constexpr Golden kGoldens[] = {
    {0, 0, false, 0, false, {-0.618749976f, 0.400000036f, 0.00312500005f}, {-0.61875, 0.4, 0.003125}},
    {0, 0, false, 0, true, {-0.631250024f, 0.349999964f, -0.00312500005f}, {-0.63125, 0.35, -0.003125}},
    {0, 0, false, 0.1, false, {-0.56014514f, 0.363140613f, 0.00312626199f},
     {-0.5601451267065136, 0.363140627340991, 0.0031262615304212577}},
    {0, 0, false, 0.1, true, {-0.570617974f, 0.315317124f, -0.00312626199f},
     {-0.5706179736367585, 0.31531723286497226, -0.0031262615304212577}},
    {0, 0.3, false, 0, false, {-0.618749976f, 0.400000036f, 0.00312500005f}, {-0.61875, 0.4, 0.003125}},
    {0, 0.3, false, 0, true, {-0.631250024f, 0.349999964f, -0.00312500005f}, {-0.63125, 0.35, -0.003125}},
    {0, 0.3, false, 0.1, false, {-0.56014514f, 0.363140613f, 0.00312626199f},
     {-0.5601451267065136, 0.363140627340991, 0.0031262615304212577}},
    {0, 0.3, false, 0.1, true, {-0.570617974f, 0.315317124f, -0.00312626199f},
     {-0.5706179736367585, 0.31531723286497226, -0.0031262615304212577}},
    {0.9, 0, false, 0, false, {-0.532822728f, 0.489028066f, 0.000684054219f},
     {-0.5328226888800569, 0.48902810460289414, 0.0006840542086716537}},
    {0.9, 0, false, 0, true, {-0.717177272f, 0.260971934f, -0.000684054219f},
     {-0.7171773111199431, 0.26097189539710586, -0.0006840542086716537}},
    {0.9, 0, false, 0.1, false, {-0.239400283f, 0.262047887f, 0.000304508343f},
     {-0.2394002992465758, 0.262047935512944, 0.00030450181336920005}},
    {0.9, 0, false, 0.1, true, {-0.363990068f, 0.099986285f, -0.000304508343f},
     {-0.3639900599064612, 0.09998627997887816, -0.00030450181336920005}},
    {0.9, 0, true, 0, false, {-0.535790563f, 0.502625287f, 0.00374064897f},
     {-0.5357904199920513, 0.5026252941426047, 0.0037406487878044936}},
    {0.9, 0, true, 0, true, {-0.714209437f, 0.247374728f, -0.00374064897f},
     {-0.7142095800079487, 0.24737470585739527, -0.0037406487878044936}},
    {0.9, 0, true, 0.1, false, {-0.236064702f, 0.264588535f, 0.00329514313f},
     {-0.23606466971200912, 0.2645885292054579, 0.003295164500797922}},
    {0.9, 0, true, 0.1, true, {-0.346396357f, 0.0848880783f, -0.00329514313f},
     {-0.3463963121896587, 0.08488805993554296, -0.003295164500797922}},
    {0.9, 0.3, false, 0, false, {-0.511064708f, 0.49599579f, 0.0334197171f},
     {-0.5110645690367596, 0.49599576753809294, 0.03341971339892383}},
    {0.9, 0.3, false, 0, true, {-0.738935292f, 0.25400421f, -0.0334197171f},
     {-0.7389354309632404, 0.25400423246190706, -0.03341971339892383}},
    {0.9, 0.3, false, 0.1, false, {-0.293053448f, 0.324323714f, 0.0261805449f},
     {-0.2930534581554788, 0.32432367708530496, 0.026180544877376866}},
    {0.9, 0.3, false, 0.1, true, {-0.469492435f, 0.133203983f, -0.0261805449f},
     {-0.4694925430827719, 0.13320392365764555, -0.026180544877376866}},
};

Tensor run_golden(const SGDOptions& options, ScalarType dtype, Tensor param, const std::function<Tensor(const Tensor&)>& layout) {
  SGD optimizer({param}, options);
  for (int step = 0; step < 20; ++step) {
    param.mutable_grad() = layout(golden_gradient(step, dtype));
    optimizer.step();
  }
  return param.detach();
}

Tensor unchanged(const Tensor& x) { return x; }

TEST(Sgd, Float32HasPyTorchsBits) {
  for (const Golden& golden : kGoldens) {
    const Tensor p = run_golden(golden.options(), kFloat, golden_parameter(kFloat), unchanged);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(p.data_ptr<float>()[9 * i], golden.f[i]) << "row " << &golden - kGoldens;
  }
}

TEST(Sgd, Float64HasPyTorchsBits) {
  for (const Golden& golden : kGoldens) {
    const Tensor p = run_golden(golden.options(), kDouble, golden_parameter(kDouble), unchanged);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(p.data_ptr<double>()[9 * i], golden.d[i]) << "row " << &golden - kGoldens;
  }
}

// A parameter with gaps is updated by operations, which must agree with the kernel.
TEST(Sgd, StridedParametersAgree) {
  for (const Golden& golden : kGoldens) {
    Tensor param = zeros({kGolden, 2}, kDouble).select(1, 1);
    param.copy_(golden_parameter(kDouble).detach());
    param.requires_grad_();
    const Tensor p = run_golden(golden.options(), kDouble, param, unchanged);
    EXPECT_EQ(p.stride(0), 2);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(values(p)[9 * i], golden.d[i], 1e-14) << "row " << &golden - kGoldens;
  }
}

// The same order of elements in parameter and gradient is enough for the kernel; another one is not.
TEST(Sgd, TransposedParameters) {
  for (const bool same_order : {true, false}) {
    Tensor param = parameter({1, 2, 3, 4, 5, 6}).detach().view({3, 2}).t();
    param.requires_grad_();
    SGD optimizer({param}, SGDOptions(1).momentum(0.5));
    const Tensor g = parameter({0, 1, 2, 3, 4, 5}).detach();
    for (int step = 0; step < 2; ++step) {
      param.mutable_grad() = same_order ? g.view({3, 2}).t() : g.view({3, 2}).t().contiguous();
      optimizer.step();
    }
    // 1 + 0.5 + 1 gradients
    EXPECT_EQ(values(param.t()), (std::vector<double>{1, 2 - 2.5, 3 - 5., 4 - 7.5, 5 - 10., 6 - 12.5}));
  }
}

TEST(Sgd, LowPrecision) {
  for (const ScalarType dtype : {kHalf, kBFloat16}) {
    Tensor param = parameter({1, -2}, dtype);
    SGD optimizer({param}, SGDOptions(0.5).momentum(0.5).weight_decay(0.5));
    set_grad(param, 1);
    optimizer.step();
    EXPECT_EQ(values(param), (std::vector<double>{1 - 0.75, -2.0}));
    EXPECT_EQ(param.scalar_type(), dtype);
  }
}

// ---- The first step ----------------------------------------------------------------------------------------------------------------

std::vector<double> three_steps(const SGDOptions& options, bool first_has_gradient = true) {
  Tensor param = parameter({1});
  SGD optimizer({param}, options);
  std::vector<double> seen;
  for (int step = 0; step < 3; ++step) {
    if (step > 0 || first_has_gradient) set_grad(param, 1);
    optimizer.step();
    seen.push_back(param.item<double>());
  }
  return seen;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-12) << "step " << i;
}

TEST(Sgd, DampeningSparesTheFirstGradient) {
  expect_near(three_steps(SGDOptions(0.1).momentum(0.9).dampening(0.5)), {0.9, 0.76, 0.584});
  expect_near(three_steps(SGDOptions(0.1).momentum(0.9).dampening(0.5), false), {1, 0.9, 0.76});
}

TEST(Sgd, NesterovAndDecay) {
  expect_near(three_steps(SGDOptions(0.1).momentum(0.9).nesterov(true)), {0.81, 0.539, 0.1951});
  const std::vector<double> decayed = three_steps(SGDOptions(0.1).momentum(0.9).weight_decay(0.1));
  EXPECT_NEAR(decayed[0], 0.89, 1e-12);
  EXPECT_NEAR(decayed[1], 0.6821, 1e-12);
  EXPECT_NEAR(three_steps(SGDOptions(0.1).weight_decay(0.1))[0], 0.89, 1e-12);
}

// A momentum buffer that the user sets has been used: no first step is due.
TEST(Sgd, MomentumBufferOfTheUsers) {
  Tensor param = parameter({1});
  SGD optimizer({param}, SGDOptions(0.1).momentum(0.9).dampening(0.5));
  auto state = std::make_unique<SGDParamState>();
  state->momentum_buffer(full({1}, 1.0, kDouble));
  optimizer.state()[param.unsafeGetTensorImpl()] = std::move(state);
  set_grad(param, 1);
  optimizer.step();
  EXPECT_NEAR(param.item<double>(), 1 - 0.1 * 1.4, 1e-12);
}

// ---- Many parameters ---------------------------------------------------------------------------------------------------------------

// More parameters than a call takes, of two dtypes in turn, some without gradient, some large enough for several threads.
TEST(Sgd, ManyParameters) {
  std::vector<Tensor> params;
  for (int i = 0; i < 3 * kTensorsPerCall + 5; ++i) {
    Tensor p = full({i % 10 == 7 ? 40000 + i : i}, 1.0, i % 20 < 17 ? kFloat : kDouble);
    p.requires_grad_();
    params.push_back(p);
  }
  SGD optimizer(params, SGDOptions(0.5).momentum(0.5));
  for (int step = 0; step < 2; ++step) {
    for (size_t i = 0; i < params.size(); ++i) {
      if (i % 9 != 4) set_grad(params[i], static_cast<double>(i));
    }
    optimizer.step();
  }
  for (size_t i = 0; i < params.size(); ++i) {
    const double wanted = i % 9 == 4 ? 1 : 1 - 0.5 * static_cast<double>(i) - 0.75 * static_cast<double>(i);
    ASSERT_TRUE(values(params[i]) == std::vector<double>(static_cast<size_t>(params[i].numel()), wanted)) << "parameter " << i;
  }
}

TEST(Sgd, ThreadsDoNotMatter) {
  std::vector<std::vector<double>> results;
  const int before = get_num_threads();
  for (const int threads : {1, 3}) {
    set_num_threads(threads);
    Tensor p = arange(0, 100003, kFloat).div(1000);
    p.requires_grad_();
    SGD optimizer({p}, SGDOptions(0.1).momentum(0.9).weight_decay(0.01));
    for (int step = 0; step < 3; ++step) {
      p.mutable_grad() = p.detach().mul(0.3);
      optimizer.step();
    }
    results.push_back(values(p));
  }
  set_num_threads(before);
  EXPECT_EQ(results[0], results[1]);
}

TEST(Sgd, DecayOfNothingLeavesInfinityAlone) {
  Tensor p = parameter({INFINITY, 1});
  SGD optimizer({p}, SGDOptions(0.5));
  set_grad(p, 1);
  optimizer.step();
  EXPECT_EQ(values(p), (std::vector<double>{INFINITY, 0.5}));
}

}  // namespace
}  // namespace wick
