// Every layer and loss beside PyTorch: value, gradients of input and parameters, the value after a step of SGD and in eval mode; and a
// clone is the same. tools/make_layer_steps_golden.py has the same layers in the same order.
#include "wick/tests/nn/layer_steps_golden.h"

#include <fstream>
#include <functional>
#include <map>
#include <memory>

#include "wick/framework/ops/tensor_literal.h"
#include "wick/optim/sgd.h"
#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

Tensor wave(IntArrayRef shape, double step = 0.7, double first = 0.2, double height = 1.5) {
  int64_t count = 1;
  for (const int64_t n : shape) count *= n;
  return ((arange(count, kDouble) * step + first).sin() * height).view(shape);
}
Tensor other(IntArrayRef shape) { return wave(shape, 0.4); }
Tensor signs(IntArrayRef shape) { return where(wave(shape, 1.1).gt(0), ones({}, kDouble), -ones({}, kDouble)); }
Tensor classes(int64_t n, int64_t count) { return arange(n).remainder(count); }

Tensor measure(const Tensor& x) { return (x.reshape({-1}) * arange(1, x.numel() + 1, kDouble).cos()).sum(); }

const Tensor& first(const Tensor& y) { return y; }
template <class... T>
const Tensor& first(const std::tuple<Tensor, T...>& y) { return std::get<0>(y); }

using Call = std::function<Tensor(nn::Module&, const Tensor&)>;
struct Case {
  const char* name;
  std::vector<int64_t> shape;
  std::shared_ptr<nn::Module> layer;
  Call call;
  int64_t integers = 0;  // the inputs count up to here
};

template <class Holder, class F>
Case made(const char* name, std::vector<int64_t> shape, Holder layer, F f, int64_t integers) {
  const Call call = [f](nn::Module& m, const Tensor& x) { return first(f(*m.as<typename Holder::ContainedType>(), x)); };
  return {name, std::move(shape), layer.ptr(), call, integers};
}
template <class Holder, class F>
  requires(!std::is_integral_v<F>)
Case made(const char* name, std::vector<int64_t> shape, Holder layer, F f) {
  return made(name, std::move(shape), std::move(layer), f, 0);
}
template <class Holder>
Case made(const char* name, std::vector<int64_t> shape, Holder layer, int64_t integers = 0) {
  return made(name, std::move(shape), std::move(layer), [](auto& m, const Tensor& x) { return m.forward(x); }, integers);
}
#define CALL(expression) [](auto& m, const Tensor& x) { return expression; }

