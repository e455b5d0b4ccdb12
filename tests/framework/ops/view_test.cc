// Views: PyTorch's shapes, strides, sentences and node names; what is written through them; gradients.
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

TEST(View, InfersOneDimension) {
  const Tensor empty = zeros({0, 4});
  EXPECT_EQ(sizes(zeros({0, 4}).reshape({-1, 4})), (Longs{0, 4}));
  EXPECT_EQ(sizes(zeros(0).reshape({2, -1})), (Longs{2, 0}));
  EXPECT_EQ(sizes(empty.flatten(1)), (Longs{0, 4}));
  EXPECT_EQ(sizes(tensor(1.0).view(-1)), (Longs{1}));
  EXPECT_EQ(sizes(ones({1, 1}).view(IntArrayRef())), (Longs{}));
  EXPECT_EQ(
      error_of([&] {
        empty.reshape({0, -1});
      }),
      "cannot reshape tensor of 0 elements into shape [0, -1] because the unspecified dimension size -1 can be any value and is ambiguous");
  EXPECT_EQ(error_of([] { zeros(6).view({2, 4}); }), "shape '[2, 4]' is invalid for input of size 6");
  EXPECT_EQ(error_of([] { zeros(6).view({-1, 4}); }), "shape '[-1, 4]' is invalid for input of size 6");
  EXPECT_EQ(error_of([] { zeros(6).view({-1, 0}); }), "shape '[-1, 0]' is invalid for input of size 6");
  EXPECT_EQ(error_of([] { zeros(6).view({-1, -1}); }), "only one dimension can be inferred");
  EXPECT_EQ(error_of([] { zeros(6).view({-2, 3}); }), "invalid shape dimension -2 at index 0 of shape [-2, 3]");
  // 2^32 * 2^32 wraps to 0 in 64 bits.
  EXPECT_EQ(error_of([] { zeros(0).view({int64_t{1} << 32, int64_t{1} << 32}); }),
            "shape '[4294967296, 4294967296]' is invalid for input of size 0");
}

TEST(View, NeedsFittingStrides) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(error_of([&] { x.t().view(6); }),
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous "
            "subspaces). Use .reshape(...) instead.");
  EXPECT_EQ(values(x.t().reshape(6)), (Numbers{0, 3, 1, 4, 2, 5}));
  EXPECT_FALSE(x.t().reshape(6).is_alias_of(x));
  EXPECT_TRUE(x.reshape({3, 2}).is_alias_of(x));
  const Tensor part = counting({2, 3, 4}).slice(1, 0, 2);
  EXPECT_EQ(strides(part.view({2, 2, 2, 2})), (Longs{12, 4, 2, 1}));
  EXPECT_EQ(strides(part.view({2, 8})), (Longs{12, 1}));
  EXPECT_EQ(strides(counting({2, 3}).slice(1, 0, 1).view({2, 1, 1})), (Longs{3, 1, 1}));
  EXPECT_EQ(strides(zeros({0, 3, 4}).transpose(1, 2).view({0, 4, 3})), (Longs{12, 1, 4}));
  EXPECT_EQ(strides(ones({3, 1}).expand({3, 4}).view({3, 2, 2})), (Longs{1, 0, 0}));
}

TEST(View, Expand) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(strides(x.expand({4, -1, 3})), (Longs{0, 3, 1}));
  EXPECT_EQ(strides(x.slice(1, 0, 1).expand({2, 0})), (Longs{3, 0}));
  EXPECT_EQ(sizes(ones(1).expand(0)), (Longs{0}));
  EXPECT_EQ(error_of([&] { x.expand(3); }),
            "expand(torch.FloatTensor{[2, 3]}, size=[3]): the number of sizes provided (1) must be greater or equal to the number of "
            "dimensions in the tensor (2)");
  EXPECT_EQ(error_of([&] { x.expand({2, 4}); }),
            "The expanded size of the tensor (4) must match the existing size (3) at non-singleton dimension 1.  Target sizes: [2, 4].  "
            "Tensor sizes: [2, 3]");
  EXPECT_EQ(error_of([&] { x.expand({-1, 2, 3}); }),
            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0");
  EXPECT_EQ(error_of([] { ones(1).expand({int64_t{1} << 40, int64_t{1} << 40}); }), "numel: integer multiplication overflow");
}

