#include <thread>

#include "wick/optim/sgd.h"
#include "wick/tests/nn/support.h"

namespace wick {
namespace {

TEST(Threads, ManyCallOneModelAtOnce) {
  nn::Sequential model(nn::Linear(4, 10), nn::ReLU(), nn::Linear(10, 3));
  std::atomic<int> calls{0};
  model->register_forward_hook([&](nn::Module&, auto&, auto&) { ++calls; });
  const Tensor x = ones({5, 4});
  const std::vector<float> wanted = test::floats(model(x));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      NoGradGuard no_grad;
      for (int i = 0; i < 50; ++i) {
        wrong += test::floats(model(x)) != wanted;
        wrong += model->name() != "torch::nn::SequentialImpl";
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(calls, 201);
}

// Each its own, to the numbers that a thread alone gets.
TEST(Threads, FourTrainFourModels) {
  const auto train = [](nn::Sequential model) {
    optim::SGD sgd(model->parameters(), optim::SGDOptions(0.1).momentum(0.9));
    const Tensor x = (arange(20, kFloat) * 0.7).sin().view({5, 4});
    for (int step = 0; step < 30; ++step) {
      sgd.zero_grad();
      model->forward(x).pow(2).mean().backward();
      sgd.step();
    }
    return test::floats(model->forward(x).detach());
  };
  const auto fresh = [] {
    nn::Linear first(4, 10), second(10, 3);
    nn::Sequential model(first, nn::Tanh(), second);
    NoGradGuard off;
    for (Tensor& p : model->parameters()) p.copy_((arange(p.numel(), kFloat) * 0.3).cos().view(p.sizes()));
    return model;
  };
  const std::vector<float> wanted = train(fresh());
  std::vector<std::vector<float>> got(4);
  std::vector<std::thread> threads;
  for (std::vector<float>& result : got) threads.emplace_back([&] { result = train(fresh()); });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<float>& result : got) EXPECT_EQ(result, wanted);
}

// 64 sequences are shared among threads that walk through all steps.
TEST(Threads, SequencesOfOneLayer) {
  for (const bool reverse : {false, true}) {
    nn::GRU gru(nn::GRUOptions(8, 64).bidirectional(reverse));
    nn::LSTM lstm(nn::LSTMOptions(8, 64).bidirectional(reverse));
    const Tensor x = ones({8, 64, 8});
    std::get<0>(gru(x)).sum().backward();
    std::get<0>(lstm(x)).sum().backward();
    EXPECT_TRUE(gru->parameters()[1].grad().isfinite().all().item<bool>());
    EXPECT_TRUE(lstm->parameters()[1].grad().isfinite().all().item<bool>());
  }
}

TEST(Threads, NoGradInOneIsNoGradInThatOne) {
  nn::Linear layer(1, 1);
  NoGradGuard no_grad;
  bool recorded = false;
  std::thread([&] { recorded = layer(ones({1, 1})).requires_grad(); }).join();
  EXPECT_TRUE(recorded);
  EXPECT_FALSE(layer(ones({1, 1})).requires_grad());
}

}  // namespace
}  // namespace wick