void add_layers(std::vector<Case>& list) {
  using namespace nn;
  list.insert(list.end(), {
      made("Linear", {4, 3}, Linear(3, 2)),
      made("Linear without bias", {4, 3}, Linear(LinearOptions(3, 2).bias(false))),
      made("Bilinear", {4, 3}, Bilinear(3, 3, 2), CALL(m.forward(x, x * 0.5 + 1))),
      made("Identity", {2, 3}, Identity()),
      made("Flatten", {2, 3, 2}, Flatten()),
      made("Unflatten", {2, 6}, Unflatten(1, std::vector<int64_t>{2, 3})),
      made("Conv1d", {2, 4, 9}, Conv1d(Conv1dOptions(4, 6, 3).stride(2).padding(1).dilation(2).groups(2))),
      made("Conv2d", {2, 2, 5, 6}, Conv2d(Conv2dOptions(2, 3, {3, 2}).padding(1))),
      made("Conv2d reflected", {1, 2, 5, 5}, Conv2d(Conv2dOptions(2, 2, 3).padding(kSame).padding_mode(kReflect))),
      made("Conv2d circular", {1, 2, 5, 5}, Conv2d(Conv2dOptions(2, 2, 3).padding(1).padding_mode(kCircular).bias(false))),
      made("Conv2d depthwise", {2, 3, 5, 5}, Conv2d(Conv2dOptions(3, 3, 3).groups(3))),
      made("Conv3d", {1, 2, 3, 4, 4}, Conv3d(Conv3dOptions(2, 2, 2).stride({1, 2, 1}))),
      made("ConvTranspose1d", {2, 4, 5}, ConvTranspose1d(ConvTranspose1dOptions(4, 2, 3).stride(2).padding(1).output_padding(1).groups(2))),
      made("ConvTranspose2d", {1, 2, 3, 4}, ConvTranspose2d(ConvTranspose2dOptions(2, 3, 3).stride(2).dilation(2))),
      made("ConvTranspose3d", {1, 2, 2, 3, 2}, ConvTranspose3d(ConvTranspose3dOptions(2, 2, 2).stride(2).bias(false))),
      made("BatchNorm1d", {4, 3}, BatchNorm1d(3)),
      made("BatchNorm2d", {2, 3, 2, 2}, BatchNorm2d(BatchNorm2dOptions(3).momentum(0.3))),
      made("BatchNorm3d", {2, 2, 2, 2, 2}, BatchNorm3d(BatchNorm3dOptions(2).affine(false))),
      made("InstanceNorm1d", {2, 3, 5}, InstanceNorm1d(InstanceNorm1dOptions(3).affine(true).track_running_stats(true))),
      made("InstanceNorm2d", {2, 3, 2, 3}, InstanceNorm2d(3)),
      made("InstanceNorm3d", {1, 2, 2, 2, 2}, InstanceNorm3d(InstanceNorm3dOptions(2).affine(true))),
      made("LayerNorm", {2, 3, 4}, LayerNorm(LayerNormOptions({3, 4}))),
      made("GroupNorm", {2, 4, 3}, GroupNorm(2, 4)),
      made("LocalResponseNorm", {1, 5, 3}, LocalResponseNorm(LocalResponseNormOptions(3).alpha(0.5).beta(0.6).k(2))),
      made("PReLU", {2, 3, 2}, PReLU(PReLUOptions().num_parameters(3))),
      made("Embedding", {2, 3}, Embedding(5, 3), 5),
      made("EmbeddingBag", {2, 3}, EmbeddingBag(EmbeddingBagOptions(5, 3).mode(kSum)), 5),
      made("RNN", {3, 2, 4}, RNN(RNNOptions(4, 3).num_layers(2))),
      made("LSTM", {3, 2, 4}, LSTM(LSTMOptions(4, 3).bidirectional(true))),
      made("GRU", {3, 2, 4}, GRU(GRUOptions(4, 3).batch_first(true))),
      made("RNNCell", {2, 4}, RNNCell(4, 3)),
      made("LSTMCell", {2, 4}, LSTMCell(4, 3)),
      made("GRUCell", {2, 4}, GRUCell(4, 3)),
      made("MultiheadAttention", {3, 2, 4}, MultiheadAttention(4, 2), CALL(m.forward(x, x, x))),
      made("TransformerEncoderLayer", {3, 2, 4},
           TransformerEncoderLayer(TransformerEncoderLayerOptions(4, 2).dim_feedforward(5).dropout(0).activation(kGELU))),
      made("TransformerDecoderLayer", {3, 2, 4},
           TransformerDecoderLayer(TransformerDecoderLayerOptions(4, 2).dim_feedforward(5).dropout(0)), CALL(m.forward(x, x * 0.5 + 1))),
      made("Transformer", {3, 2, 4}, Transformer(TransformerOptions(4, 2, 2, 2).dim_feedforward(5).dropout(0)),
           CALL(m.forward(x, x.flip(0) * 0.5 + 1))),
  });
}

