// What the table of operations does not show of sorting, of draws from weights, of padding and of einsum: order, ties, NaN, errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "wick/framework/core/generator.h"
#include "wick/framework/ops/tensor_literal.h"
#include "wick/framework/tensor.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick {
namespace {

constexpr float kInf = HUGE_VALF;

std::vector<int64_t> places(const Tensor& x) {
  const Tensor y = x.to(kLong).contiguous();
  return std::vector<int64_t>(y.data_ptr<int64_t>(), y.data_ptr<int64_t>() + y.numel());
}

#define EXPECT_MESSAGE(expression, text) \
  EXPECT_NE(test::error_of([&] { (void)(expression); }).find(text), std::string::npos) << test::error_of([&] { (void)(expression); })

TEST(Sort, NanIsLastAndEqualsKeepTheirOrder) {
  const Tensor x = tensor({3.f, NAN, 1.f, 3.f, kInf});
  EXPECT_EQ(places(argsort(x)), (std::vector<int64_t>{2, 0, 3, 4, 1}));
  EXPECT_EQ(places(argsort(x, 0, true)), (std::vector<int64_t>{1, 4, 0, 3, 2}));
  EXPECT_TRUE(std::isnan(std::get<0>(sort(x))[4].item<float>()));
  EXPECT_EQ(places(std::get<1>(topk(x, 3))), (std::vector<int64_t>{1, 4, 0}));
  EXPECT_EQ(places(std::get<1>(topk(x, 2, 0, false))), (std::vector<int64_t>{2, 0}));
}

TEST(Sort, EmptyAndZeroDim) {
  EXPECT_EQ(std::get<0>(sort(zeros({2, 0, 3}), 1)).sizes().vec(), (std::vector<int64_t>{2, 0, 3}));
  EXPECT_EQ(std::get<0>(sort(zeros({0, 3}))).numel(), 0);
  EXPECT_EQ(std::get<0>(topk(zeros({2, 3}), 0)).sizes().vec(), (std::vector<int64_t>{2, 0}));
  const auto [value, index] = sort(tensor(2.5));
  EXPECT_EQ(value.item<double>(), 2.5);
  EXPECT_EQ(index.item<int64_t>(), 0);
  EXPECT_EQ(std::get<0>(topk(tensor(2.5), 1)).dim(), 0);
}

TEST(Sort, LongRowsAndManyRows) {
  manual_seed(0);
  const Tensor x = randn({300, 500});
  const auto [values, indices] = sort(x, 1);
  EXPECT_TRUE(values.equal(x.gather(1, indices)));
  EXPECT_TRUE(values.slice(1, 1).ge(values.slice(1, 0, -1)).all().item<bool>());
  EXPECT_TRUE(std::get<0>(topk(x, 20)).equal(std::get<0>(sort(x, 1, true)).slice(1, 0, 20)));
}

// Short rows, long rows and few of many elements take different ways. Few different values, so that the order of equals shows.
TEST(Sort, EveryWayIsAStableOne) {
  manual_seed(1);
  for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16, kLong, kInt, kShort, kChar, kByte, kBool}) {
    for (const int64_t n : {40, 255, 256, 3000}) {
      Tensor x = (randint(0, 200, {n}, kLong) - (dtype == kByte ? 0 : 100)).to(dtype);
      if (x.is_floating_point()) {
        x[1] = NAN, x[7] = NAN, x[9] = -kInf, x[11] = kInf, x[13] = -0.0, x[15] = 0.0, x[n - 1] = NAN;
      }
      const std::vector<double> keys = [&] {
        const Tensor y = x.to(kDouble);
        return std::vector<double>(y.data_ptr<double>(), y.data_ptr<double>() + n);
      }();
      for (const bool descending : {false, true}) {
        std::vector<int64_t> expected(keys.size());
        std::iota(expected.begin(), expected.end(), 0);
        std::stable_sort(expected.begin(), expected.end(), [&](int64_t a, int64_t b) {
          if (descending) std::swap(a, b);
          const double p = keys[static_cast<size_t>(a)], q = keys[static_cast<size_t>(b)];
          return !std::isnan(p) && (std::isnan(q) || p < q);
        });
        EXPECT_EQ(places(argsort(x, 0, descending)), expected) << dtype_name(dtype) << " " << n;
        if (dtype == kBool) continue;  // topk refuses it, as PyTorch does
        for (const int64_t k : {int64_t{1}, int64_t{2}, n / 16, n / 16 + 1, n / 2}) {
          const auto [values, indices] = topk(x, k, 0, descending);
          EXPECT_EQ(places(indices), std::vector<int64_t>(expected.begin(), expected.begin() + k))
              << dtype_name(dtype) << " " << n << " " << k;
          EXPECT_TRUE(values.allclose(x.gather(0, indices), 0, 0, /*equal_nan=*/true));
        }
      }
    }
  }
}

