// Trains a small network, 4-10-3, on the Iris flowers, shows how its loss falls, and explains what model(x) does that
// model.forward(x) does not.
//
//   bazelw run //examples:iris_mlp -- --help
#include <algorithm>
#include <chrono>
#include <vector>

#include "wick/examples/counter.h"
#include "wick/examples/example.h"
#include "wick/examples/iris.h"
#include "wick/viz/figure.h"
#include "wick/viz/interrupt.h"
#include "wick/viz/output_file.h"
#include "wick/viz/paths.h"
#include "wick/viz/progress.h"

using namespace wick;
using examples::MLP;

namespace {

struct Options {
  std::string device = "cpu";
  int epochs = 20000;
  double lr = 0.01;
  int record_every = 200;
  uint64_t seed = 0;
  int threads = 1;
  std::string csv, label;
  std::string plot = "training_loss.png";
  std::string save;
};

struct Data {
  Tensor x_train, x_test, y_train, y_test;
  datasets::MinMaxScaler scaler;
  std::vector<std::string> classes;
};

struct Curve {
  std::vector<double> epochs, losses;
};

// ---- Step 1: the device ----

Device choose_device(const std::string& name) {
  const Device device = examples::device_named(name);
  std::printf("🚀 Running on device: %s\n", device.str().c_str());
  if (device.is_cpu()) std::printf("   %s, training on the CPU.\n", cuda::is_available() ? "Asked to" : "⚠️  No GPU found");
  return device;
}

// ---- Step 2: the data, scaled to [0, 1] by what the training part shows, and moved to the device ----

Data load_data(const Options& options, Device device) {
  Tensor x, y;
  std::vector<std::string> classes;
  if (options.csv.empty()) {
    const auto iris = datasets::Iris::load();
    x = iris.data, y = iris.target, classes = iris.target_names;
  } else {
    WICK_CHECK(!options.label.empty(), "--label must name a column of ", options.csv);
    const auto table = datasets::read_csv(viz::user_path(options.csv), {.label = options.label});
    x = table.data, y = table.target, classes = table.target_names;
  }
  auto [x_train, x_test, y_train, y_test] = datasets::train_test_split(x, y, {.test_size = 0.2, .random_state = 42});
  WICK_CHECK(classes.size() > 1, options.csv, ": column \"", options.label, "\" has one class, \"", classes.front(),
             "\", in all rows: there is nothing to tell apart");
  datasets::MinMaxScaler scaler;
  x_train = scaler.fit_transform(x_train);
  x_test = scaler.transform(x_test);
  Data data{x_train.to(device, kFloat), x_test.to(device, kFloat), y_train.to(device), y_test.to(device), scaler, classes};
  std::printf("Data is on: %s (%lld training rows, %lld test rows, %lld features, %lld classes)\n", data.x_train.device().str().c_str(),
              static_cast<long long>(data.x_train.size(0)), static_cast<long long>(data.x_test.size(0)),
              static_cast<long long>(data.x_train.size(1)), static_cast<long long>(classes.size()));
  return data;
}

// ---- Step 3: training. The loss is fetched now and then only: on a GPU each item() makes the host wait for the device ----

Curve train(MLP& model, const Data& data, const Options& options, const viz::InterruptGuard& guard) {
  nn::CrossEntropyLoss criterion;
  optim::SGD optimizer(model.parameters(), optim::SGDOptions(options.lr));
  const int record_every = std::min(options.record_every, options.epochs);
  const int print_every = std::max(options.epochs / 4 / record_every, 1) * record_every;
  Curve curve;

  std::printf("\n⏱️  Training (%d epochs) ...\n", options.epochs);
  const auto start = std::chrono::steady_clock::now();
  {
    viz::ProgressBar bar(options.epochs, "training");
    for (int epoch = 1; epoch <= options.epochs && !guard.interrupted(); ++epoch) {
      Tensor loss = criterion(model(data.x_train), data.y_train);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      bar.update(epoch);

      if (epoch % record_every) continue;
      curve.epochs.push_back(epoch);
      curve.losses.push_back(loss.item<double>());
      if (epoch % print_every) continue;
      bar.clear();
      std::printf("Epoch [%d/%d], Loss: %.4f\n", epoch, options.epochs, curve.losses.back());
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%s Time: %.4f s\n", guard.interrupted() ? "⏹️  Interrupted." : "✅ Training finished.", seconds);
  return curve;
}

double accuracy(MLP& model, const Data& data) {
  NoGradGuard no_grad;
  return (model(data.x_test).argmax(1) == data.y_test).to(kDouble).mean().item<double>();
}

void draw(const Curve& curve, const std::string& path) {
  viz::Figure figure;
  figure.axes().title("Training Loss").x_label("epoch").y_label("cross entropy").line(curve.epochs, curve.losses, {.label = "training"});
  std::printf("%s\n", figure.save_or_csv(path).message.c_str());
}

// ---- Step 4: calling an object ----

void explain_call(MLP& model, const Tensor& x) {
  std::printf("\n--- Testing operator() ---\n");
  examples::Counter counter;
  counter("PyTorch");
  counter("GPU");
  counter("Deep Learning");
  std::printf("Final count: %d\n", counter.count());

  std::printf("\n--- The model ---\n");
  std::printf("Is the model callable? %s\n", std::is_invocable_v<MLP&, const Tensor&> ? "yes" : "no");
  int calls = 0;
  auto handle = model.register_forward_hook([&](nn::Module&, const std::vector<Tensor>&, const std::vector<Tensor>&) { ++calls; });
  NoGradGuard no_grad;
  model(x);
  std::printf("model(x)          runs forward and its hooks: the hook was called %d time%s\n", calls, calls == 1 ? "" : "s");
  calls = 0;
  model.forward(x);
  std::printf("model.forward(x)  runs forward alone:         the hook was called %d times\n", calls);
  handle.remove();
}

int run(const Options& options) {
  const std::string plot = viz::user_path(options.plot);
  viz::Figure::check_path(plot);
  const std::string save = viz::user_path(options.save);
  if (!save.empty()) viz::OutputFile check(save);
  set_num_threads(options.threads);
  const Device device = choose_device(options.device);
  const Data data = load_data(options, device);
  manual_seed(options.seed);
  MLP model(data.x_train.size(1), static_cast<int64_t>(data.classes.size()));
  model.to(device);

  const viz::InterruptGuard guard;
  const Curve curve = train(model, data, options, guard);
  std::printf("Test accuracy: %.4f\n", accuracy(model, data));
  draw(curve, plot);
  if (!save.empty()) {
    examples::save_classifier(model, data.scaler, data.classes, save);
    std::printf("model written to %s\n", save.c_str());
  }
  if (guard.interrupted()) return viz::InterruptGuard::kExitStatus;
  explain_call(model, data.x_test);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return examples::main_of(
      "iris_mlp", "Trains a 4-10-3 network on the Iris flowers, or on a table of your own.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--device", options.device, "cpu or cuda")->capture_default_str();
        app.add_option("--epochs", options.epochs, "passes over the training data")->check(examples::kPositive)->capture_default_str();
        app.add_option("--lr", options.lr, "learning rate of SGD")->check(examples::kPositive)->capture_default_str();
        app.add_option("--record-every", options.record_every, "epochs between two looks at the loss")
            ->check(examples::kPositive)
            ->capture_default_str();
        app.add_option("--seed", options.seed, "of the weights; the same as torch.manual_seed")->capture_default_str();
        app.add_option("--threads", options.threads, "threads of the CPU")->check(examples::kPositive)->capture_default_str();
        auto* csv = app.add_option("--csv", options.csv, "a table with a header, instead of Iris");
        auto* label = app.add_option("--label", options.label, "the column of the table that names the class");
        csv->needs(label);
        label->needs(csv);
        app.add_option("--plot", options.plot, "the picture to write (.png, .svg or .pdf)")->capture_default_str();
        app.add_option("--save", options.save, "a .safetensors file for the trained model, which iris_predict reads");
      },
      [&] { return run(options); });
}
