// nn::summary: the table, tied parameters, and that the model is left as it was.
#include "wick/tests/nn/support.h"

namespace wick {
namespace {

TEST(Summary, TableOfASmallConvolutionalNet) {
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(1, 2, 3).bias(false)), nn::BatchNorm2d(2), nn::Flatten(), nn::Linear(32, 1000));
  EXPECT_EQ(nn::summary(net, {3, 1, 6, 6}),
            "Layer            Output shape  Parameters    MACs\n"
            "-------------------------------------------------\n"
            "Sequential       [3, 1000]                       \n"
            "0 (Conv2d)       [3, 2, 4, 4]          18     864\n"
            "1 (BatchNorm2d)  [3, 2, 4, 4]           4        \n"
            "2 (Flatten)      [3, 32]                         \n"
            "3 (Linear)       [3, 1000]         33,000  96,000\n"
            "Parameters: 33,022, trainable 33,022\n"
            "MACs: 96,864\n"
            "Memory: parameters 0.13 MiB, outputs 0.01 MiB\n");
  EXPECT_TRUE(net->is_training() && net[1]->is_training());
  EXPECT_EQ(net[1]->as<nn::BatchNorm2d>()->num_batches_tracked.item<int64_t>(), 0);
  EXPECT_FALSE(net->hooks().any() || net[1]->hooks().any());
}

TEST(Summary, TiedParametersCountOnce) {
  nn::Linear shared(2, 2);
  nn::Sequential tied(shared, nn::Linear(2, 2), shared);
  tied[1]->eval();
  tied[1]->as<nn::Linear>()->bias.set_requires_grad(false);
  const std::string text = nn::summary(tied, {5, 2});
  EXPECT_NE(text.find("Parameters: 12, trainable 10"), std::string::npos) << text;
  EXPECT_NE(text.find("MACs: 60"), std::string::npos) << text;
  EXPECT_FALSE(tied[1]->is_training());
}

TEST(Summary, AFailingModelIsLeftAsItWas) {
  nn::Linear layer(2, 2);
  EXPECT_NE(test::message_of([&] { nn::summary(layer, {5, 3}); }).find("mat1 and mat2 shapes cannot be multiplied"), std::string::npos);
  EXPECT_TRUE(layer->is_training());
  EXPECT_FALSE(layer->hooks().any());
}

}  // namespace
}  // namespace wick
