// A convolutional network that reads handwritten digits of 8 x 8 pixels: training in batches, a look at the test part after every epoch,
// and a table of what was taken for what.
//
//   bazelw run //examples:digits_cnn -- --help
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "wick/examples/example.h"
#include "wick/viz/figure.h"
#include "wick/viz/interrupt.h"
#include "wick/viz/paths.h"
#include "wick/viz/progress.h"

using namespace wick;
namespace F = nn::functional;

namespace {

struct Options {
  std::string device = "cpu";
  int epochs = 30;
  int64_t batch = 64;
  double lr = 4e-3;
  uint64_t seed = 0;
  int threads = 1;
  std::string folder = ".";
};

// [n, 1, 8, 8] -> [n, 10]: two convolutions with 3 x 3 filters, a pooling that halves the picture, and a layer that decides. Dropout hides
// a part of the features in training, so that the network does not rely on any one of them.
struct Net : nn::Cloneable<Net> {
  nn::Conv2d conv1 = register_module("conv1", nn::Conv2d(nn::Conv2dOptions(1, 16, 3).padding(1)));
  nn::Conv2d conv2 = register_module("conv2", nn::Conv2d(nn::Conv2dOptions(16, 32, 3).padding(1)));
  nn::Dropout dropout = register_module("dropout", nn::Dropout(0.5));
  nn::Linear fc = register_module("fc", nn::Linear(32 * 4 * 4, 10));

  Tensor forward(const Tensor& x) {
    const Tensor features = relu(conv2(relu(conv1(x))));
    return fc(dropout(F::max_pool2d(features, F::MaxPool2dFuncOptions(2)).flatten(1)));
  }
};

struct Data {
  Tensor x_train, x_test, y_train, y_test;
};

Data load_data(Device device) {
  const auto digits = datasets::Digits::load();
  const Tensor x = (digits.images / 16).to(kFloat).unsqueeze(1);  // one channel, grey from 0 to 1
  auto split = datasets::train_test_split(x, digits.target, {.test_size = 0.2, .random_state = 42}, digits.target);
  return {split.x_train.to(device), split.x_test.to(device), split.y_train.to(device), split.y_test.to(device)};
}

struct Curves {
  std::vector<double> epochs, train_loss, test_loss, test_accuracy;
};

Tensor predict(Net& model, const Tensor& x) {
  NoGradGuard no_grad;
  model.eval();  // dropout lets everything through
  const Tensor scores = model(x);
  model.train();
  return scores;
}

// One pass over the training part in a new order. Losses are summed on the device and fetched once.
double train_epoch(Net& model, optim::Optimizer& optimizer, const Data& data, int64_t batch) {
  const int64_t n = data.x_train.size(0);
  const Tensor order = randperm(n).to(data.x_train.device());
  Tensor sum = zeros({}, data.x_train.options());
  for (int64_t first = 0; first < n; first += batch) {
    const Tensor rows = order.slice(0, first, std::min(first + batch, n));
    const Tensor loss = F::cross_entropy(model(data.x_train.index_select(0, rows)), data.y_train.index_select(0, rows));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    sum += loss.detach() * rows.size(0);
  }
  return sum.item<double>() / static_cast<double>(n);
}

Curves train(Net& model, const Data& data, const Options& options, const viz::InterruptGuard& guard) {
  optim::Adam optimizer(model.parameters(), optim::AdamOptions(options.lr));
  optim::CosineAnnealingLR schedule(optimizer, options.epochs);  // large steps first, ever smaller ones towards the end
  Curves curves;
  viz::ProgressBar bar(options.epochs, "training");
  for (int epoch = 1; epoch <= options.epochs && !guard.interrupted(); ++epoch) {
    curves.epochs.push_back(epoch);
    curves.train_loss.push_back(train_epoch(model, optimizer, data, options.batch));
    schedule.step();
    const Tensor scores = predict(model, data.x_test);
    curves.test_loss.push_back(F::cross_entropy(scores, data.y_test).item<double>());
    curves.test_accuracy.push_back(datasets::accuracy(scores, data.y_test));
    bar.update(epoch);
    if (epoch > 1 && epoch % 10 && epoch != options.epochs) continue;
    bar.clear();
    std::printf("epoch %2d: loss %.4f in training, %.4f on the test part; %.2f %% of the test part right\n", epoch,
                curves.train_loss.back(), curves.test_loss.back(), 100 * curves.test_accuracy.back());
  }
  return curves;
}

void draw_curves(const Curves& curves, const std::string& path) {
  viz::Figure figure(1, 2);
  figure.size(9, 3.6);
  figure.axes(0, 0)
      .title("Loss")
      .x_label("epoch")
      .y_label("cross entropy")
      .log_y()
      .line(curves.epochs, curves.train_loss, {.label = "training"})
      .line(curves.epochs, curves.test_loss, {.label = "test"});
  std::vector<double> percent;
  for (const double part : curves.test_accuracy) percent.push_back(100 * part);
  figure.axes(0, 1).title("Accuracy").x_label("epoch").y_label("% of the test part").legend(viz::Legend::kBottomRight)
      .line(curves.epochs, percent, {.draw = viz::Draw::kLinePoints});
  std::printf("%s\n", figure.save_or_csv(path).message.c_str());
}

void draw_confusion(const Tensor& confusion, const std::string& path) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < confusion.size(0); ++i) names.push_back(std::to_string(i));
  viz::Figure figure;
  figure.size(5, 5.2)
      .axes()
      .title("What was taken for what")
      .x_label("read as")
      .y_label("digit")
      .matrix(examples::numbers(confusion), names, names);
  std::printf("%s\n", figure.save_or_csv(path).message.c_str());
}