TEST(View, WritingThroughAnExpandedTensorIsRefused) {
  const Tensor base = zeros(1), e = base.expand(3);
  Tensor out = e;
  const std::string sentence =
      "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the "
      "tensor before performing the operation.";
  EXPECT_EQ(error_of([&] { e.add_(1); }), sentence);
  EXPECT_EQ(error_of([&] { e.copy_(tensor({0.0, 1.0, 2.0})); }), sentence);
  EXPECT_EQ(error_of([&] { add_out(out, ones(3), ones(3)); }), sentence);
  EXPECT_EQ(error_of([&] { e.scatter_(0, tensor({0}), 1); }), sentence);
  EXPECT_EQ(error_of([&] { e.index_add_(0, tensor({0}), ones(1)); }), sentence);
  EXPECT_EQ(values(base), (Numbers{0}));
  EXPECT_EQ(values(e + 1), (Numbers{1, 1, 1}));
}

TEST(View, OrderOfDimensions) {
  const Tensor x = counting({2, 3, 4});
  EXPECT_EQ(strides(x.permute({2, 0, -2})), (Longs{1, 12, 4}));
  EXPECT_EQ(strides(x.transpose(0, -1)), (Longs{1, 4, 12}));
  EXPECT_EQ(sizes(x.numpy_T()), (Longs{4, 3, 2}));
  EXPECT_EQ(sizes(x.mT()), (Longs{2, 4, 3}));
  EXPECT_EQ(sizes(x.movedim({0, 1}, {2, 0})), (Longs{3, 4, 2}));
  EXPECT_EQ(sizes(tensor(1.0).t()), (Longs{}));
  EXPECT_EQ(error_of([&] { x.t(); }), "t() expects a tensor with <= 2 dimensions, but self is 3D");
  EXPECT_EQ(error_of([&] { x.permute({0, 1}); }),
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions "
            "i.e. input.dim() = 3 is not equal to len(dims) = 2");
  EXPECT_EQ(error_of([&] { x.permute({0, 1, -2}); }), "permute(): duplicate dims are not allowed.");
  EXPECT_EQ(error_of<IndexError>([&] { x.transpose(0, 3); }), "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
  EXPECT_EQ(error_of([] { zeros(3).mT(); }), "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.");
  EXPECT_EQ(error_of([&] { x.movedim({0, 1}, {0, 0}); }), "movedim: repeated dim in `destination` ([0, 0])");
  EXPECT_EQ(
      error_of([&] {
        x.movedim({0, 1}, {0});
      }),
      "movedim: Invalid source or destination dims: source ([0, 1] dims) should contain the same number of dims as destination ([0] dims)");
}

// Tiles of registers and what is left beside them, in elements of four and eight bytes and of others.
TEST(View, TransposedCopies) {
  for (const ScalarType dtype : {kFloat, kDouble, kLong, kShort}) {
    for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{64, 64}, {65, 70}, {16, 200}, {3, 100}, {130, 17}}) {
      const Tensor x = arange(2 * rows * columns * 3, kLong).to(dtype).view({2, rows, columns, 3}).slice(3, 0, 1).squeeze(3).contiguous();
      const Tensor y = x.transpose(1, 2).contiguous(), z = x.permute({2, 0, 1}).contiguous();
      for (int64_t i = 0; i < rows; ++i) {
        EXPECT_TRUE(y.select(2, i).equal(x.select(1, i))) << rows << " " << columns;
        EXPECT_TRUE(z.select(2, i).equal(x.select(1, i).t())) << rows << " " << columns;
      }
      Tensor into = zeros({2, columns, rows + 5}, x.options());
      into.slice(2, 2, rows + 2).copy_(x.transpose(1, 2));
      EXPECT_TRUE(into.slice(2, 2, rows + 2).equal(y));
      EXPECT_TRUE(into.slice(2, 0, 2).eq(0).all().item<bool>() && into.slice(2, rows + 2).eq(0).all().item<bool>());
    }
  }
}

TEST(View, SizeOneDimensions) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(sizes(x.unsqueeze(-1)), (Longs{2, 3, 1}));
  EXPECT_EQ(strides(x.unsqueeze(-3)), (Longs{6, 3, 1}));
  EXPECT_EQ(strides(x.unsqueeze(1)), (Longs{3, 3, 1}));
  EXPECT_EQ(error_of<IndexError>([&] { x.unsqueeze(-4); }), "Dimension out of range (expected to be in range of [-3, 2], but got -4)");
  EXPECT_EQ(sizes(x.squeeze(1)), (Longs{2, 3}));
  EXPECT_EQ(sizes(ones({1, 2, 1}).squeeze()), (Longs{2}));
  EXPECT_EQ(sizes(ones({1, 2, 1}).squeeze(0)), (Longs{2, 1}));
  EXPECT_EQ(sizes(tensor(1.0).squeeze(0)), (Longs{}));
}