TEST(Sort, Errors) {
  EXPECT_MESSAGE(topk(zeros({2}), 3), "selected index k out of range");
  EXPECT_MESSAGE(kthvalue(zeros({2}), 3), "kthvalue(): selected number k out of range for dimension 0");
  EXPECT_MESSAGE(sort(zeros({2}), 1), "Dimension out of range");
}

TEST(Median, IsTheLowerOneAndNanWins) {
  EXPECT_EQ(median(tensor({4.f, 1.f, 3.f, 2.f})).item<float>(), 2);
  const auto [value, index] = median(tensor({3.f, NAN, 1.f, NAN}), 0);
  EXPECT_TRUE(std::isnan(value.item<float>()));
  EXPECT_EQ(index.item<int64_t>(), 1);
  EXPECT_TRUE(std::isnan(median(zeros({0})).item<float>()));
  EXPECT_MESSAGE(median(zeros({0}), 0), "Expected reduction dim 0 to have non-zero size.");
}

// The numbers are PyTorch's.
TEST(Multinomial, DrawsPyTorchsNumbers) {
  manual_seed(0);
  const Tensor w = tensor({0.1f, 0.3f, 0.f, 0.6f}), both = stack({w, w.flip(0)});
  EXPECT_EQ(places(multinomial(w, 1)), (std::vector<int64_t>{1}));
  EXPECT_EQ(places(w.multinomial(3)), (std::vector<int64_t>{3, 1, 0}));
  EXPECT_EQ(places(w.multinomial(8, true)), (std::vector<int64_t>{3, 1, 3, 1, 1, 3, 3, 3}));
  EXPECT_EQ(places(both.multinomial(2)), (std::vector<int64_t>{1, 3, 2, 0}));
  EXPECT_EQ(places(both.multinomial(5, true)), (std::vector<int64_t>{1, 3, 3, 3, 3, 0, 2, 2, 0, 0}));
}