void list_mistakes(const Tensor& confusion) {
  for (int64_t i = 0; i < confusion.size(0); ++i) {
    for (int64_t j = 0; j < confusion.size(1); ++j) {
      const int64_t count = confusion[i][j].item<int64_t>();
      if (i == j || count == 0) continue;
      std::printf("  %lld read as %lld: %lld time%s\n", static_cast<long long>(i), static_cast<long long>(j), static_cast<long long>(count),
                  count == 1 ? "" : "s");
    }
  }
}

int run(const Options& options) {
  const auto file = [&](const char* name) { return viz::user_path(options.folder, name); };
  viz::Figure::check_path(file("digits_curves.png"));
  const Device device = examples::device_named(options.device);
  set_num_threads(options.threads);
  const Data data = load_data(device);
  manual_seed(options.seed);
  Net model;
  model.to(device);
  std::printf("%lld digits to learn from, %lld to be tested with, on %s\n\n%s\n", static_cast<long long>(data.x_train.size(0)),
              static_cast<long long>(data.x_test.size(0)), device.str().c_str(), nn::summary(model, {1, 1, 8, 8}).c_str());

  const viz::InterruptGuard guard;
  const auto start = std::chrono::steady_clock::now();
  const Curves curves = train(model, data, options, guard);
  std::printf("Time: %.2f s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  const Tensor scores = predict(model, data.x_test), confusion = datasets::confusion_matrix(scores, data.y_test, 10);
  std::printf("Test accuracy: %.4f\n", datasets::accuracy(scores, data.y_test));
  list_mistakes(confusion);
  draw_curves(curves, file("digits_curves.png"));
  draw_confusion(confusion, file("digits_confusion.png"));
  return guard.interrupted() ? viz::InterruptGuard::kExitStatus : 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return examples::main_of(
      "digits_cnn", "Trains a convolutional network on 1797 handwritten digits and shows what it mistakes.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--device", options.device, "cpu or cuda")->capture_default_str();
        app.add_option("--epochs", options.epochs, "passes over the training part")->check(examples::kPositive)->capture_default_str();
        app.add_option("--batch", options.batch, "digits in one step")->check(examples::kPositive)->capture_default_str();
        app.add_option("--lr", options.lr, "learning rate of Adam at the beginning")->check(examples::kPositive)->capture_default_str();
        app.add_option("--seed", options.seed, "of the weights, the order and dropout")->capture_default_str();
        app.add_option("--threads", options.threads, "threads of the CPU")->check(examples::kPositive)->capture_default_str();
        app.add_option("--out", options.folder, "the folder for the pictures, which must exist")->capture_default_str();
      },
      [&] { return run(options); });
}
