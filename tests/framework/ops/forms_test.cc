// The forms that the lists make of a function: name_out and name_; and other names of the same function.
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

const Tensor kX = tensor({0.25, -0.5, 0.75}, kDouble), kY = tensor({2.0, 1.0, -1.0}, kDouble);

TEST(Forms, OutWritesToTheTensorThatIsGivenAndResizesIt) {
  Tensor out = empty({0}, kDouble);
  Tensor& result = fmod_out(out, kX, kY);
  EXPECT_EQ(&result, &out);
  EXPECT_EQ(values(out), values(fmod(kX, kY)));
  EXPECT_EQ(values(matmul_out(out, eye(2, kDouble), tensor({{1.0, 2.0}, {3.0, 4.0}}, kDouble))), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(sizes(out), (Longs{2, 2}));
  EXPECT_EQ(values(cat_out(out, {kX, kY})), values(cat({kX, kY})));
  EXPECT_EQ(values(sum_out(out, ones({2, 3}, kDouble), {1}, true)), (Numbers{3, 3}));
  EXPECT_EQ(sizes(out), (Longs{2, 1}));
  EXPECT_EQ(values(linear_out(out, ones({1, 2}, kDouble), ones({1, 2}, kDouble))), (Numbers{2}));
}

TEST(Forms, OutOfAPairWritesToTwo) {
  Tensor top = empty({0}), at = empty({0}, kLong);
  auto [first, second] = max_out(top, at, tensor({{1.0, 3.0}, {5.0, 2.0}}), 1);
  EXPECT_EQ(&first, &top);
  EXPECT_EQ(values(top), (Numbers{3, 5}));
  EXPECT_EQ(values(second), (Numbers{1, 0}));
  sort_out(top, at, tensor({2.0, 1.0}));
  EXPECT_EQ(values(at), (Numbers{1, 0}));
}

TEST(Forms, OutKeepsItsDtypeAndRefusesOthers) {
  Tensor narrow = empty({3});
  EXPECT_EQ(fmod_out(narrow, kX, kY).scalar_type(), kFloat);
  Tensor whole = full({3}, 7, kLong);
  EXPECT_EQ(error_of([&] { fmod_out(whole, kX, kY); }), "result type Double can't be cast to the desired output type Long");
  EXPECT_EQ(values(whole), (Numbers{7, 7, 7}));
  Tensor same = empty({3}, kDouble);
  EXPECT_EQ(error_of([&] { fmod_out(same, leaf(kX), kY); }),
            "fmod(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.");
  Tensor stretched = zeros({1}, kDouble).expand({3});
  EXPECT_NE(error_of([&] { fmod_out(stretched, kX, kY); }), "no error");
}

TEST(Forms, InPlaceWritesToItselfWithItsHistory) {
  const Tensor x = leaf(kX), y = x * 2;
  EXPECT_EQ(&y.fmod_(kY), &y);
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{2, 2, 2}));
  EXPECT_EQ(error_of([&] { x.fmod_(kY); }), "a leaf Variable that requires grad is being used in an in-place operation.");
  EXPECT_EQ(error_of([&] { kX.clone().fmod_(ones({2, 3}, kDouble)); }), "output with shape [3] doesn't match the broadcast shape [2, 3]");
  EXPECT_EQ(error_of([&] { ones({3}, kLong).fmod_(kX); }), "result type Double can't be cast to the desired output type Long");
  EXPECT_EQ(values(ones({2, 2}).triu_()), (Numbers{1, 1, 0, 1}));
  EXPECT_EQ(values(tensor({1, 5}).bitwise_not_()), (Numbers{-2, -6}));
}

TEST(Forms, OtherNamesAreTheSameFunctions) {
#define SAME(name, of) EXPECT_EQ(values(name(kX)), values(of(kX))) << #name
  SAME(sgn, sign);
  SAME(fix, trunc);
  SAME(absolute, abs);
  SAME(negative, neg);
  SAME(arccos, acos);
  SAME(arcsin, asin);
  SAME(arctan, atan);
  SAME(arcsinh, asinh);
  SAME(arctanh, atanh);
#undef SAME
  EXPECT_EQ(values(arccosh(kX.abs() + 1)), values(acosh(kX.abs() + 1)));
#define SAME(name, of)                                               \
  EXPECT_EQ(values(name(kX, kY)), values(of(kX, kY))) << #name;      \
  EXPECT_EQ(values(kX.name(0.5)), values(kX.of(0.5))) << #name
  SAME(multiply, mul);
  SAME(divide, div);
  SAME(true_divide, div);
  SAME(subtract, sub);
  SAME(greater, gt);
  SAME(greater_equal, ge);
  SAME(less, lt);
  SAME(less_equal, le);
  SAME(not_equal, ne);
#undef SAME
  EXPECT_EQ(values(arctan2(kX, kY)), values(atan2(kX, kY)));
  EXPECT_EQ(values(concat({kX, kY}, 0)), values(cat({kX, kY}, 0)));
}

TEST(Forms, TransposeInPlaceKeepsTheMemoryAndTheGraph) {
  const Tensor x = leaf(counting({2, 3})), y = x * 1;
  const void* data = y.data_ptr();
  y.transpose_(0, 1);
  EXPECT_EQ(sizes(y), (Longs{3, 2}));
  EXPECT_EQ(y.data_ptr(), data);
  y.t_();
  EXPECT_EQ(sizes(y), (Longs{2, 3}));
  y.transpose_(0, 1).select(0, 1).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(error_of([] { ones({1, 1, 1}).t_(); }), "t_() expects a tensor with <= 2 dimensions, but self is 3D");
}

TEST(Forms, OtherElementsOfTheSameMemory) {
  const Tensor x = tensor({1.0f, -2.0f}, kFloat);
  EXPECT_EQ(values(x.view(kInt)), (Numbers{0x3f800000, -0x40000000}));
  EXPECT_EQ(sizes(x.view(kByte)), (Longs{8}));
  EXPECT_EQ(sizes(counting({3, 4}).view(kDouble)), (Longs{3, 2}));
  EXPECT_EQ(x.view(kInt).data_ptr(), x.data_ptr());
  EXPECT_EQ(error_of([] { counting({3, 3}).view(kDouble); }),
            "self.size(-1) must be divisible by 8 / 4 to view Float as Double (different element sizes), but got sizes [3, 3], strides "
            "[3, 1] and storage_offset 0");
}

}  // namespace
}  // namespace wick::test