void add_pools_and_pads(std::vector<Case>& list) {
  using namespace nn;
  list.insert(list.end(), {
      made("MaxPool1d", {2, 2, 7}, MaxPool1d(MaxPool1dOptions(3).stride(2))),
      made("MaxPool2d", {1, 2, 5, 6}, MaxPool2d(MaxPool2dOptions({2, 3}).padding(1).ceil_mode(true))),
      made("MaxPool3d", {1, 1, 4, 4, 4}, MaxPool3d(MaxPool3dOptions(2).dilation(2).stride(1))),
      made("AvgPool1d", {2, 2, 7}, AvgPool1d(AvgPool1dOptions(3).stride(2).padding(1))),
      made("AvgPool2d", {1, 2, 5, 6}, AvgPool2d(AvgPool2dOptions(2).padding(1).count_include_pad(false))),
      made("AvgPool3d", {1, 1, 4, 4, 5}, AvgPool3d(AvgPool3dOptions({2, 2, 3}).divisor_override(5))),
      made("AdaptiveAvgPool1d", {1, 2, 7}, AdaptiveAvgPool1d(3)),
      made("AdaptiveAvgPool2d", {1, 2, 5, 7}, AdaptiveAvgPool2d(AdaptiveAvgPool2dOptions({2, 3}))),
      made("AdaptiveAvgPool3d", {1, 1, 5, 4, 3}, AdaptiveAvgPool3d(AdaptiveAvgPool3dOptions({2, 3, 2}))),
      made("AdaptiveMaxPool1d", {1, 2, 7}, AdaptiveMaxPool1d(3)),
      made("AdaptiveMaxPool2d", {1, 2, 5, 7}, AdaptiveMaxPool2d(AdaptiveMaxPool2dOptions({2, 3}))),
      made("AdaptiveMaxPool3d", {1, 1, 5, 4, 3}, AdaptiveMaxPool3d(AdaptiveMaxPool3dOptions({2, 3, 2}))),
      made("LPPool1d", {1, 2, 7}, LPPool1d(LPPool1dOptions(2, 3).stride(2))),
      made("LPPool2d", {1, 2, 5, 4}, LPPool2d(LPPool2dOptions(2, 2))),
      made("ReflectionPad1d", {1, 2, 4}, ReflectionPad1d(ReflectionPad1dOptions({2, 1}))),
      made("ReflectionPad2d", {1, 1, 3, 4}, ReflectionPad2d(ReflectionPad2dOptions({2, 1, 1, 2}))),
      made("ReflectionPad3d", {1, 1, 3, 3, 3}, ReflectionPad3d(1)),
      made("ReplicationPad1d", {1, 2, 4}, ReplicationPad1d(ReplicationPad1dOptions({2, 1}))),
      made("ReplicationPad2d", {1, 1, 3, 4}, ReplicationPad2d(ReplicationPad2dOptions({2, 1, 1, 2}))),
      made("ReplicationPad3d", {1, 1, 2, 3, 3}, ReplicationPad3d(1)),
      made("ZeroPad2d", {1, 1, 3, 4}, ZeroPad2d(ZeroPad2dOptions({2, 1, 1, 2}))),
      made("ConstantPad1d", {1, 2, 4}, ConstantPad1d(ConstantPad1dOptions({2, 1}, 1.5))),
      made("ConstantPad2d", {1, 1, 3, 4}, ConstantPad2d(ConstantPad2dOptions({2, 1, 1, 2}, -0.5))),
      made("ConstantPad3d", {1, 1, 2, 3, 3}, ConstantPad3d(ConstantPad3dOptions(1, 2))),
      made("Upsample", {1, 2, 3, 4},
           Upsample(UpsampleOptions().scale_factor(std::vector<double>{2, 2}).mode(kBilinear).align_corners(true))),
      made("PixelShuffle", {1, 8, 2, 3}, PixelShuffle(2)),
      made("PixelUnshuffle", {1, 2, 4, 6}, PixelUnshuffle(2)),
      made("Unfold", {1, 2, 4, 5}, Unfold(UnfoldOptions({2, 3}).padding(1).stride(2))),
      made("Fold", {1, 8, 6}, Fold(FoldOptions({3, 4}, {2, 2}))),
  });
}

void add_activations(std::vector<Case>& list) {
  using namespace nn;
  const std::vector<int64_t> shape{2, 5};
  list.insert(list.end(), {
      made("ELU", shape, ELU(ELUOptions().alpha(0.7))),
      made("SELU", shape, SELU()),
      made("CELU", shape, CELU(CELUOptions().alpha(0.7))),
      made("GELU", shape, GELU()),
      made("GELU tanh", shape, GELU(GELUOptions().approximate("tanh"))),
      made("GLU", {2, 6}, GLU()),
      made("Hardshrink", shape, Hardshrink(0.4)),
      made("Hardtanh", shape, Hardtanh(HardtanhOptions().min_val(-0.6).max_val(0.8))),
      made("LeakyReLU", shape, LeakyReLU(LeakyReLUOptions().negative_slope(0.1))),
      made("LogSigmoid", shape, LogSigmoid()),
      made("LogSoftmax", shape, LogSoftmax(1)),
      made("Mish", shape, Mish()),
      made("ReLU", shape, ReLU()),
      made("ReLU6", shape, ReLU6(), CALL(m.forward(x * 5))),
      made("SiLU", shape, SiLU()),
      made("Sigmoid", shape, Sigmoid()),
      made("Softmax", shape, Softmax(1)),
      made("Softmax2d", {1, 3, 2, 2}, Softmax2d()),
      made("Softmin", shape, Softmin(1)),
      made("Softplus", shape, Softplus(SoftplusOptions().beta(2).threshold(1.5))),
      made("Softshrink", shape, Softshrink(0.3)),
      made("Softsign", shape, Softsign()),
      made("Tanh", shape, Tanh()),
      made("Tanhshrink", shape, Tanhshrink()),
      made("Threshold", shape, Threshold(0.1, 0.5)),
  });
}

