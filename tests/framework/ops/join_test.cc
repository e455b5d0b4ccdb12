// cat, stack, repeat, flip: PyTorch's shapes, dtypes, sentences and node names; many parts; gradients.
#include "wick/framework/core/parallel.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

std::string sentence(std::vector<Tensor> tensors, int64_t dim = 0) {
  return error_of([&] { cat(tensors, dim); });
}

TEST(Cat, Values) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(values(cat({x, x + 10}, 0)), (Numbers{0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(values(cat({x, x + 10}, -1)), (Numbers{0, 1, 2, 10, 11, 12, 3, 4, 5, 13, 14, 15}));
  EXPECT_EQ(values(cat({x.t(), x.t()})), (Numbers{0, 3, 1, 4, 2, 5, 0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values(cat({x.slice(1, 0, 1), x, x.slice(1, 1)}, 1)), (Numbers{0, 0, 1, 2, 1, 2, 3, 3, 4, 5, 4, 5}));
  EXPECT_EQ(sizes(cat({zeros({0, 3}), x})), (Longs{2, 3}));
  EXPECT_EQ(sizes(cat({zeros({2, 0}), zeros({2, 0})}, 1)), (Longs{2, 0}));
}

TEST(Cat, Promotes) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(cat({x, x.to(kInt)}).scalar_type(), kFloat);
  const Tensor y = cat({x.to(kInt), x.to(kBool)});
  EXPECT_EQ(y.scalar_type(), kInt);
  EXPECT_EQ(values(y), (Numbers{0, 1, 2, 3, 4, 5, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(cat({zeros(0, kDouble), x}).scalar_type(), kDouble);
}

TEST(Cat, SkipsTensorsOfShapeZero) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(values(cat({zeros(0), x, zeros(0)}, 1)), values(x));
  EXPECT_EQ(sizes(cat({zeros(0), zeros(0)}, 1)), (Longs{0}));
  const Tensor a = leaf(zeros(0)), b = leaf(x);
  cat({a, b}, 1).sum().backward();
  EXPECT_EQ(sizes(a.grad()), (Longs{0}));
  EXPECT_EQ(values(b.grad()), (Numbers{1, 1, 1, 1, 1, 1}));
}

TEST(Cat, KeepsChannelsLast) {
  const Tensor x = counting({1, 2, 3, 4});
  const Tensor y = x.contiguous(MemoryFormat::ChannelsLast);
  EXPECT_EQ(strides(cat({y, y}, 0)), (Longs{24, 1, 8, 2}));
  for (int64_t dim = 0; dim < 4; ++dim) EXPECT_EQ(values(cat({y, y + 1}, dim)), values(cat({x, x + 1}, dim))) << dim;
}

TEST(Cat, ManyPartsOnAnyNumberOfThreads) {
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < 40; ++i) {
    const Tensor part = counting({50, i % 7 + 1, 30}) + i;
    parts.push_back(i % 11 == 3 ? part.transpose(0, 2).contiguous().transpose(0, 2) : part);
  }
  const Tensor joined = cat(parts, 1);
  int64_t start = 0;
  for (const Tensor& part : parts) {
    EXPECT_EQ(values(joined.narrow(1, start, part.size(1))), values(part));
    start += part.size(1);
  }
  const int threads = get_num_threads();
  set_num_threads(1);
  EXPECT_TRUE(equal(joined, cat(parts, 1)));
  set_num_threads(threads);
}

TEST(Cat, Sentences) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(error_of<ValueError>([] { cat(TensorList(), 0); }), "torch.cat(): expected a non-empty list of Tensors");
  EXPECT_EQ(sentence({x, tensor(1.0)}), "zero-dimensional tensor (at position 1) cannot be concatenated");
  EXPECT_EQ(sentence({x, zeros({3, 2})}),
            "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 2 for tensor number 1 in the list.");
  EXPECT_EQ(sentence({x, zeros(3)}), "Tensors must have same number of dimensions: got 2 and 1");
  EXPECT_EQ(sentence({x, x}, 2), "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
}

TEST(Stack, ValuesAndSentences) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(sizes(stack({x, x}, -1)), (Longs{2, 3, 2}));
  EXPECT_EQ(values(stack({x, x.to(kInt) + 10}, 2)), (Numbers{0, 10, 1, 11, 2, 12, 3, 13, 4, 14, 5, 15}));
  EXPECT_EQ(values(stack({tensor(1.0), tensor(2.0)})), (Numbers{1, 2}));
  EXPECT_EQ(error_of([] { stack(TensorList()); }), "stack expects a non-empty TensorList");
  EXPECT_EQ(error_of([&] { stack({x, zeros({0, 3})}); }),
            "stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [0, 3] at entry 1");
}

TEST(Join, GradientsGoToTheirParts) {
  const Tensor a = leaf(ones({2, 1})), b = leaf(ones({2, 2})), c = ones({2, 1});
  const Tensor y = cat({a, c, b}, 1);
  EXPECT_EQ(node(y), "CatBackward0");
  (y * counting({2, 4})).sum().backward();
  EXPECT_EQ(values(a.grad()), (Numbers{0, 4}));
  EXPECT_EQ(values(b.grad()), (Numbers{2, 3, 6, 7}));

  const Tensor d = leaf(ones(3).to(kDouble)), e = leaf(ones(3));
  const Tensor z = stack({d, e}, 1);
  EXPECT_EQ(node(z), "StackBackward0");
  (z * counting({3, 2})).sum().backward();
  EXPECT_EQ(values(d.grad()), (Numbers{0, 2, 4}));
  EXPECT_EQ(values(e.grad()), (Numbers{1, 3, 5}));
  EXPECT_EQ(e.grad().scalar_type(), kFloat);
}

TEST(Repeat, ValuesSentencesGradients) {
  const Tensor x = leaf(counting({2, 3}));
  const Tensor y = x.repeat({2, 1, 2});
  EXPECT_EQ(node(y), "RepeatBackward0");
  EXPECT_EQ(sizes(y), (Longs{2, 2, 6}));
  EXPECT_EQ(values(y[1]), (Numbers{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}));
  (y * counting({2, 2, 6})).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{30, 34, 38, 54, 58, 62}));
  EXPECT_EQ(sizes(x.repeat({0, 1})), (Longs{0, 3}));
  EXPECT_EQ(values(tensor(1.0).repeat({2, 2})), (Numbers{1, 1, 1, 1}));
  EXPECT_EQ(values(counting({2, 2}).t().repeat({1, 2})), (Numbers{0, 2, 0, 2, 1, 3, 1, 3}));
  EXPECT_EQ(error_of([&] { x.repeat(2); }), "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  EXPECT_EQ(error_of([&] { x.repeat({2, -1}); }), "Trying to create tensor with negative dimension -3: [4, -3]");
  const Tensor e = leaf(counting(2));
  e.repeat(0).sum().backward();
  EXPECT_EQ(values(e.grad()), (Numbers{0, 0}));
}

TEST(Flip, ValuesSentencesGradients) {
  const Tensor x = leaf(counting({2, 3}));
  const Tensor y = x.flip({0, -1});
  EXPECT_EQ(node(y), "FlipBackward0");
  EXPECT_EQ(values(y), (Numbers{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(values(x.flip(1)), (Numbers{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(values(x.t().flip(0)), (Numbers{2, 5, 1, 4, 0, 3}));
  EXPECT_EQ(strides(x.t().flip(0)), (Longs{1, 3}));
  EXPECT_EQ(values(x.flip(IntArrayRef())), values(x));
  EXPECT_EQ(values(tensor(1.0).flip(0)), (Numbers{1}));
  EXPECT_EQ(sizes(zeros({0, 3}).flip(0)), (Longs{0, 3}));
  EXPECT_TRUE(equal(counting({100, 700}).flip({0, 1}), arange(69999, -1, -1, kFloat).view({100, 700})));
  EXPECT_EQ(error_of([&] { x.flip({0, 0}); }), "dim 0 appears multiple times in the list of dims");
  (y * counting({2, 3})).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{5, 4, 3, 2, 1, 0}));
}

}  // namespace
}  // namespace wick::test
