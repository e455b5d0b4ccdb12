// Small cases of kinds of fault that libraries like this one have had.
#include <sys/mman.h>

#include <cmath>

#include "wick/framework/ops/from_blob.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

constexpr double kNan = NAN, kInfinity = INFINITY;

TensorOptions with_grad(ScalarType t = kFloat) { return TensorOptions(t).requires_grad(true); }

void expect_numbers(const Tensor& got, const Numbers& want, double tolerance = 1e-6) {
  const Numbers list = values(got);
  ASSERT_EQ(list.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    if (std::isnan(want[i])) EXPECT_TRUE(std::isnan(list[i])) << i;
    else if (std::isinf(want[i])) EXPECT_EQ(list[i], want[i]) << i;
    else EXPECT_NEAR(list[i], want[i], tolerance * std::max(1.0, std::abs(want[i]))) << i;
  }
}

TEST(Cases, SizeOneBroadcastsAgainstSizeZero) {
  const Tensor a = ones({2, 1, 3}, with_grad()), b = ones({1, 0, 3}, with_grad()), c = a + b;
  c.sum().backward();
  EXPECT_EQ(sizes(c), (Longs{2, 0, 3}));
  EXPECT_EQ(values(a.grad()), Numbers(6, 0));
  EXPECT_EQ(sizes(b.grad()), (Longs{1, 0, 3}));
  EXPECT_EQ(sizes(ones({1}) + ones({0})), (Longs{0}));
  EXPECT_NE(error_of([] { ones({2}) + ones({0}); }), "no error");
  const Tensor one = ones({1}, with_grad());
  one.expand({0}).sum().backward();
  EXPECT_EQ(values(one.grad()), Numbers{0});
  const Tensor column = ones({3, 1}, with_grad()), row = ones({1, 4}, with_grad());
  (column + row).sum().backward();
  EXPECT_EQ(values(column.grad()), Numbers(3, 4));
  EXPECT_EQ(values(row.grad()), Numbers(4, 3));
}

TEST(Cases, ReductionsOfNothing) {
  const Tensor z = zeros({2, 0});
  EXPECT_EQ(values(z.sum(1)), (Numbers{0, 0}));
  EXPECT_EQ(values(z.prod(1)), (Numbers{1, 1}));
  expect_numbers(z.mean(1), {kNan, kNan});
  expect_numbers(z.var(IntArrayRef{1}), {kNan, kNan});
  EXPECT_EQ(values(z.norm(2, {1})), (Numbers{0, 0}));
  expect_numbers(z.logsumexp({1}), {-kInfinity, -kInfinity});
  EXPECT_TRUE(z.gt(0).all().item<bool>());
  EXPECT_FALSE(z.gt(0).any().item<bool>());
  EXPECT_EQ(sizes(z.softmax(1)), (Longs{2, 0}));
  EXPECT_NE(error_of([&] { z.max(1); }), "no error");
  EXPECT_NE(error_of([&] { z.max(); }), "no error");
  const auto [largest, place] = zeros({0, 5}).max(1);
  EXPECT_EQ(sizes(largest), Longs{0});
  EXPECT_EQ(sizes(place), Longs{0});
  EXPECT_NE(error_of([] { zeros({0, 5}).argmax(0); }), "no error");
}

TEST(Cases, ShapesAndDimensions) {
  EXPECT_NE(error_of([] { zeros({0, 4}).reshape({0, -1}); }), "no error");
  EXPECT_EQ(sizes(zeros({0, 4}).reshape({-1, 4})), (Longs{0, 4}));
  EXPECT_EQ(sizes(zeros({0}).reshape({2, -1})), (Longs{2, 0}));
  EXPECT_EQ(sizes(zeros({0, 4}).flatten(1)), (Longs{0, 4}));
  EXPECT_NE(error_of([] { zeros({6}).reshape({-1, 4}); }), "no error");
  EXPECT_NE(error_of([] { zeros({6}).reshape({-1, -1}); }), "no error");
  EXPECT_NE(error_of([] { zeros({2, 3}).t().view({6}); }), "no error");
  EXPECT_EQ(sizes(zeros({2, 3}).t().reshape({6})), Longs{6});
  EXPECT_EQ(sizes(zeros({2, 3}).unsqueeze(-1)), (Longs{2, 3, 1}));
  EXPECT_EQ(sizes(zeros({2, 3}).unsqueeze(-3)), (Longs{1, 2, 3}));
  EXPECT_NE(error_of([] { zeros({2, 3}).unsqueeze(-4); }), "no error");
  EXPECT_NE(error_of([] { zeros({2, 3}).sum(2); }), "no error");
  EXPECT_NE(error_of([] { zeros({2, 3}).sum({0, -2}); }), "no error");
  EXPECT_EQ(values(tensor(5).sum(-1)), Numbers{5});
  EXPECT_NE(error_of([] { tensor(5).sum(1); }), "no error");
  EXPECT_EQ(sizes(zeros({2, 3}).squeeze(1)), (Longs{2, 3}));
}

