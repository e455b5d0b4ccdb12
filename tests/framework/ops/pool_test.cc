// Pooling: PyTorch's numbers at the edges, plain loops for the rest, derivatives and error texts.
#include <cmath>

#include "wick/framework/autograd/gradcheck.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

const float kInf = HUGE_VALF, kNan = NAN;

Tensor wave(IntArrayRef shape, double frequency, ScalarType dtype = kDouble) {
  return (arange(checked_numel(shape), kDouble) * frequency).sin().view(shape).to(dtype);
}

Tensor max_grad(const Tensor& x, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding) {
  const Tensor in = leaf(x);
  max_pool2d(in, kernel, stride, padding).sum().backward();
  return in.grad();
}

TEST(MaxPool, PaddingNeverWins) {
  const Tensor x = tensor({{{-1.f, -2.f}, {-3.f, -4.f}}});
  EXPECT_EQ(values(max_pool2d(x, 2, 1, 1)), (Numbers{-1, -1, -2, -1, -1, -2, -3, -3, -4}));
  EXPECT_EQ(values(max_grad(x, 2, 1, 1)), (Numbers{4, 2, 2, 1}));
}

// Both the loops for 2x2 windows and the general ones, with a pack's worth of windows and a few more.
TEST(MaxPool, NanAndInfinity) {
  for (const int64_t width : {2, 4, 34, 70}) {
    Tensor x = full({1, 2, width}, -kInf);
    EXPECT_EQ(values(max_pool2d(x, 2)), Numbers(static_cast<size_t>(width / 2), -HUGE_VAL));
    EXPECT_EQ(max_grad(x, 2, 2, 0).sum().item<float>(), static_cast<float>(width / 2));
    x.select(2, width - 1).fill_(kNan);
    EXPECT_TRUE(std::isnan(values(max_pool2d(x, 2)).back()));
    EXPECT_TRUE(std::isnan(values(std::get<0>(max_pool2d_with_indices(x, 2))).back()));
  }
}

// The first of equals, wherever they are; 2x2 windows against the places of the general loops.
TEST(MaxPool, GradientGoesWhereTheIndexPoints) {
  for (const ScalarType dtype : {kFloat, kDouble}) {
    for (const int64_t width : {4, 7, 33, 67}) {
      const Tensor x = (wave({2, 3, 5, width}, 0.9) * 3).round().to(dtype);  // many equal ones
      const auto [y, places] = max_pool2d_with_indices(x, 2);
      EXPECT_EQ(values(max_pool2d(x, 2)), values(y));
      EXPECT_EQ(values(x.view({6, 5 * width}).gather(1, places.view({6, -1}))), values(y));
      const Tensor in = leaf(x), gy = wave(y.sizes(), 0.7, dtype);
      max_pool2d(in, 2).backward(gy);
      const Tensor expected = zeros({6, 5 * width}, dtype).scatter_add(1, places.view({6, -1}), gy.view({6, -1}));
      EXPECT_EQ(values(in.grad()), values(expected));
    }
  }
}

TEST(MaxPool, CeilModeStrideAndOverlap) {
  const Tensor x = counting({1, 5, 5});
  EXPECT_EQ(values(max_pool2d(x, 2, 2, 0, 1, true)), (Numbers{6, 8, 9, 16, 18, 19, 21, 23, 24}));
  EXPECT_EQ(values(max_pool2d(x, 3, 3, 1, 1, true)), (Numbers{6, 9, 21, 24}));
  EXPECT_EQ(sizes(max_pool2d(counting({1, 6, 7}), 1, 2, 0, 1, true)), (Longs{1, 3, 4}));
  const Tensor line = leaf(tensor({{1.f, 5.f, 2.f, 3.f}}));
  const Tensor y = max_pool1d(line, 3, 1);
  EXPECT_EQ(values(y), (Numbers{5, 5}));
  y.sum().backward();
  EXPECT_EQ(values(line.grad()), (Numbers{0, 2, 0, 0}));
  EXPECT_EQ(values(max_pool1d(counting({1, 7}), 2, 1, 1, 3)), (Numbers{2, 3, 4, 5, 6, 4}));
  EXPECT_EQ(values(max_pool3d(counting({1, 2, 2, 4}), 2)), (Numbers{13, 15}));
}

TEST(MaxPool, WholeNumbersAndHalves) {
  const Tensor x = counting({1, 4, 4});
  for (const ScalarType dtype : {kLong, kInt, kShort, kByte, kHalf, kBFloat16}) {
    const Tensor y = max_pool2d(x.to(dtype), 2);
    EXPECT_EQ(y.scalar_type(), dtype);
    EXPECT_EQ(values(y), (Numbers{5, 7, 13, 15}));
  }
}

TEST(AvgPool, CountsAsPyTorchDoes) {
  const Tensor x = counting({1, 4, 4});
  EXPECT_EQ(values(avg_pool2d(x, 2)), (Numbers{2.5, 4.5, 10.5, 12.5}));
  EXPECT_EQ(values(avg_pool2d(x, 2, 2, 1)), (Numbers{0, 0.75, 0.75, 3, 7.5, 4.5, 3, 6.75, 3.75}));
  EXPECT_EQ(values(avg_pool2d(x, 2, 2, 1, false, false)), (Numbers{0, 1.5, 3, 6, 7.5, 9, 12, 13.5, 15}));
  EXPECT_EQ(values(avg_pool2d(x, 2, 2, 0, false, true, 2)), (Numbers{5, 9, 21, 25}));
  // The last window of ceil_mode counts the elements that it has.
  EXPECT_EQ(values(avg_pool1d(counting({1, 5}), 2, 2, 0, true)), (Numbers{0.5, 2.5, 4}));
  EXPECT_EQ(values(avg_pool3d(counting({1, 2, 2, 2}), 2)), (Numbers{3.5}));
}

