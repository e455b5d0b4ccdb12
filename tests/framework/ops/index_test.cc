// Elements whose places are data: PyTorch's shapes, sentences and node names; repeated indices; nothing written before every index has
// been checked; the same results on any number of threads.
#include <cmath>

#include "wick/framework/core/parallel.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

using indexing::Ellipsis;
using indexing::None;
using indexing::Slice;

Tensor longs(const std::vector<int64_t>& list) { return tensor(list); }

TEST(IndexSelect, ValuesAndSentences) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(values(x.index_select(1, longs({2, 0, 2}).to(kInt))), (Numbers{2, 0, 2, 5, 3, 5}));
  EXPECT_EQ(values(x.t().index_select(0, longs({2, 0}))), (Numbers{2, 5, 0, 3}));
  EXPECT_EQ(values(x.index_select(0, tensor(1))), (Numbers{3, 4, 5}));
  EXPECT_EQ(sizes(x.index_select(0, zeros(0, kLong))), (Longs{0, 3}));
  EXPECT_EQ(values(tensor(7.0).index_select(0, longs({0}))), (Numbers{7}));
  EXPECT_EQ(error_of<IndexError>([&] { x.index_select(0, longs({5})); }), "index out of range in self");
  EXPECT_EQ(error_of<IndexError>([&] { x.index_select(0, longs({-1})); }), "index out of range in self");
  EXPECT_EQ(error_of<IndexError>([&] { x.index_select(0, zeros({1, 1}, kLong)); }), "index_select(): Index is supposed to be a vector");
  EXPECT_EQ(error_of([&] { x.index_select(0, zeros(1)); }), "index_select(): Expected dtype int32 or int64 for index");
  EXPECT_EQ(error_of([] { tensor(7.0).index_select(0, longs({0, 0})); }),
            "index_select(): Index to scalar can have only 1 value, got 2 value(s)");
}

TEST(Gather, ValuesAndSentences) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(values(x.gather(1, tensor({{2, 2}, {0, 1}}))), (Numbers{2, 2, 3, 4}));
  EXPECT_EQ(values(x.t().gather(0, tensor({{2, 0}}))), (Numbers{2, 3}));
  EXPECT_EQ(sizes(x.gather(1, zeros({1, 5}, kLong))), (Longs{1, 5}));
  EXPECT_EQ(sizes(x.gather(0, zeros(0, kLong))), (Longs{0}));
  EXPECT_EQ(sizes(tensor(1.0).gather(0, longs({0}))), (Longs{1}));
  EXPECT_EQ(values(tensor({1.0, 2.0}).gather(0, tensor(1))), (Numbers{2}));
  EXPECT_EQ(error_of([&] { x.gather(0, longs({0, 1})); }), "Index tensor must have the same number of dimensions as input tensor");
  EXPECT_EQ(error_of([&] { x.gather(1, tensor({{3}})); }), "index 3 is out of bounds for dimension 1 with size 3");
  EXPECT_EQ(error_of([&] { x.gather(0, tensor({{-1}})); }), "index -1 is out of bounds for dimension 0 with size 2");
  EXPECT_EQ(error_of([&] { x.gather(1, zeros({3, 1}, kLong)); }),
            "Size does not match at dimension 0 expected index [3, 1] to be no larger than self [2, 3] apart from dimension 1");
  EXPECT_EQ(error_of([&] { x.gather(0, zeros({1, 1})); }), "gather(): Expected dtype int32/int64 for index");
}

