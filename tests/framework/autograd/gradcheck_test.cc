#include "wick/framework/autograd/gradcheck.h"

#include <cmath>

#include "wick/framework/ops/op.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

using autograd::gradcheck;
using autograd::gradgradcheck;
using Tensors = std::vector<Tensor>;

Tensor input(std::initializer_list<double> list) { return tensor(list, kDouble).requires_grad_(); }

// 2 x, whose derivative claims to be 3 at the element with index 1.
struct WrongAtOne {
  static constexpr ops::OpInfo info = ops::make_info<WrongAtOne>("wrong", "WrongBackward0");
  static Tensor forward(ops::Context&, const Tensor& x) { return x * 2; }
  static void backward(const ops::Gradients& g) {
    Tensor gx = g.output() * 2;
    gx.select(0, 1).mul_(1.5);
    g.set(0, gx);
  }
};

// The square of x, whose derivative is right and itself not differentiable.
struct FirstOrderOnly {
  static constexpr ops::OpInfo info = ops::make_info<FirstOrderOnly>("first", "FirstBackward0");
  static Tensor forward(ops::Context& ctx, const Tensor& x) {
    ctx.save(x);
    return x * x;
  }
  static void backward(const ops::Gradients& g) { g.set(0, g.output() * g.saved(0).detach() * 2); }
};

TEST(Gradcheck, AcceptsRightDerivatives) {
  EXPECT_TRUE(gradcheck([](const Tensors& x) { return Tensors{x[0] * x[1], x[1].exp().sum()}; }, {input({1, 2, 3}), input({-1, 0.5, 2})}));
  EXPECT_TRUE(gradcheck([](const Tensors& x) { return Tensors{x[0].t().mm(x[1])}; },
                        {leaf(ones({3, 2}, kDouble)), leaf(full({3, 4}, 0.5, kDouble))}));
}

TEST(Gradcheck, NamesTheElementThatIsWrong) {
  const auto wrong = [](const Tensors& x) { return Tensors{x[0].sum(), ops::apply<WrongAtOne>(x[1])}; };
  std::string message;
  try {
    gradcheck(wrong, {input({1}), leaf(ones({2, 2}, kDouble))});
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(message,
            "Jacobian mismatch for output 1 with respect to input 1,\n"
            "  at element [1, 0] of the output [2, 2] and element [1, 0] of the input [2, 2]:\n"
            "numerical:2\n"
            "analytical:3");
}

TEST(Gradcheck, WantsEachGradientThatExists) {
  // The output does not require a gradient, yet it changes with the input.
  EXPECT_NE(error_of([] { gradcheck([](const Tensors& x) { return Tensors{x[0].detach() * 2}; }, {input({1})}); }), "no error");
  // A NaN is never right.
  EXPECT_NE(error_of([] { gradcheck([](const Tensors& x) { return Tensors{x[0] * NAN}; }, {input({1})}); }), "no error");
}

TEST(Gradcheck, IgnoresWhatHasNoDerivative) {
  const auto fn = [](const Tensors& x) { return Tensors{x[0].argmax(), x[0] * x[1], x[0] > 0}; };
  EXPECT_TRUE(gradcheck(fn, {input({1, 2}), tensor({3, 4})}));
}

TEST(Gradcheck, RestoresItsInputs) {
  const Tensor x = input({0.1, 0.2, 0.7});
  const Numbers before = values(x);
  gradcheck([](const Tensors& in) { return Tensors{in[0].sin()}; }, {x});
  EXPECT_EQ(values(x), before);
  EXPECT_EQ(x._version(), 0);
  EXPECT_FALSE(x.grad().defined());
}

TEST(Gradcheck, TakesStridesAndToleratesWhatItIsTold) {
  const Tensor x = counting({3, 4}).to(kDouble).t().slice(0, 0, 4, 2).detach().requires_grad_();
  ASSERT_FALSE(x.is_contiguous());
  EXPECT_TRUE(gradcheck([](const Tensors& in) { return Tensors{in[0].square()}; }, {x}));
  const auto wrong = [](const Tensors& in) { return Tensors{ops::apply<WrongAtOne>(in[0])}; };
  EXPECT_TRUE(gradcheck(wrong, {input({1, 2})}, 1e-6, 1e-5, 0.6));
}

TEST(Gradcheck, RefusesInputsThatItCannotCheck) {
  const auto twice = [](const Tensors& x) { return Tensors{x[0] * 2}; };
  EXPECT_EQ(error_of<ValueError>([&] { gradcheck(twice, {tensor({1.0}, kDouble)}); }),
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True.");
  EXPECT_EQ(error_of([&] { gradcheck(twice, {tensor({1.0}, kFloat).requires_grad_()}); }),
            "gradcheck: input 0 requires a gradient and must be a float64 tensor on the CPU, since the step eps is lost in anything less; "
            "got float32 on cpu");
  EXPECT_EQ(error_of([&] { gradcheck(twice, {ones({2, 1}, kDouble).expand({2, 3}).detach().requires_grad_()}); }),
            "The 0th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able to compute "
            "the numerical gradients correctly. You should call .contiguous on the input before passing it to gradcheck.");
}

TEST(Gradgradcheck, ChecksSecondDerivatives) {
  EXPECT_TRUE(gradgradcheck(
      [](const Tensors& x) {
        return Tensors{x[0].tanh() * x[1], x[1].square()};
      },
      {input({1, -2}), input({3, 0.5})}));
  const auto first_only = [](const Tensors& x) { return Tensors{ops::apply<FirstOrderOnly>(x[0])}; };
  EXPECT_TRUE(gradcheck(first_only, {input({1, 2})}));
  EXPECT_EQ(error_of([&] { gradgradcheck(first_only, {input({1, 2})}); }), "Jacobian mismatch for output 0 with respect to input 0,");
}

TEST(Gradgradcheck, TakesGradientsOfTheOutputs) {
  const Tensor upstream = input({2, 3});
  EXPECT_TRUE(gradgradcheck([](const Tensors& x) { return Tensors{x[0].pow(3)}; }, {input({1, 2})}, {upstream}));
  EXPECT_EQ(values(upstream), (Numbers{2, 3}));
}

}  // namespace
}  // namespace wick::test