TEST(View, Flatten) {
  const Tensor x = counting({2, 3, 4});
  EXPECT_EQ(sizes(x.flatten()), (Longs{24}));
  EXPECT_EQ(sizes(x.flatten(1, 2)), (Longs{2, 12}));
  EXPECT_TRUE(x.flatten(1, 1).is_same(x));
  EXPECT_EQ(sizes(tensor(1.0).flatten()), (Longs{1}));
  EXPECT_EQ(error_of([&] { x.flatten(1, 0); }), "flatten() has invalid args: start_dim cannot come after end_dim");
  EXPECT_EQ(sizes(x.unflatten(2, {-1, 2})), (Longs{2, 3, 2, 2}));
  EXPECT_EQ(error_of([&] { x.unflatten(1, {2, 2}); }),
            "unflatten: Provided sizes [2, 2] don't multiply up to the size of dim 1 (3) in the input tensor");
  EXPECT_EQ(error_of([&] { x.unflatten(1, {}); }), "unflatten: sizes must be non-empty");
}

TEST(View, SelectAndSlice) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(values(x[-1]), (Numbers{3, 4, 5}));
  EXPECT_EQ(values(x.slice(1, 0, 3, 2)), (Numbers{0, 2, 3, 5}));
  EXPECT_EQ(values(x.slice(1, -2)), (Numbers{1, 2, 4, 5}));
  EXPECT_EQ(sizes(x.slice(0, 5)), (Longs{0, 3}));
  EXPECT_EQ(strides(x.slice(0, std::nullopt, std::nullopt, 5)), (Longs{15, 1}));
  EXPECT_EQ(sizes(x.slice(1, 2, 1)), (Longs{2, 0}));
  EXPECT_EQ(x.slice(1, INT64_MIN, INT64_MAX).numel(), 6);
  EXPECT_EQ(error_of<IndexError>([&] { x.select(0, 5); }), "select(): index 5 out of range for tensor of size [2, 3] at dimension 0");
  EXPECT_EQ(error_of<IndexError>([] { tensor(1.0)[0]; }), "select() cannot be applied to a 0-dim tensor.");
  EXPECT_EQ(error_of([&] { x.slice(0, 0, 2, 0); }), "slice step must be positive");
  EXPECT_EQ(error_of<IndexError>([] { tensor(1.0).slice(); }), "slice() cannot be applied to a 0-dim tensor.");
  EXPECT_EQ(values(x.narrow(0, -1, 1)), (Numbers{3, 4, 5}));
  EXPECT_EQ(error_of([&] { x.narrow(0, 1, 2); }), "start (1) + length (2) exceeds dimension size (2).");
  EXPECT_EQ(error_of([&] { x.narrow(0, 1, INT64_MAX); }), "start (1) + length (9223372036854775807) exceeds dimension size (2).");
  EXPECT_EQ(error_of<IndexError>([&] { x.narrow(0, 5, 1); }), "start out of range (expected to be in range of [-2, 2], but got 5)");
  EXPECT_EQ(error_of([&] { x.narrow(0, 0, -1); }), "narrow(): length must be non-negative.");
}

TEST(View, DiagonalAndWindows) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(values(x.diagonal(1)), (Numbers{1, 5}));
  EXPECT_EQ(values(x.diagonal(-1)), (Numbers{3}));
  EXPECT_EQ(sizes(x.diagonal(INT64_MAX)), (Longs{0}));
  EXPECT_EQ(error_of([&] { x.diagonal(0, 0, -2); }), "diagonal dimensions cannot be identical 0, -2");
  EXPECT_EQ(sizes(x.unfold(1, 2, 1)), (Longs{2, 2, 2}));
  EXPECT_EQ(sizes(tensor(1.0).unfold(0, 1, 1)), (Longs{1}));
  EXPECT_EQ(error_of([&] { x.unfold(0, 5, 1); }), "maximum size for tensor at dimension 0 is 2 but size is 5");
  EXPECT_EQ(error_of([&] { x.unfold(0, 1, 0); }), "step is 0 but must be > 0");
}

