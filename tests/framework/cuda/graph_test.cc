// A captured step on a device is one launch, and does what the eager step does.
#include "wick/tests/framework/cuda/device.h"

namespace wick {
namespace {

using CudaGraphTest = CudaTest;

struct Net : nn::Cloneable<Net> {
  explicit Net(double dropout) : drop(register_module("drop", nn::Dropout(dropout))) {}
  nn::Linear fc1 = register_module("fc1", nn::Linear(4, 10)), fc2 = register_module("fc2", nn::Linear(10, 3));
  nn::Dropout drop;
  Tensor forward(const Tensor& x) { return fc2(drop(relu(fc1(x)))); }
};

template <class Optimizer, class Options>
struct Training {
  Net net;
  Tensor x, y, loss;
  std::unique_ptr<Optimizer> optimizer;

  Training(const Options& options, double dropout) : net((manual_seed(0), dropout)), x(rand({30, 4}).cuda()), y(randint(3, {30}).cuda()) {
    net.to(kCUDA);
    optimizer = std::make_unique<Optimizer>(net.parameters(), options);
  }
  void step() {
    loss = nn::functional::cross_entropy(net(x), y);
    optimizer->zero_grad();
    loss.backward();
    optimizer->step();
  }
  std::vector<Tensor> values() {
    std::vector<Tensor> values{loss.detach().cpu()};
    for (const Tensor& p : net.parameters()) values.push_back(p.detach().cpu());
    return values;
  }
};

// 12 steps of one training eagerly, of its twins by graphs: as recorded, bit for bit the same, and with the work of other calls done by
// products. A schedule halves the learning rate on the way.
template <class Optimizer, class Options>
void expect_same(const Options& options, double dropout = 0) {
  using Twin = Training<Optimizer, Options>;
  const auto run = [&](bool by_graph, bool fuse) {
    Twin twin(options, dropout);
    optim::StepLR schedule(*twin.optimizer, 5, 0.5);
    Graph graph(GraphOptions().fuse(fuse));
    std::vector<std::vector<Tensor>> values;
    cuda::manual_seed(3);
    for (int i = 0; i < 12; ++i) {
      if (by_graph && i == 1) {  // the first step makes the optimiser's state
        GraphCapture capture(graph);
        twin.step();
      }
      if (graph.captured()) graph.replay();
      else twin.step();
      schedule.step();
      values.push_back(twin.values());
    }
    return values;
  };
  const auto eager = run(false, false), replayed = run(true, false), fused = run(true, true);
  for (size_t i = 0; i < eager.size(); ++i) {
    for (size_t k = 0; k < eager[i].size(); ++k) {
      ASSERT_TRUE(eager[i][k].equal(replayed[i][k])) << "step " << i << ", tensor " << k;
      ASSERT_TRUE(eager[i][k].allclose(fused[i][k], 1e-5, 1e-6)) << "step " << i << ", tensor " << k;
    }
  }
}

TEST_F(CudaGraphTest, SgdWithMomentumAndSchedule) { expect_same<optim::SGD>(optim::SGDOptions(0.1).momentum(0.9)); }
TEST_F(CudaGraphTest, Adam) { expect_same<optim::Adam>(optim::AdamOptions(0.01)); }
TEST_F(CudaGraphTest, DropoutDrawsAnewAtEachReplay) { expect_same<optim::SGD>(optim::SGDOptions(0.1), 0.5); }

TEST_F(CudaGraphTest, AReplayIsOneLaunchAndNoAllocation) {
  Training<optim::SGD, optim::SGDOptions> training(optim::SGDOptions(0.1), 0);
  training.step();
  Graph graph;
  {
    GraphCapture capture(graph);
    training.step();
  }
  EXPECT_GT(graph.num_launches(), 5);
  EXPECT_LT(graph.shared_bytes(), graph.temporary_bytes());
  graph.replay();
  const int64_t launches = cuda::launches(), waits = cuda::synchronizations(), blocks = cuda::memory_stats().allocations;
  for (int i = 0; i < 10; ++i) graph.replay();
  EXPECT_EQ(cuda::launches() - launches, 10);
  EXPECT_EQ(cuda::synchronizations(), waits);
  EXPECT_EQ(cuda::memory_stats().allocations, blocks);
}

TEST_F(CudaGraphTest, InputsChangeInPlace) {
  const Tensor x = zeros({3}, kCUDA);
  Tensor y;
  Graph graph;
  {
    GraphCapture capture(graph);
    y = x * 2 + 1;
  }
  for (const float value : {1.f, 5.f}) {
    x.fill_(value);
    graph.replay();
    EXPECT_TRUE(y.cpu().equal(full({3}, 2 * value + 1)));
  }
}

TEST_F(CudaGraphTest, ReadsAreRefusedAndLeaveNothingBehind) {
  const Tensor x = ones({3}, kCUDA);
  for (int kind = 0; kind < 3; ++kind) {
    Graph graph;
    const std::string text = message_of([&] {
      GraphCapture capture(graph);
      const Tensor y = x + 1;
      if (kind == 0) y.sum().item<float>();
      if (kind == 1) y.nonzero();
      if (kind == 2) y.cpu();
    });
    EXPECT_NE(text.find("cannot read a tensor while a graph is being captured"), std::string::npos) << text;
    EXPECT_FALSE(graph.captured());
  }
  EXPECT_EQ((x + 1).sum().item<float>(), 6.f);
}

TEST_F(CudaGraphTest, WorksOnAnotherStream) {
  const Tensor x = ones({3}, kCUDA);
  Tensor y;
  cuda::synchronize();
  const cuda::StreamGuard guard(cuda::stream_from_pool());
  Graph graph;
  {
    GraphCapture capture(graph);
    y = x.exp().sum();
  }
  graph.replay();
  EXPECT_NEAR(y.item<float>(), 8.1548, 1e-4);
}

}  // namespace
}  // namespace wick
