// Embedding, padding, distances, pixel shuffle. The numbers are PyTorch's.
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