TEST(Multinomial, Errors) {
  const Tensor w = tensor({0.1f, 0.9f});
  EXPECT_MESSAGE(multinomial(w, 3), "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  EXPECT_MESSAGE(multinomial(w, 0), "cannot sample n_sample <= 0 samples");
  EXPECT_MESSAGE(multinomial(-w, 1), "probability tensor contains either `inf`, `nan` or element < 0");
  EXPECT_MESSAGE(multinomial(w * NAN, 1), "probability tensor contains either `inf`, `nan` or element < 0");
  EXPECT_MESSAGE(multinomial(w * 0, 1), "invalid multinomial distribution (sum of probabilities <= 0)");
  EXPECT_MESSAGE(multinomial(w.to(kLong), 1), "multinomial only supports floating-point dtypes for input, got: Long");
}

TEST(Einsum, Errors) {
  const Tensor v = tensor({1.f, 2.f}), w = tensor({1.f, 2.f, 3.f}), m = zeros({2, 3});
  EXPECT_MESSAGE(einsum("ij", {v}),
                 "einsum(): the number of subscripts in the equation (2) does not match the number of dimensions (1) for "
                 "operand 0 and no ellipsis was given");
  EXPECT_MESSAGE(einsum("i,j", {v}), "einsum(): fewer operands were provided than specified in the equation");
  EXPECT_MESSAGE(einsum("i", {v, v}), "einsum(): more operands were provided than specified in the equation");
  EXPECT_MESSAGE(einsum("i->j", {v}), "einsum(): output subscript j does not appear in the equation for any input operand");
  EXPECT_MESSAGE(einsum("i,i", {v, w}),
                 "einsum(): subscript i has size 3 for operand 1 which does not broadcast with previously seen size 2");
  EXPECT_MESSAGE(einsum("i1", {m}), "einsum(): invalid subscript given at index 1 in the equation string, subscripts must be in [a-zA-Z]");
}

TEST(Einsum, EmptyDimensionsSumToZero) {
  EXPECT_TRUE(einsum("ij,jk->ik", {zeros({2, 0}), zeros({0, 3})}).equal(zeros({2, 3})));
}

TEST(Pad, Errors) {
  EXPECT_MESSAGE(pad(zeros({1, 1, 3}), {3, 0}, "reflect"),
               "Argument #4: Padding size should be less than the corresponding input dimension, "
                                                           "but got: padding (3, 0) at dimension 2 of input [1, 1, 3]");
  EXPECT_MESSAGE(pad(zeros({1, 1, 3}), {4, 0}, "circular"), "Padding value causes wrapping around more than once.");
  EXPECT_MESSAGE(pad(zeros({2}), {1}), "Padding length must be divisible by 2");
  EXPECT_MESSAGE(pad(zeros({2}), {1, 1, 1, 1}),
                 "Padding length should be less than or equal to two times the input dimension but got padding "
                 "length 4 and input of dimension 1");
}

TEST(InPlaceShape, KeepsHistoryAndMemory) {
  const Tensor x = ones({1, 3}).requires_grad_();
  const Tensor y = x * 2, view = y.view({3});
  y.squeeze_().unsqueeze_(1);
  EXPECT_EQ(y.sizes().vec(), (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(y.data_ptr(), view.data_ptr());
  y.sum().backward();
  EXPECT_TRUE(x.grad().equal(full({1, 3}, 2)));
  EXPECT_MESSAGE(x.squeeze_(), "a leaf Variable that requires grad is being used in an in-place operation.");
  EXPECT_EQ(x.dim(), 2);
}

TEST(Arrange, Errors) {
  EXPECT_MESSAGE(one_hot(tensor({3}), 3), "Class values must be smaller than num_classes.");
  EXPECT_MESSAGE(one_hot(tensor({-1})), "Class values must be non-negative.");
  EXPECT_MESSAGE(one_hot(tensor({1.f})), "one_hot is only applicable to index tensor of type LongTensor.");
  EXPECT_MESSAGE(cross(zeros({2, 2}), zeros({2, 2}), 0), "linalg.cross: inputs dimension 0 must have length 3. Got 2 and 2");
  EXPECT_MESSAGE(is_nonzero(zeros({2})), "Boolean value of Tensor with more than one value is ambiguous");
  EXPECT_MESSAGE(triu(zeros({2})), "triu: input tensor must have at least 2 dimensions");
  EXPECT_EQ(one_hot(tensor({1, 0, 2})).sizes().vec(), (std::vector<int64_t>{3, 3}));
}

// An element of a row that stands in `indices` as the padding, or several times.
TEST(Embedding, PaddingAndFrequency) {
  const Tensor weight = ones({3, 2}).requires_grad_(), rows = tensor({0, 2, 2, 1});
  embedding(weight, rows, 1, true).sum().backward();
  EXPECT_TRUE(weight.grad().equal(tensor({{1.f, 1.f}, {0.f, 0.f}, {1.f, 1.f}})));
  EXPECT_MESSAGE(embedding(weight, tensor({3})), "index out of range");
}

}  // namespace
}  // namespace wick
