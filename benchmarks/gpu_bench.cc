// The figures that tools/gpu_check sets against PyTorch's on the same machine: a line `name value unit` for each.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "wick.h"

using namespace wick;

namespace {

struct MLP : nn::Cloneable<MLP> {
  nn::Linear fc1 = register_module("fc1", nn::Linear(4, 10)), fc2 = register_module("fc2", nn::Linear(10, 3));
  Tensor forward(const Tensor& x) { return fc2(relu(fc1(x))); }
};

template <class F>
double seconds_of(F&& f) {
  cuda::synchronize();
  const auto start = std::chrono::steady_clock::now();
  f();
  cuda::synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print(const char* name, double value, const char* unit) { std::printf("%-24s %12.3f %s\n", name, value, unit); }

// Of a replay.
template <class F>
double us_of_graph(bool fuse, int steps, const F& step) {
  Graph graph(GraphOptions().fuse(fuse));
  {
    const GraphCapture capture(graph);
    step();
  }
  for (int i = 0; i < 20; ++i) graph.replay();
  return seconds_of([&] {
           for (int i = 0; i < steps; ++i) graph.replay();
         }) * 1e6 / steps;
}

void iris(int steps) {
  const auto data = datasets::Iris::load();
  const Tensor x = datasets::MinMaxScaler().fit_transform(data.data).narrow(0, 0, 120).to(kCUDA, kFloat);
  const Tensor y = data.target.narrow(0, 0, 120).cuda();
  manual_seed(0);
  MLP model;
  model.to(kCUDA);
  optim::SGD optimizer(model.parameters(), 0.01);
  const auto step = [&] {
    const Tensor loss = nn::functional::cross_entropy(model(x), y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  };
  for (int i = 0; i < 20; ++i) step();
  const int64_t launches = cuda::launches();
  print("iris_eager", seconds_of([&] {
          for (int i = 0; i < steps; ++i) step();
        }) * 1e6 / steps, "us/step");
  print("iris_launches", static_cast<double>(cuda::launches() - launches) / steps, "per step");
  print("iris_graph", us_of_graph(false, steps, step), "us/step");
  print("iris_fused", us_of_graph(true, steps, step), "us/step");
}

// A transformer's feed-forward layers, forward and backward; cuBLASLt's GELU epilogues against kernels of their own.
void feed_forward(int steps) {
  manual_seed(0);
  nn::Linear up(1024, 4096), down(4096, 1024);
  up->to(kCUDA, kBFloat16);
  down->to(kCUDA, kBFloat16);
  const Tensor x = randn({2048, 1024}).to(kCUDA, kBFloat16);
  const auto step = [&] {
    const Tensor y = down(gelu(up(x), "tanh"));
    up->zero_grad();
    down->zero_grad();
    y.backward(ones_like(y));
  };
  step();
  print("feed_forward_graph", us_of_graph(false, steps, step), "us/step");
  print("feed_forward_fused", us_of_graph(true, steps, step), "us/step");
}

void gemm(const char* name, ScalarType dtype, int64_t n, int repeats) {
  const Tensor a = randn({n, n}).to(kCUDA, dtype), b = randn({n, n}).to(kCUDA, dtype);
  for (int i = 0; i < 3; ++i) mm(a, b);
  const double seconds = seconds_of([&] {
    for (int i = 0; i < repeats; ++i) mm(a, b);
  });
  print(name, 2e-12 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) * repeats / seconds, "TFLOP/s");
}

}  // namespace

// usage: gpu_bench [STEPS [N]]
int main(int argc, char** argv) {
  if (!cuda::is_available()) return std::puts("there is no CUDA device"), 0;
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20000;
  const int64_t n = argc > 2 ? std::atoll(argv[2]) : 4096;
  iris(steps);
  feed_forward(steps / 100 + 1);
  gemm("gemm_float32", kFloat, n, 10);
  cuda::set_allow_tf32(true);
  gemm("gemm_tf32", kFloat, n, 10);
  cuda::set_allow_tf32(false);
  gemm("gemm_bfloat16", kBFloat16, n, 10);
  return 0;
}
