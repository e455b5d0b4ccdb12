#include "wick/framework/autograd/functional.h"

#include <gtest/gtest.h>

#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

namespace F = autograd::functional;
using autograd::variable_list;

Tensor numbers(std::initializer_list<double> list) { return tensor(list, kDouble); }

// (a b, sum a²) of a pair of tensors of two elements.
variable_list pair_function(const variable_list& in) { return {in[0] * in[1], in[0].square().sum()}; }
const variable_list& point() {
  static const variable_list in{numbers({1, 2}), numbers({3, 4})};
  return in;
}

TEST(Functional, Vjp) {
  const auto [y, gx] = F::vjp(pair_function, point(), {numbers({1, 10}), tensor(100.0, kDouble)});
  EXPECT_EQ(values(y[0]), (Numbers{3, 8}));
  EXPECT_EQ(values(gx[0]), (Numbers{3 + 200, 40 + 400}));
  EXPECT_EQ(values(gx[1]), (Numbers{1, 20}));
  EXPECT_FALSE(y[0].requires_grad());
  EXPECT_FALSE(gx[0].requires_grad());
  const auto sum = [](const variable_list& in) { return variable_list{in[0].sum()}; };
  EXPECT_EQ(values(F::vjp(sum, {numbers({1, 2})}).second[0]), (Numbers{1, 1}));
}

TEST(Functional, Jvp) {
  const auto [y, gy] = F::jvp(pair_function, point(), {numbers({1, 0}), numbers({0, 1})});
  EXPECT_EQ(values(gy[0]), (Numbers{3, 2}));  // db a + da b
  EXPECT_EQ(values(gy[1]), Numbers{2});
  EXPECT_FALSE(gy[0].requires_grad());
}

TEST(Functional, Jacobian) {
  const auto j = F::jacobian(pair_function, point());
  EXPECT_EQ(sizes(j[0][0]), (Longs{2, 2}));
  EXPECT_EQ(values(j[0][0]), (Numbers{3, 0, 0, 4}));
  EXPECT_EQ(values(j[0][1]), (Numbers{1, 0, 0, 2}));
  EXPECT_EQ(sizes(j[1][0]), Longs{2});
  EXPECT_EQ(values(j[1][0]), (Numbers{2, 4}));
  EXPECT_EQ(values(j[1][1]), (Numbers{0, 0}));  // does not depend on it
  const Tensor square = F::jacobian([](const Tensor& x) { return x * x; }, ones({2, 3}, kDouble));
  EXPECT_EQ(sizes(square), (Longs{2, 3, 2, 3}));
  EXPECT_EQ(values(square.sum()), Numbers{12});
  EXPECT_EQ(sizes(F::jacobian([](const Tensor& x) { return x * x; }, ones({0}, kDouble))), (Longs{0, 0}));
  EXPECT_EQ(values(F::jacobian([](const Tensor&) { return ones({2}, kDouble); }, numbers({1}))), (Numbers{0, 0}));
}

TEST(Functional, Hessian) {
  const auto cubic = [](const Tensor& x) { return x.pow(3).sum() + x[0] * x[1]; };
  EXPECT_EQ(values(F::hessian(cubic, numbers({1, 2}))), (Numbers{6, 1, 1, 12}));
  const auto bilinear = [](const variable_list& in) { return variable_list{(in[0] * in[1]).sum()}; };
  const auto h = F::hessian(bilinear, point());
  EXPECT_EQ(values(h[0][0]), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(values(h[0][1]), (Numbers{1, 0, 0, 1}));
  EXPECT_EQ(values(h[1][0]), (Numbers{1, 0, 0, 1}));
}

TEST(Functional, RecordsItsResultsOnlyWhereAsked) {
  const Tensor x = numbers({1, 2}).requires_grad_();
  const auto cube = [](const Tensor& t) { return t.pow(3); };
  EXPECT_FALSE(F::jacobian(cube, x).requires_grad());
  F::jacobian(cube, x, true).sum().backward();  // 3 x²
  EXPECT_EQ(values(x.grad()), (Numbers{6, 12}));
  x.mutable_grad().reset();
  const auto list = [](const variable_list& in) { return variable_list{in[0].pow(3)}; };
  F::jvp(list, {x}, {numbers({1, 10})}, true).second[0].sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{6, 120}));
  NoGradGuard no_grad;
  EXPECT_EQ(values(F::hessian([](const Tensor& t) { return t.square().sum(); }, numbers({1}))), Numbers{2});
}

TEST(FunctionalErrors, AreSentencesOfPyTorch) {
  EXPECT_EQ(error_of([] { F::vjp(pair_function, point()); }),
            "The vector v can only be None if the user-provided function returns a single Tensor with a single element.");
  EXPECT_EQ(error_of([] { F::jvp(pair_function, point()); }),
            "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element.");
  EXPECT_EQ(error_of([] { F::jvp(pair_function, point(), {numbers({1, 2})}); }),
            "v is a tuple of invalid length: should be 2 but got 1.");
  EXPECT_EQ(error_of([] { F::jvp(pair_function, point(), {numbers({1, 2}), numbers({1})}); }),
            "Entry 1 in v has invalid size: should be [2] but got [1].");
  EXPECT_EQ(error_of([] { F::hessian([](const Tensor& x) { return x * 2; }, numbers({1, 2})); }),
            "The Tensor returned by the function given to hessian should contain a single element");
}

}  // namespace
}  // namespace wick::test
