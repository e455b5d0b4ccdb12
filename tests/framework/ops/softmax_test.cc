// Softmax and log_softmax: stability, layouts and lengths against a plain computation in double, errors.
#include <cmath>

#include "wick/framework/autograd/engine.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

const double kInf = HUGE_VAL;

// By the definition, in double, from operations that have no kernel in common with softmax.
Tensor reference(const Tensor& x, int64_t dim) {
  const Tensor e = (x.to(kDouble) - x.to(kDouble).amax(dim, true)).exp();
  return e / e.sum(dim, true);
}

void expect_close(const Tensor& x, const Tensor& expected, double tolerance) {
  ASSERT_EQ(sizes(x), sizes(expected));
  const Numbers a = values(x), b = values(expected);
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance * std::max(1.0, std::fabs(b[i]))) << "at " << i;
}

// Lengths below and above what one pack holds and what stays in registers; with and without dimensions behind.
TEST(Softmax, ForEveryLengthAndLayout) {
  for (int64_t n : {1, 2, 3, 7, 15, 16, 17, 33, 100}) {
    for (int64_t inner : {1, 5, 40}) {
      const Tensor x = counting({3, n, inner}).mul(0.7).sin().mul(4);
      for (const Tensor& t : {x, x.to(kDouble), x.transpose(0, 2).contiguous().transpose(0, 2)}) {
        const double tolerance = t.scalar_type() == kDouble ? 1e-14 : 1e-6;
        expect_close(t.softmax(1), reference(t, 1), tolerance);
        expect_close(t.log_softmax(1), reference(t, 1).log(), tolerance);
      }
    }
  }
}

// The fused gradient against the one that create_graph records.
TEST(Softmax, FusedGradientIsTheComposite) {
  for (int64_t n : {3, 16, 20}) {
    for (int64_t dim : {0, 1, 2}) {
      for (bool log : {false, true}) {
        const Tensor x = leaf(counting({n, 4, n}).mul(0.37).cos()), weight = counting({n, 4, n}).mul(0.11).sin();
        const auto gradient = [&](bool create_graph) {
          const Tensor y = log ? x.log_softmax(dim) : x.softmax(dim);
          return autograd::grad({(y * weight).sum()}, {x}, {}, std::nullopt, create_graph)[0];
        };
        expect_close(gradient(false), gradient(true), 2e-6);
      }
    }
  }
}

TEST(Softmax, InfinitiesAndLargeValues) {
  for (int64_t n : {2, 50}) {  // one to a lane, and row by row
    Tensor x = full({1, n}, -kInf);
    x.select(1, 0).fill_(0);
    x = leaf(x);
    const Tensor y = x.log_softmax(1);
    EXPECT_EQ(y.select(1, 0).item<float>(), 0);
    EXPECT_EQ(y.select(1, 1).item<float>(), -kInf);
    y.select(1, 0).sum().backward();
    EXPECT_EQ(values(x.grad()), Numbers(static_cast<size_t>(n), 0));
    EXPECT_TRUE(std::isnan(full({1, n}, -kInf).softmax(1).select(1, 0).item<float>()));
    EXPECT_FLOAT_EQ(full({1, n}, 1e30).softmax(1).select(1, 0).item<float>(), 1.f / static_cast<float>(n));
    EXPECT_TRUE(std::isnan(full({1, n}, std::nan("")).softmax(1).select(1, 0).item<float>()));
  }
}

TEST(Softmax, DtypesAndErrors) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(x.to(kLong).softmax(1, kDouble).scalar_type(), kDouble);
  EXPECT_EQ(x.to(kHalf).softmax(1).scalar_type(), kHalf);
  EXPECT_EQ(x.to(kHalf).softmax(1, kFloat).scalar_type(), kFloat);
  EXPECT_EQ(sizes(zeros({2, 0}).softmax(1)), (Longs{2, 0}));
  EXPECT_EQ(tensor(3.0).softmax(0).item<float>(), 1);
  EXPECT_EQ(node(leaf(x).softmax(0)), "SoftmaxBackward0");
  EXPECT_EQ(node(leaf(x).log_softmax(-1)), "LogSoftmaxBackward0");
  EXPECT_EQ(error_of<NotImplementedError>([&] { x.to(kLong).softmax(1); }), "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'");
  EXPECT_EQ(error_of<IndexError>([&] { x.softmax(2); }), "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
}

}  // namespace
}  // namespace wick::test
