// Rarer activations, embedding, padding, distances, pixel shuffle, nn::utils and initialisers. The numbers are PyTorch's.
#include <cmath>
#include <sstream>

#include "wick/tests/nn/support.h"

namespace wick {
namespace {

namespace F = nn::functional;
using test::floats;
using test::message_of;
using test::tensor_of;

void expect_near(const Tensor& got, const std::vector<float>& wanted, float tolerance = 1e-6f) {
  const std::vector<float> values = floats(got);
  ASSERT_EQ(values.size(), wanted.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], wanted[i], tolerance + 2e-6f * std::fabs(wanted[i])) << i;
}

template <class M>
std::string text(const M& module) {
  std::ostringstream out;
  out << module;
  return out.str();
}

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
  EXPECT_NE(message_of([&] { nn::PReLU(nn::PReLUOptions().num_parameters(3))(x); }).find("Found parameter numbers = 3 and channel size = 4."),
            std::string::npos);
}

TEST(Embedding, StartsWithPyTorchsNumbersAndLooksUp) {
  manual_seed(0);
  nn::Embedding layer(nn::EmbeddingOptions(4, 3).padding_idx(1));
  expect_near(layer->weight[0], {1.5409960746765137f, -0.293428897857666f, -2.1787893772125244f});
  expect_near(layer->weight[1], {0, 0, 0});
  const Tensor rows = tensor_of({2, 2}, {0, 1, 3, 3}).to(kLong);
  EXPECT_EQ(layer(rows).sizes().vec(), (std::vector<int64_t>{2, 2, 3}));
  layer(rows).sum().backward();
  expect_near(layer->weight.grad(), {1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 2, 2});
  EXPECT_NE(message_of([] { nn::Embedding(nn::EmbeddingOptions(4, 3).padding_idx(4)); }).find("Padding_idx must be within num_embeddings"),
            std::string::npos);
  EXPECT_EQ(text(layer), "torch::nn::Embedding(num_embeddings=4, embedding_dim=3, padding_idx=1)");
}

TEST(Embedding, FromPretrainedAndMaxNorm) {
  const Tensor table = arange(8, kFloat).reshape({4, 2}) * 10;
  const nn::Embedding frozen = nn::Embedding::from_pretrained(table);
  EXPECT_FALSE(frozen->weight.requires_grad());
  EXPECT_EQ(frozen->weight.data_ptr(), table.data_ptr());
  EXPECT_TRUE(nn::Embedding::from_pretrained(table, nn::EmbeddingFromPretrainedOptions().freeze(false))->weight.requires_grad());
  const Tensor rows = tensor_of({3}, {3, 1, 3}).to(kLong);
  expect_near(F::embedding(rows, table, F::EmbeddingFuncOptions().max_norm(20)), {13.0158f, 15.1851f, 11.0940f, 16.6410f, 13.0158f,
      15.1851f},
              1e-4f);
}

TEST(Padding, LayersAndFunction) {
  const Tensor x = arange(6, kFloat).reshape({1, 2, 3});
  expect_near(nn::ConstantPad1d(1, 9.0)(x), {9, 0, 1, 2, 9, 9, 3, 4, 5, 9});
  expect_near(nn::ReflectionPad1d(2)(x), {2, 1, 0, 1, 2, 1, 0, 5, 4, 3, 4, 5, 4, 3});
  expect_near(nn::ReplicationPad1d(nn::ReplicationPad1dOptions({1, 2}))(x), {0, 0, 1, 2, 2, 2, 3, 3, 4, 5, 5, 5});
  EXPECT_EQ(nn::ZeroPad2d(nn::ZeroPad2dOptions({1, 2, 3, 4}))(x).sizes().vec(), (std::vector<int64_t>{1, 9, 6}));
  expect_near(F::pad(x, F::PadFuncOptions({1, 0}).mode(kCircular)), {2, 0, 1, 2, 5, 3, 4, 5});
  expect_near(F::pad(x, F::PadFuncOptions({0, 1}).value(7)), {0, 1, 2, 7, 3, 4, 5, 7});
  EXPECT_EQ(text(nn::ReflectionPad1d(2)), "torch::nn::ReflectionPad1d(padding=[2, 2])");
  EXPECT_EQ(nn::repr(nn::ReflectionPad1d(2)), "ReflectionPad1d((2, 2))");
  EXPECT_EQ(nn::repr(nn::ConstantPad2d(1, 0.5)), "ConstantPad2d(padding=(1, 1, 1, 1), value=0.5)");
}

TEST(Distances, ValuesAndStart) {
  const Tensor a = tensor_of({2, 2}, {3, 4, 0, 0}), b = tensor_of({2, 2}, {4, 3, 1, 0});
  expect_near(F::normalize(a), {0.6f, 0.8f, 0, 0});
  expect_near(F::normalize(a, F::NormalizeFuncOptions().p(1).dim(0)), {1, 1, 0, 0});
  expect_near(nn::CosineSimilarity()(a, b), {0.96f, 0});
  expect_near(nn::PairwiseDistance()(a, b), {1.41421354f, 0.999999f}, 2e-6f);
  manual_seed(0);
  nn::Bilinear layer(2, 2, 1);
  expect_near(layer->weight.flatten(), {-0.005293981172144413f, 0.37932288646698f, -0.5819807648658752f, -0.5203874707221985f});
  expect_near(layer->bias, {-0.27234524488449097f});
  EXPECT_EQ(layer(a, b).sizes().vec(), (std::vector<int64_t>{2, 1}));
}

