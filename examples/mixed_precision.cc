// Mixed precision: products in 16 bits, everything that adds up small numbers in 32. Autocast chooses for each operation; with float16,
// whose smallest numbers are not small, a GradScaler keeps gradients from vanishing.
//
//   bazelw run //examples:mixed_precision -- --help
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "wick/examples/example.h"
#include "wick/viz/figure.h"
#include "wick/viz/paths.h"

using namespace wick;
namespace F = nn::functional;

namespace {

struct Options {
  std::string device = "cpu";
  int steps = 100;
  int64_t width = 256;
  double lr = 0.1;
  int threads = 1;
  std::string plot = "mixed_precision.png";
};

struct MLP : nn::Cloneable<MLP> {
  explicit MLP(int64_t width)
      : fc1(register_module("fc1", nn::Linear(64, width))), fc2(register_module("fc2", nn::Linear(width, width))),
        fc3(register_module("fc3", nn::Linear(width, 10))) {}
  Tensor forward(const Tensor& x) { return fc3(relu(fc2(relu(fc1(x))))); }

  nn::Linear fc1, fc2, fc3;
};

// ---- What autocast changes: the dtype of each step ----

void show_dtypes(Device device, ScalarType low) {
  const Tensor x = ones({4, 64}, TensorOptions(device)), y = zeros({4}, TensorOptions(device).dtype(kLong));
  nn::Linear layer(64, 10);
  layer->to(device);
  Tensor product, activation, loss, sum;
  {
    const autocast guard(device.type(), low);
    product = layer(x);
    activation = relu(product);
    loss = F::cross_entropy(activation, y);
    sum = x + x;
  }
  loss.backward();
  std::printf("inside autocast(%s, %s):\n", device.str().c_str(), wick::dtype_name(low));
  const std::pair<const char*, const Tensor*> rows[] = {{"x", &x},
                                                        {"layer->weight", &layer->weight},
                                                        {"layer(x)", &product},
                                                        {"relu(layer(x))", &activation},
                                                        {"x + x", &sum},
                                                        {"cross_entropy(...)", &loss},
                                                        {"layer->weight.grad()", &layer->weight.grad()}};
  for (const auto& [name, tensor] : rows) std::printf("  %-22s %s\n", name, wick::dtype_name(tensor->scalar_type()));
}

// ---- Why float16 needs a scaler ----

void show_scaling() {
  const auto gradient = [](amp::GradScaler* scaler) {
    const Tensor w = ones({1}).requires_grad_();
    optim::SGD optimizer({w}, optim::SGDOptions(1));
    // The gradient that reaches the float16 part is 1e-4, or 65536 times that; 1e-4 of 1e-4 is less than float16's least number, 6e-8.
    const Tensor loss = (w.to(kHalf) * 1e-4).to(kFloat).sum() * 1e-4;
    if (!scaler) {
      loss.backward();
    } else {
      scaler->scale(loss).backward();
      scaler->unscale_(optimizer);
    }
    return w.grad().item<double>();
  };
  amp::GradScaler scaler;
  std::printf("\nA gradient of 1e-8 through float16:  %g without a scaler, %.3g with one (the loss times %g, the gradient divided by it)\n",
              gradient(nullptr), gradient(&scaler), scaler.get_scale());
  const Tensor w = ones({1}).requires_grad_();
  optim::SGD optimizer({w}, optim::SGDOptions(1));
  const double before = scaler.get_scale();
  scaler.update();
  scaler.scale(w.to(kHalf).to(kFloat).sum()).backward();  // a gradient of 65536, which is more than float16 can hold
  scaler.step(optimizer);
  scaler.update();
  std::printf("A gradient that overflows:           the step is left out (w is still %g), and the scale goes from %g to %g\n",
              w.item<double>(), before, scaler.get_scale());
}

// ---- Training in each precision ----

struct Run {
  std::string name;
  std::vector<double> losses;
  double ms = 0, accuracy = 0;
};

struct Data {
  Tensor x_train, x_test, y_train, y_test;
};

Run train(const std::string& name, const Data& data, std::optional<ScalarType> low, bool scaled, const Options& options) {
  const Device device = data.x_train.device();
  manual_seed(0);
  MLP model(options.width);
  model.to(device);
  optim::SGD optimizer(model.parameters(), optim::SGDOptions(options.lr).momentum(0.9));
  amp::GradScaler scaler(amp::GradScalerOptions().enabled(scaled), device);
  LossLog log;
  const auto forward = [&](const Tensor& x) {
    const autocast guard(device.type(), low, low.has_value());
    return model(x);
  };
  Run run;
  run.name = name;
  std::chrono::steady_clock::time_point start;
  for (int step = -3; step < options.steps; ++step) {
    if (step == 0) start = std::chrono::steady_clock::now();  // the first three build what the library caches
    const Tensor loss = F::cross_entropy(forward(data.x_train).to(kFloat), data.y_train);
    optimizer.zero_grad();
    scaler.scale(loss).backward();
    scaler.step(optimizer);
    scaler.update();
    log.record(loss);
  }
  run.losses = log.values();  // waits for the device
  run.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / options.steps;
  NoGradGuard no_grad;
  run.accuracy = datasets::accuracy(forward(data.x_test), data.y_test);
  return run;
}

void draw(const std::vector<Run>& runs, const std::string& path) {
  viz::Figure figure(1, 2);
  figure.size(9, 3.8);
  viz::Axes& losses =
      figure.axes(0, 0).title("Loss").x_label("step").y_label("cross entropy").log_y().y_range(1e-7, 1e3);  // room for the legend
  std::vector<std::string> names;
  std::vector<double> times;
  for (const Run& run : runs) {
    const bool first = &run == &runs.front();
    std::vector<double> at, values;
    for (size_t i = 0; i < run.losses.size(); ++i) {
      at.push_back(static_cast<double>(i));
      values.push_back(first ? run.losses[i] : std::abs(run.losses[i] - runs.front().losses[i]));
    }
    losses.line(at, values, {.label = first ? run.name : run.name.substr(0, run.name.find(' ')) + "'s distance"});
    names.push_back(run.name.substr(0, run.name.find(' ')));
    times.push_back(run.ms);
  }
  figure.axes(0, 1).title("Time").y_label("ms a step").bars(names, times);
  std::printf("%s\n", figure.save_or_csv(path).message.c_str());
}

int run(const Options& options) {
  const std::string plot = viz::user_path(options.plot);
  viz::Figure::check_path(plot);
  const Device device = examples::device_named(options.device);
  set_num_threads(options.threads);
  const ScalarType low = device.is_cuda() ? kHalf : kBFloat16;
  show_dtypes(device, low);
  show_scaling();

  const auto digits = datasets::Digits::load();
  const auto split =
      datasets::train_test_split((digits.data / 16).to(kFloat), digits.target, {.test_size = 0.2, .random_state = 42}, digits.target);
  const Data data{split.x_train.to(device), split.x_test.to(device), split.y_train.to(device), split.y_test.to(device)};
  std::printf("\n64-%lld-%lld-10 on Digits, %d steps of all %lld rows\n", static_cast<long long>(options.width),
              static_cast<long long>(options.width), options.steps, static_cast<long long>(data.x_train.size(0)));
  std::printf("  %-26s %10s %12s %12s\n", "precision", "last loss", "accuracy", "ms a step");
  std::vector<Run> runs;
  for (const auto& [name, dtype, scaled] : {std::tuple<const char*, std::optional<ScalarType>, bool>("float32", std::nullopt, false),
                                            {"bfloat16", kBFloat16, false}, {"float16 and GradScaler", kHalf, true}}) {
    runs.push_back(train(name, data, dtype, scaled, options));
    std::printf("  %-26s %10.4f %12.4f %12.2f\n", name, runs.back().losses.back(), runs.back().accuracy, runs.back().ms);
  }
  std::printf(
      "\nA product in 16 bits rounds its inputs to 8 (bfloat16) or 11 (float16) binary digits; what is added up stays in 32, and the\n"
      "losses stay together. What backward keeps of activations takes half the memory. Time is gained where products are most of the\n"
      "work and the processor multiplies 16-bit numbers faster; conversions come on top. The last column says which is more here.\n");
  draw(runs, plot);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return examples::main_of(
      "mixed_precision", "Trains a network in float32, bfloat16 and float16, and shows what autocast and GradScaler do.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--device", options.device, "cpu or cuda")->capture_default_str();
        app.add_option("--steps", options.steps, "of training in each precision")->check(examples::kPositive)->capture_default_str();
        app.add_option("--width", options.width, "of the hidden layers")->check(CLI::Range(1, 65536))->capture_default_str();
        app.add_option("--lr", options.lr, "learning rate of SGD")->check(examples::kPositive)->capture_default_str();
        app.add_option("--threads", options.threads, "threads of the CPU")->check(examples::kPositive)->capture_default_str();
        app.add_option("--plot", options.plot, "the picture to write (.png, .svg or .pdf)")->capture_default_str();
      },
      [&] { return run(options); });
}