TEST(Scatter, ValuesAndSentences) {
  const Tensor z = zeros(3);
  EXPECT_EQ(values(z.scatter(0, longs({0, 0, 2}), tensor({1.0, 2.0, 3.0}))), (Numbers{2, 0, 3}));
  EXPECT_EQ(values(z.scatter(0, longs({0, 1}), 7)), (Numbers{7, 7, 0}));
  EXPECT_EQ(values(z.scatter_add(0, longs({0, 0, 2}), tensor({1.0, 2.0, 3.0}))), (Numbers{3, 0, 3}));
  EXPECT_EQ(values(z.to(kBool).scatter_add(0, longs({0, 0}), ones(2, kBool))), (Numbers{1, 0, 0}));
  EXPECT_EQ(values(z.to(kLong).scatter(0, longs({0}), 1.5)), (Numbers{1, 0, 0}));
  EXPECT_EQ(values(z.scatter(0, zeros(0, kLong), ones(1))), (Numbers{0, 0, 0}));
  EXPECT_EQ(values(tensor(1.0).scatter(0, tensor(0), tensor(5.0))), (Numbers{5}));
  // Only the corner of index's shape is read of a larger source.
  EXPECT_EQ(values(zeros({2, 3}).scatter(1, tensor({{2}, {0}}), counting({2, 2}))), (Numbers{0, 0, 0, 2, 0, 0}));
  EXPECT_EQ(error_of([&] { z.scatter_(0, longs({0, 1}), ones(1)); }),
            "Expected index [2] to be no larger than self [3] apart from dimension 0 and to be no larger size than src [1]");
  EXPECT_EQ(error_of([&] { z.scatter_(0, longs({0}), longs({1})); }), "scatter(): Expected self.dtype to be equal to src.dtype");
  EXPECT_EQ(error_of([&] {
              z.scatter_(0, zeros({1, 1}, kLong), ones(1));
            }),
            "Index tensor must have the same number of dimensions as self tensor");
  EXPECT_EQ(error_of([&] { z.scatter_(0, zeros(1), ones(1)); }), "scatter(): Expected dtype int32/int64 for index");
  EXPECT_EQ(error_of([&] { z.to(kByte).scatter_(0, longs({0}), 300); }), "value cannot be converted to type uint8_t without overflow");
}

TEST(Scatter, ChecksEveryIndexBeforeWriting) {
  const Tensor z = zeros(3);
  EXPECT_EQ(error_of([&] { z.scatter_(0, longs({0, 5}), 7); }), "index 5 is out of bounds for dimension 0 with size 3");
  EXPECT_EQ(error_of([&] { z.scatter_(0, longs({0, -1}), ones(2)); }), "index -1 is out of bounds for dimension 0 with size 3");
  EXPECT_EQ(error_of([&] { z.scatter_add_(0, longs({0, 3}), ones(2)); }), "index 3 is out of bounds for dimension 0 with size 3");
  EXPECT_EQ(error_of<IndexError>([&] { z.index_add_(0, longs({0, 3}), ones(2)); }), "index out of range in self");
  EXPECT_EQ(error_of<IndexError>([&] { z.index_fill_(0, longs({0, 3}), 1); }), "index 3 is out of bounds for dimension 0 with size 3");
  EXPECT_EQ(error_of<IndexError>([&] { z.index_put_({longs({0, 3})}, 1); }), "index 3 is out of bounds for dimension 0 with size 3");
  EXPECT_EQ(values(z), (Numbers{0, 0, 0}));
  EXPECT_EQ(z._version(), 0);
}

TEST(IndexAdd, ValuesAndSentences) {
  const Tensor z = zeros(3);
  EXPECT_EQ(values(z.index_add(0, longs({0, 0, 2}), tensor({1.0, 2.0, 3.0}), 2)), (Numbers{6, 0, 6}));
  EXPECT_EQ(values(zeros({2, 3}).index_add(1, longs({2, 2}), ones({2, 2}))), (Numbers{0, 0, 2, 0, 0, 2}));
  EXPECT_EQ(values(z.to(kLong).index_add(0, longs({0}), longs({1}), 2.5)), (Numbers{2, 0, 0}));
  EXPECT_EQ(values(z.to(kHalf).index_add(0, longs({1, 1}), ones(2, kHalf))), (Numbers{0, 2, 0}));
  EXPECT_EQ(values(tensor(1.0).index_add(0, tensor(0), tensor(2.0))), (Numbers{3}));
  EXPECT_EQ(error_of([&] { z.index_add_(0, longs({0, 1}), ones(1)); }),
            "index_add_(): Number of indices (2) should be equal to source.size(dim): (1), for dim: 0");
  EXPECT_EQ(
      error_of([] {
        zeros({2, 3}).index_add_(0, longs({0}), zeros({1, 4}));
      }),
      "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = [2, 3] source.shape = [1, 4]");
  EXPECT_EQ(error_of<IndexError>([] { zeros({2, 3}).index_add_(0, zeros({1, 1}, kLong), zeros({1, 3})); }),
            "index_add_(): Index is supposed to be a vector, but got dim: 2 with type: Long and size: [1, 1]");
  EXPECT_EQ(error_of([&] { z.index_add_(0, zeros(1), ones(1)); }), "index_add_(): Expected dtype int32/int64 for index but got: Float");
  EXPECT_EQ(error_of([&] { z.index_add_(0, longs({0}), longs({1})); }),
            "index_add_(): self (Float) and source (Long) must have the same scalar type");
  const Tensor y = counting(4);
  EXPECT_EQ(error_of([&] { y.index_add_(0, longs({0, 1}), y.slice(0, 1, 3)); }),
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please "
            "clone() the tensor before performing the operation.");
}

