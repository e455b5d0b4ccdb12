// A captured step does bit for bit what the eager step does, without allocating.
#include "wick/framework/graph/graph.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "wick.h"
#include "wick/framework/core/allocator.h"
#include "wick/framework/core/launch.h"

namespace wick {
namespace {

struct Net : nn::Cloneable<Net> {
  explicit Net(double dropout = 0) : drop(register_module("drop", nn::Dropout(dropout))) {}
  nn::Linear fc1 = register_module("fc1", nn::Linear(4, 10));
  nn::Linear fc2 = register_module("fc2", nn::Linear(10, 3));
  nn::Dropout drop;
  Tensor forward(const Tensor& x) { return fc2(drop(relu(fc1(x)))); }
};

struct Training {
  Net net;
  optim::SGD sgd;
  Tensor x, y, loss;

  Training(const optim::SGDOptions& options, double dropout = 0)
      : net((manual_seed(0), dropout)), sgd(net.parameters(), options), x(rand({120, 4})), y(randint(3, {120})) {}
  void step() {
    loss = nn::functional::cross_entropy(net(x), y);
    sgd.zero_grad();
    loss.backward();
    sgd.step();
  }
};

// Steps of one training eagerly, of its twin by a graph: the parameters must agree after each.
void expect_same(const optim::SGDOptions& options, double dropout) {
  Training eager(options, dropout), replayed(options, dropout);
  // The first step makes the momentum buffers and so differs from the later ones.
  manual_seed(1);
  eager.step();
  manual_seed(1);
  replayed.step();
  Graph graph;
  {
    GraphCapture capture(graph);
    replayed.step();
  }
  // Both draw the same dropout masks in turn, each from its own copy of the generator's state.
  auto state_a = default_cpu_generator().get_state(), state_b = state_a;
  for (int i = 0; i < 20; ++i) {
    default_cpu_generator().impl()->set_state(state_a);
    eager.step();
    state_a = default_cpu_generator().get_state();
    default_cpu_generator().impl()->set_state(state_b);
    graph.replay();
    state_b = default_cpu_generator().get_state();
    ASSERT_EQ(eager.loss.item<float>(), replayed.loss.item<float>()) << "step " << i;
    const auto a = eager.net.parameters(), b = replayed.net.parameters();
    for (size_t k = 0; k < a.size(); ++k) {
      ASSERT_TRUE(a[k].equal(b[k])) << "step " << i << ", parameter " << k;
      ASSERT_TRUE(a[k].grad().equal(b[k].grad())) << "step " << i << ", gradient " << k;
    }
  }
}

TEST(Graph, ReplaysSgd) { expect_same(optim::SGDOptions(0.1), 0); }
TEST(Graph, ReplaysMomentumAndWeightDecay) { expect_same(optim::SGDOptions(0.1).momentum(0.9).weight_decay(0.01).nesterov(true), 0); }
TEST(Graph, ReplaysDropoutWithFreshMasks) { expect_same(optim::SGDOptions(0.1), 0.5); }

// The training of the examples, to its end: the same 20,000 losses, bit for bit.
TEST(Graph, ReplaysTheWholeIrisTraining) {
  constexpr int kEpochs = 20000;
  const auto iris = datasets::Iris::load();
  const Tensor x = datasets::MinMaxScaler().fit_transform(iris.data).to(kFloat);
  const auto train = [&](bool by_graph, bool fuse) {
    manual_seed(8);
    Net net;
    optim::SGD sgd(net.parameters(), optim::SGDOptions(0.01));
    LossLog log(kEpochs + 256);
    const auto step = [&] {
      const Tensor loss = nn::functional::cross_entropy(net(x), iris.target);
      sgd.zero_grad();
      loss.backward();
      sgd.step();
      log.record(loss);
    };
    step();
    Graph graph(GraphOptions().fuse(fuse));
    if (by_graph) {
      GraphCapture capture(graph);
      step();
    }
    for (int epoch = 1; epoch < kEpochs; ++epoch) by_graph ? graph.replay() : step();
    return log.values();
  };
  const std::vector<double> eager = train(false, false);
  ASSERT_EQ(eager.size(), size_t{kEpochs});
  EXPECT_LT(eager.back(), 0.1);
  EXPECT_EQ(train(true, false), eager);
  EXPECT_EQ(train(true, true), eager);
}

// Their steps write to parts of larger tensors. 12 steps, of which 10 are replayed.
TEST(Graph, ReplaysRecurrentLayers) {
  manual_seed(0);
  const Tensor x = rand({7, 3, 5});
  nn::LSTM lstm(nn::LSTMOptions(5, 9).bidirectional(true));
  nn::GRU gru(9 * 2, 4);
  std::vector<Tensor> parameters = lstm->parameters(), start, eager;
  for (const Tensor& p : gru->parameters()) parameters.push_back(p);
  optim::SGD sgd(parameters, optim::SGDOptions(0.1));
  const auto step = [&] {
    const Tensor loss = std::get<0>(gru(std::get<0>(lstm(x)))).pow(2).mean();
    sgd.zero_grad();
    loss.backward();
    sgd.step();
  };
  for (const Tensor& p : parameters) start.push_back(p.detach().clone());
  for (int i = 0; i < 12; ++i) step();
  for (size_t i = 0; i < parameters.size(); ++i) {
    eager.push_back(parameters[i].detach().clone());
    NoGradGuard no_grad;
    parameters[i].copy_(start[i]);
  }
  for (int i = 0; i < 2; ++i) step();
  Graph graph{GraphOptions().fuse(false)};
  {
    GraphCapture capture(graph);
    step();
  }
  for (int i = 0; i < 10; ++i) graph.replay();
  for (size_t i = 0; i < parameters.size(); ++i) EXPECT_TRUE(parameters[i].equal(eager[i])) << i;
}

TEST(Graph, SharesMemoryOfTemporariesAndAllocatesNothing) {
  Training training(optim::SGDOptions(0.1));
  training.step();
  Graph graph;
  {
    GraphCapture capture(graph);
    training.step();
  }
  EXPECT_GT(graph.num_launches(), 5);
  EXPECT_LT(graph.shared_bytes(), graph.temporary_bytes());
  graph.replay();
  const MemoryStats before = memory_stats();
  for (int i = 0; i < 100; ++i) graph.replay();
  EXPECT_EQ(memory_stats().allocations, before.allocations);
  EXPECT_EQ(memory_stats().system_allocations, before.system_allocations);
}

TEST(Graph, InputsChangeInPlace) {
  Tensor x = ones({3}), y;
  Graph graph;
  {
    GraphCapture capture(graph);
    y = (x * 2).add(1).exp();
  }
  x.fill_(2);
  graph.replay();
  EXPECT_TRUE(y.equal((x * 2).add(1).exp()));
  x.fill_(-1);
  graph.replay();
  EXPECT_TRUE(y.equal((x * 2).add(1).exp()));
}

TEST(Graph, CaptureRunsNothing) {
  Tensor x = ones({3});
  Graph graph;
  {
    GraphCapture capture(graph);
    x.add_(1);
  }
  EXPECT_TRUE(x.equal(ones({3})));
  graph.replay();
  graph.replay();
  EXPECT_TRUE(x.equal(full({3}, 3.0)));
}

// A replay writes to its tensors as in-place operations do, and autograd must notice.
TEST(Graph, ReplayIsSeenByVersionCounters) {
  Tensor w = ones({3}).requires_grad_(), x = ones({3});
  Graph graph;
  {
    GraphCapture capture(graph);
    NoGradGuard no_grad;
    x.mul_(2);
  }
  Tensor y = (w * x).sum();
  graph.replay();
  EXPECT_THROW(y.backward(), Error);
}

TEST(Graph, RefusesToReadWhatHasNotBeenComputed) {
  Tensor x = ones({3});
  Graph graph;
  EXPECT_THROW(
      {
        GraphCapture capture(graph);
        x.sum().item();
      },
      Error);
  EXPECT_FALSE(graph.captured());
  EXPECT_EQ(x.sum().item<float>(), 3);  // the thread is not capturing any more
  EXPECT_THROW(
      {
        GraphCapture capture(graph);
        nonzero(x);
      },
      Error);
  EXPECT_FALSE(graph.captured());
}

TEST(Graph, RefusesNestedAndRepeatedCapturesAndEmptyReplays) {
  Graph graph, other;
  EXPECT_THROW(graph.replay(), Error);
  {
    GraphCapture capture(graph);
    EXPECT_THROW(GraphCapture inner(other), Error);
  }
  EXPECT_TRUE(graph.captured());
  EXPECT_THROW(GraphCapture again(graph), Error);
  graph.reset();
  EXPECT_FALSE(graph.captured());
}

TEST(Graph, PrintsItsProgram) {
  Tensor x = ones({3}), y;
  Graph graph(GraphOptions().fuse(false));
  {
    GraphCapture capture(graph);
    y = x.exp().mul(2);
  }
  const std::string text = graph.str();
  EXPECT_NE(text.find("0: exp"), std::string::npos) << text;
  EXPECT_NE(text.find("1: mul"), std::string::npos) << text;
}

// Replays f twice and compares with running it at once; returns the launches of a replay.
template <class F>
int64_t launches_of(const GraphOptions& options, const F& f) {
  const Tensor expected = f();
  Tensor y;
  Graph graph(options);
  {
    GraphCapture capture(graph);
    y = f();
  }
  graph.replay();
  EXPECT_TRUE(y.equal(expected)) << graph.str();
  graph.replay();
  EXPECT_TRUE(y.equal(expected)) << graph.str();
  return graph.num_launches();
}

TEST(GraphFusion, ElementwiseChainsBecomeOnePass) {
  const Tensor x = rand({70000}), w = rand({70000}), row = rand({10}), wide = rand({7000, 10});
  const auto chain = [&] { return ((x * 2 + 1).exp().tanh() * w).neg(); };
  EXPECT_EQ(launches_of(GraphOptions().fuse(false), chain), 6);
  EXPECT_EQ(launches_of({}, chain), 1);
  // A number that lies in a tensor is read when the pass begins, so it must not be made in it.
  EXPECT_EQ(launches_of({}, [&] { return (x.slice(0, 0, 1).exp() + 1) * x.slice(0, 0, 1); }), 1);
  const Tensor one = ones({1});
  launches_of({}, [&] { return x * (one + 1); });
  // Broadcast rows and other dtypes end a chain, and another one may begin behind them.
  EXPECT_EQ(launches_of({}, [&] { return ((wide * 2).exp() + row).exp().neg(); }), 3);
  launches_of({}, [&] { return x.to(kDouble).exp().neg().to(kFloat).exp(); });
}

// A write that the next call reads at another place must be complete before.
TEST(GraphFusion, ShiftedReadsAreNotFused) {
  const Tensor x = arange(5001, kFloat);
  const auto shifted = [&] {
    const Tensor y = x * 2;
    return y.slice(0, 1) + y.slice(0, 0, 5000);
  };
  EXPECT_EQ(launches_of({}, shifted), 2);
}

TEST(GraphFusion, ProductsTakeTheirActivation) {
  const Tensor x = rand({33, 20}), w = randn({17, 20}), b = randn({17});
  const auto layer = [&] { return relu(linear(x, w, b)); };
  EXPECT_EQ(launches_of(GraphOptions().fuse(false), layer), 2);
  EXPECT_EQ(launches_of({}, layer), 1);
  // Somebody else needs what lies between.
  EXPECT_EQ(launches_of({}, [&] {
    const Tensor y = linear(x, w, b);
    return relu(y) + y;
  }), 2);
}

TEST(GraphFusion, PrintsBothPrograms) {
  Tensor x = ones({3}), y;
  Graph graph;
  {
    GraphCapture capture(graph);
    y = x.exp().mul(2);
  }
  const std::string text = graph.str();
  EXPECT_NE(text.find("recorded:\n0: exp"), std::string::npos) << text;
  EXPECT_NE(text.find("fused:\n0: exp+mul"), std::string::npos) << text;
  testing::internal::CaptureStdout();
  graph.print();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), text);
}

