// The rarer activations; the others are in layers_test.cc. The numbers are PyTorch's.
#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

Tensor wave_2x4() { return (arange(8, kFloat) * 0.7).sin().view({2, 4}); }

// The random slopes are those that PyTorch draws after torch.manual_seed(5).
TEST(Activations, RReluDrawsAsPyTorch) {
  manual_seed(5);
  const std::vector<float> drawn{0, 0.64421767f, 0.985449731f, 0.863209426f, 0.334988207f, -0.0628309697f, -0.174465418f, -0.187307164f};
  expect_near(F::rrelu(wave_2x4(), F::RReLUFuncOptions().training(true)), drawn);
  const std::vector<float> mean{0, 0.64421767f, 0.985449731f, 0.863209426f, 0.334988207f, -0.0803878233f, -0.199736089f, -0.225145385f};
  expect_near(F::rrelu(wave_2x4()), mean);
  nn::RReLU layer;
  manual_seed(5);
  expect_near(layer(wave_2x4()), drawn);
  layer->eval();
  expect_near(layer(wave_2x4()), mean);

  manual_seed(5);
  const Tensor x = wave_2x4().requires_grad_(), y = F::rrelu(x, F::RReLUFuncOptions().lower(0.2).upper(0.6).training(true));
  y.sum().backward();
  expect_near(y.detach(), {0, 0.64421767f, 0.985449731f, 0.863209426f, 0.334988207f, -0.106604129f, -0.300110579f, -0.320331663f});
  expect_near(x.grad(), {0.456806034f, 1, 1, 1, 1, 0.303903162f, 0.344331056f, 0.326053053f});
}

TEST(Activations, GumbelSoftmaxDrawsAsPyTorch) {
  manual_seed(6);
  expect_near(F::gumbel_softmax(wave_2x4(), F::GumbelSoftmaxFuncOptions().tau(0.5)),
              {0.0517997965f, 0.0275518727f, 0.0627492443f, 0.857899129f, 0.106650852f, 0.0096378075f, 0.881654918f, 0.00205638702f});
  manual_seed(6);
  expect_near(F::gumbel_softmax(wave_2x4(), F::GumbelSoftmaxFuncOptions().dim(0)),
              {0.352424473f, 0.569025517f, 0.172410473f, 0.941002786f, 0.647575557f, 0.430974483f, 0.827589512f, 0.0589972101f});
  // One-hot, with the gradient of the soft values.
  manual_seed(6);
  const Tensor x = wave_2x4().requires_grad_(), y = F::gumbel_softmax(x, F::GumbelSoftmaxFuncOptions().tau(0.5).hard(true));
  (y * wave_2x4()).sum().backward();
  expect_near(y.detach(), {0, 0, 0, 1, 0, 0, 1, 0});
  expect_near(x.grad(), {-0.0849653706f, -0.00969355274f, 0.0207470935f, 0.0739117339f, 0.228892252f, 0.00746583194f, -0.235353172f,
                         -0.00100495352f});
}

TEST(Activations, InPlaceWritesOverTheInput) {
  const Tensor x = tensor_of({4}, {-2, -0.25f, 0.5f, 8});
  const auto expect_inplace = [&](auto layer, auto inplace) {
    const Tensor y = x.clone(), wanted = layer->forward(x);
    EXPECT_EQ(inplace->forward(y).data_ptr(), y.data_ptr());
    EXPECT_TRUE(y.equal(wanted));
  };
  expect_inplace(nn::Hardtanh(), nn::Hardtanh(nn::HardtanhOptions().inplace(true)));
  expect_inplace(nn::ReLU6(), nn::ReLU6(nn::ReLU6Options().inplace(true)));
  expect_inplace(nn::SELU(), nn::SELU(nn::SELUOptions().inplace(true)));
  expect_inplace(nn::CELU(), nn::CELU(nn::CELUOptions().inplace(true)));
  expect_inplace(nn::Threshold(0.1, 20), nn::Threshold(nn::ThresholdOptions(0.1, 20).inplace(true)));
}

TEST(Activations, Modules) {
  const Tensor x = tensor_of({1, 4}, {-2, -0.25f, 0.5f, 8});
  expect_near(nn::Threshold(0.1, 20)(x), {20, 20, 0.5f, 8});
  expect_near(nn::PReLU()(x), {-0.5f, -0.0625f, 0.5f, 8});
  expect_near(nn::Hardshrink()(x), {-2, 0, 0, 8});
  expect_near(nn::Softshrink(0.25)(x), {-1.75f, 0, 0.25f, 7.75f});
  expect_near(nn::Softsign()(x), {-0.666666687f, -0.2f, 0.333333343f, 0.888888896f});
  expect_near(nn::GLU()(x), {-2 * 0.622459352f, -0.25f * 0.999664664f});
  expect_near(nn::Softmin(1)(x), floats(F::softmax(-x, 1)));
  EXPECT_TRUE(nn::Softmax2d()(ones({2, 4, 1, 1})).equal(full({2, 4, 1, 1}, 0.25)));
  EXPECT_NE(message_of([&] { nn::Softmax2d()(x); }).find("Softmax2d requires a 3D or 4D tensor as input"), std::string::npos);
  EXPECT_NE(message_of([&] { nn::GLU()(ones({3})); }).find("Halving dimension must be even, but dimension 0 is size 3"), std::string::npos);
  EXPECT_NE(
      message_of([&] { nn::PReLU(nn::PReLUOptions().num_parameters(3))(x); }).find("Found parameter numbers = 3 and channel size = 4."),
      std::string::npos);
}

}  // namespace
}  // namespace wick::test