void add_losses(std::vector<Case>& list) {
  using namespace nn;
  const std::vector<int64_t> shape{3, 4};
  const Tensor weight = tensor({1.0, 2.0, 3.0}, kDouble);
  list.insert(list.end(), {
      made("CosineSimilarity", shape, CosineSimilarity(), CALL(m.forward(x, other({3, 4})))),
      made("PairwiseDistance", shape, PairwiseDistance(PairwiseDistanceOptions().p(3)), CALL(m.forward(x, other({3, 4})))),
      made("L1Loss", shape, L1Loss(L1LossOptions(kSum)), CALL(m.forward(x, other({3, 4})))),
      made("MSELoss", shape, MSELoss(), CALL(m.forward(x, other({3, 4})))),
      made("SmoothL1Loss", shape, SmoothL1Loss(SmoothL1LossOptions().beta(0.5)), CALL(m.forward(x, other({3, 4})))),
      made("HuberLoss", shape, HuberLoss(HuberLossOptions().delta(0.5)), CALL(m.forward(x, other({3, 4})))),
      made("BCELoss", shape, BCELoss(), CALL(m.forward(x.sigmoid(), other({3, 4}).sigmoid()))),
      made("BCEWithLogitsLoss", shape, BCEWithLogitsLoss(), CALL(m.forward(x, other({3, 4}).sigmoid()))),
      made("CrossEntropyLoss", {4, 3}, CrossEntropyLoss(CrossEntropyLossOptions().weight(weight).ignore_index(1).label_smoothing(0.1)),
           CALL(m.forward(x, classes(4, 3)))),
      made("NLLLoss", {4, 3}, NLLLoss(), CALL(m.forward(x.log_softmax(1), classes(4, 3)))),
      made("KLDivLoss", shape, KLDivLoss(KLDivLossOptions().reduction(kBatchMean)),
           CALL(m.forward(x.log_softmax(1), other({3, 4}).softmax(1)))),
      made("PoissonNLLLoss", shape, PoissonNLLLoss(PoissonNLLLossOptions().full(true)), CALL(m.forward(x, other({3, 4}).exp()))),
      made("SoftMarginLoss", shape, SoftMarginLoss(), CALL(m.forward(x, signs({3, 4})))),
      made("HingeEmbeddingLoss", shape, HingeEmbeddingLoss(HingeEmbeddingLossOptions().margin(0.7)), CALL(m.forward(x, signs({3, 4})))),
      made("MultiMarginLoss", {4, 3}, MultiMarginLoss(), CALL(m.forward(x, classes(4, 3)))),
      made("MultiLabelMarginLoss", {2, 4}, MultiLabelMarginLoss(), CALL(m.forward(x, tensor({{2, 0, -1, 1}, {3, -1, 0, 0}}, kLong)))),
      made("MultiLabelSoftMarginLoss", shape, MultiLabelSoftMarginLoss(), CALL(m.forward(x, (signs({3, 4}) + 1) / 2))),
      made("CosineEmbeddingLoss", shape, CosineEmbeddingLoss(CosineEmbeddingLossOptions().margin(0.2)),
           CALL(m.forward(x, other({3, 4}), signs({3})))),
      made("MarginRankingLoss", {6}, MarginRankingLoss(MarginRankingLossOptions().margin(0.3)), CALL(m.forward(x, other({6}), signs({6})))),
      made("TripletMarginLoss", shape, TripletMarginLoss(), CALL(m.forward(x, other({3, 4}), wave({3, 4}, 1.1)))),
      made("CTCLoss", {5, 2, 4}, CTCLoss(),
           CALL(m.forward(x.log_softmax(2), tensor({{1, 2, 3}, {3, 3, 1}}, kLong), tensor({5, 4}, kLong), tensor({3, 2}, kLong)))),
  });
}

const double* golden_of(const std::string& name) {
  for (const LayerSteps& golden : kLayerSteps) {
    if (name == golden.name) return golden.numbers;
  }
  return nullptr;
}

void expect_number(double got, double wanted, const char* what) { EXPECT_NEAR(got, wanted, 1e-9 * (1 + std::abs(wanted))) << what; }

