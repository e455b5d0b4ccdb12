// weight_norm and spectral_norm against PyTorch 2.15 (torch.nn.utils).
#include "wick/nn/utils.h"

#include "wick/optim/sgd.h"
#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

using Keys = std::vector<std::string>;

Tensor wave(IntArrayRef sizes) { return (arange(zeros(sizes).numel(), kFloat) * 0.7).sin().view(sizes); }

// A layer with known weights and no bias to speak of.
template <class Layer>
Layer known(Layer layer) {
  NoGradGuard no_grad;
  layer->weight.copy_(wave(layer->weight.sizes()) + 0.1);
  layer->bias.zero_();
  return layer;
}

struct Golden {
  int64_t dim;
  std::vector<float> y, g, g_grad, v_grad;
};

template <class Layer>
void expect_golden(Layer layer, const Tensor& x, const Golden& golden) {
  nn::utils::weight_norm(*layer, &Layer::ContainedType::weight, "weight", golden.dim);
  EXPECT_EQ(layer->state_dict().keys(), (Keys{"bias", "weight_g", "weight_v"}));
  auto parameters = layer->named_parameters();
  {
    NoGradGuard no_grad;
    parameters["weight_g"].mul_(1.5);
  }
  const Tensor y = layer(x);
  y.square().sum().backward();
  expect_near(y.detach(), golden.y);
  expect_near(parameters["weight_g"].detach(), golden.g);
  expect_near(parameters["weight_g"].grad(), golden.g_grad);
  for (size_t i = 0; i < golden.v_grad.size(); ++i) EXPECT_NEAR(floats(parameters["weight_v"].grad())[i], golden.v_grad[i], 2e-5f) << i;
}

TEST(WeightNorm, OfLinear) {
  const std::vector<float> y{2.32364154f, 0.0496391654f, -0.0676986575f, 1.59770703f};
  expect_golden(known(nn::Linear(3, 2)), wave({2, 3}),
                {0, y, {1.97980738f, 1.62933373f}, {5.45900869f, 3.13641286f},
                 {-0.795716584f, -0.194385141f, 0.206583485f, -0.0343607031f, -0.182435423f, -0.448409915f}});
  expect_golden(known(nn::Linear(3, 2)), wave({2, 3}),
                {-1, y, {2.56405258f}, {6.20815992f},
                 {-0.720091045f, 0.368433952f, 1.02746105f, -1.10987282f, -0.668139696f, -0.168387413f}});
}

TEST(WeightNorm, OfConvolutions) {
  const std::vector<float> y{0.757759988f, -0.633684814f, -1.72709763f, -0.165717244f, 1.6093092f,
                             2.62745237f,  -0.0793142319f, -2.1616447f, -3.22732019f};
  expect_golden(known(nn::Conv1d(2, 3, 2)), wave({1, 2, 4}),
                {0, y, {2.45094371f, 1.91281378f, 2.14925885f}, {3.23028469f, 9.95480442f, 14.0463247f},
                 {-6.62714148f, -7.08838463f, 2.72542644f, 3.09351325f, 5.78435898f, 14.1781054f, 0.304685265f, -1.44437504f, -5.90667105f,
                  -16.619133f, -0.497609347f, -0.753552556f}});
  expect_golden(known(nn::Conv1d(2, 3, 2)), wave({1, 2, 4}),
                {1, y, {1.58166909f, 3.43272758f}, {2.01957631f, 15.7174788f},
                 {-6.61789131f, -7.01954269f, -5.23815107f, -3.97322941f, 9.62820625f, 11.9620161f, -0.781311989f, -2.68643284f,
                  -12.1924944f, -15.2370224f, 2.83510208f, 4.03721905f}});
}

TEST(WeightNorm, TrainsTwiceInOneGraphAndEnds) {
  nn::Linear layer = known(nn::Linear(3, 2));
  auto handle = nn::utils::weight_norm(*layer);
  optim::SGD optimizer(layer->parameters(), optim::SGDOptions(0.1));
  const Tensor x = wave({2, 3});
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    // The first call's graph keeps the weight that it used.
    (layer(x) * layer(x + 1)).sum().backward();
    optimizer.step();
  }
  const Tensor y = layer(x).detach();
  nn::utils::remove_weight_norm(*layer, handle);
  EXPECT_EQ(layer->state_dict().keys(), (Keys{"bias", "weight"}));
  EXPECT_TRUE(layer->weight.is_leaf() && layer->weight.requires_grad());
  EXPECT_TRUE(layer(x).equal(y));
  EXPECT_TRUE(layer->named_parameters()["weight"].is_same(layer->weight));
}

