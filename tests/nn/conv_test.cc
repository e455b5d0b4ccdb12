// Layers of convolutional networks: PyTorch's initial and trained numbers, running statistics, text, clones, misuse.
#include <cmath>
#include <sstream>

#include "wick/optim/optim.h"
#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

namespace F = nn::functional;

template <class M>
std::string text_of(const M& module) {
  std::ostringstream out;
  out << module;
  return out.str();
}

void expect_near(const Tensor& x, const std::vector<float>& expected, float tolerance = 1e-5f) {
  const std::vector<float> a = floats(x);
  ASSERT_EQ(a.size(), expected.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], expected[i], tolerance) << "at " << i;
}

TEST(ConvLayers, StartWithPyTorchsNumbers) {
  manual_seed(0);
  nn::Conv2d conv(nn::Conv2dOptions(2, 3, 2).padding(1));
  expect_near(conv->weight.flatten().slice(0, 0, 4), {-0.00264699f, 0.18966144f, -0.29099038f, -0.26019374f}, 1e-7f);
  expect_near(conv->bias, {-0.05698692f, 0.03741093f, 0.32013419f}, 1e-7f);
  nn::ConvTranspose1d transposed(2, 3, 2);
  expect_near(transposed->weight.flatten().slice(0, 0, 4), {-0.37871987f, -0.25700781f, -0.10335428f, -0.15913516f}, 1e-7f);
  expect_near(transposed->bias, {0.19786675f, 0.02147042f, -0.20930217f}, 1e-7f);
  const Tensor y = conv(arange(18, kFloat).view({1, 2, 3, 3}) * 0.1);
  EXPECT_NEAR(y.sum().item<float>(), 4.5887642f, 1e-5f);
  expect_near(y[0][0][0], {0.19530895f, 0.19101794f, 0.16323189f, -0.12289051f}, 1e-6f);
}

TEST(ConvLayers, TrainToPyTorchsNumbers) {
  manual_seed(0);
  // One after the other: the order in which arguments are made is the compiler's.
  nn::Conv2d conv(nn::Conv2dOptions(1, 2, 3).padding(1));
  nn::Linear linear(8, 3);
  nn::Sequential model(conv, nn::BatchNorm2d(2), nn::ReLU(), nn::MaxPool2d(2), nn::Flatten(), linear);
  const Tensor x = (arange(32, kFloat) * 0.7).sin().view({2, 1, 4, 4}), y = arange(0, 4, 2);
  optim::SGD sgd(model->parameters(), optim::SGDOptions(0.1));
  for (const double expected : {0.8489775, 0.7156501, 0.6177745, 0.5323681, 0.4564746}) {
    const Tensor loss = F::cross_entropy(model->forward(x), y);
    sgd.zero_grad();
    loss.backward();
    sgd.step();
    EXPECT_NEAR(loss.item<double>(), expected, 2e-6);
  }
  const auto& norm = *model[1]->as<nn::BatchNorm2dImpl>();
  expect_near(norm.running_mean, {-0.10236740f, -0.08095134f});
  expect_near(norm.running_var, {0.66645610f, 0.68332106f});
  EXPECT_EQ(norm.num_batches_tracked.item<int64_t>(), 5);
}

// Bars that stand or lie, somewhere in a picture of noise.
TEST(ConvLayers, LearnBars) {
  manual_seed(1);
  const int64_t count = 64;
  const Tensor x = rand({count, 1, 8, 8}) * 0.5, y = arange(count).remainder(2);
  for (int64_t i = 0; i < count; ++i) x[i][0].select(i % 2, i / 2 % 8).fill_(1);
  nn::Sequential model(nn::Conv2d(nn::Conv2dOptions(1, 8, 3).padding(1)), nn::BatchNorm2d(8), nn::ReLU(), nn::MaxPool2d(2),
                       nn::Conv2d(8, 16, 3), nn::ReLU(), nn::AdaptiveAvgPool2d(1), nn::Flatten(), nn::Linear(16, 2));
  optim::Adam adam(model->parameters(), optim::AdamOptions(1e-2));
  for (int step = 0; step < 40; ++step) {
    adam.zero_grad();
    F::cross_entropy(model->forward(x), y).backward();
    adam.step();
  }
  EXPECT_GT(model->forward(x).argmax(1).eq(y).to(kFloat).mean().item<float>(), 0.98f);
}

