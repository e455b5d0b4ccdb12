// What it costs to look at the loss: the same training with the loss fetched in every step, now and then, through a LossLog, never, and
// replayed as a graph.
//
//   bazelw run //examples:sync_overhead -- --help
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "wick/examples/example.h"
#include "wick/viz/figure.h"
#include "wick/viz/paths.h"

using namespace wick;

namespace {

struct Options {
  std::string device = cuda::is_available() ? "cuda" : "cpu";
  int epochs = 2000;
  int fetch_every = 200;
  std::string plot = "sync_overhead.png";
};

struct MLP : nn::Cloneable<MLP> {
  nn::Linear fc1 = register_module("fc1", nn::Linear(4, 10)), fc2 = register_module("fc2", nn::Linear(10, 3));
  Tensor forward(const Tensor& x) { return fc2(relu(fc1(x))); }
};

// A model, its data and its optimiser, each way of training beginning with the same ones.
struct Training {
  Tensor x, y;
  MLP model;
  optim::SGD optimizer;

  explicit Training(Device device) : model((manual_seed(0), MLP())), optimizer((model.to(device), model.parameters()), 0.01) {
    const auto iris = datasets::Iris::load();
    auto [x_train, x_test, y_train, y_test] = datasets::train_test_split(iris.data, iris.target, {.test_size = 0.2, .random_state = 42});
    x = datasets::MinMaxScaler().fit_transform(x_train).to(device, kFloat);
    y = y_train.to(device);
  }
  Tensor step() {
    const Tensor loss = nn::functional::cross_entropy(model(x), y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    return loss;
  }
};

struct Row {
  std::string name;
  double us = 0, launches = 0, waits = 0;  // per step
  double last_loss = 0;
  std::string sites;
};

void wait_for(Device device) {
  if (device.is_cuda()) cuda::synchronize();
}

// Times `epochs` calls of step; the value that `finish` returns is the last loss.
Row measure(const std::string& name, Device device, int epochs, const std::function<void(int)>& step,
            const std::function<double()>& finish) {
  for (int i = 0; i < 20; ++i) step(-1);
  wait_for(device);
  cuda::reset_sync_report();
  const int64_t launches = cuda::launches(), waits = cuda::synchronizations();
  const auto start = std::chrono::steady_clock::now();
  for (int epoch = 1; epoch <= epochs; ++epoch) step(epoch);
  Row row;
  row.name = name;
  row.launches = static_cast<double>(cuda::launches() - launches) / epochs;
  row.waits = static_cast<double>(cuda::synchronizations() - waits) / epochs;
  row.last_loss = finish();
  wait_for(device);
  row.us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / epochs;
  row.sites = cuda::sync_report();
  return row;
}

// ---- The ways ----

Row fetch_each_step(Device device, const Options& options) {
  Training training(device);
  double loss = 0;
  const auto step = [&](int) { loss = training.step().item<double>(); };
  return measure("item() in each step", device, options.epochs, step, [&] { return loss; });
}

Row fetch_now_and_then(Device device, const Options& options) {
  Training training(device);
  double loss = 0;
  const auto step = [&](int epoch) {
    const Tensor now = training.step();
    if (epoch < 0 || epoch % options.fetch_every == 0) loss = now.item<double>();
  };
  return measure("item() every " + std::to_string(options.fetch_every), device, options.epochs, step, [&] { return loss; });
}

Row log_each_step(Device device, const Options& options) {
  Training training(device);
  LossLog log;
  const auto step = [&](int) { log.record(training.step()); };
  return measure("LossLog in each step", device, options.epochs, step, [&] { return log.values().back(); });
}

Row never_look(Device device, const Options& options) {
  Training training(device);
  Tensor loss;
  const auto step = [&](int) { loss = training.step(); };
  return measure("never", device, options.epochs, step, [&] { return loss.item<double>(); });
}

Row replay_a_graph(Device device, const Options& options) {
  Training training(device);
  LossLog log(options.epochs + 256);
  Graph graph;
  const auto step = [&](int) {
    if (graph.captured()) return graph.replay();
    log.record(training.step());  // the optimiser makes its state in the first step
    const GraphCapture capture(graph);
    log.record(training.step());
  };
  return measure("a graph, LossLog inside", device, options.epochs, step, [&] { return log.values().back(); });
}

// ---- What is printed ----

void explain(Device device) {
  if (device.is_cuda()) {
    std::printf(
        "\nlaunches/step: kernels and library calls that the host starts; waits/step: how often it stands still for the device.\n"
        "A GPU works behind the host's back: a launch only puts a kernel into a queue. item() needs the value, so the host waits until\n"
        "the queue is empty, and then the GPU waits until the host has filled it again. Fetch seldom, or let a LossLog collect; with a\n"
        "graph one launch does a whole step.\n");
  } else {
    std::printf(
        "\nOn the CPU a kernel has run when its call returns: item() reads a number that is there, and nobody waits; there is no device\n"
        "whose launches could be counted. What a graph saves here is the way to the kernels: no operation, no autograd, no allocation.\n"
        "On a GPU the first row costs most; --device cuda shows it.\n");
  }
}

void run(const Options& options) {
  const std::string plot = viz::user_path(options.plot);
  viz::Figure::check_path(plot);
  const Device device = examples::device_named(options.device);
  set_num_threads(1);
  std::printf("Training 4-10-3 on Iris, %d steps of each way, on %s\n\n", options.epochs,
              device.is_cuda() ? cuda::get_device_name().c_str() : "the CPU");
  std::printf("%-26s %10s %14s %12s %10s\n", "the loss is fetched by", "us a step", "launches/step", "waits/step", "last loss");
  std::vector<std::string> names;
  std::vector<double> times;
  std::string sites;
  for (const auto way : {fetch_each_step, fetch_now_and_then, log_each_step, never_look, replay_a_graph}) {
    const Row row = way(device, options);
    std::printf("%-26s %10.2f %14.2f %12.3f %10.4f\n", row.name.c_str(), row.us, row.launches, row.waits, row.last_loss);
    names.push_back(row.name);
    times.push_back(row.us);
    sites += row.name + ":\n" + row.sites;
  }
  if (device.is_cuda()) std::printf("\nWhere the host waited:\n%s", sites.c_str());
  explain(device);
  viz::Figure figure;
  figure.size(8, 4).axes().title("Looking at the loss").y_label("µs a step").bars(names, times);
  std::printf("%s\n", figure.save_or_csv(plot).message.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return examples::main_of(
      "sync_overhead", "Measures what it costs to fetch the loss of a small training, in five ways.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--device", options.device, "cpu or cuda")->capture_default_str();
        app.add_option("--epochs", options.epochs, "steps of each way")->check(examples::kPositive)->capture_default_str();
        app.add_option("--fetch-every", options.fetch_every, "steps between two fetches in the second way")
            ->check(examples::kPositive)
            ->capture_default_str();
        app.add_option("--plot", options.plot, "the picture to write (.png, .svg or .pdf)")->capture_default_str();
      },
      [&] {
        run(options);
        return 0;
      });
}