TEST(SpectralNorm, OfLinear) {
  nn::Linear layer = known(nn::Linear(3, 2));
  manual_seed(3);
  nn::Linear(3, 2);  // Python's script made its layer after seeding
  nn::utils::spectral_norm(*layer);
  EXPECT_EQ(layer->state_dict().keys(), (Keys{"bias", "weight_orig", "weight_u", "weight_v"}));
  const auto buffers = layer->named_buffers();
  expect_near(buffers["weight_u"], {0.0337334946f, -0.999430895f});
  expect_near(buffers["weight_v"], {0.188783571f, 0.565584719f, -0.802791774f});
  const Tensor x = wave({2, 3}), y = layer(x);
  y.square().sum().backward();
  const std::vector<float> expected{1.42324519f, 0.0304043442f, -0.0414658785f, 0.978605628f};
  expect_near(y.detach(), expected);
  expect_near(buffers["weight_u"], {-0.075564906f, -0.997140884f});
  expect_near(layer->named_parameters()["weight_orig"].grad(),
              {-0.433381289f, 1.50228298f, 2.71399522f, -3.29868126f, -1.43306828f, 0.876868784f});
  layer->eval();
  expect_near(layer(x).detach(), expected);
}

TEST(SpectralNorm, OfTransposedConvolutions) {
  nn::ConvTranspose1d layer = known(nn::ConvTranspose1d(2, 3, 2));
  manual_seed(4);
  nn::utils::spectral_norm(*layer, &nn::ConvTranspose1dImpl::weight, "weight", 2);
  expect_near(layer->named_buffers()["weight_u"], {-0.580465555f, 0.0840664878f, 0.809933662f});
  expect_near(layer(wave({1, 2, 3})).detach(),
              {-0.334821284f, -0.48048532f, 0.27801311f, 0.524296761f, -0.230540454f, 0.312752783f, 0.963024914f, 0.456571281f,
               0.328490466f, 0.740556479f, 0.184035093f, -0.316127479f});
}

TEST(ComputedWeights, Errors) {
  nn::Linear layer(3, 2);
  const std::string of_bias = message_of([&] { nn::utils::weight_norm(*layer, &nn::LinearImpl::bias); });
  EXPECT_NE(of_bias.find("has no parameter weight that is the given member"), std::string::npos);
  EXPECT_EQ(message_of([&] { nn::utils::spectral_norm(*layer, &nn::LinearImpl::weight, "weight", 0); }).find(
                "Expected n_power_iterations to be positive, but got n_power_iterations=0"), 0u);
  EXPECT_EQ(layer->state_dict().keys(), (Keys{"weight", "bias"}));
  nn::utils::weight_norm(*layer);
  EXPECT_NE(message_of([&] { nn::utils::weight_norm(*layer); }).find("has no parameter weight"), std::string::npos);
}

TEST(ComputedWeights, AreCloned) {
  nn::Sequential model(nn::Linear(3, 4), nn::Linear(4, 2));
  nn::utils::weight_norm(*model[0]->as<nn::Linear>());
  nn::utils::spectral_norm(*model[1]->as<nn::Linear>());
  model->eval();
  nn::Sequential copy(std::dynamic_pointer_cast<nn::SequentialImpl>(model->clone()));
  EXPECT_EQ(copy->state_dict().keys(), model->state_dict().keys());
  const Tensor x = wave({2, 3}), y = model->forward(x);
  EXPECT_TRUE(copy->forward(x).equal(y));
  {
    NoGradGuard no_grad;
    copy->named_parameters()["0.weight_g"].mul_(2);
    copy->named_parameters()["0.bias"].add_(1);
  }
  EXPECT_FALSE(copy->forward(x).equal(y));
  EXPECT_TRUE(model->forward(x).equal(y));
  copy->forward(x).sum().backward();
  EXPECT_TRUE(copy->named_parameters()["1.weight_orig"].grad().defined());
  EXPECT_FALSE(model->named_parameters()["1.weight_orig"].grad().defined());
}

}  // namespace
}  // namespace wick::test
