// Convolutions against plain loops, their derivatives of two orders, edges and error texts.
#include <cmath>

#include "wick/framework/autograd/gradcheck.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

const Longs kNone{0};  // a literal 0 could be a padding's name as well

struct Geometry {
  Longs stride, padding, dilation;
  int64_t groups;
};

Tensor wave(IntArrayRef shape, double frequency, ScalarType dtype = kDouble) {
  return (arange(checked_numel(shape), kDouble) * frequency).sin().view(shape).to(dtype);
}

// By the definition, over two dimensions.
Tensor naive(const Tensor& x, const Tensor& w, const Geometry& g) {
  const int64_t cin = w.size(1), cout = w.size(0), per_group = cout / g.groups;
  const auto out_size = [&](size_t d) {
    const auto i = static_cast<int64_t>(d) + 2;
    return (x.size(i) + 2 * g.padding[d] - g.dilation[d] * (w.size(i) - 1) - 1) / g.stride[d] + 1;
  };
  Tensor y = zeros({x.size(0), cout, out_size(0), out_size(1)}, kDouble);
  auto from = x.accessor<double, 4>(), by = w.accessor<double, 4>(), to = y.accessor<double, 4>();
  for (int64_t n = 0; n < y.size(0); ++n)
    for (int64_t c = 0; c < cout; ++c)
      for (int64_t a = 0; a < y.size(2); ++a)
        for (int64_t b = 0; b < y.size(3); ++b)
          for (int64_t i = 0; i < cin; ++i)
            for (int64_t k = 0; k < w.size(2); ++k)
              for (int64_t l = 0; l < w.size(3); ++l) {
                const int64_t p = a * g.stride[0] - g.padding[0] + k * g.dilation[0],
                              q = b * g.stride[1] - g.padding[1] + l * g.dilation[1];
                if (p < 0 || p >= x.size(2) || q < 0 || q >= x.size(3)) continue;
                to[n][c][a][b] += by[c][i][k][l] * from[n][c / per_group * cin + i][p][q];
              }
  return y;
}

void expect_close(const Tensor& x, const Tensor& expected, double tolerance) {
  ASSERT_EQ(sizes(x), sizes(expected));
  const Numbers a = values(x), b = values(expected);
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance * std::max(1.0, std::fabs(b[i]))) << "at " << i;
}

const std::vector<Geometry> kGeometries = {
    {{1, 1}, {0, 0}, {1, 1}, 1}, {{1, 1}, {1, 2}, {1, 1}, 1}, {{2, 3}, {1, 0}, {1, 1}, 1}, {{1, 2}, {2, 2}, {2, 1}, 1},
    {{2, 1}, {1, 1}, {1, 2}, 2}, {{3, 3}, {0, 1}, {1, 1}, 4}, {{1, 1}, {0, 0}, {1, 1}, 4},
};

// oneDNN for float, matrix products for double; results and gradients, which are the naive result's linear parts.
TEST(Conv, IsThePlainLoops) {
  for (const Geometry& g : kGeometries) {
    for (const ScalarType dtype : {kFloat, kDouble}) {
      const double tolerance = dtype == kFloat ? 2e-5 : 1e-12;
      const Tensor x0 = wave({2, 4, 9, 8}, 0.7), w0 = wave({8, 4 / g.groups, 3, 2}, 1.3), b0 = wave({8}, 0.9);
      const Tensor x = leaf(x0.to(dtype)), w = leaf(w0.to(dtype)), b = leaf(b0.to(dtype));
      const Tensor expected = naive(x0, w0, g) + b0.view({1, 8, 1, 1});
      const Tensor y = conv2d(x, w, b, g.stride, g.padding, g.dilation, g.groups);
      expect_close(y, expected, tolerance);
      EXPECT_EQ(node(y), "ConvolutionBackward0");
      const Tensor gy = wave(y.sizes(), 0.31);
      y.backward(gy.to(dtype));
      // <gy, conv(dx, w)> = <gx, dx> for every direction dx, and so for w.
      const Tensor dx = wave(x.sizes(), 2.3), dw = wave(w.sizes(), 1.9);
      const double scale = gy.square().sum().item<double>();
      EXPECT_NEAR((gy * naive(dx, w0, g)).sum().item<double>(), (x.grad() * dx).sum().item<double>(), tolerance * scale);
      EXPECT_NEAR((gy * naive(x0, dw, g)).sum().item<double>(), (w.grad() * dw).sum().item<double>(), tolerance * scale);
      expect_close(b.grad(), gy.sum(IntArrayRef({0, 2, 3})), tolerance * 10);
    }
  }
}