TEST(View, Split) {
  const Tensor x = counting({5, 2});
  const std::vector<Tensor> parts = x.split(2);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(values(parts[2]), (Numbers{8, 9}));
  EXPECT_EQ(x.chunk(4).size(), 3u);
  EXPECT_EQ(x.split({1, 4})[1].size(0), 4);
  EXPECT_EQ(zeros({0, 3}).split(2).size(), 1u);
  EXPECT_EQ(zeros({0, 3}).chunk(3).size(), 3u);
  EXPECT_EQ(zeros({0, 3}).unbind().size(), 0u);
  EXPECT_EQ(error_of([&] { x.split(0); }), "split_size can only be 0 if dimension size is 0, but got dimension size of 5");
  EXPECT_EQ(error_of([&] { x.split(-1); }), "split expects split_size be non-negative, but got split_size=-1");
  EXPECT_EQ(error_of([&] { x.split({1, 2}); }),
            "split_with_sizes expects split_sizes to sum exactly to 5 (input tensor's size at dimension 0), but got split_sizes=[1, 2]");
  EXPECT_EQ(error_of([&] { x.split({INT64_MAX, INT64_MAX}); }),
            "split_with_sizes expects split_sizes to sum exactly to 5 (input tensor's size at dimension 0), but got "
            "split_sizes=[9223372036854775807, 9223372036854775807]");
  EXPECT_EQ(error_of([&] { x.chunk(0); }), "chunk expects `chunks` to be greater than 0, got: 0");
  EXPECT_EQ(error_of<IndexError>([] { tensor(1.0).unbind(); }), "Dimension specified as 0 but tensor has no dimensions");
}

TEST(View, AsStridedStaysInsideItsStorage) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(values(x.as_strided({2, 2}, {1, 2}, 1)), (Numbers{1, 3, 2, 4}));
  EXPECT_EQ(x.as_strided(0, 1, 100).numel(), 0);
  EXPECT_EQ(error_of([&] { x.as_strided({3, 3}, {3, 1}); }),
            "setStorage: sizes [3, 3], strides [3, 1], storage offset 0, and itemsize 4 requiring a storage size of 36 are out of bounds "
            "for storage of size 24");
  EXPECT_EQ(error_of([&] { x.as_strided(2, -1); }), "as_strided: Negative strides are not supported at the moment, got strides: [-1]");
  EXPECT_EQ(error_of([&] { x.as_strided(2, {1, 1}); }), "mismatch in length of strides and shape");
  EXPECT_EQ(error_of([&] { x.as_strided(2, 1, -1); }), "Tensor: invalid storage offset -1");
  EXPECT_NE(error_of([&] { x.as_strided({2, 2}, {INT64_MAX, INT64_MAX}); }), "no error");
}

TEST(View, NodeNames) {
  const Tensor x = leaf(counting({2, 3}));
  EXPECT_EQ(node(x.view(6)), "ViewBackward0");
  EXPECT_EQ(node(x.reshape(6)), "ViewBackward0");
  EXPECT_EQ(node(x.t().reshape(6)), "UnsafeViewBackward0");
  EXPECT_EQ(node(x.flatten()), "ViewBackward0");
  EXPECT_EQ(node(x.expand({2, 2, 3})), "ExpandBackward0");
  EXPECT_EQ(node(x.permute({1, 0})), "PermuteBackward0");
  EXPECT_EQ(node(x.transpose(0, 1)), "TransposeBackward0");
  EXPECT_EQ(node(x.t()), "TBackward0");
  EXPECT_EQ(node(x.numpy_T()), "PermuteBackward0");
  EXPECT_EQ(node(x.mT()), "TransposeBackward0");
  EXPECT_EQ(node(x.movedim(0, 1)), "PermuteBackward0");
  EXPECT_EQ(node(x.squeeze()), "SqueezeBackward0");
  EXPECT_EQ(node(x.squeeze(0)), "SqueezeBackward1");
  EXPECT_EQ(node(x.unsqueeze(0)), "UnsqueezeBackward0");
  EXPECT_EQ(node(x[0]), "SelectBackward0");
  EXPECT_EQ(node(x.slice(0, 1)), "SliceBackward0");
  EXPECT_EQ(node(x.narrow(0, 0, 1)), "SliceBackward0");
  EXPECT_EQ(node(x.diagonal()), "DiagonalBackward0");
  EXPECT_EQ(node(x.unfold(0, 1, 1)), "UnfoldBackward0");
  EXPECT_EQ(node(x.split(1)[1]), "SplitBackward0");
  EXPECT_EQ(node(x.split({1, 1})[0]), "SplitWithSizesBackward0");
  EXPECT_EQ(node(x.chunk(2)[0]), "SplitBackward0");
  EXPECT_EQ(node(x.unbind()[1]), "UnbindBackward0");
  EXPECT_EQ(node(x.as_strided(2, 1)), "AsStridedBackward0");
}