TEST(PixelShuffle, UndoesItself) {
  const Tensor x = arange(16, kFloat).reshape({1, 4, 2, 2});
  EXPECT_TRUE(nn::PixelUnshuffle(2)(nn::PixelShuffle(2)(x)).equal(x));
  EXPECT_EQ(text(nn::PixelShuffle(2)), "torch::nn::PixelShuffle(upscale_factor=2)");
}

TEST(ClipGradNorm, ScalesOnlyWhatIsTooLong) {
  const auto with_grad = [](const std::vector<float>& grad) {
    Tensor p = zeros({static_cast<int64_t>(grad.size())}).requires_grad_();
    p.mutable_grad() = tensor_of({static_cast<int64_t>(grad.size())}, grad);
    return p;
  };
  const Tensor p = with_grad({3, 4});
  EXPECT_EQ(nn::utils::clip_grad_norm_(p, 1), 5);
  expect_near(p.grad(), {0.6f, 0.8f});
  const Tensor a = with_grad({3}), b = with_grad({4});
  EXPECT_EQ(nn::utils::clip_grad_norm_({a, b}, 1), 5);
  expect_near(b.grad(), {0.8f});
  const Tensor small = with_grad({0.3f, 0.4f});
  EXPECT_NEAR(nn::utils::clip_grad_norm_(small, 1), 0.5, 1e-7);
  EXPECT_EQ(floats(small.grad()), (std::vector<float>{0.3f, 0.4f}));
  EXPECT_EQ(nn::utils::clip_grad_norm_(with_grad({0, 0}), 1), 0);
  EXPECT_EQ(nn::utils::clip_grad_norm_(std::vector<Tensor>{zeros({2}).requires_grad_()}, 1), 0);
  EXPECT_EQ(nn::utils::clip_grad_norm_(std::vector<Tensor>{}, 1), 0);
  const Tensor most = with_grad({3, 4});
  EXPECT_EQ(nn::utils::clip_grad_norm_(most, 1, HUGE_VAL), 4);
  expect_near(most.grad(), {0.75f, 1});
  const Tensor infinite = with_grad({HUGE_VALF, 1});
  EXPECT_NE(message_of([&] { nn::utils::clip_grad_norm_(infinite, 1, 2, true); }).find("is non-finite, so it cannot be clipped"),
            std::string::npos);
  EXPECT_EQ(infinite.grad()[1].item<float>(), 1);
  EXPECT_EQ(nn::utils::clip_grad_norm_(infinite, 1), HUGE_VAL);
  EXPECT_TRUE(std::isnan(infinite.grad()[0].item<float>()));
  EXPECT_EQ(infinite.grad()[1].item<float>(), 0);
  EXPECT_NE(message_of([&] { nn::utils::clip_grad_norm_(p, -1); }), "");
  const Tensor huge = with_grad(std::vector<float>(100, 1e20f));
  EXPECT_NEAR(nn::utils::clip_grad_norm_(huge, 1) / 1e21, 1, 1e-6);
  EXPECT_NEAR(huge.grad()[0].item<float>(), 0.1, 1e-6);
}

TEST(Utils, ClipGradValueAndVectors) {
  nn::Linear layer(2, 1);
  layer(tensor_of({1, 2}, {5, -5})).sum().backward();
  nn::utils::clip_grad_value_(layer->parameters(), 2);
  expect_near(layer->weight.grad(), {2, -2});
  const Tensor all = nn::utils::parameters_to_vector(layer->parameters());
  EXPECT_EQ(all.numel(), 3);
  nn::utils::vector_to_parameters(all.detach() * 0 + 4, layer->parameters());
  expect_near(layer->weight, {4, 4});
  EXPECT_NE(message_of([&] { nn::utils::vector_to_parameters(ones({2}), layer->parameters()); }), "");
}

TEST(Init, OrthogonalDiracEyeAndSparse) {
  manual_seed(0);
  expect_near(nn::init::orthogonal_(empty({2, 3})), {0.5739809274673462f, -0.10929460823535919f, -0.8115421533584595f, -0.3454151153564453f,
                                                     -0.9308826923370361f, -0.11893554031848907f});
  manual_seed(0);
  expect_near(nn::init::orthogonal_(empty({3, 2}), 2), {1.0699050426483154f, -0.3398601710796356f, -1.5127216577529907f, 0.680367648601532f,
                                                        -0.7529779672622681f, -1.8497554063796997f});
  manual_seed(0);
  expect_near(nn::init::sparse_(empty({4, 2}), 0.5), {0, -0.002934289164841175f, 0, 0, -0.010845223441720009f, -0.013985954225063324f,
                                                      0.004033468663692474f, 0});
  expect_near(nn::init::eye_(empty({2, 3})), {1, 0, 0, 0, 1, 0});
  expect_near(nn::init::dirac_(empty({2, 2, 3})), {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0});
}

}  // namespace
}  // namespace wick
