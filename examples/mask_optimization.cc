// Inverse lithography in small. A mask is projected through optics that blur it, and prints where the light is strong enough. Gradient
// descent changes the mask until its print looks like the pattern that is wanted.
//
//   aerial image   I = (h * M)², h a Gaussian of 15 x 15 pixels
//   print          R = sigmoid(25 (I - 0.25))
//   mask           M = sigmoid(4 θ), so that θ may have any value
//   loss           sum of (R - T)² over all pixels, T the wanted pattern
//
//   bazelw run //examples:mask_optimization -- --help
#include <iostream>
#include <vector>

#include "wick/examples/example.h"
#include "wick/viz/figure.h"
#include "wick/viz/paths.h"

using namespace wick;
using indexing::Slice;

namespace {

examples::Words say;

constexpr int64_t kSize = 64;

// Two bars and one across, as letters of a circuit are.
Tensor wanted_pattern() {
  Tensor target = zeros({kSize, kSize});
  target.index_put_({Slice(12, 52), Slice(14, 22)}, 1);
  target.index_put_({Slice(12, 52), Slice(30, 38)}, 1);
  target.index_put_({Slice(12, 20), Slice(14, 50)}, 1);
  return target;
}

Tensor gaussian(int64_t size, double sigma) {
  const Tensor at = arange(size, kFloat) - (size - 1) / 2;
  const Tensor along = (-at.pow(2) / (2 * sigma * sigma)).exp();
  const Tensor kernel = outer(along, along);
  return (kernel / kernel.sum()).view({1, 1, size, size});
}

class Process {
 public:
  Process() : optics_(gaussian(15, 2.5)) {}
  // What the resist shows under this mask.
  Tensor print(const Tensor& mask) const {
    const Tensor field = conv2d(mask.view({1, 1, kSize, kSize}), optics_, {}, 1, 7).view({kSize, kSize});
    return sigmoid(25 * (field.pow(2) - 0.25));
  }

 private:
  Tensor optics_;
};

struct Snapshot {
  int iteration;
  Tensor mask, print;
};

struct Result {
  std::vector<double> losses;
  std::vector<Snapshot> snapshots;
};

double loss_of(const Tensor& print, const Tensor& target) { return (print - target).pow(2).sum().item<double>(); }
int64_t wrong_pixels(const Tensor& print, const Tensor& target) { return (print.gt(0.5) != target.gt(0.5)).sum().item<int64_t>(); }

Result optimise(const Process& process, const Tensor& target, int iterations, double rate) {
  Tensor theta = (2 * target - 1).requires_grad_();
  Result result;
  for (int i = 0; i < iterations; ++i) {
    const Tensor mask = sigmoid(4 * theta), print = process.print(mask);
    const Tensor loss = (print - target).pow(2).sum();
    loss.backward();
    {
      NoGradGuard no_grad;
      theta -= rate * theta.grad();
    }
    theta.mutable_grad().zero_();
    result.losses.push_back(loss.item<double>());
    const bool last = i + 1 == iterations;
    if (i == 0 || i == iterations / 10 || i == iterations / 3 || last) result.snapshots.push_back({i, mask.detach(), print.detach()});
    if (i == 0 || (i + 1) % 100 == 0 || last) {
      std::printf(say("iteration %3d: loss %.4f, %lld wrong pixels\n", "迭代 %3d: 误差 %.4f, 错误像素 %lld\n"), i, result.losses.back(),
                  static_cast<long long>(wrong_pixels(print, target)));
    }
  }
  return result;
}

void draw_masks(const Tensor& target, const Tensor& uncorrected, const Result& result, const std::string& path) {
  const int columns = static_cast<int>(result.snapshots.size()) + 1;
  viz::Figure figure(2, columns);
  figure.size(2.7 * columns, 5.9);
  const auto panel = [&](int row, int column, const std::string& title, const Tensor& x) {
    figure.axes(row, column).title(title).image(examples::numbers(x), kSize, kSize, 0, 1);
  };
  panel(0, 0, say("wanted", "目标图形"), target);
  panel(1, 0, say("print without correction", "未校正的成像"), uncorrected);
  for (int i = 1; i < columns; ++i) {
    const Snapshot& s = result.snapshots[static_cast<size_t>(i - 1)];
    panel(0, i, say("mask ", "掩模 ") + std::to_string(s.iteration), s.mask);
    panel(1, i, say("print ", "成像 ") + std::to_string(s.iteration), s.print);
  }
  std::cout << figure.save_or_csv(path).message << "\n";
}

void draw_losses(const std::vector<double>& losses, const std::string& path) {
  std::vector<double> at;
  for (size_t i = 0; i < losses.size(); ++i) at.push_back(static_cast<double>(i));
  viz::Figure figure;
  figure.axes().title(say("Error of the print", "成像误差")).x_label(say("iteration", "迭代次数")).y_label(say("loss", "误差")).line(at, losses);
  std::cout << figure.save_or_csv(path).message << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder = ".";
  int iterations = 300;
  double rate = 0.05;
  return examples::main_of(
      "mask_optimization", "Finds the mask whose blurred print is the pattern that is wanted.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--out", folder, "the folder for the pictures, which must exist")->capture_default_str();
        app.add_option("--iterations", iterations, "steps of gradient descent")->check(CLI::Range(1, 100000))->capture_default_str();
        app.add_option("--lr", rate, "learning rate")->check(examples::kPositive)->capture_default_str();
        say.add_option(app);
      },
      [&] {
        const auto file = [&](const char* name) { return viz::user_path(folder, name); };
        viz::Figure::check_path(file("masks.png"));
        const Process process;
        const Tensor target = wanted_pattern();
        const Tensor uncorrected = process.print(target);
        std::printf(say("the pattern itself as mask: loss %.4f, %lld wrong pixels\n", "未校正: 误差 %.4f, 错误像素 %lld\n"),
                    loss_of(uncorrected, target), static_cast<long long>(wrong_pixels(uncorrected, target)));
        const Result result = optimise(process, target, iterations, rate);
        draw_masks(target, uncorrected, result, file("masks.png"));
        draw_losses(result.losses, file("mask_loss.png"));
        return 0;
      });
}