TEST(ConvLayers, PaddingModes) {
  nn::Conv1d conv(nn::Conv1dOptions(1, 1, 3).padding(2).padding_mode(kReflect));
  const NoGradGuard no_grad;
  conv->weight.fill_(1);
  conv->bias.zero_();
  EXPECT_EQ(floats(conv(arange(4, kFloat).view({1, 1, 4}))), (std::vector<float>{3, 2, 3, 6, 7, 6}));
  nn::Conv1d same(nn::Conv1dOptions(1, 1, 4).padding(kSame).bias(false));
  EXPECT_EQ(same(zeros({1, 1, 9})).size(2), 9);
}

TEST(ConvLayers, TransposedTakesAnOutputSize) {
  nn::ConvTranspose2d layer(nn::ConvTranspose2dOptions(1, 1, 3).stride(2));
  EXPECT_EQ(layer(zeros({1, 1, 4, 4})).sizes(), IntArrayRef({1, 1, 9, 9}));
  EXPECT_EQ(layer->forward(zeros({1, 1, 4, 4}), IntArrayRef({10, 9})).sizes(), IntArrayRef({1, 1, 10, 9}));
  EXPECT_NE(message_of([&] { layer->forward(zeros({1, 1, 4, 4}), IntArrayRef({20, 9})); }).find("valid sizes range from 9 to 10"),
            std::string::npos);
}

TEST(NormLayers, CountTheirBatches) {
  nn::BatchNorm1d norm(nn::BatchNorm1dOptions(1).momentum(std::nullopt));
  norm(tensor_of({2, 1}, {1, 3}));
  norm(tensor_of({2, 1}, {5, 9}));
  expect_near(norm->running_mean, {4.5f});
  expect_near(norm->running_var, {5});
  // One value in each channel: refused, and nothing has changed.
  const std::string message = message_of([&] { norm(tensor_of({1, 1}, {1})); });
  EXPECT_EQ(message.substr(0, message.find('\n')), "Expected more than 1 value per channel when training, got input size [1, 1]");
  EXPECT_EQ(norm->num_batches_tracked.item<int64_t>(), 2);
  norm->eval();
  expect_near(norm(tensor_of({1, 1}, {4.5f})), {0});
  // Without running statistics the batch's own count in evaluation, too.
  nn::BatchNorm1d own(nn::BatchNorm1dOptions(1).track_running_stats(false));
  own->eval();
  expect_near(own(tensor_of({2, 1}, {1, 3})), {-0.999995f, 0.999995f});
  EXPECT_EQ(own->buffers().size(), 0u);
}

TEST(NormLayers, InstanceLayerAndGroup) {
  const Tensor x = tensor_of({1, 2, 2}, {1, 3, 5, 9});
  expect_near(nn::InstanceNorm1d(2)(x), {-0.999995f, 0.999995f, -0.9999988f, 0.9999988f});
  expect_near(nn::LayerNorm(nn::LayerNormOptions({2}))(x), {-0.999995f, 0.999995f, -0.9999988f, 0.9999988f});
  expect_near(nn::GroupNorm(2, 2)(x), {-0.999995f, 0.999995f, -0.9999988f, 0.9999988f});
}