TEST(IndexCopy, AndFill) {
  EXPECT_EQ(values(zeros(3).index_copy_(0, longs({2, 0}), tensor({1.0, 2.0}))), (Numbers{2, 0, 1}));
  EXPECT_EQ(values(zeros(3).index_fill_(0, longs({0, -1}), 5)), (Numbers{5, 0, 5}));
  EXPECT_EQ(error_of<IndexError>([] { zeros({2, 3}).index_copy_(0, longs({0, 1}), zeros({1, 3})); }),
            "index_copy_(): Number of indices (2) should be equal to source.size(dim) (1)");
  const Tensor x = leaf(counting(3)), s = leaf(ones(2));
  const Tensor y = x.index_copy(0, longs({2, 0}), s);
  EXPECT_EQ(node(y), "IndexCopyBackward0");
  (y * tensor({1.0, 2.0, 3.0})).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{0, 2, 0}));
  EXPECT_EQ(values(s.grad()), (Numbers{3, 1}));
}

TEST(Index, Shapes) {
  const Tensor x = counting({2, 3, 4}), rows = longs({0, 1});
  EXPECT_EQ(sizes(x.index({rows, Slice(), rows})), (Longs{2, 3}));
  EXPECT_EQ(values(x.index({rows, Slice(), rows})), (Numbers{0, 4, 8, 13, 17, 21}));
  EXPECT_EQ(sizes(x.index({Slice(), rows, rows})), (Longs{2, 2}));
  EXPECT_EQ(values(x.index({Slice(), rows, rows})), (Numbers{0, 5, 12, 17}));
  EXPECT_EQ(sizes(x.index({rows, None, rows})), (Longs{2, 1, 4}));
  EXPECT_EQ(sizes(x.index({None, rows})), (Longs{1, 2, 3, 4}));
  EXPECT_EQ(sizes(x.index({Ellipsis, rows})), (Longs{2, 3, 2}));
  EXPECT_EQ(sizes(x.index({"...", rows})), (Longs{2, 3, 2}));
  EXPECT_EQ(values(x.index({0, rows, 1})), (Numbers{1, 5}));
  EXPECT_EQ(sizes(x.index({Slice(1, None), longs({0, 2})})), (Longs{1, 2, 4}));
  EXPECT_EQ(values(x.index({-1, -1, Slice(None, None, 2)})), (Numbers{20, 22}));
  EXPECT_EQ(sizes(x.index({tensor(1)})), (Longs{3, 4}));
  EXPECT_EQ(sizes(x.index({tensor(1), Slice(), tensor(2)})), (Longs{3}));
  EXPECT_EQ(sizes(x.index({true})), (Longs{1, 2, 3, 4}));
  EXPECT_EQ(sizes(x.index({false})), (Longs{0, 2, 3, 4}));
  EXPECT_EQ(sizes(x.index({tensor(true)})), (Longs{1, 2, 3, 4}));
  EXPECT_EQ(sizes(x.index({zeros(0, kLong)})), (Longs{0, 3, 4}));
  EXPECT_EQ(sizes(x.index({zeros({2, 2}, kLong)})), (Longs{2, 2, 3, 4}));
  EXPECT_EQ(sizes(zeros({0, 3}).index({zeros(0, kLong)})), (Longs{0, 3}));
  EXPECT_EQ(values(x.transpose(0, 2).index({longs({3, -4}), Slice(), 1})), (Numbers{15, 19, 23, 12, 16, 20}));
  EXPECT_EQ(values(x[1][tensor(2)]), (Numbers{20, 21, 22, 23}));
}

