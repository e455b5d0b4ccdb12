// Kinds of fault that a comparison with PyTorch on random arguments has found: edges of dtypes, shapes, bounds and undefined tensors.
#include <cmath>
#include <functional>

#include "wick/framework/autograd/engine.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

using indexing::None;
using indexing::Slice;

constexpr double kInfinity = INFINITY;

Numbers gradient_of(const Tensor& y, const Tensor& x) { return values(autograd::grad({y.sum()}, {x}).at(0)); }

TEST(Edges, EqualMediansShareTheGradient) {
  const Tensor x = leaf(tensor({3.f, 1.f, 2.f, 2.f})), y = leaf(tensor({{3.f, NAN}, {2.f, 5.f}})), z = leaf(tensor({NAN, NAN}));
  EXPECT_EQ(gradient_of(x.median(), x), (Numbers{0, 0, .5, .5}));
  EXPECT_EQ(gradient_of(x.nanmedian(), x), (Numbers{0, 0, .5, .5}));
  EXPECT_EQ(gradient_of(y.median(), y), (Numbers{0, 1, 0, 0}));
  EXPECT_EQ(gradient_of(y.nanmedian(), y), (Numbers{1, 0, 0, 0}));
  EXPECT_EQ(gradient_of(z.nanmedian(), z), (Numbers{.5, .5}));
}

// The squares of float32 overflow, or vanish, where the norm does not: along rows, columns, narrow columns and strided ones.
TEST(Edges, NormsOfHugeAndOfTinyNumbers) {
  for (const double unit : {1e30, 1e-30, 1.0}) {
    const auto close = [unit](const Tensor& x, double expected) {
      for (double v : values(x)) EXPECT_NEAR(v / unit, expected, expected * 1e-6) << unit << " " << x.numel();
    };
    for (const int64_t n : {2, 70, 3000}) {
      const Tensor x = full({n, 3}, unit, kFloat), wide = full({n, 130}, unit, kFloat);
      const double expected = std::sqrt(static_cast<double>(n));
      close(x.norm(2, 0), expected), close(wide.norm(2, 0), expected), close(x.t().norm(2, 1), expected);
      close(x.t().contiguous().norm(2, 1), expected), close(x.select(1, 0).norm(), expected);
      close(wide.t().slice(0, 0, 130, 7).norm(2, 1), expected), close(x.norm(), expected * std::sqrt(3.0));
      close(linalg_norm(x), expected * std::sqrt(3.0));
    }
    const Tensor z = leaf(tensor({3.0, 4.0}) * unit);
    const Numbers slopes = gradient_of(z.norm(), z);
    EXPECT_NEAR(slopes[0], .6, 1e-6);
    EXPECT_NEAR(slopes[1], .8, 1e-6);
    close(tensor({1.0, 3.0}).mul(unit).std(), std::sqrt(2.0));
  }
  EXPECT_EQ(values(tensor({0.f, 0.f}).norm()), (Numbers{0}));
  EXPECT_TRUE(std::isinf(values(tensor({INFINITY, 1.f}).norm())[0]));
  EXPECT_TRUE(std::isnan(values(tensor({NAN, 1.f}).norm())[0]));
}

TEST(Edges, NoDivergenceWhereTheTargetIsZero) {
  const Tensor x = leaf(tensor({-INFINITY, -2.f, -3.f})), target = tensor({-INFINITY, -1.f, -INFINITY});
  const Tensor y = kl_div(x, target, Reduction::None, /*log_target=*/true);
  EXPECT_EQ(values(y)[0], 0);
  EXPECT_NEAR(values(y)[1], std::exp(-1.0), 1e-6);
  EXPECT_EQ(values(y)[2], 0);
  EXPECT_EQ(values(y), values(kl_div(x, target.exp(), Reduction::None)));
  const Numbers slopes = gradient_of(y, x);
  EXPECT_EQ(slopes[0], 0);
  EXPECT_EQ(slopes[2], 0);
}