// A transposed convolution is the derivative of a convolution: the same inner product from the other side.
// One channel behind the image goes a way of its own.
TEST(Conv, GradientBehindOneChannel) {
  for (const Geometry& g : std::vector<Geometry>{{{1, 1}, {0, 0}, {1, 1}, 1}, {{1, 1}, {2, 1}, {1, 1}, 1}, {{1, 1}, {1, 3}, {2, 1}, 1},
                                                 {{1, 1}, {4, 0}, {1, 1}, 1}, {{2, 1}, {1, 1}, {1, 1}, 1}}) {
    for (const int64_t channels : {1, 2, 5}) {
      const Tensor x = wave({2, channels, 12, 11}, 0.7), w = wave({1, channels, 4, 3}, 1.3);
      const auto gradient = [&](ScalarType dtype) {
        const Tensor leaf = x.to(dtype).clone().requires_grad_();
        const Tensor y = conv2d(leaf, w.to(dtype), {}, g.stride, g.padding, g.dilation);
        y.backward(wave(y.sizes(), 0.3, dtype));
        return leaf.grad();
      };
      expect_close(gradient(kFloat).to(kDouble), gradient(kDouble), 2e-5);
    }
  }
  const Tensor x = wave({2, 1, 40}, 0.7, kFloat).requires_grad_();
  conv1d(x, wave({1, 1, 5}, 1.3, kFloat), {}, 1, 2).sum().backward();
  expect_close(x.grad()[0][0].slice(0, 4, 36), wave({5}, 1.3, kFloat).sum().expand({32}), 2e-5);
}

TEST(Conv, TransposedIsTheAdjoint) {
  for (const Geometry& g : kGeometries) {
    const Tensor w = wave({4, 6 / std::min<int64_t>(g.groups, 2), 3, 2}, 1.3);
    const int64_t groups = std::min<int64_t>(g.groups, 2);
    for (const ScalarType dtype : {kFloat, kDouble}) {
      const Tensor x = wave({2, 4, 5, 4}, 0.7);
      const Tensor y = conv_transpose2d(x.to(dtype), w.to(dtype), {}, g.stride, g.padding, 0, groups, g.dilation);
      const Tensor z = wave(y.sizes(), 0.4);
      const Tensor back = naive(z, w, {g.stride, g.padding, g.dilation, groups});
      EXPECT_NEAR((y.to(kDouble) * z).sum().item<double>(), (x * back).sum().item<double>(), dtype == kFloat ? 2e-3 : 1e-10);
    }
  }
}

TEST(Conv, SmallNumbers) {
  const Tensor x = tensor({{1., 2., 3., 4.}, {5., 6., 7., 8.}}), w = tensor({{{1., 2.}}, {{3., 4.}}});
  EXPECT_EQ(values(conv1d(x, w, {}, 2, kNone, 1, 2)), (Numbers{5, 11, 39, 53}));
  EXPECT_EQ(values(conv1d(x, w, {}, 1, 1, 2, 2)), (Numbers{4, 7, 10, 3, 24, 43, 50, 21}));
  // Where no window reaches, the gradient is 0.
  const Tensor line = leaf(arange(1, 6, kFloat).view({1, 1, 5})), pair = leaf(ones({1, 1, 2}));
  const Tensor y = conv1d(line, pair, {}, 3);
  EXPECT_EQ(values(y), (Numbers{3, 9}));
  y.sum().backward();
  EXPECT_EQ(values(line.grad()), (Numbers{1, 1, 0, 1, 1}));
  EXPECT_EQ(values(pair.grad()), (Numbers{5, 7}));
  const Tensor two = tensor({1., 2.}).view({1, 1, 2}), three = tensor({1., 10., 100.}).view({1, 1, 3});
  EXPECT_EQ(values(conv_transpose1d(two, three, {}, 2)), (Numbers{1, 10, 102, 20, 200}));
  EXPECT_EQ(values(conv_transpose1d(two, three, {}, 2, 1, 1)), (Numbers{10, 102, 20, 200}));
}

