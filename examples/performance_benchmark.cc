// How long a matrix product takes on the CPU and on a GPU, from small matrices to large ones: a chart, and a report in Markdown.
//
// A GPU is timed with its own events, after a few products that warm it up: the first one pays for starting the device, and the host's
// clock alone would only see that work was handed over.
//
//   bazelw run //examples:performance_benchmark -- --help
#include <chrono>
#include <cmath>
#include <iostream>
#include <optional>
#include <vector>

#include "wick/examples/example.h"
#include "wick/viz/figure.h"
#include "wick/viz/output_file.h"
#include "wick/viz/paths.h"

using namespace wick;

namespace {

examples::Words say;

struct Row {
  int64_t size;
  double cpu;                 // milliseconds a product
  std::optional<double> gpu;
};

double gigaflops(int64_t size, double milliseconds) { return 2e-6 * std::pow(static_cast<double>(size), 3) / milliseconds; }

// The best of several rounds; each has so many products that the clock is not what is measured.
double milliseconds(int64_t size, Device device, double budget) {
  const Tensor a = randn({size, size}).to(device), b = randn({size, size}).to(device);
  using Clock = std::chrono::steady_clock;
  const auto round = [&](int products) {
    const auto start = Clock::now();
    Tensor c;
    for (int i = 0; i < products; ++i) c = matmul(a, b);
    c[0][0].item<float>();  // waits until the device is done
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  const double first = std::max(round(1), round(1));
  const int products = static_cast<int>(std::clamp(20 / first, 1.0, 1000.0));
  double best = 1e30, spent = 0;
  for (int i = 0; i < 5 && (i < 2 || spent < 1000 * budget); ++i) {
    const double time = round(products);
    spent += time;
    best = std::min(best, time / products);
  }
  return best;
}

// The smallest size from which on the GPU is faster.
std::optional<int64_t> crossover(const std::vector<Row>& rows) {
  std::optional<int64_t> size;
  for (auto row = rows.rbegin(); row != rows.rend() && row->gpu && *row->gpu < row->cpu; ++row) size = row->size;
  return size;
}

std::string verdict(const std::vector<Row>& rows) {
  if (!rows.front().gpu) return say("There is no GPU here to compare with.", "没有GPU可比较。");
  if (const auto size = crossover(rows)) return wick::detail::concat(say("The GPU pays from size ", "从以下规模起GPU更划算: "), *size, ".");
  return say("The GPU does not pay at any of these sizes.", "在这些规模下GPU都不划算。");
}

std::string report(const std::vector<Row>& rows, int threads) {
  std::string text = wick::detail::concat("# ", say("Matrix products", "矩阵乘法性能测试"), "\n\n",
                                          say("Threads of the CPU: ", "CPU线程数: "), threads, "\n\n",
                                          say("| size | CPU ms | CPU GFLOP/s | GPU ms | GPU GFLOP/s | ratio |",
                                              "| 规模 | CPU 毫秒 | CPU GFLOP/s | GPU 毫秒 | GPU GFLOP/s | 加速比 |"),
                                          "\n| ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (const Row& row : rows) {
    char line[160];
    if (row.gpu) {
      std::snprintf(line, sizeof line, "| %lld | %.4f | %.2f | %.4f | %.2f | %.2f |\n", static_cast<long long>(row.size), row.cpu,
                    gigaflops(row.size, row.cpu), *row.gpu, gigaflops(row.size, *row.gpu), row.cpu / *row.gpu);
    } else {
      std::snprintf(line, sizeof line, "| %lld | %.4f | %.2f | - | - | - |\n", static_cast<long long>(row.size), row.cpu,
                    gigaflops(row.size, row.cpu));
    }
    text += line;
  }
  return text + "\n" + verdict(rows) + "\n";
}

void draw(const std::vector<Row>& rows, const std::string& path) {
  std::vector<double> sizes, cpu, gpu;
  for (const Row& row : rows) {
    sizes.push_back(static_cast<double>(row.size));
    cpu.push_back(row.cpu);
    if (row.gpu) gpu.push_back(*row.gpu);
  }
  viz::Figure figure;
  viz::Axes& axes = figure.size(7.5, 5).axes();
  axes.title(say("Matrix product, size x size", "矩阵乘法")).x_label(say("size", "规模")).y_label(say("milliseconds", "毫秒")).log_x().log_y()
      .legend(viz::Legend::kTopLeft).line(sizes, cpu, {.label = "CPU", .draw = viz::Draw::kLinePoints});
  if (!gpu.empty()) axes.line(sizes, gpu, {.label = "GPU", .draw = viz::Draw::kLinePoints});
  if (const auto size = crossover(rows)) {
    const double x = static_cast<double>(*size);
    axes.line(std::vector<double>{x, x}, std::vector<double>{cpu.front(), cpu.back()},
              {.label = wick::detail::concat(say("the GPU pays from ", "GPU划算: "), *size), .draw = viz::Draw::kDashed, .color = "#707070"});
  }
  std::cout << figure.save_or_csv(path).message << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder = ".", device_name;
  int64_t largest = 2048;
  int threads = get_num_threads();
  double budget = 0.5;
  return examples::main_of(
      "performance_benchmark", "Times matrix products of 64 x 64 and larger on the CPU and, where there is one, a GPU.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--out", folder, "the folder for the chart and the report, which must exist")->capture_default_str();
        app.add_option("--largest", largest, "the largest size; 4096 takes its time on a CPU")
            ->check(CLI::Range(64, 16384))
            ->capture_default_str();
        app.add_option("--threads", threads, "threads of the CPU")->check(examples::kPositive)->capture_default_str();
        app.add_option("--seconds", budget, "for each size and device, about")->check(examples::kPositive)->capture_default_str();
        say.add_option(app);
      },
      [&] {
        const auto file = [&](const char* name) { return viz::user_path(folder, name); };
        viz::Figure::check_path(file("performance.png"));
        set_num_threads(threads);
        std::vector<Row> rows;
        for (int64_t size = 64; size <= largest; size *= 2) {
          Row row{size, milliseconds(size, kCPU, budget), std::nullopt};
          if (cuda::is_available()) row.gpu = milliseconds(size, kCUDA, budget);
          std::printf("%5lld: CPU %10.4f ms", static_cast<long long>(size), row.cpu);
          if (row.gpu) std::printf("   GPU %10.4f ms", *row.gpu);
          std::printf("\n");
          rows.push_back(row);
        }
        viz::OutputFile text(file("performance.md"));
        text.write(report(rows, threads));
        text.commit();
        std::cout << verdict(rows) << "\n" << say("report written to ", "报告已保存为 ") << file("performance.md") << "\n";
        draw(rows, file("performance.png"));
        return 0;
      });
}
