// What automatic differentiation does: derivatives of small functions, and walks downhill along them, with pictures of the walks.
//
//   bazelw run //examples:autograd_demo -- --help
#include <iostream>
#include <vector>

#include "wick/examples/example.h"
#include "wick/viz/draw.h"
#include "wick/viz/figure.h"
#include "wick/viz/output_file.h"
#include "wick/viz/paths.h"

using namespace wick;

namespace {

examples::Words say;

struct Files {
  std::string folder;
  std::string operator()(const char* name) const { return viz::user_path(folder, name); }
};

void report(const viz::Figure& figure, const std::string& path) { std::cout << figure.save_or_csv(path).message << "\n"; }

// x² + 3 at 2, and the graph that remembers how it was computed.
void derivative(const Files& file) {
  std::cout << "--- " << say("A derivative", "自动微分") << " ---\n";
  const Tensor x = tensor({2.f}).requires_grad_();
  std::cout << "x = " << x << "\n";
  const Tensor y = x.pow(2);
  std::cout << "y = x^2 = " << y << "\n";
  const Tensor z = y + 3;
  std::cout << "z = y + 3 = " << z << "\n";
  viz::OutputFile dot(file("graph.dot"));
  dot.write(autograd::draw(z));
  dot.commit();
  z.backward();
  std::cout << "dz/dx = " << x.grad() << "\n";
  std::cout << say("the graph of z, for Graphviz, written to ", "计算图已保存为 ") << file("graph.dot") << "\n";
}

// autograd::grad returns derivatives and leaves grad() alone.
void gradients_of_parameters() {
  std::cout << "\n--- y = a²x + bx + c ---\n";
  const Tensor x = tensor(1.f), a = tensor(1.f).requires_grad_(), b = tensor(2.f).requires_grad_(), c = tensor(3.f).requires_grad_();
  const Tensor y = a.pow(2) * x + b * x + c;
  const auto shown = [](const Tensor& t) {
    if (t.defined()) std::cout << ' ' << t;
    else std::cout << " None";
  };
  std::cout << "before:";
  for (const Tensor* t : {&a, &b, &c}) shown(t->grad());
  const auto grads = autograd::grad({y}, {a, b, c});
  std::cout << "\nafter :";
  for (const Tensor& g : grads) shown(g);
  std::cout << "\n";
}

// x moves against the derivative of (x - 3)² + (x + 1)², whose minimum, 8, is at 1. Returns where it has been.
std::vector<double> descend(double rate, int steps, bool print) {
  Tensor x = tensor({0.f}).requires_grad_();
  std::vector<double> path{0};
  for (int i = 0; i < steps; ++i) {
    const Tensor loss = (x - 3).pow(2) + (x + 1).pow(2);
    loss.backward();
    {
      NoGradGuard no_grad;
      x -= rate * x.grad();
    }
    x.mutable_grad().zero_();
    path.push_back(x.item<double>());
    if (print && i % 5 == 0) {
      std::printf(say("step %d: x = %.4f, loss = %.4f\n", "迭代%d: x = %.4f, loss = %.4f\n"), i, path.back(), loss.item<double>());
    }
  }
  return path;
}

std::vector<double> counted(size_t n) {
  std::vector<double> numbers;
  for (size_t i = 0; i < n; ++i) numbers.push_back(static_cast<double>(i));
  return numbers;
}

void downhill(const Files& file) {
  std::cout << "\n--- " << say("Gradient descent", "梯度下降") << ": (x - 3)² + (x + 1)² ---\n";
  const std::vector<double> path = descend(0.1, 20, true);
  std::printf(say("result: x = %.4f\nin theory: x = 1.0000\n", "最终结果: x = %.4f\n理论最优解: x = 1.0000\n"), path.back());
  viz::Figure figure;
  figure.size(10, 6).axes()
      .title(say("Gradient descent", "梯度下降优化过程")).x_label(say("step", "迭代次数")).y_label(say("x", "x值"))
      .line(counted(path.size()), path, {.label = say("path", "优化路径"), .draw = viz::Draw::kLinePoints})
      .rule(1.0, say("best: x = 1", "最优解 x=1")).legend(viz::Legend::kBottomRight);
  report(figure, file("optimization_path.png"));

  viz::Figure rates;
  auto& axes = rates.size(8, 5).axes();
  axes.title(say("Learning rates", "学习率")).x_label(say("step", "迭代次数")).y_label(say("x", "x值")).y_range(-1.5, 3.5).rule(1.0);
  for (const double rate : {0.01, 0.05, 0.1, 0.4, 0.5}) {
    const auto walked = descend(rate, 20, false);
    axes.line(counted(walked.size()), walked, {.label = wick::detail::concat(rate), .draw = viz::Draw::kLinePoints});
    std::printf(say("learning rate %.2f: x = %.4f after 20 steps\n", "学习率 %.2f: 20步后 x = %.4f\n"), rate, walked.back());
  }
  axes.legend(viz::Legend::kOutside);
  report(rates, file("learning_rates.png"));
}

struct Walk {
  std::vector<double> x, y;
};

// Both leaves move against the derivatives of f.
template <class F>
Walk descend_2d(const F& f, double x0, double y0, double rate, int steps, bool print) {
  Tensor x = tensor({static_cast<float>(x0)}).requires_grad_(), y = tensor({static_cast<float>(y0)}).requires_grad_();
  Walk walk{{x0}, {y0}};
  for (int i = 0; i < steps; ++i) {
    const Tensor loss = f(x, y);
    loss.backward();
    {
      NoGradGuard no_grad;
      x -= rate * x.grad();
      y -= rate * y.grad();
    }
    x.mutable_grad().zero_();
    y.mutable_grad().zero_();
    walk.x.push_back(x.item<double>());
    walk.y.push_back(y.item<double>());
    if (print && i % 10 == 0) {
      std::printf(say("step %d: x=%.4f, y=%.4f, loss=%.4f\n", "迭代%d: x=%.4f, y=%.4f, loss=%.4f\n"), i, walk.x.back(), walk.y.back(),
                  loss.item<double>());
    }
  }
  return walk;
}

template <class F>
void draw_walk(const F& f, const Walk& walk, const char* title, double low_x, double high_x, double low_y, double high_y,
               const std::string& path) {
  constexpr int kPoints = 121;
  std::vector<double> x, y, z, levels;
  for (int i = 0; i < kPoints; ++i) {
    x.push_back(low_x + (high_x - low_x) * i / (kPoints - 1));
    y.push_back(low_y + (high_y - low_y) * i / (kPoints - 1));
  }
  NoGradGuard no_grad;
  for (const double b : y) {
    for (const double a : x) z.push_back(f(tensor({a}, kDouble), tensor({b}, kDouble)).template item<double>());
  }
  for (const double root : {0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0}) levels.push_back(root * root);
  viz::Figure figure;
  figure.size(6, 5.2).axes().title(title).x_label("x").y_label("y").x_range(low_x, high_x).y_range(low_y, high_y).grid(false).equal_scales()
      .contour(x, y, z, levels, {.label = say("equal values", "等值线")})
      .line(walk.x, walk.y, {.label = say("path", "优化路径"), .draw = viz::Draw::kLinePoints, .color = "#d55e00"});
  report(figure, path);
}

void two_variables(const Files& file) {
  std::cout << "\n--- " << say("Two variables", "多变量优化") << " ---\n";
  const auto bowl = [](const Tensor& x, const Tensor& y) { return x.pow(2) + y.pow(2); };
  const Walk to_zero = descend_2d(bowl, 2.5, -2, 0.1, 20, false);
  std::printf(say("x² + y² from (2.5, -2): x=%.4f, y=%.4f\n", "x² + y² 从 (2.5, -2): x=%.4f, y=%.4f\n"), to_zero.x.back(), to_zero.y.back());
  draw_walk(bowl, to_zero, "x² + y²", -3, 3, -3, 3, file("two_variables.png"));

  const auto ellipse = [](const Tensor& x, const Tensor& y) { return (x - 3).pow(2) + 2 * (y + 1).pow(2); };
  const Walk walk = descend_2d(ellipse, 0, 0, 0.1, 50, true);
  std::printf(say("result: x=%.4f, y=%.4f\n", "最终结果: x=%.4f, y=%.4f\n"), walk.x.back(), walk.y.back());
  draw_walk(ellipse, walk, "(x - 3)² + 2 (y + 1)²", -0.5, 6.5, -4, 2, file("exercise_2.png"));
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder = ".";
  return examples::main_of(
      "autograd_demo", "Derivatives, and walks downhill along them.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--out", folder, "the folder for the pictures, which must exist")->capture_default_str();
        say.add_option(app);
      },
      [&] {
        const Files file{folder};
        viz::Figure::check_path(file("optimization_path.png"));
        derivative(file);
        gradients_of_parameters();
        downhill(file);
        two_variables(file);
        return 0;
      });
}