void check(const Case& c) {
  SCOPED_TRACE(c.name);
  const double* const wanted = golden_of(c.name);
  ASSERT_TRUE(wanted);
  nn::Module& layer = *c.layer;
  layer.to(kDouble);
  int k = 0;
  for (const Tensor& p : layer.parameters()) {
    NoGradGuard off;
    p.copy_(wave(p.sizes(), 0.9, k++ + 0.3, 0.4));
  }
  const Tensor x = c.integers ? classes(wave(c.shape).numel(), c.integers).view(c.shape) : wave(c.shape).requires_grad_();
  const std::shared_ptr<nn::Module> copy = layer.clone();
  const Tensor y = c.call(layer, x);
  EXPECT_TRUE(equal(c.call(*copy, x), y)) << "clone";
  expect_number(measure(y).item<double>(), wanted[0], "value");
  if (y.requires_grad()) measure(y).backward();
  expect_number(x.grad().defined() ? measure(x.grad()).item<double>() : 0, wanted[1], "gradient of the input");
  double gradients = 0;
  k = 0;
  for (const Tensor& p : layer.parameters()) gradients += ++k * measure(p.grad()).item<double>();
  expect_number(gradients, wanted[2], "gradients of the parameters");
  if (k) optim::SGD(layer.parameters(), 0.1).step();
  NoGradGuard off;
  expect_number(measure(c.call(layer, x)).item<double>(), wanted[3], "value after a step");
  layer.eval();
  expect_number(measure(c.call(layer, x)).item<double>(), wanted[4], "in eval mode");
}

std::vector<Case> all() {
  std::vector<Case> list;
  add_layers(list);
  add_pools_and_pads(list);
  add_activations(list);
  add_losses(list);
  return list;
}

TEST(LayerSteps, ArePyTorchs) {
  const std::vector<Case> list = all();
  EXPECT_EQ(list.size(), std::size(kLayerSteps));
  for (const Case& c : list) check(c);
}

// A dimension more on either side, one less, another channel, a longer row, no element.
std::vector<int64_t> wrong(std::vector<int64_t> shape, const std::string& how) {
  if (how == "more") {
    shape.insert(shape.begin(), 2);
    shape.push_back(2);
  }
  if (how == "less") shape.erase(shape.begin());
  if (how == "channels") ++shape.at(1);
  if (how == "last") ++shape.back();
  if (how == "empty") std::fill(shape.begin(), shape.end(), 0);
  return shape;
}

// What a layer says to a shape: that of its result, or the first line of the error.
std::string answer(const Case& c, const std::vector<int64_t>& shape) {
  const Tensor numbers = wave(shape), x = c.integers ? classes(numbers.numel(), c.integers).view(shape) : numbers;
  const std::string message = message_of([&] { throw Error("OK " + detail::concat(c.call(*c.layer, x).sizes())); });
  return message.substr(0, message.find('\n'));
}

// The lines of the file: layer|how|answer, which is "error" where the words are not PyTorch's.
TEST(LayerMisuse, IsAnsweredAsByPyTorch) {
  std::map<std::string, Case> layers;
  for (Case& c : all()) {
    c.layer->to(kDouble);
    layers.emplace(c.name, c);
  }
  std::ifstream file("tests/nn/layer_misuse_golden.txt");
  int count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    const size_t first = line.find('|'), second = line.find('|', first + 1);
    const Case& c = layers.at(line.substr(0, first));
    const std::string wanted = line.substr(second + 1), got = answer(c, wrong(c.shape, line.substr(first + 1, second - first - 1)));
    if (wanted == "error") EXPECT_FALSE(got.starts_with("OK")) << line << "\n" << got;
    else EXPECT_EQ(got, wanted) << line;
  }
  EXPECT_GE(count, 500);
}

// Four rows, which no straight line parts.
TEST(Convergence, Xor) {
  manual_seed(0);
  nn::Sequential model(nn::Linear(2, 8), nn::Tanh(), nn::Linear(8, 1));
  const Tensor x = tensor({{0.f, 0.f}, {0.f, 1.f}, {1.f, 0.f}, {1.f, 1.f}}), y = tensor({{0.f}, {1.f}, {1.f}, {0.f}});
  optim::SGD sgd(model->parameters(), optim::SGDOptions(0.5).momentum(0.9));
  Tensor loss;
  for (int step = 0; step < 500; ++step) {
    loss = nn::functional::binary_cross_entropy_with_logits(model->forward(x), y);
    sgd.zero_grad();
    loss.backward();
    sgd.step();
  }
  EXPECT_LT(loss.item<double>(), 0.01);
  EXPECT_TRUE(model->forward(x).gt(0).eq(y).all().item<bool>());
}

}  // namespace
}  // namespace wick::test
