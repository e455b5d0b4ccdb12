// Layers at the edges of what they take: faults of the kind that users of deep-learning libraries reported.
#include <limits>

#include "wick/framework/ops/tensor_literal.h"
#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

namespace F = nn::functional;

constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

// ---- interpolate, grid_sample, padding, pooling ------------------------------------------------------------------------------------

TEST(Interpolate, RoundsBytesAndRefusesOtherIntegers) {
  const Tensor bytes = tensor({0, 100, 201, 255}, kByte).view({1, 1, 4});
  const auto linear = F::InterpolateFuncOptions().size(std::vector<int64_t>{2}).mode(kLinear).align_corners(false);
  const Tensor y = F::interpolate(bytes, linear);
  EXPECT_EQ(y.scalar_type(), kByte);
  expect_near(y.to(kFloat), {50, 228});
  EXPECT_EQ(message_of([&] { F::interpolate(bytes.to(kLong), linear); }).find("\"interpolate\" not implemented for 'Long'"), 0u);
  expect_near(F::interpolate(bytes.to(kLong), F::InterpolateFuncOptions().size(std::vector<int64_t>{2})).to(kFloat), {0, 201});
}

TEST(GridSample, ReadsNaNAsTheFirstPixel) {
  const Tensor x = tensor_of({1, 1, 2, 2}, {7, 1, 2, 3}), grid = full({1, 1, 1, 2}, kNaN);
  using Mode = F::GridSampleFuncOptions::padding_mode_t;
  for (const auto& padding : {Mode(kZeros), Mode(kBorder), Mode(kReflection)}) {
    expect_near(F::grid_sample(x, grid, F::GridSampleFuncOptions().align_corners(true).padding_mode(padding)), {7});
  }
  expect_near(F::grid_sample(x, full({1, 1, 1, 2}, kInf), F::GridSampleFuncOptions().align_corners(true)), {0});
  EXPECT_EQ(message_of([&] { F::grid_sample(zeros({1, 1, 0, 2}), grid, F::GridSampleFuncOptions().align_corners(true)); }),
            "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes [1, 1, 0, 2] with dimension 2 being "
            "empty");
}

TEST(Padding, OfACircleGoesRoundInWhatANegativeOneLeaves) {
  const Tensor x = arange(4, kFloat).view({1, 1, 4});
  expect_near(F::pad(x, F::PadFuncOptions({-1, 2}).mode(kCircular)), {1, 2, 3, 1, 2});
  expect_near(F::pad(x, F::PadFuncOptions({2, -1}).mode(kCircular)), {1, 2, 0, 1, 2});
  EXPECT_NE(message_of([&] { F::pad(x, F::PadFuncOptions({-4, 2}).mode(kCircular)); }), "");
}

TEST(LPPool, WithInfinityIsMaxPooling) {
  const Tensor x = tensor_of({1, 1, 4}, {1, -3, 2, 0.5}).requires_grad_();
  const Tensor y = F::lp_pool1d(x, F::LPPool1dFuncOptions(HUGE_VAL, 2));
  expect_near(y, {3, 2});
  y.sum().backward();
  expect_near(x.grad(), {0, -1, 1, 0});
}

TEST(LocalResponseNorm, NeedsASize) {
  EXPECT_EQ(message_of([] { nn::LocalResponseNorm(0)->forward(ones({1, 2, 3})); }), "kernel size should be greater than zero, but got 0");
}

// ---- EmbeddingBag ------------------------------------------------------------------------------------------------------------------

F::EmbeddingBagFuncOptions bags(const std::vector<int64_t>& offsets) { return F::EmbeddingBagFuncOptions().offsets(tensor(offsets)); }

TEST(EmbeddingBag, WithNothingInItHasAGradient) {
  const Tensor weight = ones({3, 2}).requires_grad_(), none = empty({0}, kLong);
  const Tensor y = F::embedding_bag(none, weight, bags({0, 0}));
  expect_near(y, {0, 0, 0, 0});
  y.sum().backward();
  expect_near(weight.grad(), {0, 0, 0, 0, 0, 0});
}

TEST(EmbeddingBag, RefusesOffsetsThatDecrease) {
  const Tensor weight = ones({3, 2}), input = arange(3);
  EXPECT_EQ(message_of([&] { F::embedding_bag(input, weight, bags({0, 2, 1})); }).find("embedding_bag: offsets must not decrease"), 0u);
}

TEST(Embedding, RefusesANegativeNorm) {
  EXPECT_EQ(message_of([] { F::embedding(zeros({1}, kLong), ones({2, 2}), F::EmbeddingFuncOptions().max_norm(-0.5)); }),
            "renorm: expected maxnorm to be >= 0 but got -0.5");
}

// ---- Losses ------------------------------------------------------------------------------------------------------------------------

TEST(Losses, RefuseWeightsAndTargetsThatDoNotFit) {
  const Tensor x = ones({2, 3});
  EXPECT_EQ(message_of([&] { F::multi_margin_loss(x, tensor({0, 1}, kLong), F::MultiMarginLossFuncOptions().weight(ones({2}))); }),
            "inconsistent weight size, expected 3 but got [2]");
  for (const int64_t wrong : {-2, 3}) {
    EXPECT_EQ(message_of([&] { F::multilabel_margin_loss(x, full({2, 3}, wrong, kLong)); }), "argument #2 'target' is out of range");
  }
  EXPECT_EQ(message_of([&] { F::triplet_margin_loss(x, x, ones({3})); }), "The anchor, positive, and negative tensors are expected to have "
            "the same number of dimensions, but got: anchor 2D, positive 2D, and negative 1D inputs");
}