TEST(Index, Masks) {
  const Tensor x = counting({2, 3, 4});
  EXPECT_EQ(values(x.index({x > 20})), (Numbers{21, 22, 23}));
  EXPECT_EQ(sizes(x.index({ones({2, 3}, kBool)})), (Longs{6, 4}));
  EXPECT_EQ(sizes(x.index({tensor({true, false})})), (Longs{1, 3, 4}));
  EXPECT_EQ(sizes(x.index({tensor({true, true}), longs({0, 1})})), (Longs{2, 4}));
  EXPECT_EQ(values(tensor(1.0).index({tensor(true)})), (Numbers{1}));
  EXPECT_EQ(error_of<IndexError>([&] { x.index({ones({2, 2}, kBool)}); }),
            "The shape of the mask [2, 2] at index 1 does not match the shape of the indexed tensor [2, 3, 4] at index 1");
}

TEST(Index, ViewsWhereNoTensorIndexes) {
  const Tensor x = counting({2, 3});
  EXPECT_TRUE(x.index({Slice(), 1}).is_alias_of(x));
  const Tensor all = x.index({Ellipsis});
  EXPECT_TRUE(all.is_alias_of(x) && !all.is_same(x));
  EXPECT_FALSE(x.index({longs({0})}).is_alias_of(x));
  const Tensor y = leaf(x);
  EXPECT_EQ(node(y.index({0})), "SelectBackward0");
  EXPECT_EQ(node(y.index({Slice(1)})), "SliceBackward0");
  EXPECT_EQ(node(y.index({longs({0})})), "IndexBackward0");
}

TEST(Index, Sentences) {
  const Tensor x = counting({2, 3, 4});
  const auto wrong = [&](std::initializer_list<indexing::TensorIndex> indices) {
    return error_of<IndexError>([&] { x.index(indices); });
  };
  EXPECT_EQ(wrong({longs({5})}), "index 5 is out of bounds for dimension 0 with size 2");
  EXPECT_EQ(wrong({longs({-3})}), "index -3 is out of bounds for dimension 0 with size 2");
  EXPECT_EQ(wrong({longs({0, 1}), longs({0, 1, 2})}),
            "shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]");
  EXPECT_EQ(wrong({0, 0, 0, 0}), "too many indices for tensor of dimension 3");
  EXPECT_EQ(wrong({tensor({0.5})}), "tensors used as indices must be long, int, byte or bool tensors");
  EXPECT_EQ(wrong({Slice(), 7}), "index 7 is out of bounds for dimension 1 with size 3");
  EXPECT_EQ(error_of<IndexError>([] { zeros({0, 3}).index({longs({0})}); }), "index is out of bounds for dimension with size 0");
  EXPECT_EQ(
      error_of<IndexError>([] { (void)tensor(1.0).index({0}); }),
      "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number");
  EXPECT_EQ(error_of<IndexError>([] { tensor(1.0).index({longs({0})}); }), "too many indices for tensor of dimension 0");
  EXPECT_EQ(error_of<ValueError>([] { Slice(0, 1, 0); }), "slice step cannot be zero");
  EXPECT_EQ(error_of<ValueError>([&] { x.index({Slice(0, 1, -1)}); }), "step must be greater than zero");
  EXPECT_EQ(error_of<ValueError>([&] { x.index({".."}); }), "Expected \"...\" to represent an ellipsis index, but got \"..\"");
  EXPECT_EQ(error_of<IndexError>([&] { x[longs({0})]; }), "Can only index with tensors that are scalars (zero-dim)");
  EXPECT_EQ(error_of<IndexError>([&] { x[Scalar(1.5)]; }), "Can only index tensors with integral scalars");
}