// A kernel whose first run ends when the test says so.
struct LongCall {
  static constexpr Access access[1] = {Access::kReadWrite};

  Buffer buffers[1];
  std::atomic<int>* runs;
  std::atomic<bool>* may_end;
};
void run_long_call(const LongCall& call) {
  if (call.runs->fetch_add(1) != 0) return;
  while (!call.may_end->load()) std::this_thread::yield();
}
constinit Kernel<LongCall> long_call_kernel = Kernel<LongCall>::make<run_long_call, run_long_call>("long_call");

TEST(Graph, RefusesASecondThreadWhileItIsReplayed) {
  const Tensor x = ones({1});
  std::atomic<int> runs = 0;
  std::atomic<bool> may_end = false;
  Graph graph;
  {
    GraphCapture capture(graph);
    launch(long_call_kernel, kCPU, LongCall{{x}, &runs, &may_end});
  }
  std::thread first([&] { graph.replay(); });
  while (runs == 0) std::this_thread::yield();
  std::string text;
  try {
    graph.replay();
  } catch (const Error& error) {
    text = error.what();
  }
  may_end = true;
  first.join();
  EXPECT_NE(text.find("another thread is replaying this graph"), std::string::npos) << text;
  graph.replay();
  EXPECT_EQ(runs, 2);
}

// Captures and replays of several threads do not disturb each other.
TEST(Graph, BelongsToItsThread) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      Tensor x = full({64}, double(t)), y;
      Graph graph;
      {
        GraphCapture capture(graph);
        y = x * 2 + 1;
      }
      for (int i = 0; i < 50; ++i) graph.replay();
      EXPECT_EQ(y[5].item<float>(), 2 * t + 1);
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace wick