TEST(View, GradientOfOverlappingAsStrided) {
  const Tensor x = leaf(counting(6));
  x.as_strided({2, 3}, {1, 1}, 1).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{0, 1, 2, 2, 1, 0}));
  // The input itself shows an element of memory three times; each gets a third.
  const Tensor y = leaf(counting(2));
  y.view({2, 1}).expand({2, 3}).as_strided(4, 0, 1).sum().backward();
  EXPECT_EQ(values(y.grad()), (Numbers{0, 4}));
  // What lies outside the input has no gradient to give.
  const Tensor z = leaf(counting(6));
  z.slice(0, 2).as_strided(3, 1, 0).sum().backward();
  EXPECT_EQ(values(z.grad()), (Numbers{0, 0, 1, 0, 0, 0}));
}

TEST(View, GradientOfSomeOfSeveralParts) {
  const Tensor x = leaf(counting({4, 2}));
  x.split(3)[1].sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{0, 0, 0, 0, 0, 0, 1, 1}));
  const Tensor y = leaf(counting({2, 3}));
  (y.unbind(1)[2] * 2).sum().backward();
  EXPECT_EQ(values(y.grad()), (Numbers{0, 0, 2, 0, 0, 2}));
}

TEST(View, InPlaceOnViewsOfNonLeaves) {
  const auto start = [] { return leaf(tensor({1.0, 2.0, 3.0, 4.0})); };
  Tensor x = start(), y = x * 1;
  y.slice(0, 1, 3).mul_(10);
  y.sum().backward();
  EXPECT_EQ(values(y), (Numbers{1, 20, 30, 4}));
  EXPECT_EQ(values(x.grad()), (Numbers{1, 10, 10, 1}));

  x = start(), y = x * 1;
  const Tensor v = y.slice(0, 1, 3);
  y.mul_(10);
  v.sum().backward();
  EXPECT_EQ(values(v), (Numbers{20, 30}));
  EXPECT_EQ(values(x.grad()), (Numbers{0, 10, 10, 0}));

  x = start(), y = x * 1;
  y.index_put_({indexing::Slice(1, 3)}, 0);
  (y * y).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{2, 0, 0, 8}));

  x = start(), y = x * 1;
  y.slice(0, 0, 2).copy_(y.slice(0, 2, 4) * 3);
  y.sum().backward();
  EXPECT_EQ(values(y), (Numbers{9, 12, 3, 4}));
  EXPECT_EQ(values(x.grad()), (Numbers{0, 0, 4, 4}));

  x = start(), y = x * 1;
  y.reshape({2, 2}).t()[0].mul_(5);
  y.sum().backward();
  EXPECT_EQ(values(y), (Numbers{5, 2, 15, 4}));
  EXPECT_EQ(values(x.grad()), (Numbers{5, 1, 5, 1}));
}

TEST(View, InPlaceOnViewsOfLeavesAndOnOneOfSeveralViewsIsRefused) {
  const Tensor x = leaf(tensor({1.0, 2.0}));
  EXPECT_EQ(error_of([&] { x.slice(0, 0, 1).mul_(2); }),
            "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  EXPECT_EQ(values(x), (Numbers{1, 2}));
  {
    NoGradGuard no_grad;
    x.slice(0, 0, 1).mul_(2);
  }
  EXPECT_EQ(values(x), (Numbers{2, 2}));
  EXPECT_TRUE(x.is_leaf() && x.requires_grad());

  const Tensor b = zeros(2), s = leaf(tensor({5.0, 6.0}));
  b[0].copy_(s[0]);
  EXPECT_TRUE(b.requires_grad());
  b.sum().backward();
  EXPECT_EQ(values(s.grad()), (Numbers{1, 0}));

  for (const Tensor& part : {(x * 1).split(1)[0], (x * 1).unbind()[0], (x * 1).chunk(2)[0]}) {
    EXPECT_NE(error_of([&] { part.add_(1); }).find("This view is the output of a function that returns multiple views."),
              std::string::npos);
  }
}

TEST(View, ShapesOnTheMetaDevice) {
  const Tensor x = empty({4, 6}, TensorOptions(kMeta));
  EXPECT_EQ(sizes(x.view({2, 12}).slice(1, 0, 6, 2).t()), (Longs{3, 2}));
  EXPECT_EQ(sizes(x.t().reshape({-1})), (Longs{24}));
}

}  // namespace
}  // namespace wick::test