TEST(ConvLayers, Text) {
  nn::Conv2d conv(nn::Conv2dOptions(3, 4, {3, 2}).stride(2).dilation(2).bias(false));
  EXPECT_EQ(text_of(conv), "torch::nn::Conv2d(3, 4, kernel_size=[3, 2], stride=[2, 2], dilation=[2, 2], bias=false)");
  EXPECT_EQ(nn::repr(conv), "Conv2d(3, 4, kernel_size=(3, 2), stride=(2, 2), dilation=(2, 2), bias=False)");
  nn::Conv1d one(nn::Conv1dOptions(3, 4, 3).padding(kSame).padding_mode(kReflect));
  EXPECT_EQ(text_of(one), "torch::nn::Conv1d(3, 4, kernel_size=3, stride=1, padding='same', padding_mode=kReflect)");
  EXPECT_EQ(nn::repr(one), "Conv1d(3, 4, kernel_size=(3,), stride=(1,), padding=same, padding_mode=reflect)");
  EXPECT_EQ(text_of(nn::MaxPool2d(2)),
            "torch::nn::MaxPool2d(kernel_size=[2, 2], stride=[2, 2], padding=[0, 0], dilation=[1, 1], ceil_mode=false)");
  EXPECT_EQ(nn::repr(nn::MaxPool2d(2)), "MaxPool2d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False)");
  EXPECT_EQ(nn::repr(nn::AvgPool1d(2)), "AvgPool1d(kernel_size=(2,), stride=(2,), padding=(0,))");
  EXPECT_EQ(text_of(nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({1, 2}))), "torch::nn::AdaptiveAvgPool2d(output_size=[1, 2])");
  EXPECT_EQ(text_of(nn::BatchNorm2d(3)), "torch::nn::BatchNorm2d(3, eps=1e-05, momentum=0.1, affine=true, track_running_stats=true)");
  EXPECT_EQ(text_of(nn::LayerNorm(nn::LayerNormOptions({4, 5}))), "torch::nn::LayerNorm([4, 5], eps=1e-05, elementwise_affine=true)");
  EXPECT_EQ(text_of(nn::GroupNorm(2, 4)), "torch::nn::GroupNorm(2, 4, eps=1e-05, affine=true)");
}

TEST(ConvLayers, TransposedStandsInASequential) {
  nn::Sequential model(nn::ConvTranspose2d(nn::ConvTranspose2dOptions(2, 3, 4).stride(2).padding(1)), nn::ReLU());
  EXPECT_EQ(model->forward(rand({1, 2, 5, 5})).sizes(), IntArrayRef({1, 3, 10, 10}));
  nn::AnyModule upscale(nn::ConvTranspose1d(nn::ConvTranspose1dOptions(1, 1, 3).stride(2)));
  const std::vector<int64_t> size = {10};
  EXPECT_EQ(upscale.forward(rand({1, 1, 4}), OptionalIntArrayRef(size)).size(2), 10);
  EXPECT_EQ(upscale.forward(rand({1, 1, 4})).size(2), 9);
}

TEST(ConvLayers, CloneAndStatistics) {
  manual_seed(0);
  nn::Sequential model(nn::Conv2d(1, 2, 3), nn::BatchNorm2d(2));
  const Tensor x = rand({2, 1, 5, 5});
  model->forward(x);
  const auto copy = std::dynamic_pointer_cast<nn::SequentialImpl>(model->clone());
  model->eval();
  copy->eval();
  EXPECT_EQ(floats(copy->forward(x)), floats(model->forward(x)));
}

TEST(ConvLayers, Misuse) {
  EXPECT_EQ(message_of([] { nn::Conv2d(nn::Conv2dOptions(3, 4, 3).groups(2)); }), 
            "in_channels must be divisible by groups\n  got in_channels=3 and groups=2");
  EXPECT_EQ(message_of([] { nn::Conv2d(nn::Conv2dOptions(4, 3, 3).groups(2)); }), 
            "out_channels must be divisible by groups\n  got out_channels=3 and groups=2");
  EXPECT_EQ(message_of([] { nn::GroupNorm(2, 3); }), "num_channels (3) must be divisible by num_groups (2)");
  const std::string message = message_of([] { nn::BatchNorm2d(3)(zeros({2, 3})); });
  EXPECT_EQ(message.substr(0, message.find('\n')), "expected 4D input (got 2D input)");
}

}  // namespace
}  // namespace wick::test
