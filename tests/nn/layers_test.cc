// Layers, losses and functions against PyTorch's numbers.
#include "wick/nn/functional.h"

#include <cmath>

#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

TEST(Linear, StartsWithPyTorchsNumbers) {
  manual_seed(0);
  nn::Linear first(4, 10), second(10, 3);
  EXPECT_EQ(floats(first->weight[0]), (std::vector<float>{-0.00374341011f, 0.268221796f, -0.411522567f, -0.367969513f}));
  EXPECT_EQ(floats(first->bias.slice(0, 0, 3)), (std::vector<float>{0.0262957811f, -0.256341755f, 0.0845923424f}));
  EXPECT_EQ(floats(second->weight[0].slice(0, 0, 2)), (std::vector<float>{0.202246845f, 0.31437248f}));
  EXPECT_EQ(floats(second->bias), (std::vector<float>{-0.294709772f, 0.280965984f, 0.240446866f}));
  EXPECT_EQ(nn::Linear(0, 2)->bias.size(0), 2);
}

TEST(Linear, ComputesAndTrains) {
  nn::Linear layer(2, 1);
  nn::init::constant_(layer->weight, 2);
  nn::init::constant_(layer->bias, 1);
  const Tensor x = tensor_of({2, 2}, {1, 2, 3, 4});
  const Tensor y = layer(x);
  expect_near(y, {7, 15});
  expect_near(F::linear(x, layer->weight), {6, 14});
  y.sum().backward();
  expect_near(layer->weight.grad(), {4, 6});
  expect_near(layer->bias.grad(), {2});
}

TEST(Linear, ReplacesItsParametersInResetParameters) {
  nn::Linear layer(4, 10);
  const Tensor weight = layer->weight;
  manual_seed(0);
  layer->reset_parameters();
  EXPECT_TRUE(weight.is_same(layer->weight));
  EXPECT_EQ(weight.data_ptr<float>()[0], -0.00374341011f);
}

TEST(Activations, Values) {
  const Tensor x = tensor_of({1, 5}, {-2, -0.5, 0, 0.5, 3});
  expect_near(nn::ReLU()(x), {0, 0, 0, 0.5, 3});
  expect_near(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.1))(x), {-0.2f, -0.05f, 0, 0.5, 3});
  expect_near(nn::ELU(nn::ELUOptions().alpha(2))(x), {-1.72932947f, -0.786938667f, 0, 0.5, 3});
  expect_near(nn::GELU()(x), {-0.0455002785f, -0.154268771f, 0, 0.345731229f, 2.99594975f});
  expect_near(nn::GELU(nn::GELUOptions().approximate("tanh"))(x), {-0.0454022884f, -0.154285997f, 0, 0.345714003f, 2.99636269f});
  expect_near(nn::Softplus(nn::SoftplusOptions().beta(2).threshold(1))(x),
              {0.00907496456f, 0.156630844f, 0.346573591f, 0.656630814f, 3});
  expect_near(nn::Softmax(1)(x), {0.00576480525f, 0.0258360635f, 0.0425964668f, 0.0702297017f, 0.855572939f});
  expect_near(nn::LogSoftmax(-1)(x), {-5.15598392f, -3.65598392f, -3.15598392f, -2.65598392f, -0.155983895f});
  expect_near(nn::Sigmoid()(x), {0.119202919f, 0.377540678f, 0.5, 0.622459352f, 0.952574134f});
  expect_near(nn::Tanh()(x), {-0.964027584f, -0.462117165f, 0, 0.462117165f, 0.995054781f});
  expect_near(nn::SiLU()(x), {-0.238405839f, -0.188770339f, 0, 0.311229676f, 2.85772252f});
  expect_near(nn::LogSigmoid()(x), {-2.12692809f, -0.974076986f, -0.693147182f, -0.474076986f, -0.048587352f});
  EXPECT_TRUE(nn::Identity()(x).is_same(x));
  EXPECT_EQ(nn::Flatten()(ones({2, 3, 4})).sizes(), (std::vector<int64_t>{2, 12}));
  EXPECT_EQ(F::softmax(x, F::SoftmaxFuncOptions(1).dtype(kDouble)).scalar_type(), kDouble);
}