TEST(IndexPut, Values) {
  const auto z = [] { return zeros({2, 3}); };
  EXPECT_EQ(values(z().index_put_({longs({0, 1}), longs({0, 1})}, 5)), (Numbers{5, 0, 0, 0, 5, 0}));
  EXPECT_EQ(values(z().index_put_({longs({0, 1}), longs({0, -1})}, tensor({1.0, 2.0}))), (Numbers{1, 0, 0, 0, 0, 2}));
  EXPECT_EQ(values(z().index_put_({Slice(0, 1)}, tensor({1.0, 2.0, 3.0}))), (Numbers{1, 2, 3, 0, 0, 0}));
  EXPECT_EQ(values(z().index_put_({Slice(), longs({0, 0})}, ones({2, 2}))), (Numbers{1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(values(z().index_put_({ones({2, 3}, kBool)}, counting(6))), (Numbers{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(values(z().index_put_({0}, ones({1, 1, 3}))), (Numbers{1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(values(z().index_put_({Ellipsis, 0}, tensor({1.0, 2.0}))), (Numbers{1, 0, 0, 2, 0, 0}));
  EXPECT_EQ(values(z().index_put_({0}, tensor({1, 2, 3}))), (Numbers{1, 2, 3, 0, 0, 0}));
  EXPECT_EQ(values(z().index_put_({tensor({false, true})}, 7)), (Numbers{0, 0, 0, 7, 7, 7}));
  EXPECT_EQ(values(zeros({3, 2}).t().index_put_({longs({1}), longs({2})}, 4)), (Numbers{0, 0, 0, 0, 0, 4}));
  const Tensor y = zeros(3);
  EXPECT_EQ(values(y.index_put_(std::vector<std::optional<Tensor>>{longs({1, 1, 2})}, tensor({1.0, 2.0, 3.0}), true)), (Numbers{0, 3, 3}));
}

TEST(IndexPut, Sentences) {
  const auto wrong = [](std::initializer_list<indexing::TensorIndex> indices, const Tensor& value) {
    const Tensor x = zeros({2, 3});
    const std::string text = error_of([&] { x.index_put_(indices, value); });
    EXPECT_EQ(values(x), Numbers(6, 0));
    return text;
  };
  EXPECT_EQ(wrong({longs({0, 1})}, tensor({1.0, 2.0})),
            "shape mismatch: value tensor of shape [2] cannot be broadcast to indexing result of shape [2, 3]");
  EXPECT_EQ(wrong({ones({2, 3}, kBool)}, counting(5)),
            "shape mismatch: value tensor of shape [5] cannot be broadcast to indexing result of shape [6]");
  EXPECT_EQ(wrong({longs({0, 1})}, ones({2, 3}, kInt)),
            "Index put requires the source and destination dtypes match, got Float for the destination and Int for the source.");
  EXPECT_EQ(wrong({0}, ones({2, 3})),
            "expand(torch.FloatTensor{[2, 3]}, size=[3]): the number of sizes provided (1) must be greater or equal to the number of "
            "dimensions in the tensor (2)");
  EXPECT_EQ(error_of<IndexError>([] { zeros(3).index_put_(std::vector<std::optional<Tensor>>{longs({1}), longs({1})}, ones(1)); }),
            "too many indices for tensor of dimension 1 (got 2)");
}

TEST(MaskedFill, ValuesAndSentences) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(values(x.masked_fill(tensor({true, false, true}), -1)), (Numbers{-1, 1, -1, -1, 4, -1}));
  EXPECT_EQ(values(x.t().masked_fill(x.t() > 2, 9)), (Numbers{0, 9, 1, 9, 2, 9}));
  EXPECT_EQ(values(tensor(1.0).masked_fill(tensor({true, false}), 2)), (Numbers{2, 1}));
  const Tensor n = tensor({1, 2}).masked_fill(tensor({true, false}), 1.5);
  EXPECT_EQ(n.scalar_type(), kLong);
  EXPECT_EQ(values(n), (Numbers{1, 2}));
  EXPECT_EQ(values(x.masked_fill(x > 1, tensor(2))), (Numbers{0, 1, 2, 2, 2, 2}));
  EXPECT_EQ(error_of([&] { x.masked_fill(x, 1); }), "masked_fill_ only supports boolean masks, but got mask with dtype float");
  EXPECT_EQ(error_of([&] { x.masked_fill(x > 1, tensor({1.0, 2.0})); }),
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with 1 dimension(s).");
  EXPECT_EQ(error_of([&] { x.masked_fill(tensor({true, false}), 1); }),
            "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1");
  EXPECT_EQ(error_of([] {
              tensor(1.0).masked_fill_(tensor({true, false}), 1);
            }),
            "output with shape [] doesn't match the broadcast shape [2]");
  EXPECT_EQ(error_of([&] { x.to(kByte).masked_fill(x > 1, 300); }), "value cannot be converted to type uint8_t without overflow");
  const Tensor nan = leaf(tensor({std::nan(""), 2.0}));
  nan.masked_fill(tensor({true, false}), 0).sum().backward();
  EXPECT_EQ(values(nan.grad()), (Numbers{0, 1}));
}

TEST(Masks, SelectAndNonzero) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(values(x.masked_select(tensor({true, false, true}))), (Numbers{0, 2, 3, 5}));
  EXPECT_EQ(values(tensor(1.0).masked_select(tensor({true, true}))), (Numbers{1, 1}));
  EXPECT_EQ(error_of([&] { x.masked_select(x); }), "masked_select: expected BoolTensor for mask");
  EXPECT_EQ(values(x.nonzero()), (Numbers{0, 1, 0, 2, 1, 0, 1, 1, 1, 2}));
  EXPECT_EQ(strides(x.nonzero()), (Longs{1, 5}));
  EXPECT_EQ(sizes(tensor(1.0).nonzero()), (Longs{1, 0}));
  EXPECT_EQ(sizes(tensor(0.0).nonzero()), (Longs{0, 0}));
  EXPECT_EQ(sizes(zeros({0, 3}).nonzero()), (Longs{0, 2}));
  EXPECT_EQ(values(tensor({std::nan(""), -0.0, 1.0}).nonzero()), (Numbers{0, 2}));
  EXPECT_EQ(values(x.t().nonzero()), (Numbers{0, 1, 1, 0, 1, 1, 2, 0, 2, 1}));
  // Across several chunks.
  const Tensor mask = arange(100000).remainder(7).eq(3);
  EXPECT_TRUE(equal(mask.nonzero().squeeze(1), arange(3, 100000, 7)));
}

TEST(Index, GradientsOfRepeatedIndicesAddUp) {
  const Tensor a = leaf(tensor({0.1}));
  a.gather(0, longs({0, 0})).backward(tensor({0.25, 0.5}));
  EXPECT_EQ(values(a.grad()), (Numbers{0.75}));

  const Tensor x = leaf(counting(3));
  x.index({longs({0, 2, 0, 0})}).backward(tensor({1.0, 10.0, 100.0, 1000.0}));
  EXPECT_EQ(values(x.grad()), (Numbers{1101, 0, 10}));

  const Tensor y = leaf(counting(2));
  y.index_select(0, longs({1, 1})).sum().backward();
  EXPECT_EQ(values(y.grad()), (Numbers{0, 2}));

  const Tensor z = leaf(counting(1));
  z.index({zeros(1000000, kLong)}).sum().backward();
  EXPECT_EQ(values(z.grad()), (Numbers{1e6}));
}

TEST(Index, GradientsOfAssignment) {
  const Tensor x = leaf(counting({2, 3})), v = leaf(ones(3));
  Tensor y = x * 1;
  y.index_put_({longs({0})}, v);
  EXPECT_EQ(node(y), "IndexPutBackward0");
  (y * counting({2, 3})).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{0, 0, 0, 3, 4, 5}));
  EXPECT_EQ(values(v.grad()), (Numbers{0, 1, 2}));

  y = x * 1;
  y.index_put_({x > 3}, 5);
  EXPECT_EQ(node(y), "MaskedFillBackward0");
  y = x * 1;
  y.index_put_({0}, 5);
  EXPECT_EQ(node(y), "CopySlices");

  // A source larger than the index: only its corner has a gradient.
  const Tensor s = leaf(ones({2, 2}));
  (zeros({2, 3}).scatter(1, tensor({{2}, {0}}), s) * counting({2, 3})).sum().backward();
  EXPECT_EQ(values(s.grad()), (Numbers{2, 0, 3, 0}));
}

TEST(Index, NodeNames) {
  const Tensor x = leaf(counting({2, 3})), at = zeros({1, 1}, kLong);
  EXPECT_EQ(node(x.gather(0, at)), "GatherBackward0");
  EXPECT_EQ(node(x.index_select(0, longs({0}))), "IndexSelectBackward0");
  EXPECT_EQ(node(x.masked_fill(x > 1, 0)), "MaskedFillBackward0");
  EXPECT_EQ(node(x.masked_fill(x > 1, tensor(0.0))), "MaskedFillBackward1");
  EXPECT_EQ(node(x.masked_select(x > 1)), "MaskedSelectBackward0");
  EXPECT_EQ(node(x.scatter(0, at, x)), "ScatterBackward0");
  EXPECT_EQ(node(x.scatter(0, at, 1)), "ScatterBackward1");
  EXPECT_EQ(node(x.scatter_add(0, at, x)), "ScatterAddBackward0");
  EXPECT_EQ(node(x.index_add(0, longs({0}), x.slice(0, 0, 1))), "IndexAddBackward0");
  EXPECT_EQ(node(x.index_fill(0, longs({0}), 1)), "IndexFillBackward0");
}

// Large enough for several threads, with many indices for one place: the same bits on one thread.
TEST(Index, DoesNotDependOnTheNumberOfThreads) {
  const Tensor rows = arange(4000).mul(7919).remainder(97), source = (counting({4000, 64}) * 0.37f).sin();
  const Tensor places = arange(256000).mul(31).remainder(64).view({4000, 64});
  const auto compute = [&] {
    return std::vector<Tensor>{zeros({97, 64}).index_add(0, rows, source),
                               zeros({64, 97}).index_add(1, rows, source.t()),
                               zeros({4000, 64}).scatter_add(1, places, source),
                               source.gather(1, places),
                               source.index({rows}),
                               source.masked_fill(source > 0, 2),
                               source.index_put({rows}, ones({4000, 64})),
                               source.masked_select(source > 0.5)};
  };
  const std::vector<Tensor> many = compute();
  const int threads = get_num_threads();
  set_num_threads(1);
  const std::vector<Tensor> one = compute();
  set_num_threads(threads);
  for (size_t i = 0; i < many.size(); ++i) EXPECT_TRUE(equal(many[i], one[i])) << i;
  Numbers expected(97 * 64, 0);
  const Numbers from = values(source), row = values(rows);
  std::vector<float> sum(97 * 64, 0.0f);
  for (size_t i = 0; i < 4000; ++i) {
    for (size_t j = 0; j < 64; ++j) sum[static_cast<size_t>(row[i]) * 64 + j] += static_cast<float>(from[i * 64 + j]);
  }
  EXPECT_EQ(values(many[0]), Numbers(sum.begin(), sum.end()));
}

TEST(Accessor, ReadsAndWrites) {
  const Tensor x = counting({2, 3}).t();
  const auto a = x.accessor<float, 2>();
  EXPECT_EQ(a[2][1], 5);
  EXPECT_EQ(a.size(0), 3);
  EXPECT_EQ(a.stride(0), 1);
  a[2][1] = 7;
  EXPECT_EQ(values(x), (Numbers{0, 3, 1, 4, 2, 7}));
  EXPECT_EQ(error_of([&] { x.accessor<float, 1>(); }), "TensorAccessor expected 1 dims but tensor has 2");
  EXPECT_EQ(error_of([&] { x.accessor<double, 2>(); }), "expected scalar type Double but found Float");
}

// LibTorch's reading of `x[0] = y`: what an expression yields stands for its elements.
TEST(Index, AssignmentToASelectionWritesIt) {
  Tensor x = zeros({2, 3});
  x[0] = ones({3});
  x[1][2] = 5;
  x.index({0, 1}) = 7;
  EXPECT_TRUE(x.equal(tensor({{1.f, 7.f, 1.f}, {0.f, 0.f, 5.f}})));
  const Tensor before = x;
  x = zeros({1});  // a variable, in contrast, takes another tensor
  EXPECT_EQ(before[1][2].item<float>(), 5);
  EXPECT_THROW(x[0] = ones({2}), Error);
}

}  // namespace
}  // namespace wick::test