// ---- Sizes that go over ------------------------------------------------------------------------------------------------------------

TEST(Sizes, WhoseProductsGoOverAreRefused) {
  const Tensor x = ones({1, 4, 2, 2});
  const int64_t huge = int64_t{1} << 32, most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(message_of([&] { pixel_shuffle(x, huge); }).find("integer out of range"), 0u);
  EXPECT_EQ(message_of([&] { pixel_unshuffle(x, huge); }).find("integer out of range"), 0u);
  EXPECT_EQ(message_of([&] { F::pad(x, F::PadFuncOptions({most, most})); }).find("integer out of range"), 0u);
  EXPECT_EQ(message_of([&] { F::pad(x, F::PadFuncOptions({most, -most - 1, 0, 0}).mode(kReplicate)); }).find("integer out of range"), 0u);
  const auto size = F::InterpolateFuncOptions().size(std::vector<int64_t>{huge, huge}).mode(kBilinear).align_corners(false);
  EXPECT_EQ(message_of([&] { F::interpolate(x, size); }).find("Storage size calculation overflowed"), 0u);
}

// ---- MultiheadAttention ------------------------------------------------------------------------------------------------------------

struct Attention : testing::Test {
  Tensor x = arange(12, kFloat).sin().view({3, 1, 4}).requires_grad_();
  nn::MultiheadAttention layer{4, 2};

  auto attend(const Tensor& padding, const Tensor& mask) { return layer->forward(x, x, x, padding, true, mask); }
};

TEST_F(Attention, TakesABoolAndANumericMaskOfEitherKind) {
  const Tensor hidden = tensor({{false, true, true}, {false, false, true}, {false, false, false}}), bytes = hidden.to(kByte);
  const Tensor numbers = zeros({3, 3}, kDouble).masked_fill(hidden, -kInf);
  const Tensor wanted = std::get<1>(attend({}, hidden));
  for (const Tensor& mask : {numbers, bytes, hidden.unsqueeze(0).expand({2, 3, 3})}) {
    EXPECT_TRUE(allclose(std::get<1>(attend({}, mask)), wanted));
  }
  const Tensor padding = tensor({{false, false, true}});
  const Tensor without = std::get<1>(attend(padding, {}));
  EXPECT_TRUE(allclose(std::get<1>(attend(zeros({1, 3}).masked_fill(padding, -kInf), {})), without));
  EXPECT_TRUE(allclose(std::get<1>(attend(zeros({1, 3}), {})), std::get<1>(attend({}, {}))));
  EXPECT_FALSE(allclose(std::get<1>(attend(zeros({1, 3}).masked_fill(padding, -1), {})), without)) << "is added, not read as true";
}

// As LibTorch's; the others are as without that row.
TEST_F(Attention, IsNaNWhereAllIsMasked) {
  const Tensor hidden = tensor({{true, true, true}, {false, false, true}, {false, false, false}});
  const auto [y, weights] = attend({}, hidden);
  EXPECT_TRUE(weights[0][0].isnan().all().item<bool>());
  EXPECT_TRUE(y[0].isnan().all().item<bool>());
  EXPECT_TRUE(y.slice(0, 1).isfinite().all().item<bool>());
  expect_near(weights[0][2].sum(), {1});
}

TEST_F(Attention, RefusesMasksThatDoNotFit) {
  EXPECT_EQ(message_of([&] { attend({}, zeros({1, 3})); }).find("The size of the 2D attn_mask is not correct."), 0u);
  EXPECT_EQ(message_of([&] { attend({}, zeros({1, 3, 3})); }).find("The size of the 3D attn_mask is not correct."), 0u);
  EXPECT_EQ(message_of([&] { attend({}, zeros({3})); }), "attn_mask's dimension 1 is not supported.");
  EXPECT_EQ(message_of([&] { attend({}, zeros({3, 3}, kLong)); }).find("only bool and floating types of attn_mask are supported"), 0u);
  EXPECT_EQ(message_of([&] { attend(zeros({1, 3}, kLong), {}); }).find("only bool and floating types of key_padding_mask"), 0u);
}

// ---- Modules -----------------------------------------------------------------------------------------------------------------------

TEST(Clone, OfAContainerKeepsWhatIsInItTwice) {
  const nn::Linear shared(2, 2);
  nn::ModuleDict dict;
  dict->update(OrderedDict<std::string, std::shared_ptr<nn::Module>>({{"a", shared.ptr()}, {"b", shared.ptr()}}));
  for (const std::shared_ptr<nn::Module>& m :
       {nn::Sequential(shared, shared).ptr()->clone(), nn::ModuleList(shared, shared).ptr()->clone(), dict.ptr()->clone()}) {
    EXPECT_EQ(m->children()[0], m->children()[1]);
    EXPECT_NE(m->children()[0], shared.ptr());
    EXPECT_EQ(m->parameters().size(), 2u);
  }
}

}  // namespace
}  // namespace wick::test
