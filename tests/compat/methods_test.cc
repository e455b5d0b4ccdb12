// Tensor's methods that only LibTorch's headers bring.
#include <torch/torch.h>

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "wick/tests/compat/support.h"

namespace {

torch::Tensor numbers(std::vector<double> x, std::vector<int64_t> shape) { return torch::tensor(x, torch::kDouble).reshape(shape); }

#define EXPECT_SAME(a, b) EXPECT_TRUE(torch::equal(a, b)) << a << '\n' << b

// As the function of the same name.
TEST(Methods, AreTheFunctions) {
  const torch::Tensor x = numbers({1, 2, 4, 3, 7, 5}, {2, 3}), y = x.flip({1}).contiguous();
  EXPECT_SAME(x.cov(), torch::cov(x));
  EXPECT_SAME(x.cov(0, torch::tensor({1, 2, 1})), torch::cov(x, 0, torch::tensor({1, 2, 1})));
  EXPECT_SAME(x.corrcoef(), torch::corrcoef(x));
  EXPECT_SAME(x.igamma(y), torch::igamma(x, y));
  EXPECT_SAME(x.igammac(y), torch::igammac(x, y));
  EXPECT_SAME(x.i0(), torch::i0(x));
  EXPECT_SAME(x.ldexp(torch::tensor(2)), x * 4);
  EXPECT_SAME(x.mvlgamma(1), x.lgamma());
  EXPECT_SAME(x.msort(), std::get<0>(x.sort(0)));
  EXPECT_SAME(x.moveaxis(0, 1), x.t());
  EXPECT_SAME(x.moveaxis({0, 1}, {1, 0}), x.t());
  EXPECT_SAME(x.positive(), x);
  EXPECT_SAME(x.take_along_dim(torch::tensor({{2}, {0}}), 1), numbers({4, 3}, {2, 1}));
  EXPECT_SAME(x.as_strided_scatter(torch::zeros({2}, torch::kDouble), {2}, {4}), numbers({0, 2, 4, 3, 0, 5}, {2, 3}));
  EXPECT_SAME(x.narrow_copy(1, 1, 2), x.narrow(1, 1, 2));
  EXPECT_FALSE(x.narrow_copy(1, 1, 2).is_alias_of(x));
  EXPECT_SAME(x.unsafe_chunk(3, 1)[2], x.narrow(1, 2, 1));
  EXPECT_SAME(x.unsafe_split(1)[1], x.narrow(0, 1, 1));
  EXPECT_SAME(x.unsafe_split_with_sizes({1, 2}, 1)[1], x.narrow(1, 1, 2));
  EXPECT_SAME(std::get<0>(x.frexp()) * torch::pow(2.0, std::get<1>(x.frexp())), x);
  EXPECT_SAME(std::get<0>(x.histogram(3)), std::get<0>(torch::histogram(x, 3)));
  EXPECT_SAME(x.nonzero_numpy()[1], torch::tensor({0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(x.reshape({1, 2, 3}).dsplit(3).size(), 3u);
  EXPECT_EQ(x.reshape({1, 2, 3}).dsplit(torch::IntArrayRef({1}))[1].size(2), 2);
  EXPECT_TRUE(x.is_same_size(y) && !x.is_same_size(x[0]));
}

TEST(Methods, TransformsAndFactors) {
  const torch::Tensor wave = torch::linspace(0, 6, 64, torch::kDouble).sin(), window = torch::hann_window(16, torch::kDouble);
  const torch::Tensor spectrum = wave.stft(16, 4, 16, window, true, "reflect", false, true, true);
  EXPECT_SAME(spectrum, torch::stft(wave, 16, 4, 16, window, true, "reflect", false, true, true));
  EXPECT_TRUE(torch::allclose(spectrum.istft(16, 4, 16, window, true, false, true, 64), wave));
  const torch::Tensor a = numbers({4, 1, 2, 5}, {2, 2}), b = numbers({1, 2}, {2, 1});
  const auto [factors, pivots] = torch::linalg::lu_factor(a);
  EXPECT_TRUE(torch::allclose(a.mm(b.lu_solve(factors, pivots)), b));
  for (const int64_t pivot : {0, 3}) {
    EXPECT_EQ(message_of([&] { torch::lu_unpack(factors, torch::full({2}, pivot, torch::kInt)); }).substr(0, 44),
              "pivots passed to lu_unpack must be between 1");
  }
  EXPECT_EQ(message_of([&] { torch::lu_unpack(factors, pivots.slice(0, 1)); }), "Expected LU_pivots to have shape [2] but got [1] instead.");
  EXPECT_EQ(message_of([&] { torch::ones({3, 1}, torch::kDouble).lu_solve(factors, pivots); }),
            "linalg.lu_solve: Incompatible shapes of A and B for the equation AX = B (2x2 and 3x1)");
  const auto [packed, tau] = a.geqrf();
  const torch::Tensor q = packed.orgqr(tau);
  EXPECT_TRUE(torch::allclose(q.mm(q.t()), torch::eye(2, torch::kDouble)));
  EXPECT_TRUE(torch::allclose(packed.ormqr(tau, b), q.mm(b)));
}

TEST(Methods, InPlace) {
  const torch::Tensor x = numbers({1, 2, 4, 3, 7, 5}, {2, 3}), other = torch::full({2, 3}, 2.0, torch::kDouble);
  const auto changed = [&](auto f) {
    torch::Tensor y = x.clone();
    EXPECT_TRUE(f(y).is_same(y));
    return y;
  };
  EXPECT_SAME(changed([](auto& y) -> auto& { return y.i0_(); }), torch::i0(x));
  EXPECT_SAME(changed([&](auto& y) -> auto& { return y.igamma_(other); }), torch::igamma(x, other));
  EXPECT_SAME(changed([&](auto& y) -> auto& { return y.igammac_(other); }), torch::igammac(x, other));
  EXPECT_SAME(changed([&](auto& y) -> auto& { return y.ldexp_(other); }), x * 4);
  EXPECT_SAME(changed([](auto& y) -> auto& { return y.mvlgamma_(1); }), x.lgamma());
  EXPECT_SAME(changed([](auto& y) -> auto& { return y.polygamma_(1); }), torch::polygamma(1, x));
  EXPECT_SAME(changed([](auto& y) -> auto& { return y.swapaxes_(0, 1); }), x.t());
  EXPECT_SAME(changed([](auto& y) -> auto& { return y.swapdims_(0, 1); }), x.t());
  EXPECT_SAME(changed([](auto& y) -> auto& { return y.as_strided_({2}, {3}, 1); }), numbers({2, 7}, {2}));
  EXPECT_SAME(changed([](auto& y) -> auto& { return y.resize_as_(torch::ones({3})); }), numbers({1, 2, 4}, {3}));
  const torch::Tensor leaf = x.clone().requires_grad_();
  EXPECT_EQ(message_of([&] { leaf.as_strided_({1}, {1}); }).substr(0, 43), "as_strided_: self requires a gradient, and ");
  EXPECT_SAME(torch::as_strided_(x.clone(), {3}, {2}), numbers({1, 4, 7}, {3}));
  EXPECT_EQ(leaf.dim(), 2);
}

TEST(Methods, FillTheDiagonal) {
  EXPECT_SAME(torch::zeros({2, 3}).fill_diagonal_(5), torch::tensor({{5.f, 0.f, 0.f}, {0.f, 5.f, 0.f}}));
  const torch::Tensor tall = torch::zeros({7, 2}), wrapped = tall.clone().fill_diagonal_(1, true);
  EXPECT_EQ(tall.fill_diagonal_(1).sum().item<int>(), 2);
  EXPECT_SAME(wrapped.nonzero(), torch::tensor({{0, 0}, {1, 1}, {3, 0}, {4, 1}, {6, 0}}));
  EXPECT_SAME(torch::zeros({2, 2, 2}).fill_diagonal_(3).nonzero(), torch::tensor({{0, 0, 0}, {1, 1, 1}}));
  EXPECT_EQ(message_of([] { torch::zeros({2}).fill_diagonal_(1); }), "dimensions must larger than 1");
  EXPECT_EQ(message_of([] { torch::zeros({2, 2, 3}).fill_diagonal_(1); }), "all dimensions of input must be of equal length");
}

TEST(Methods, ChangeWhatAHandleRefersTo) {
  const torch::Tensor x = torch::arange(6, torch::kFloat).reshape({2, 3});
  torch::Tensor y = torch::zeros({1});
  y.set_(x);
  EXPECT_TRUE(y.is_set_to(x) && !y.is_set_to(x.t()) && !y.is_set_to(x.clone()));
  y.set_(x, 2, {2}, {3});
  EXPECT_SAME(y, torch::tensor({2.f, 5.f}));
  y.set_(x, 1, {2, 2});
  EXPECT_SAME(y, torch::tensor({{1.f, 2.f}, {3.f, 4.f}}));
  y.set_();
  EXPECT_EQ(y.numel(), 0);
  EXPECT_EQ(x.numel(), 6);
  EXPECT_EQ(message_of([&] { y.set_(x.to(torch::kLong)); }), "Could not set tensor of type long int to a tensor of type float");
}

TEST(Methods, WhatATensorIs) {
  const torch::Tensor x = torch::ones({2, 3, 4, 5}), last = x.contiguous(torch::MemoryFormat::ChannelsLast);
  EXPECT_EQ(x.toString(), "CPUFloatType");
  EXPECT_FALSE(x.is_mps() || x.is_mkldnn() || x.is_xla() || x.is_nested());
  EXPECT_EQ(x.suggest_memory_format(), torch::MemoryFormat::Contiguous);
  EXPECT_EQ(last.suggest_memory_format(), torch::MemoryFormat::ChannelsLast);
  EXPECT_TRUE(x.meta().is_meta());
  EXPECT_EQ(x.to_dense(torch::kLong).scalar_type(), torch::kLong);
  EXPECT_EQ(x.new_empty_strided({2, 2}, {1, 2}, torch::kInt).strides(), torch::IntArrayRef({1, 2}));
  EXPECT_EQ((x.packed_accessor<float, 4>()[1][2][3][4]), 1.f);
  EXPECT_EQ((x.packed_accessor<float, 4, torch::RestrictPtrTraits, int32_t>().size(3)), 5);
  std::ostringstream text;
  std::streambuf* const before = std::cerr.rdbuf(text.rdbuf());
  x.print();
  std::cerr.rdbuf(before);
  EXPECT_EQ(text.str(), "[CPUFloatType [2, 3, 4, 5]]\n");
}

TEST(Methods, SumToSizeHasAGradient) {
  const torch::Tensor x = torch::ones({2, 3}).requires_grad_();
  EXPECT_SAME(x.sum_to_size({1, 3}), torch::full({1, 3}, 2.f));
  EXPECT_SAME(x.sum_to_size({3}), torch::full({3}, 2.f));
  (x.sum_to_size({1}) * 5).backward();
  EXPECT_SAME(x.grad(), torch::full({2, 3}, 5.f));
  EXPECT_EQ(message_of([&] { x.sum_to_size({2}); }), "size {[2]} is not expandable to size {[2, 3]}.");
}

}  // namespace