TEST(AdaptivePool, WindowsShareTheInput) {
  EXPECT_EQ(values(adaptive_avg_pool1d(counting({1, 5}), 3)), (Numbers{0.5, 2, 3.5}));
  EXPECT_EQ(values(adaptive_avg_pool2d(counting({1, 3, 4}), IntArrayRef({1, 2}))), (Numbers{4.5, 6.5}));
  EXPECT_EQ(values(adaptive_avg_pool3d(counting({1, 2, 2, 2}), 1)), (Numbers{3.5}));
  const auto [y, places] = adaptive_max_pool1d(counting({1, 5}), 3);
  EXPECT_EQ(values(y), (Numbers{1, 3, 4}));
  EXPECT_EQ(values(places), (Numbers{1, 3, 4}));
  EXPECT_EQ(values(std::get<0>(adaptive_max_pool2d(counting({1, 3, 4}), IntArrayRef({1, 2})))), (Numbers{9, 11}));
  EXPECT_EQ(values(std::get<1>(adaptive_max_pool3d(counting({1, 2, 2, 2}), 1))), (Numbers{7}));
}

TEST(Pool, DerivativesOfTwoOrders) {
  using autograd::variable_list;
  const auto check = [](const Tensor& x, const autograd::DifferentiableFunction& f) {
    EXPECT_TRUE(autograd::gradcheck(f, {leaf(x)}));
    EXPECT_TRUE(autograd::gradgradcheck(f, {leaf(x)}));
  };
  const Tensor x = wave({2, 1, 5, 4}, 1.7);
  check(x, [](const variable_list& in) -> variable_list { return {max_pool2d(in[0], 2)}; });
  check(x, [](const variable_list& in) -> variable_list { return {std::get<0>(max_pool2d_with_indices(in[0], 3, 2, 1))}; });
  check(x, [](const variable_list& in) -> variable_list { return {max_pool3d(in[0], 1, 1)}; });
  check(x, [](const variable_list& in) -> variable_list { return {avg_pool2d(in[0], IntArrayRef({3, 2}), 2, 1, true, false)}; });
  check(x, [](const variable_list& in) -> variable_list { return {adaptive_avg_pool2d(in[0], 3)}; });
  check(x, [](const variable_list& in) -> variable_list { return {std::get<0>(adaptive_max_pool2d(in[0], 3))}; });
  check(x.view({2, 5, 4}), [](const variable_list& in) -> variable_list { return {avg_pool1d(in[0], 2), max_pool1d(in[0], 2)}; });
}

TEST(Pool, EmptyBatchAndNodeNames) {
  EXPECT_EQ(sizes(max_pool2d(zeros({0, 1, 4, 4}), 2)), (Longs{0, 1, 2, 2}));
  EXPECT_EQ(sizes(avg_pool2d(zeros({0, 1, 4, 4}), 2)), (Longs{0, 1, 2, 2}));
  const Tensor x = leaf(zeros({1, 1, 4, 4}));
  EXPECT_EQ(node(max_pool2d(x, 2)), "MaxPool2DWithIndicesBackward0");
  EXPECT_EQ(node(avg_pool2d(x, 2)), "AvgPool2DBackward0");
  EXPECT_EQ(node(adaptive_avg_pool2d(x, 2)), "AdaptiveAvgPool2DBackward0");
}

TEST(Pool, Errors) {
  const Tensor x = zeros({1, 2, 2});
  EXPECT_EQ(error_of([&] { max_pool2d(x, 2, 1, 2); }),
            "pad should be at most half of effective kernel size, but got pad=2, kernel_size=2 and dilation=1");
  EXPECT_EQ(error_of([&] { max_pool2d(x, 3); }),
            "Given input size: (1x2x2). Calculated output size: (1x0x0). Output size is too small");
  EXPECT_EQ(error_of([&] { max_pool2d(zeros({2, 2}), 2); }), "non-empty 3D or 4D (batch mode) tensor expected for input");
  EXPECT_EQ(error_of([&] { max_pool2d(x, IntArrayRef({1, 2, 3})); }),
            "max_pool2d: kernel_size must either be a single int, or a tuple of two ints");
  EXPECT_EQ(error_of([&] { max_pool2d(zeros({1, 0, 4}), 2); }),
            "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:[1, 0, 4]");
  EXPECT_EQ(error_of([&] { avg_pool2d(x, 2, 2, 0, false, true, 0); }), "divisor must be not zero");
  EXPECT_EQ(error_of([&] { avg_pool1d(zeros({2}), 2); }),
            "Expected 2 to 3 dimensions, but got 1-dimensional tensor for argument #1 'self' (while checking arguments for avg_pool1d)");
  EXPECT_EQ(error_of([&] { adaptive_avg_pool2d(zeros({4, 4}), 2); }), "adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got [4, 4]");
}

}  // namespace
}  // namespace wick::test
