// How long does a product of matrices take? On a GPU the answer depends on when one asks: this program shows the first call, the second,
// the trap of a clock that is stopped too early, and the two ways to do it right.
//
//   bazelw run //examples:matmul_timing -- --help
#include <chrono>
#include <cstdio>
#include <string>

#include "wick/examples/example.h"

using namespace wick;

namespace {

struct Options {
  std::string device = cuda::is_available() ? "cuda" : "cpu";
  int64_t rows = 10000, inner = 1000, columns = 2000;
  int warm_up = 5;
};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void wait_for(Device device) {
  if (device.is_cuda()) cuda::synchronize();
}

void row(const char* what, double ms, double gigaflops) {
  std::printf("  %-44s %10.3f ms", what, ms);
  if (gigaflops > 0) std::printf(" %10.1f GFLOP/s", gigaflops / ms);
  std::printf("\n");
}

void time_on(Device device, const Tensor& a_here, const Tensor& b_here, const Options& options) {
  // 2 m k n operations, in units of 1e6: divided by milliseconds, GFLOP/s.
  const double work = 2e-6 * static_cast<double>(options.rows * options.inner * options.columns);
  std::printf("%s\n", device.is_cuda() ? cuda::get_device_name().c_str() : "the CPU");
  const auto start_move = std::chrono::steady_clock::now();
  const Tensor a = a_here.to(device), b = b_here.to(device);
  wait_for(device);
  if (device.is_cuda()) row("moving the operands (and starting the device)", milliseconds_since(start_move), 0);

  const auto timed = [&](bool waits) {
    const auto start = std::chrono::steady_clock::now();
    const Tensor c = matmul(a, b);
    if (waits) wait_for(device);
    return milliseconds_since(start);
  };
  row("first call: libraries, memory, kernels load", timed(true), work);
  row("second call", timed(true), work);
  for (int i = 0; i < options.warm_up; ++i) matmul(a, b);
  wait_for(device);
  row("after the warm-up", timed(true), work);
  if (device.is_cuda()) {
    row("the trap: the clock stopped before the wait", timed(false), 0);
    wait_for(device);
  }

  // Events are a GPU's where there is one; elsewhere they are the host's clock.
  if (device.is_cuda() || !cuda::is_available()) {
    cuda::Event start(true), end(true);
    start.record();
    matmul(a, b);
    end.record();
    end.synchronize();
    row("by events", start.elapsed_time(end), work);
  }
  const Tensor norm = matmul(a, b).norm(2);
  std::printf("  c.norm(2) = %s\n", to_string(norm).c_str());
}

void run(const Options& options) {
  const Device device = examples::device_named(options.device);
  manual_seed(0);
  const Tensor a = randn({options.rows, options.inner}), b = randn({options.inner, options.columns});
  std::printf("(%lld x %lld) times (%lld x %lld), float32. CUDA available: %s\n\n", static_cast<long long>(options.rows),
              static_cast<long long>(options.inner), static_cast<long long>(options.inner), static_cast<long long>(options.columns),
              cuda::is_available() ? "yes" : "no");
  time_on(kCPU, a, b, options);
  if (!device.is_cuda()) {
    std::printf(
        "\nThe CPU has done its work when the call returns, so every clock tells the same but for the first call, which fetches\n"
        "memory and builds the kernel. On a GPU (--device cuda) the call only enqueues, and a clock stopped too early shows a\n"
        "thousandth.\n");
    return;
  }
  std::printf("\n");
  time_on(device, a, b, options);
  std::printf(
      "\nThe call returns when the product is enqueued. Whoever stops the clock then has measured the launch; a wait, or events in the\n"
      "stream, tell what the device did. The first call also loads cuBLAS and asks for memory.\n");
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return examples::main_of(
      "matmul_timing", "Times a product of two matrices on the CPU and on a GPU, the wrong ways and the right ones.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--device", options.device, "cpu or cuda")->capture_default_str();
        app.add_option("--rows", options.rows, "of the first matrix")->check(examples::kPositive)->capture_default_str();
        app.add_option("--inner", options.inner, "columns of the first, rows of the second")
            ->check(examples::kPositive)
            ->capture_default_str();
        app.add_option("--columns", options.columns, "of the second matrix")->check(examples::kPositive)->capture_default_str();
        app.add_option("--warm-up", options.warm_up, "products before the measured one")
            ->check(examples::kNotNegative)
            ->capture_default_str();
      },
      [&] {
        run(options);
        return 0;
      });
}
