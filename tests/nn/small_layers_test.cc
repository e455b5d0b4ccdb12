// Embedding, padding, distances, pixel shuffle. The numbers are PyTorch's.
#include <array>

#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

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

TEST(Padding, TakesVectorsAndArrays) {
  const Tensor x = ones({1, 2, 3});
  const std::vector<int64_t> list{1, 2};
  const std::array<int64_t, 2> array{1, 2};
  EXPECT_EQ(nn::ConstantPad1d(nn::ConstantPad1dOptions(list, 4))(x).size(2), 6);
  EXPECT_EQ(nn::ReflectionPad1d(nn::ReflectionPad1dOptions(array))(x).size(2), 6);
}

TEST(Padding, WhatIsCutOffMayBeMoreThanThereIs) {
  const Tensor x = arange(4, kFloat).reshape({1, 1, 4});
  const auto padded = [&](std::vector<int64_t> pad, F::PadFuncOptions::mode_t mode) { return F::pad(x, F::PadFuncOptions(pad).mode(mode)); };
  expect_near(padded({-4, 2}, kReplicate), {3, 3});
  expect_near(padded({-5, 8}, kReplicate), {3, 3, 3, 3, 3, 3, 3});
  expect_near(padded({2, -4}, kReplicate), {0, 0});
  expect_near(padded({5, -6}, kReplicate), {0, 0, 0});
  expect_near(padded({-4, 2}, kReflect), {2, 1});
  EXPECT_NE(message_of([&] { padded({-2, -2}, kReplicate); }), "");
  EXPECT_NE(message_of([&] { padded({-4, 2}, kCircular); }), "");
}

TEST(EmbeddingBag, OffsetsAreIntegers) {
  const Tensor rows = arange(3, kLong), table = ones({4, 2});
  EXPECT_EQ(F::embedding_bag(rows, table, F::EmbeddingBagFuncOptions().offsets(arange(2, kInt))).size(0), 2);
  EXPECT_EQ(message_of([&] { F::embedding_bag(rows, table, F::EmbeddingBagFuncOptions().offsets(arange(2, kFloat))); }),
            "Expected tensor for argument #1 'offsets' to have one of the following scalar types: Long, Int; but got torch.FloatTensor "
            "instead (while checking arguments for embedding_bag)");
  EXPECT_EQ(message_of([&] { F::embedding(arange(2, kDouble), table); }),
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.DoubleTensor "
            "instead (while checking arguments for embedding)");
}

TEST(Dropout3d, ChannelsOfOneSampleAreItsFirstDimension) {
  manual_seed(3);
  const Tensor alone = F::dropout3d(ones({6, 2, 2, 2})), channels = alone.flatten(1);
  manual_seed(3);
  EXPECT_TRUE(equal(alone, F::dropout3d(ones({1, 6, 2, 2, 2})).squeeze(0)));
  EXPECT_TRUE(equal(channels, channels.select(1, 0).unsqueeze(1).expand_as(channels)));
  EXPECT_EQ(alone.min().item<float>(), 0);
  EXPECT_EQ(alone.max().item<float>(), 2);
}

// As PyTorch does: along the width first, then along the height, each time to whole numbers.
TEST(Interpolate, BytesAreRoundedInEachDimension) {
  const auto bytes = [](std::vector<float> values, int64_t side) {
    return tensor_of({1, 1, side, side}, values).to(kByte);
  };
  const Tensor x = bytes({0, 1, 2, 9}, 2);
  const auto resized = [&](const Tensor& of, int64_t side, auto mode, bool align, bool antialias) {
    return F::interpolate(of, F::InterpolateFuncOptions().size(std::vector<int64_t>{side, side}).mode(mode).align_corners(align)
                                  .antialias(antialias)).to(kFloat);
  };
  expect_near(resized(x, 3, kBilinear, true, false), {0, 1, 1, 1, 4, 5, 2, 6, 9});
  expect_near(resized(x, 3, kBicubic, true, false), {0, 1, 1, 1, 4, 5, 2, 6, 9});
  std::vector<float> counted(16);
  for (size_t i = 0; i < counted.size(); ++i) counted[i] = static_cast<float>(i);
  expect_near(resized(bytes(counted, 4), 2, kBilinear, false, true), {4, 5, 10, 11});
}

TEST(BatchNorm, EpsIsPositiveInTraining) {
  nn::BatchNorm1d layer(nn::BatchNorm1dOptions(2).eps(0));
  EXPECT_EQ(message_of([&] { layer(ones({3, 2})); }).substr(0, 59), "batch_norm eps must be positive during training, but got 0\n");
  layer->eval();
  EXPECT_EQ(layer(ones({3, 2})).size(0), 3);
}

TEST(MaxUnpool, IndicesAreInt64) {
  EXPECT_EQ(message_of([] { F::max_unpool1d(ones({1, 1, 2}), ones({1, 1, 2}), F::MaxUnpool1dFuncOptions(2)); }),
            "elements in indices should be type int64 but got: Float");
}

TEST(PReLU, TheWeightIsARow) {
  EXPECT_EQ(message_of([] { F::prelu(ones({2, 8, 3}), ones({2, 4})); }),
            "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = 2");
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

}  // namespace
}  // namespace wick::test
