// Memory for time. A deep network keeps the result of every layer until backward has used it. A checkpointed part of it keeps its input
// only, and runs a second time when backward arrives there. The program trains the same network with and without, and asks the
// allocator what each way needed.
//
//   bazelw run //examples:checkpointing -- --help
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "wick/examples/example.h"
#include "wick/framework/core/allocator.h"
#include "wick/viz/figure.h"
#include "wick/viz/paths.h"

using namespace wick;

namespace {

struct Options {
  int64_t layers = 36, width = 256, batch = 256;
  int steps = 3;
  int threads = 1;
  std::string plot = "checkpointing.png";
};

// A chain of layers, cut into parts of `per_part` layers that are checkpointed; 0: none is.
struct Chain : nn::Cloneable<Chain> {
  Chain(int64_t layers, int64_t width, int64_t per_part) : per_part(per_part) {
    for (int64_t i = 0; i < layers; ++i) chain->push_back(nn::Linear(width, width));
    register_module("chain", chain);
  }

  Tensor part(Tensor x, size_t first, size_t last) const {
    for (size_t i = first; i < last; ++i) x = tanh((*chain)[i]->as<nn::Linear>()->forward(x));
    return x;
  }
  Tensor forward(Tensor x) const {
    const size_t layers = chain->size(), step = per_part == 0 ? layers : static_cast<size_t>(per_part);
    for (size_t first = 0; first < layers; first += step) {
      const size_t last = std::min(first + step, layers);
      if (per_part == 0) x = part(x, first, last);
      else x = utils::checkpoint([this, first, last](const Tensor& input) { return part(input, first, last); }, x);
    }
    return x;
  }

  nn::ModuleList chain;
  int64_t per_part;
};

struct Row {
  std::string name;
  double megabytes = 0;     // at the height of a step, beyond what lives all the time
  double milliseconds = 0;  // of a step
  double loss = 0;
  Tensor gradient;          // of the first weight, after the first step
};

Row measure(const std::string& name, int64_t per_part, const Options& options) {
  manual_seed(0);
  Chain model(options.layers, options.width, per_part);
  const Tensor x = randn({options.batch, options.width}), y = randn({options.batch, options.width});
  optim::SGD optimizer(model.parameters(), optim::SGDOptions(0.1));
  Row row;
  row.name = name;
  const auto step = [&] {
    const Tensor loss = nn::functional::mse_loss(model(x), y);
    optimizer.zero_grad(false);  // the gradients stay where they are, and count among what lives all the time
    loss.backward();
    optimizer.step();
    return loss.item<double>();
  };
  step();
  row.gradient = model.parameters()[0].grad().clone();
  const int64_t before = memory_stats().allocated;
  reset_peak_memory_stats();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < options.steps; ++i) row.loss = step();
  row.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / options.steps;
  row.megabytes = static_cast<double>(memory_stats().peak_allocated - before) / (1 << 20);
  return row;
}

void run(const Options& options) {
  const std::string plot = viz::user_path(options.plot);
  viz::Figure::check_path(plot);
  set_num_threads(options.threads);
  int64_t root = 1;
  while (root * root < options.layers) ++root;
  std::printf("%lld layers of %lld x %lld, a batch of %lld: one layer's result takes %.2f MiB\n\n", static_cast<long long>(options.layers),
              static_cast<long long>(options.width), static_cast<long long>(options.width), static_cast<long long>(options.batch),
              4.0 * static_cast<double>(options.batch * options.width) / (1 << 20));
  std::printf("%-24s %12s %12s %10s  %s\n", "checkpointed", "peak MiB", "ms a step", "loss", "gradient");
  std::vector<std::string> names;
  std::vector<double> memory, time;
  Tensor gradient;
  for (const auto& [name, per_part] : {std::pair<std::string, int64_t>("nothing", 0),
                                       {"parts of " + std::to_string(root) + " layers", root},
                                       {"every layer", 1},
                                       {"the whole network", options.layers}}) {
    const Row row = measure(name, per_part, options);
    if (!gradient.defined()) gradient = row.gradient;
    std::printf("%-24s %12.2f %12.1f %10.6f  %s\n", row.name.c_str(), row.megabytes, row.milliseconds, row.loss,
                equal(row.gradient, gradient) ? "the same" : "differs");
    names.push_back(row.name);
    memory.push_back(row.megabytes);
    time.push_back(row.milliseconds);
  }
  std::printf(
      "\nParts of about the square root of the number of layers need least: their inputs are kept, and the inside of one part at a\n"
      "time. Parts of one layer keep the input of every layer, which is as much as without. With the whole network as one part\n"
      "nothing is kept, but all of it comes back when backward begins. A checkpointed network runs forward twice, and computes the\n"
      "same gradients to the bit.\n");
  viz::Figure figure(1, 2);
  figure.size(9, 3.8);
  figure.axes(0, 0).title("Memory at the height of a step").y_label("MiB").bars(names, memory);
  figure.axes(0, 1).title("Time").y_label("ms a step").bars(names, time, {.color = "#d55e00"});
  std::printf("%s\n", figure.save_or_csv(plot).message.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return examples::main_of(
      "checkpointing", "Trains a deep network with and without checkpoints, and compares memory and time.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--layers", options.layers, "of the network")->check(CLI::Range(1, 10000))->capture_default_str();
        app.add_option("--width", options.width, "of each layer")->check(CLI::Range(1, 65536))->capture_default_str();
        app.add_option("--batch", options.batch, "rows in one step")->check(CLI::Range(1, 1 << 24))->capture_default_str();
        app.add_option("--steps", options.steps, "that are timed, after one that is not")
            ->check(examples::kPositive)
            ->capture_default_str();
        app.add_option("--threads", options.threads, "threads of the CPU")->check(examples::kPositive)->capture_default_str();
        app.add_option("--plot", options.plot, "the picture to write (.png, .svg or .pdf)")->capture_default_str();
      },
      [&] {
        run(options);
        return 0;
      });
}