TEST(Edges, ANumberToFillWithHasToFit) {
  const Tensor x = zeros({2}), half = zeros({2}, kHalf), mask = tensor({true, false});
  const std::vector<std::function<void()>> calls = {[&] { full({2}, 1e300, kFloat); },        [&] { full_like(half, 70000); },
                                                    [&] { half.clone().fill_(70000); },       [&] { x.clone().fill_(-1e39); },
                                                    [&] { x.masked_fill(mask, 1e300); },      [&] { half.masked_fill(mask, -1e10); },
                                                    [&] { zeros({2}, kByte).fill_(300); },    [&] { x.index_fill(0, tensor({0}), 1e300); },
                                                    [&] { x.scatter(0, tensor({0}), 1e300); }};
  for (const auto& call : calls) EXPECT_NE(error_of(call).find("value cannot be converted to type "), std::string::npos);
  EXPECT_EQ(values(full({1}, INFINITY, kHalf)), (Numbers{kInfinity}));
  EXPECT_EQ(values(x.masked_fill(mask, -kInfinity)), (Numbers{-kInfinity, 0}));
  EXPECT_EQ(values(x + 1e300), (Numbers{kInfinity, kInfinity}));
}

TEST(Edges, HugeWindowsAreRefused) {
  const int64_t huge = INT64_MAX;
  const Tensor x = ones({1, 1, 2}), w = ones({1, 1, 2});
  const std::vector<std::function<void()>> calls = {[&] { max_pool1d(x, huge); },
                                                    [&] { max_pool1d(x, 2, 1, 0, huge); },
                                                    [&] { avg_pool1d(x, 2, huge); },
                                                    [&] { avg_pool1d(x, 2, 1, huge); },
                                                    [&] { conv1d(x, w, {}, {huge}); },
                                                    [&] { conv1d(x, w, {}, {1}, IntArrayRef{huge}); },
                                                    [&] { conv1d(x, w, {}, {1}, IntArrayRef{0}, {huge}); },
                                                    [&] { conv_transpose1d(x, w, {}, {2}, {0}, {huge}); }};
  for (size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(error_of(calls[i]), "integer out of range") << i;
}

// Rows long enough to be read where they are, with one value each on both sides.
TEST(Edges, BothInputsBroadcastAlongTheRow) {
  for (const ScalarType dtype : {kFloat, kDouble, kInt, kLong}) {
    for (const int64_t n : {1, 63, 64, 70, 1030}) {
      const Tensor memory = counting({3 * n}).to(dtype), x = memory.as_strided({3, n}, {n, 0}), twin = memory.as_strided({3, n}, {n, 0}, 0);
      const Tensor column = counting({3, 1}).to(dtype) * n;
      EXPECT_TRUE((x * 2).equal((column * 2).expand({3, n}))) << static_cast<int>(dtype) << " " << n;
      EXPECT_TRUE((x + twin).equal((column * 2).expand({3, n}))) << static_cast<int>(dtype) << " " << n;
      EXPECT_TRUE((x + column).equal((column * 2).expand({3, n}))) << static_cast<int>(dtype) << " " << n;
      EXPECT_TRUE(x.eq(n).equal(column.eq(n).expand({3, n}))) << static_cast<int>(dtype) << " " << n;
    }
  }
}

TEST(Edges, UndefinedTensorsAreRefused) {
  const Tensor none, x = ones({2, 3});
  const std::vector<std::function<void()>> calls = {
      [&] { none.sizes(); }, [&] { none.strides(); }, [&] { none.alias(); }, [&] { none.expand({2}); }, [&] { none.permute({0}); },
      [&] { none.squeeze(); }, [&] { none.repeat({2}); }, [&] { Tensor(none).unsqueeze_(0); }, [&] { x.clone().copy_(none); },
      [&] { x.equal(none); }, [&] { x.expand_as(none); }, [&] { x.masked_select(none); }, [&] { conv1d(x, none); },
      [&] { broadcast_tensors({x, none}); }, [&] { layer_norm(none, {3}); }, [&] { x.cross(none); }, [&] { x.index({none}); },
      [&] { binary_cross_entropy(x, none); }, [&] { cross_entropy_loss(none, x); }, [&] { x + none; }, [&] { cat({x, none}); }};
  for (size_t i = 0; i < calls.size(); ++i) EXPECT_NE(error_of(calls[i]), "no error") << i;
}

TEST(Edges, HardtanhKeepsIntegers) {
  const Tensor x = tensor({-3, 0, 7}, kLong);
  EXPECT_EQ(hardtanh(x, -1, 1.5).scalar_type(), kLong);
  EXPECT_EQ(values(hardtanh(x, -1, 1.5)), (Numbers{-1, 0, 1}));
  Tensor y = x.clone();
  EXPECT_EQ(values(hardtanh_(y, -1.0, 2.0)), (Numbers{-1, 0, 2}));
}

TEST(Edges, AlphaIsJudgedByTheResult) {
  const Tensor x = tensor({1, 2}, kLong);
  EXPECT_EQ(values(x.sub(0.5, 2.0)), (Numbers{0, 1}));
  EXPECT_EQ(error_of([&] { x.add(1, 1.5); }), "For integral input tensors, argument alpha must not be a floating point number.");
  EXPECT_EQ(error_of([&] { x.clone().add_(1, 1.5); }), "For integral input tensors, argument alpha must not be a floating point number.");
  for (const bool alpha : {false, true}) {
    EXPECT_EQ(error_of([&] { x.to(kFloat).add(1, alpha); }), "Boolean alpha only supported for Boolean results.");
    EXPECT_EQ(error_of([&] { x.add(x, alpha); }), "Boolean alpha only supported for Boolean results.");
    EXPECT_EQ(error_of([&] { x.clone().sub_(x, alpha); }), "Boolean alpha only supported for Boolean results.");
  }
  EXPECT_EQ(values(x.to(kBool).add(x.to(kBool), true)), (Numbers{1, 1}));
  EXPECT_EQ(error_of([&] { x.to(kFloat).sub(true); }).substr(0, 59), "Subtraction, the `-` operator, with a bool tensor is not su");
  EXPECT_EQ(error_of([&] { x.to(kBool).sub(x.to(kBool)); }).substr(0, 59), "Subtraction, the `-` operator, with two bool tensors is not");
}

// The factors of a product count as numbers of its dtype.
TEST(Edges, FactorsOfProductsTakeTheDtype) {
  const Tensor m = ones({2, 2}, kLong), v = m[0], b = m.unsqueeze(0);
  EXPECT_EQ(values(addmm(m, m, m, 0.5, 1)), (Numbers{2, 2, 2, 2}));
  EXPECT_EQ(values(addmm(m, m, m, 1, 0.5)), (Numbers{1, 1, 1, 1}));
  EXPECT_EQ(values(addmv(v, m, v, true, 1.5)), (Numbers{3, 3}));
  for (const Tensor& y : {addmv(v, m, v, 1, 0.5), baddbmm(b, b, b, 1, 0.5), addbmm(m, b, b, 1, 0.5)}) {
    EXPECT_EQ(y.scalar_type(), kLong);
    EXPECT_EQ(values(y)[0], 1);
  }
  const Tensor x = m.to(kFloat);
  const Complex<double> i(0, 1);
  EXPECT_EQ(error_of([&] { addmm(x, x, x, i); }), "value cannot be converted to type float without overflow");
  EXPECT_EQ(error_of([&] { addmm(m, m, m, 1, i); }), "value cannot be converted to type int64_t without overflow");
}

TEST(Edges, ProductsOfZeroAndNaNHaveAGradient) {
  const auto gradient = [](std::vector<double> numbers, bool create_graph) {
    const Tensor x = leaf(tensor(numbers));
    return values(autograd::grad({x.prod()}, {x}, {}, std::nullopt, create_graph).at(0));
  };
  for (const bool create_graph : {false, true}) {
    Numbers g = gradient({0, NAN, 2}, create_graph);
    EXPECT_TRUE(std::isnan(g[0]) && g[1] == 0 && std::isnan(g[2])) << create_graph;
    g = gradient({0, kInfinity, 2}, create_graph);
    EXPECT_TRUE(g[0] == kInfinity && g[1] == 0 && std::isnan(g[2])) << create_graph;
    g = gradient({0, 0, NAN}, create_graph);
    EXPECT_TRUE(std::isnan(g[0]) && std::isnan(g[1]) && g[2] == 0) << create_graph;
    EXPECT_EQ(gradient({0, 3, 2}, create_graph), (Numbers{6, 0, 0}));
  }
}

TEST(Edges, ThePowerOfZeroHasAHistory) {
  const Tensor a = leaf(tensor({{1., double{NAN}}, {3., 4.}})), y = matrix_power(a, 0);
  EXPECT_EQ(values(y), (Numbers{1, 0, 0, 1}));
  EXPECT_EQ(gradient_of(y, a), (Numbers{0, 0, 0, 0}));
}

TEST(Edges, IntegersAreNotDividedByZero) {
  const Tensor x = tensor({4, -7}, kInt), y = tensor({2, 0}, kInt);
  for (const auto& f : std::vector<std::function<Tensor()>>{
           [&] { return floor_divide(x, y); }, [&] { return x.remainder(y); }, [&] { return x.fmod(y); }, [&] { return x.div(y, "trunc"); },
           [&] { return x.div(y, "floor"); }, [&] { return x % 0; }, [&] { return x.clone().remainder_(y); }}) {
    EXPECT_EQ(error_of(f), "ZeroDivisionError");
  }
  EXPECT_EQ(sizes(zeros({0}, kInt) % 0), Longs{0});
  EXPECT_EQ(values(floor_divide(x, tensor({3, 2}, kInt))), (Numbers{1, -4}));
  EXPECT_EQ(values(x.to(kDouble).div(y, "trunc")), (Numbers{2, -kInfinity}));
}

TEST(Edges, RoundedQuotientsAreFlat) {
  const Tensor x = leaf(tensor({5., 1.})), y = leaf(tensor({2., 0.}));
  EXPECT_EQ(tensor({5}, kChar).div(1.0, "trunc").scalar_type(), kFloat);
  for (const char* mode : {"trunc", "floor"}) {
    EXPECT_EQ(gradient_of(x.div(y, mode), x), (Numbers{0, 0}));
    EXPECT_EQ(gradient_of(x.div(y, mode), y), (Numbers{0, 0}));
  }
}

TEST(Edges, AByteConditionTakesNoPartInPromotion) {
  const Tensor c = tensor({1, 0}, kByte);
  EXPECT_EQ(values(where(c, -2, -3)), (Numbers{-2, -3}));
  EXPECT_EQ(where(c, -2, -3).scalar_type(), kLong);
  EXPECT_EQ(where(c, zeros({2}, kChar), zeros({2}, kChar)).scalar_type(), kChar);
}

TEST(Edges, AFillMayWriteAnElementTwice) {
  const Tensor memory = zeros({3, 1});
  memory.expand({3, 4}).fill_(7);
  EXPECT_EQ(values(memory), (Numbers{7, 7, 7}));
}

TEST(Edges, RoundedLossesHaveASlopeAtInfinity) {
  const Tensor x = leaf(tensor({kInfinity, 3., 1., -1., 0.}));
  EXPECT_EQ(gradient_of(huber_loss(x, zeros({5}), Reduction::Sum, 1), x), (Numbers{1, 1, 1, -1, 0}));
  EXPECT_EQ(gradient_of(smooth_l1_loss(x, zeros({5}), Reduction::Sum, 2), x), (Numbers{1, 1, 0.5, -0.5, 0}));
}

TEST(Edges, EmptyNormalizedShapesHaveGradients) {
  const Tensor x = leaf(zeros({2, 0})), w = leaf(ones({2, 0}));
  layer_norm(x, {2, 0}, w, w).sum().backward();
  EXPECT_EQ(sizes(w.grad()), (Longs{2, 0}));
}

TEST(Edges, EmptySlicesAreUnique) {
  EXPECT_EQ(sizes(std::get<0>(unique_dim(zeros({0}), 0))), Longs{0});
  EXPECT_EQ(sizes(std::get<0>(unique_dim(zeros({0, 3}), 0))), (Longs{0, 3}));
  EXPECT_EQ(error_of([] {
              unique_dim(zeros({2, 0}), 0);
            }),
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
}

TEST(Edges, ArgumentsThatDoNotFit) {
  const Tensor x = ones({3, 5});
  EXPECT_EQ(error_of([&] { x.hsplit(3); }),
            "torch.hsplit attempted to split along dimension 1, but the size of the dimension 5 is not divisible by the split_size 3!");
  EXPECT_EQ(x.vsplit(3).size(), 3u);
  EXPECT_EQ(error_of([&] { block_diag({x, ones({1, 1, 1})}); }),
            "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input 1 has 3 dimensions");
  EXPECT_EQ(error_of([&] { x.put(tensor({0, 1}, kLong), ones({3})); }),
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = 3, index.numel() = 2");
  EXPECT_EQ(values(zeros({3}).put(tensor({0, 2}, kLong), tensor({{4., 5.}}))), (Numbers{4, 0, 5}));
  EXPECT_EQ(error_of([&] { normal(x, -0.5); }), "normal expects all elements of std >= 0.0");
  EXPECT_EQ(error_of([&] { cross_entropy_loss(x, x.softmax(1), {}, Reduction::Mean, 0); }),
            "ignore_index is not supported for floating point target");
}

TEST(Edges, SingularMatricesHaveAnInfiniteConditionNumber) {
  const Tensor A = tensor({{{1., 1.}, {1., 1.}}, {{2., 0.}, {0., 1.}}});
  for (const double p : {1., -1., kInfinity, -kInfinity}) EXPECT_EQ(values(linalg_cond(A, p)).at(0), kInfinity) << p;
  EXPECT_EQ(values(linalg_cond(A, 1)), (Numbers{kInfinity, 2}));
}

TEST(Edges, AHookMayNotChangeTheSize) {
  const Tensor x = leaf(ones({2}));
  x.register_hook([](const Tensor& g) { return g * 3; });
  x.register_hook([](const Tensor&) { return ones({5}); });
  EXPECT_EQ(error_of([&] { (x * 2).sum().backward(); }), "hook '1' has changed the size of value");
  EXPECT_FALSE(x.grad().defined());
}

// Such a view requires a gradient, as its base does, but no way leads from it to the base.
TEST(Edges, AViewMadeWithoutRecordingHasNoWayBack) {
  const Tensor x = leaf(ones({4, 3})), y = x * 1;
  const Tensor row = [&] { return NoGradGuard(), y.select(0, 0); }();
  for (const Tensor& z : {row.view({-1}), row.expand({2, 3}), row.unsqueeze(0), row.slice(0, 1), row.reshape({3, 1}), row * 2, row.sum(),
                          row.index_select(0, tensor({1}, kLong)), row.flip(0), row.repeat({2}), row.max()}) {
    z.sum().backward();
  }
  EXPECT_FALSE(x.grad().defined());
  (row.view({1, 3}) + y).sum().backward();
  EXPECT_EQ(values(x.grad()), Numbers(12, 1));
}

TEST(Edges, AnExpandedViewSeesItsBaseChange) {
  const Tensor x = leaf(tensor({1., 2.})), y = x * 1, wide = y.unsqueeze(0).expand({3, 2}), column = y.narrow(0, 1, 1).expand({4});
  y.mul_(10);
  EXPECT_EQ(values(wide), (Numbers{10, 20, 10, 20, 10, 20}));
  (wide * 1).sum().backward({}, /*retain_graph=*/true);
  EXPECT_EQ(values(x.grad()), (Numbers{30, 30}));
  x.mutable_grad().reset();
  column.sum().backward({}, /*retain_graph=*/true);
  EXPECT_EQ(values(x.grad()), (Numbers{0, 40}));
  const Tensor z = x * 1;
  z.narrow(0, 0, 1).expand({3}).fill_(5);
  EXPECT_EQ(gradient_of(z, x), (Numbers{0, 1}));
}

TEST(Edges, ResultsCanBeDetachedInPlace) {
  const Tensor w = leaf(ones({3, 3})), x = ones({3}), y = w * 1;
  for (const Tensor& z : {w.mv(x), w.select(0, 0).dot(x), x.matmul(w), linear(x, w), embedding(w, tensor({0, 2}, kLong))}) {
    z.detach_();
    EXPECT_FALSE(z.requires_grad());
    EXPECT_TRUE(z.is_leaf());
  }
  EXPECT_EQ(error_of([&] { y.select(0, 0).detach_(); }).find("Can't detach views in-place. Use detach() instead."), 0u);
}

TEST(Edges, AViewLosesTheHistoryThatItsDetachedBaseLost) {
  const Tensor x = leaf(tensor({1., 2.})), y = x * 1, view = y.view({2, 1});
  y.mul_(3);
  y.detach_();
  (view.sum() + x.sum()).backward();
  EXPECT_EQ(values(x.grad()), (Numbers{1, 1}));
}

TEST(Edges, ASavedTensorMayNotChangeItsShape) {
  const Tensor w = leaf(counting({3, 3}));
  for (const auto& f : std::vector<std::function<void(const Tensor&)>>{
           [](const Tensor& y) { y.t_(); }, [](const Tensor& y) { y.unsqueeze_(0); }, [](const Tensor& y) { y.transpose_(0, 1); }}) {
    const Tensor y = w * 2, z = (y * w).sum();
    f(y);
    EXPECT_EQ(error_of([&] { z.backward(); }).substr(0, 53), "one of the variables needed for gradient computation ");
  }
  const Tensor y = w * 1, row = y.select(0, 1);
  y.t_();
  row.mul_(2);
  EXPECT_EQ(gradient_of(y, w), (Numbers{1, 1, 1, 2, 2, 2, 1, 1, 1}));
}

TEST(Edges, ALeafMayBeAViewItself) {
  const Tensor x = counting({4}).view({2, 2}).requires_grad_();
  EXPECT_EQ(error_of([&] { x.select(0, 0).add_(1); }),
            "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  EXPECT_EQ(error_of([&] { x.add_(1); }), "a leaf Variable that requires grad is being used in an in-place operation.");
  EXPECT_EQ(values(x), (Numbers{0, 1, 2, 3}));
}

TEST(Edges, ALeafThatWantsNoGradientAnyMoreGetsNone) {
  const Tensor x = leaf(ones({2})), w = leaf(ones({2})), y = x * w;
  x.requires_grad_(false);
  y.sum().backward();
  EXPECT_FALSE(x.grad().defined());
  EXPECT_EQ(values(w.grad()), (Numbers{1, 1}));
}

// A mask takes as many dimensions as it has, and what follows it begins behind them.
TEST(Edges, MasksOfSeveralDimensionsBesideOtherIndices) {
  const Tensor x = counting({2, 3, 4}), mask = tensor({{1, 0, 1}, {0, 1, 0}}).to(kBool), at = tensor({0, 1, 2});
  EXPECT_EQ(values(x.index({mask, at})), (Numbers{0, 9, 18}));
  EXPECT_EQ(values(x.index({mask, Slice(1, 3)})), (Numbers{1, 2, 9, 10, 17, 18}));
  EXPECT_EQ(values(x.index({mask, 3})), (Numbers{3, 11, 19}));
  EXPECT_EQ(sizes(x.index({mask, None, Slice(0, 3)})), (Longs{3, 1, 3}));
  EXPECT_EQ(sizes(x.index({tensor({{1, 0, 0}, {0, 0, 0}}).to(kBool), None, false, Slice()})), (Longs{0, 1, 4}));
  EXPECT_EQ(values(x.permute({2, 0, 1}).index({at, mask})), (Numbers{0, 9, 18}));
  const Tensor y = zeros({2, 3, 4}).index_put_({mask, at}, tensor({1., 2., 3.}));
  EXPECT_EQ(values(y.index({mask, at})), (Numbers{1, 2, 3}));
  EXPECT_EQ(y.sum().item<double>(), 6);
  const std::string sentence = error_of<IndexError>([&] { x.index({mask, tensor({0, 1})}); });
  EXPECT_EQ(sentence, "shape mismatch: indexing tensors could not be broadcast together with shapes [3], [3], [2]");
}

// A mask takes one number of any dtype, as masked_fill_ does.
TEST(Edges, ANumberOfAnotherDtypeIsAssignedToAMask) {
  const Tensor x = zeros({2, 2}), mask = tensor({{1, 0}, {0, 1}}).to(kBool);
  EXPECT_EQ(values(x.index_put_({mask}, tensor(int64_t{3}))), (Numbers{3, 0, 0, 3}));
  EXPECT_EQ(values(x.index_put_({mask}, tensor({2.5}, kDouble))), (Numbers{2.5, 0, 0, 2.5}));
  EXPECT_EQ(error_of([&] { x.index_put_({mask}, tensor({1, 2})); }),
            "Index put requires the source and destination dtypes match, got Float for the destination and Long for the source.");
}

TEST(Edges, StepsBeyondTheEnd) {
  const Tensor x = leaf(counting({3, 2})), y = x.slice(0, 1, std::nullopt, INT64_MAX);
  EXPECT_EQ(values(y), (Numbers{2, 3}));
  EXPECT_EQ(gradient_of(y, x), (Numbers{0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(gradient_of(y.mul(2).mul_(2), x), (Numbers{0, 0, 4, 4, 0, 0}));
}

// A window that reaches far beyond the input costs what it has of it.
TEST(Edges, WindowsFarLargerThanTheInput) {
  const int64_t huge = INT32_MAX;
  const Tensor x = leaf(counting({1, 1, 3, 4})), y = max_pool2d(x, {huge, huge}, {huge, huge}, 1, 1, /*ceil_mode=*/true);
  EXPECT_EQ(values(y), (Numbers{11}));
  EXPECT_EQ(gradient_of(y, x), (Numbers{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST(Edges, InPlaceComparisonsEndTheHistory) {
  const Tensor x = leaf(tensor({1., 2., 3.})), y = x * 1, z = x * 1;
  y.lt_(2.5);
  z.narrow(0, 1, 2).eq_(tensor({2., 2.}));
  EXPECT_EQ(values(y), (Numbers{1, 1, 0}));
  EXPECT_EQ(values(z), (Numbers{1, 1, 0}));
  EXPECT_EQ(gradient_of(y, x), (Numbers{0, 0, 0}));
  EXPECT_EQ(gradient_of(z, x), (Numbers{1, 0, 0}));
  EXPECT_EQ(error_of([&] { x.ge_(0); }), "a leaf Variable that requires grad is being used in an in-place operation.");
}

TEST(Edges, HooksKeepTheDtype) {
  const Tensor x = leaf(tensor({1.f}));
  x.register_hook([](const Tensor& g) { return g.to(kDouble); });
  EXPECT_EQ(error_of([&] { (x * 2).backward(); }),
            "hook '0' has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)");
}

TEST(Edges, SearchesInRowsWithoutElements) {
  EXPECT_EQ(values(searchsorted(zeros({2, 0}), ones({2, 3}))), (Numbers{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(values(searchsorted(zeros({0}), ones({2}))), (Numbers{0, 0}));
}

TEST(Edges, FourierTransformsOfOneAndTwo) {
  const Tensor x = tensor({{1., -2.}});
  EXPECT_EQ(values(real(fft_fft(x, std::nullopt, 0))), (Numbers{1, -2}));
  EXPECT_EQ(values(real(fft_ifft(x, 1))), (Numbers{1}));
  EXPECT_EQ(values(fft_irfft(x, 1)), (Numbers{1}));
  EXPECT_EQ(values(fft_rfftfreq(1)), (Numbers{0}));
  EXPECT_EQ(values(fft_rfftfreq(2)), (Numbers{0, .5}));
  EXPECT_EQ(values(fft_fftfreq(2)), (Numbers{0, -.5}));
}

TEST(Edges, CosineSimilarityOfWhatIsBroadcast) {
  const Tensor x = tensor({3., 4.}), one = tensor(1.f);
  EXPECT_NEAR(cosine_similarity(one, x, 0).item<double>(), 7 / (5 * std::sqrt(2.)), 1e-6);
  EXPECT_NEAR(cosine_similarity(x.to(kLong), x, 0).item<double>(), 1, 1e-6);
  EXPECT_EQ(error_of([&] { cosine_similarity(x.to(kLong), x.to(kInt), 0); }),
            "expected common dtype to be floating point, yet common dtype is Long");
}

TEST(Edges, GradientsOfEigenvaluesAreSymmetric) {
  const Tensor a = leaf(tensor({{2., 1.}, {1., 3.}}));
  const auto [w, v] = linalg_eigh(a);
  (v * w).select(0, 0).sum().backward();
  EXPECT_TRUE(a.grad().allclose(a.grad().t()));
}

// One singular matrix of a stack does not keep the others from their gradients.
TEST(Edges, GradientsOfTheLogarithmOfSingularDeterminants) {
  const Tensor a = leaf(tensor({{{2., 0.}, {0., 4.}}, {{1., 1.}, {1., 1.}}}));
  std::get<1>(linalg_slogdet(a)).sum().backward();
  EXPECT_EQ(values(a.grad()[0]), (Numbers{.5, 0, 0, .25}));
  EXPECT_TRUE(a.grad()[1].isnan().all().item<bool>());
}

TEST(Edges, QuotientsOfIntegersAreNotAdded) {
  const Tensor x = ones({2}), n = ones({2}, kLong);
  const std::string sentence = "Integer division with addcdiv is no longer supported";
  EXPECT_EQ(error_of([&] { n.addcdiv(n, n); }).substr(0, sentence.size()), sentence);
  EXPECT_EQ(error_of([&] { x.addcdiv_(n, n); }).substr(0, sentence.size()), sentence);
  EXPECT_EQ(values(x.addcdiv(n, x, 2)), (Numbers{3, 3}));
}

TEST(Edges, CrossProductsOfDifferentNumbersOfDimensions) {
  EXPECT_EQ(error_of([] { ones({2, 3}).cross(ones({3})); }), "linalg.cross: inputs must have the same number of dimensions.");
}

}  // namespace
TEST(Edges, SizesThatNoMemoryHolds) {
  EXPECT_THROW(ones({2}).repeat_interleave(tensor({int64_t{1} << 60, int64_t{1}})), Error);
  EXPECT_THROW(ones({2}).repeat_interleave(tensor({INT64_MAX, INT64_MAX})), Error);
  EXPECT_TRUE(ones({2}).repeat_interleave(tensor({int64_t{0}, int64_t{3}})).equal(ones({3})));
}

}  // namespace wick::test
