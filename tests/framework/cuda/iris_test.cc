// The Iris training of the examples: the device agrees with the CPU, and a step starts and waits for as little as it should.
#include <cmath>

#include "wick/tests/framework/cuda/device.h"

namespace wick {
namespace {

using CudaIrisTest = CudaTest;

struct MLP : nn::Cloneable<MLP> {
  nn::Linear fc1 = register_module("fc1", nn::Linear(4, 10)), fc2 = register_module("fc2", nn::Linear(10, 3));
  Tensor forward(const Tensor& x) { return fc2(relu(fc1(x))); }
};

enum class How { kEager, kGraph };
constexpr int kEpochs = 2000;

struct Outcome {
  std::vector<double> losses;
  std::vector<Tensor> parameters;
  double launches = 0, waits = 0;  // per step
};

Outcome train(Device device, How how) {
  const auto iris = datasets::Iris::load();
  auto [x_train, x_test, y_train, y_test] = datasets::train_test_split(iris.data, iris.target, {.test_size = 0.2, .random_state = 42});
  datasets::MinMaxScaler scaler;
  const Tensor features = scaler.fit_transform(x_train).to(device, kFloat), classes = y_train.to(device);
  manual_seed(8);
  MLP model;
  model.to(device);
  optim::SGD optimizer(model.parameters(), optim::SGDOptions(0.01));
  LossLog log;
  const auto step = [&] {
    const Tensor loss = nn::functional::cross_entropy(model(features), classes);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    log.record(loss);
  };
  step();
  Graph graph;
  if (how == How::kGraph) {
    GraphCapture capture(graph);
    step();
  }
  const int64_t launches = cuda::launches(), waits = cuda::synchronizations();
  for (int epoch = 1; epoch < kEpochs; ++epoch) {
    if (how == How::kGraph) graph.replay();
    else step();
  }
  Outcome outcome;
  outcome.launches = static_cast<double>(cuda::launches() - launches) / (kEpochs - 1);
  outcome.waits = static_cast<double>(cuda::synchronizations() - waits);
  outcome.losses = log.values();
  for (const Tensor& p : model.parameters()) outcome.parameters.push_back(p.detach().cpu());
  return outcome;
}

void expect_close(const Outcome& run, const Outcome& reference) {
  ASSERT_EQ(run.losses.size(), static_cast<size_t>(kEpochs));
  for (size_t i = 0; i < run.losses.size(); ++i) ASSERT_NEAR(run.losses[i], reference.losses[i], 1e-5) << "epoch " << i + 1;
  for (size_t i = 0; i < run.parameters.size(); ++i) {
    EXPECT_TRUE(run.parameters[i].allclose(reference.parameters[i], 0, 1e-5)) << run.parameters[i] << '\n' << reference.parameters[i];
  }
}

TEST_F(CudaIrisTest, AgreesWithTheCpu) {
  const Outcome reference = train(kCPU, How::kEager);
  const Outcome eager = train(kCUDA, How::kEager);
  expect_close(eager, reference);
  EXPECT_EQ(eager.waits, 0);
  EXPECT_LE(eager.launches, 20);
  RecordProperty("launches_per_step", std::to_string(eager.launches));
  const Outcome replayed = train(kCUDA, How::kGraph);
  expect_close(replayed, reference);
  EXPECT_EQ(replayed.launches, 1);
  EXPECT_EQ(replayed.waits, 0);
}

}  // namespace
}  // namespace wick
