// The cost of small calls: time for each, and how often it asks the system for memory (which should be never).
#include <benchmark/benchmark.h>

#include "wick.h"
#include "wick/framework/core/allocator.h"

namespace wick {
namespace {

// The blocks requested from the system while it lives, as a counter of the benchmark.
class SystemAllocations {
 public:
  explicit SystemAllocations(benchmark::State& state) : state_(state), before_(memory_stats().system_allocations) {}
  ~SystemAllocations() { state_.counters["system"] = static_cast<double>(memory_stats().system_allocations - before_); }
  SystemAllocations(const SystemAllocations&) = delete;
  SystemAllocations& operator=(const SystemAllocations&) = delete;

 private:
  benchmark::State& state_;
  const int64_t before_;
};

// Times body() after a first call, with or without history.
template <class F>
void time_calls(benchmark::State& state, bool grad, const F& body) {
  const AutoGradMode mode(grad);
  body();
  const SystemAllocations counter(state);
  for (auto _ : state) body();
}

void add_1_element(benchmark::State& state) {
  const Tensor a = rand({1}), b = rand({1});
  time_calls(state, false, [&] { benchmark::DoNotOptimize(a + b); });
}
BENCHMARK(add_1_element);

void add_1_element_recorded(benchmark::State& state) {
  const Tensor a = rand({1}).requires_grad_(), b = rand({1}).requires_grad_();
  time_calls(state, true, [&] { benchmark::DoNotOptimize(a + b); });
}
BENCHMARK(add_1_element_recorded);

void add_1_element_forward_backward(benchmark::State& state) {
  const Tensor a = rand({1}).requires_grad_(), b = rand({1}).requires_grad_();
  time_calls(state, true, [&] { (a + b).backward(); });
}
BENCHMARK(add_1_element_forward_backward);

void mul_by_number(benchmark::State& state) {
  const Tensor a = rand({1});
  time_calls(state, false, [&] { benchmark::DoNotOptimize(a * 2); });
}
BENCHMARK(mul_by_number);

void mm_8x8(benchmark::State& state) {
  const Tensor a = rand({8, 8});
  time_calls(state, false, [&] { benchmark::DoNotOptimize(mm(a, a)); });
}
BENCHMARK(mm_8x8);

void slice(benchmark::State& state) {
  const Tensor a = rand({64, 64});
  time_calls(state, false, [&] { benchmark::DoNotOptimize(a.slice(0, 3, 40)); });
}
BENCHMARK(slice);

void row_sum_64x64(benchmark::State& state) {
  const Tensor a = rand({64, 64});
  time_calls(state, false, [&] { benchmark::DoNotOptimize(a.sum(1)); });
}
BENCHMARK(row_sum_64x64);

void linear_120x4x10(benchmark::State& state) {
  const Tensor x = rand({120, 4}), weight = rand({10, 4}), bias = rand({10});
  time_calls(state, false, [&] { benchmark::DoNotOptimize(linear(x, weight, bias)); });
}
BENCHMARK(linear_120x4x10);

void chain_of_1000_muls_forward_backward(benchmark::State& state) {
  const Tensor a = rand({1}).requires_grad_(), b = rand({1}).requires_grad_();
  time_calls(state, true, [&] {
    Tensor c = a;
    for (int i = 0; i < 1000; ++i) c = c * b;
    c.backward();
  });
}
BENCHMARK(chain_of_1000_muls_forward_backward)->Unit(benchmark::kMicrosecond);

// ---- The Iris step and its parts ----

struct Iris {
  Tensor x = rand({120, 4}), y = randint(0, 3, {120}, kLong);
  nn::Sequential model{nn::Linear(4, 10), nn::ReLU(), nn::Linear(10, 3)};
  optim::SGD sgd{model->parameters(), optim::SGDOptions(0.01)};

  Tensor loss() { return nn::functional::cross_entropy(model(x), y); }
};

void iris_forward(benchmark::State& state) {
  Iris iris;
  time_calls(state, false, [&] { benchmark::DoNotOptimize(iris.loss()); });
}
BENCHMARK(iris_forward);

void iris_forward_recorded(benchmark::State& state) {
  Iris iris;
  time_calls(state, true, [&] { benchmark::DoNotOptimize(iris.loss()); });
}
BENCHMARK(iris_forward_recorded);

void iris_forward_backward(benchmark::State& state) {
  Iris iris;
  time_calls(state, true, [&] {
    iris.sgd.zero_grad();
    iris.loss().backward();
  });
}
BENCHMARK(iris_forward_backward);

void iris_step(benchmark::State& state) {
  Iris iris;
  time_calls(state, true, [&] {
    const Tensor loss = iris.loss();
    iris.sgd.zero_grad();
    loss.backward();
    iris.sgd.step();
  });
}
BENCHMARK(iris_step);

void iris_optimizer(benchmark::State& state) {
  Iris iris;
  iris.loss().backward();
  time_calls(state, true, [&] { iris.sgd.step(); });
}
BENCHMARK(iris_optimizer);

// One model, called by several threads at once: items_per_second are the calls of all of them together.
void model_call_by_threads(benchmark::State& state) {
  static nn::Sequential model(nn::Linear(32, 64), nn::ReLU(), nn::Linear(64, 10));
  const Tensor x = rand({8, 32});
  time_calls(state, false, [&] { benchmark::DoNotOptimize(model->forward(x)); });
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(model_call_by_threads)->ThreadRange(1, 4)->UseRealTime();

// The same for training: a model for each thread.
void training_step_by_threads(benchmark::State& state) {
  nn::Sequential model(nn::Linear(32, 64), nn::ReLU(), nn::Linear(64, 10));
  optim::SGD sgd(model->parameters(), 0.01);
  const Tensor x = rand({8, 32}), target = randint(10, {8}, kLong);
  time_calls(state, true, [&] {
    const Tensor loss = nn::functional::cross_entropy(model->forward(x), target);
    sgd.zero_grad();
    loss.backward();
    sgd.step();
  });
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(training_step_by_threads)->ThreadRange(1, 4)->UseRealTime();

}  // namespace
}  // namespace wick

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  wick::set_num_threads(1);
  wick::manual_seed(0);
  benchmark::RunSpecifiedBenchmarks();
}