TEST(Cases, WritingThroughStrideZero) {
  const Tensor base = zeros({1}), e = base.expand({3});
  EXPECT_NE(error_of([&] { e.add_(1); }), "no error");
  EXPECT_NE(error_of([&] { e.copy_(tensor({0.0, 1.0, 2.0})); }), "no error");
  EXPECT_NE(error_of([&] { Tensor out = e; add_out(out, ones({3}), ones({3})); }), "no error");
  EXPECT_EQ(values(base), Numbers{0});
  EXPECT_EQ(values(e + 1), (Numbers{1, 1, 1}));
  EXPECT_TRUE((e + 1).is_contiguous());
}

TEST(Cases, SizesThatOverflow) {
  EXPECT_NE(error_of([] { empty({int64_t{1} << 32, int64_t{1} << 32, 16}, kInt); }), "no error");
  EXPECT_NE(error_of([] { empty({int64_t{1} << 31, int64_t{1} << 31, 4}); }), "no error");
  EXPECT_NE(error_of([] { empty({-1}); }), "no error");
  EXPECT_NE(error_of([] { ones({1}).expand({int64_t{1} << 40, int64_t{1} << 40}); }), "no error");
}

TEST(Cases, ProductsOfNothing) {
  EXPECT_EQ(values(ones({2, 0}).mm(ones({0, 3}))), Numbers(6, 0));
  EXPECT_EQ(values(ones({2, 0}, kLong).mm(ones({0, 3}, kLong))), Numbers(6, 0));
  EXPECT_EQ(values(addmm(full({2, 3}, 5.0), ones({2, 0}), ones({0, 3}))), Numbers(6, 5));
  EXPECT_EQ(values(baddbmm(ones({2, 1, 1}), zeros({2, 1, 0}), zeros({2, 0, 1}))), Numbers(2, 1));
  EXPECT_EQ(values(linear(ones({2, 0}), ones({3, 0}), tensor({1.0f, 2.0f, 3.0f}))), (Numbers{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(values(addmm(full({2, 3}, kNan), ones({2, 2}), ones({2, 3}), 0)), Numbers(6, 2));
  EXPECT_EQ(values(ones({5, 7}).mm(ones({7, 9}))), Numbers(45, 7));
}

TEST(Cases, ProductsOfAnyStrides) {
  EXPECT_EQ(values(tensor({{1.0f, 2.0f}}).mm(tensor({{3.0f}, {4.0f}}).expand({2, 2}))), (Numbers{11, 11}));
  const Tensor a = counting({3, 4}).slice(1, 1, 3), c = counting({2, 4}).slice(1, 0, 4, 2), d = (counting({1, 6}) + 1).slice(1, 0, 1);
  EXPECT_EQ(values(a.t().mm(counting({3, 2}))), (Numbers{46, 61, 52, 70}));
  EXPECT_EQ(values(c.mm(ones({2, 1}))), (Numbers{2, 10}));
  EXPECT_EQ(values(ones({1, 2}).mm(c)), (Numbers{4, 8}));
  EXPECT_EQ(values(d.mm(tensor({{2.0f, 3.0f}}))), (Numbers{2, 3}));
  EXPECT_EQ(values(tensor({{2.0f}, {3.0f}}).mm(d)), (Numbers{2, 3}));
}

TEST(Cases, IntegersAndBoolsSumInSixtyFourBits) {
  const Tensor bytes = tensor({200, 100}, kByte);
  EXPECT_EQ(values(bytes.sum()), Numbers{300});
  EXPECT_EQ(bytes.sum().scalar_type(), kLong);
  EXPECT_EQ(values(bytes.cumsum(0)), (Numbers{200, 300}));
  EXPECT_EQ(values(tensor({true, true, false}).cumsum(0)), (Numbers{1, 2, 2}));
  EXPECT_EQ(values(tensor({100, 100}, kChar).prod()), Numbers{10000});
  EXPECT_EQ(values(tensor({1 << 30, 1 << 30, 5}, kInt).sum()), Numbers{2147483653.0});
  EXPECT_NE(error_of([&] { bytes.mean(); }), "no error");
  EXPECT_NE(error_of([&] { bytes.var(); }), "no error");
}

TEST(Cases, HalvesRoundToEvenInVectorsAndTails) {
  const Tensor y = round(tensor({-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49999997, 8388609.0}));
  EXPECT_EQ(values(y), (Numbers{-2, -2, 0, 0, 2, 2, 0, 8388609}));
  EXPECT_TRUE(std::signbit(values(y)[2]));
  for (int64_t n = 1; n <= 40; ++n) EXPECT_EQ(values(round(full({n}, 2.5))), Numbers(static_cast<size_t>(n), 2));
}

TEST(Cases, FloatsOutsideTheRangeOfIntegers) {
  const Tensor x = tensor({kNan, kInfinity, -kInfinity, 3e9, -1.9, 1.9});
  EXPECT_EQ(values(x.to(kInt)), (Numbers{0, 2147483647, -2147483648.0, 2147483647, -1, 1}));
  EXPECT_EQ(values(tensor({kNan, -0.1, 0.0}).to(kBool)), (Numbers{1, 1, 0}));
  EXPECT_EQ(values(tensor({300, -1}).to(kByte)), (Numbers{44, 255}));
}

TEST(Cases, LongSumsKeepTheirDigits) {
  EXPECT_EQ(values(ones({20000000}).sum()), Numbers{20000000});
  EXPECT_NEAR(values(full({1000000}, 0.1).sum())[0], 100000, 0.1);
  EXPECT_EQ(ones({(1 << 24) + 8}).cumsum(0).select(0, -1).item<double>(), 16777224);
}

TEST(Cases, GradientsOfNormsAndPowersAtZero) {
  const auto gradient = [](const Tensor& x, const auto& f) { return f(x).sum().backward(), x.grad(); };
  for (double p : {1.0, 2.0, kInfinity}) {
    EXPECT_EQ(values(gradient(zeros({2}, with_grad()), [&](const Tensor& x) { return x.norm(p); })), (Numbers{0, 0})) << p;
  }
  EXPECT_EQ(values(gradient(tensor({3.0, -3.0}, with_grad()), [](const Tensor& x) { return x.norm(kInfinity); })), (Numbers{0.5, -0.5}));
  EXPECT_EQ(values(gradient(ones({3}, with_grad()), [](const Tensor& x) { return x.std(); })), (Numbers{0, 0, 0}));
  EXPECT_EQ(values(gradient(tensor({0.0, 2.0}, with_grad()), [](const Tensor& x) { return x.pow(0); })), (Numbers{0, 0}));
  EXPECT_EQ(values(gradient(zeros({1}, with_grad()), [](const Tensor& x) { return x.pow(1); })), Numbers{1});
  EXPECT_EQ(values(gradient(tensor({0.0, -3.0}, with_grad()), [](const Tensor& x) { return x.pow(2); })), (Numbers{0, -6}));
  expect_numbers(gradient(zeros({1}, with_grad()), [](const Tensor& x) { return x.sqrt(); }), {kInfinity});
  const Tensor a = tensor({0.0, 0.0, 0.0, 2.0, -2.0}, with_grad(kDouble)), b = tensor({1.0, 0.0, 2.0, 1.0, 2.0}, with_grad(kDouble));
  a.pow(b).sum().backward();
  expect_numbers(a.grad(), {1, 0, 0, 1, -4});
  expect_numbers(b.grad(), {0, 0, 0, 1.3862944, kNan});
}

TEST(Cases, TheBranchNotTaken) {
  const Tensor c = tensor({true, false});
  EXPECT_EQ(values(where(c, tensor({1.0, kNan}), tensor({kNan, 2.0}))), (Numbers{1, 2}));
  const Tensor a = ones({2}, with_grad()), b = ones({2}, with_grad());
  where(c, a, b).backward(tensor({1.0f, static_cast<float>(kInfinity)}));
  EXPECT_EQ(values(a.grad()), (Numbers{1, 0}));
  expect_numbers(b.grad(), {0, kInfinity});
  const Tensor x = tensor({-1.0, 4.0}, with_grad()), y = where(x.gt(0), where(x.gt(0), x, 1.0).sqrt(), x);
  y.sum().backward();
  EXPECT_EQ(values(y), (Numbers{-1, 2}));
  EXPECT_EQ(values(x.grad()), (Numbers{1, 0.25}));
}

// Pages of the memory that nobody touches are not there.
TEST(Cases, OffsetsBeyondThirtyTwoBits) {
  constexpr int64_t kRows = 239675, kWidth = 8960, kSize = kRows * kWidth;
  void* const memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  {
    const Tensor x = from_blob(memory, {kSize}, kChar), table = x.view({kRows, kWidth});
    x.select(0, -1).fill_(2);
    const Tensor last = tensor({kRows - 1});
    EXPECT_EQ(x.slice(0, int64_t{1} << 31).sum().item<int64_t>(), 2);
    EXPECT_EQ(table.index_select(0, last).sum().item<int64_t>(), 2);
    EXPECT_EQ(table.index({last, tensor({kWidth - 1})}).item<int64_t>(), 2);
    EXPECT_EQ(table.slice(1, kWidth - 1).select(0, -1).item<int64_t>(), 2);
    table.index_put_({last, tensor({int64_t{5}})}, 3);
    table.index_fill_(0, tensor({kRows - 2}), 1);
    EXPECT_EQ(x.slice(0, kSize - 2 * kWidth).to(kDouble).sum().item<double>(), kWidth + 5);
    EXPECT_EQ(x.take(tensor({kSize - 1, int64_t{1} << 31})).sum().item<int64_t>(), 2);
  }
  munmap(memory, kSize);
  EXPECT_EQ(values(ones({70000, 1, 3}).sum(2).amax()), Numbers{3});
  EXPECT_EQ(values(ones({70000, 1, 3}).bmm(ones({70000, 3, 1})).amin()), Numbers{3});
}

TEST(Cases, RepeatedIndicesAddUp) {
  const Tensor x = zeros({3}, with_grad());
  x.index({tensor({0, 2, 0, 0})}).backward(tensor({1.0f, 10.0f, 100.0f, 1000.0f}));
  EXPECT_EQ(values(x.grad()), (Numbers{1101, 0, 10}));
  const Tensor y = zeros({2}, with_grad());
  y.index_select(0, tensor({1, 1})).sum().backward();
  EXPECT_EQ(values(y.grad()), (Numbers{0, 2}));
  EXPECT_EQ(values(zeros({3}).index_put_({tensor({1, 1, 2})}, tensor({1.0f, 2.0f, 3.0f}))), (Numbers{0, 2, 3}));
  EXPECT_EQ(values(zeros({3}).scatter_add_(0, tensor({0, 0, 2}), tensor({1.0f, 2.0f, 3.0f}))), (Numbers{3, 0, 3}));
  EXPECT_EQ(values(counting({3}).index({tensor({-1})})), Numbers{2});
  EXPECT_NE(error_of([] { counting({3}).index({tensor({3})}); }), "no error");
  EXPECT_NE(error_of([] { counting({3}).gather(0, tensor({-1})); }), "no error");
  const Tensor z = zeros({1}, with_grad());
  z.index_select(0, zeros({1000000}, kLong)).sum().backward();
  EXPECT_EQ(values(z.grad()), Numbers{1e6});
}

}  // namespace
}  // namespace wick::test