TEST(Conv, GroupsSeeTheirOwnChannels) {
  const Tensor x = zeros({1, 4, 1, 1});
  x.select(1, 3).fill_(1);
  const Numbers y = values(conv2d(x, ones({16, 2, 1, 1}), {}, 1, kNone, 1, 2));
  for (size_t c = 0; c < 16; ++c) EXPECT_EQ(y[c], c < 8 ? 0 : 1);
}

TEST(Conv, NamedPadding) {
  const Tensor x = wave({1, 2, 7}, 0.3), w = wave({3, 2, 4}, 0.5);
  EXPECT_EQ(sizes(conv1d(x, w, {}, 1, "same")), (Longs{1, 3, 7}));
  // An even kernel has one more zero at the high end.
  const Tensor wider = zeros({1, 2, 10}, kDouble);
  wider.narrow(2, 1, 7).copy_(x);
  EXPECT_EQ(values(conv1d(x, w, {}, 1, "same")), values(conv1d(wider, w)));
  EXPECT_EQ(values(conv1d(x, w, {}, 1, "valid")), values(conv1d(x, w)));
}

TEST(Conv, UnbatchedEmptyAndStrided) {
  const Tensor x = wave({3, 6, 5}, 0.3, kFloat), w = wave({2, 3, 3, 3}, 0.5, kFloat);
  EXPECT_EQ(values(conv2d(x, w)), values(conv2d(x.unsqueeze(0), w)));
  const Tensor columns = x.transpose(1, 2).contiguous().transpose(1, 2);
  EXPECT_EQ(values(conv2d(columns, w)), values(conv2d(x, w)));
  const Tensor none = leaf(zeros({0, 3, 5, 5})), weight = leaf(w), bias = leaf(zeros({2}));
  const Tensor y = conv2d(none, weight, bias);
  EXPECT_EQ(sizes(y), (Longs{0, 2, 3, 3}));
  y.sum().backward();
  EXPECT_EQ(values(weight.grad()), Numbers(54, 0.0));
  EXPECT_EQ(values(bias.grad()), (Numbers{0, 0}));
  EXPECT_EQ(sizes(conv3d(zeros({1, 2, 4, 5, 6}), zeros({3, 2, 2, 3, 1}))), (Longs{1, 3, 3, 3, 6}));
  EXPECT_EQ(sizes(conv_transpose3d(zeros({1, 2, 4, 5, 6}), zeros({2, 3, 2, 3, 1}))), (Longs{1, 3, 5, 7, 6}));
}

TEST(Conv, DerivativesOfTwoOrders) {
  const Tensor x = leaf(wave({2, 2, 4, 3}, 0.7)), w = leaf(wave({4, 1, 2, 2}, 1.3)), b = leaf(wave({4}, 0.9));
  const auto forward = [](const autograd::variable_list& in) -> autograd::variable_list {
    return {conv2d(in[0], in[1], in[2], IntArrayRef({2, 1}), 1, 1, 2)};
  };
  EXPECT_TRUE(autograd::gradcheck(forward, {x, w, b}));
  EXPECT_TRUE(autograd::gradgradcheck(forward, {x, w, b}));
  const Tensor v = leaf(wave({2, 2, 3}, 1.1)), k = leaf(wave({2, 3, 2}, 0.8)), c = leaf(wave({3}, 0.9));
  const auto transposed = [](const autograd::variable_list& in) -> autograd::variable_list {
    return {conv_transpose1d(in[0], in[1], in[2], 2, 1, 1)};
  };
  EXPECT_TRUE(autograd::gradcheck(transposed, {v, k, c}));
  EXPECT_TRUE(autograd::gradgradcheck(transposed, {v, k, c}));
}