TEST(Activations, InPlaceOverwritesTheInput) {
  const auto run = [](auto&& layer) {
    Tensor x = tensor_of({2}, {-1, 2});
    const Tensor y = layer(x);
    EXPECT_TRUE(y.is_same(x));
    return floats(x);
  };
  EXPECT_EQ(run(nn::ReLU(true)), (std::vector<float>{0, 2}));
  EXPECT_EQ(run(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.5).inplace(true))), (std::vector<float>{-0.5, 2}));
  EXPECT_EQ(run(nn::ELU(nn::ELUOptions().inplace(true)))[1], 2);
  const auto gradient = [](auto&& layer) {
    Tensor x = tensor_of({2}, {-1, 2}).requires_grad_();
    Tensor y = x * 1;
    layer(y).sum().backward();
    return x.grad();
  };
  expect_near(gradient(nn::ReLU(true)), {0, 1});
  expect_near(gradient(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.5).inplace(true))), {0.5, 1});
  expect_near(gradient(nn::ELU(nn::ELUOptions().inplace(true))), {std::exp(-1.f), 1});
  expect_near(gradient(nn::Dropout(nn::DropoutOptions(0).inplace(true))), {1, 1});
}

TEST(Dropout, OnlyInTraining) {
  nn::Dropout dropout(0.5);
  manual_seed(3);
  expect_near(dropout(ones({8})), {2, 2, 0, 2, 0, 0, 2, 2});
  dropout->eval();
  expect_near(dropout(ones({8})), std::vector<float>(8, 1));
  Tensor x = ones({8});
  EXPECT_TRUE(nn::Dropout(nn::DropoutOptions(0.5).inplace(true))(x).is_same(x));
  EXPECT_EQ(message_of([] { nn::Dropout(1.5); }), "dropout probability has to be between 0 and 1, but got 1.5");
  EXPECT_EQ(message_of([] { F::dropout(ones({1}), F::DropoutFuncOptions().p(-1)); }),
            "dropout probability has to be between 0 and 1, but got -1");
}

TEST(Losses, ValuesForEachReduction) {
  const Tensor x = tensor_of({2, 3}, {1, 2, 3, 1, 0, -1}), one = ones({2, 3}), weight = tensor_of({3}, {1, 2, 3});
  Tensor target = zeros({2}, kLong);
  target[0].fill_(2);
  const auto check = [&](auto reduction, std::vector<float> ce, std::vector<float> weighted, std::vector<float> nll,
                         std::vector<float> mse, std::vector<float> l1, std::vector<float> ignoring) {
    using CE = nn::CrossEntropyLossOptions;
    expect_near(nn::CrossEntropyLoss(CE().reduction(reduction))(x, target), ce);
    expect_near(nn::CrossEntropyLoss(CE().weight(weight).label_smoothing(0.1).reduction(reduction))(x, target), weighted);
    expect_near(nn::NLLLoss(nn::NLLLossOptions().weight(weight).reduction(reduction))(x, target), nll);
    expect_near(nn::MSELoss(reduction)(x, one), mse);
    expect_near(nn::L1Loss(reduction)(x, one), l1);
    expect_near(F::cross_entropy(x, target, F::CrossEntropyFuncOptions().ignore_index(0).reduction(reduction)), ignoring);
    expect_near(F::mse_loss(x, one, reduction), mse);
  };
  check(kMean, {0.407605946f}, {0.50760591f}, {-2.5f}, {1.66666663f}, {1}, {0.407605946f});
  check(kSum, {0.815211892f}, {2.03042364f}, {-10}, {10}, {6}, {0.407605946f});
  check(kNone, {0.407605946f, 0.407605946f}, {1.31539059f, 0.715033174f}, {-9, -1}, {0, 1, 4, 0, 1, 4}, {0, 1, 2, 0, 1, 2},
        {0.407605946f, 0});
}

TEST(Losses, TheWeightIsABuffer) {
  nn::CrossEntropyLoss loss(nn::CrossEntropyLossOptions().weight(ones({3})));
  EXPECT_EQ(loss->named_buffers().keys(), std::vector<std::string>{"weight"});
  loss->to(kDouble);
  EXPECT_NEAR(loss(zeros({1, 3}, kDouble), zeros({1}, kLong)).item<double>(), std::log(3.0), 1e-15);
  EXPECT_TRUE(nn::NLLLoss()->buffers().empty());
}

TEST(Options, GettersAndSetters) {
  nn::LinearOptions options(4, 10);
  EXPECT_TRUE(options.bias());
  options.bias(false).out_features(11);
  EXPECT_FALSE(options.bias());
  EXPECT_EQ(options.out_features(), 11);
  options.in_features() = 5;
  EXPECT_EQ(options.in_features(), 5);
}

}  // namespace
}  // namespace wick::test