TEST(Conv, ConvolutionIsBothKinds) {
  const Tensor x = wave({1, 2, 5, 4}, 0.7), w = wave({2, 2, 2, 2}, 1.3);
  EXPECT_EQ(values(convolution(x, w, {}, 1, 1, 1, false, 0, 1)), values(conv2d(x, w, {}, 1, 1)));
  EXPECT_EQ(values(convolution(x, w, {}, 2, 0, 1, true, 1, 1)), values(conv_transpose2d(x, w, {}, 2, 0, 1)));
}

TEST(Conv, Errors) {
  const Tensor x = zeros({1, 4, 5, 5}), w = zeros({2, 3, 3, 3}), x3 = zeros({1, 3, 5, 5});
  EXPECT_EQ(error_of([&] { conv2d(x, w); }),
            "Given groups=1, weight of size [2, 3, 3, 3], expected input[1, 4, 5, 5] to have 3 channels, but got 4 channels instead");
  EXPECT_EQ(error_of([&] { conv2d(x3, zeros({2, 3, 7, 7})); }),
            "Calculated padded input size per channel: (5 x 5). Kernel size: (7 x 7). Kernel size can't be greater than actual input size");
  EXPECT_EQ(error_of([&] { conv2d(zeros({3, 5}), w); }),
            "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [3, 5]");
  EXPECT_EQ(error_of([&] { conv2d(x3, w, zeros({3})); }),
            "Given weight of size [2, 3, 3, 3], expected bias to be 1-dimensional with 2 elements, but got bias of size [3] instead");
  EXPECT_EQ(error_of([&] { conv2d(x3, w, {}, IntArrayRef(int64_t{0})); }), "non-positive stride is not supported");
  EXPECT_EQ(error_of([&] { conv2d(x3, zeros({2, 3, 3})); }),
            "Expected 3-dimensional input for 3-dimensional weight [2, 3, 3], but got 4-dimensional input of size [1, 3, 5, 5] instead");
  EXPECT_EQ(error_of([&] { conv2d(x3, w, {}, 1, -1); }), "negative padding is not supported");
  EXPECT_EQ(
      error_of([&] {
        conv2d(x3, w, {}, IntArrayRef({1, 2, 3}));
      }),
      "expected stride to be a single integer value or a list of 2 values to match the convolution dimensions, but got stride=[1, 2, 3]");
  EXPECT_EQ(error_of([&] { conv2d(x3, w, {}, 2, "same"); }), "padding='same' is not supported for strided convolutions");
  EXPECT_EQ(error_of([&] { conv2d(x3, w, {}, 1, "foo"); }), "Invalid padding string: 'foo'");
  EXPECT_EQ(error_of([&] { conv2d(x3, w, zeros({2}, kDouble)); }), "Input type (float) and bias type (double) should be the same");
  EXPECT_EQ(error_of([&] {
              conv2d(x3, zeros({2, 3, 0, 3}));
            }),
            "kernel size should be greater than zero, but got kernel_height: 0 kernel_width: 3");
  EXPECT_EQ(error_of([&] { conv_transpose2d(x, zeros({3, 2, 3, 3})); }),
            "Given transposed=1, weight of size [3, 2, 3, 3], expected input[1, 4, 5, 5] to have 3 channels, but got 4 channels instead");
  EXPECT_EQ(error_of([&] { conv_transpose2d(x3, zeros({3, 2, 3, 3}), {}, 1, 0, 1); }),
            "output padding must be smaller than either stride or dilation, but got output_padding_height: 1 output_padding_width: 1 "
            "stride_height: 1 stride_width: 1 dilation_height: 1 dilation_width: 1");
  EXPECT_EQ(error_of([&] { conv_transpose2d(zeros({1, 3, 1, 1}), zeros({3, 2, 3, 3}), {}, 1, 2); }),
            "Given input size per channel: (1 x 1). Calculated output size per channel: (-1 x -1). Output size is too small");
}

}  // namespace
}  // namespace wick::test
