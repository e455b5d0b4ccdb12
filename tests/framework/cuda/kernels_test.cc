// The CUDA kernels where the table of operations is too small for them: long rows, several blocks and chunks, misaligned and mixed
// operands, ties, and errors that only the device sees.
#include <array>
#include <cmath>

#include "wick/tests/framework/cuda/device.h"

namespace wick {
namespace {

using CudaKernelTest = CudaTest;

// f on the device gives what it gives on the CPU, for all of its results.
template <class F>
void compare(const std::string& what, const std::vector<Tensor>& inputs, const F& f, double relative = 1e-5, double absolute = 1e-5) {
  SCOPED_TRACE(what);
  std::vector<Tensor> moved;
  for (const Tensor& x : inputs) moved.push_back(x.to(kCUDA));
  const std::vector<Tensor> want = f(inputs), got = f(moved);
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_TRUE(got[i].is_cuda());
    ASSERT_EQ(got[i].scalar_type(), want[i].scalar_type());
    ASSERT_TRUE(got[i].cpu().to(kDouble).allclose(want[i].to(kDouble), relative, absolute, /*equal_nan=*/true))
        << "result " << i << " differs by " << (got[i].cpu().to(kDouble) - want[i].to(kDouble)).abs().max();
  }
}
using Tensors = std::vector<Tensor>;

TEST_F(CudaKernelTest, ElementwiseOperands) {
  manual_seed(1);
  const Tensor x = randn({37, 130}), row = randn({130}), column = randn({37, 1}), flat = randn({1031});
  compare("broadcast rows and columns", {x, row, column}, [](const Tensors& t) { return Tensors{t[0] + t[1], t[0] * t[2], t[1] / t[2]}; });
  compare("misaligned", {flat},
          [](const Tensors& t) { return Tensors{t[0].slice(0, 1) * 2 + t[0].slice(0, 0, 1030), t[0].slice(0, 3).exp()}; });
  compare("every third", {flat}, [](const Tensors& t) { return Tensors{t[0].slice(0, 1, 1000, 3).tanh()}; });
  compare("mixed dtypes", {x, x.mul(10).to(kInt), x.to(kHalf), x.to(kBFloat16)},
          [](const Tensors& t) {
            return Tensors{t[0] + t[1], t[2] * t[1], t[0] * t[2], t[2] + t[3], t[1] > t[0], t[2].sigmoid(), t[3].exp()};
          }, 1e-2);
  compare("integers wrap", {full({1000}, INT32_MAX, kInt), full({1000}, INT64_MAX, kLong)},
          [](const Tensors& t) { return Tensors{t[0] + 5, t[1] * 3, t[0].floor_divide(-7)}; });
  compare("five dimensions", {randn({3, 4, 5, 2, 7}), randn({4, 1, 2, 1})},
          [](const Tensors& t) { return Tensors{t[0].permute({4, 2, 0, 3, 1}).contiguous() + 1, t[0].permute({2, 1, 0, 3, 4}) * t[1]}; });
}

// Of a tensor of two gigabytes no more is touched than its ends.
TEST_F(CudaKernelTest, OffsetsBeyondThirtyTwoBits) {
  constexpr int64_t kRows = 239675, kWidth = 8960, kSize = kRows * kWidth, kStep = kSize - 3;
  const Tensor x = empty({kSize}, TensorOptions(kCUDA).dtype(kChar)), ends = x.as_strided({2, 3}, {kStep, 1}), table = x.view({kRows, kWidth});
  const auto expect = [](const Tensor& got, const std::vector<int64_t>& want) { EXPECT_TRUE(got.cpu().flatten().to(kLong).equal(tensor(want))) << got; };
  ends.copy_(tensor({{1, 2, 3}, {4, 5, 6}}));
  expect(ends.add(10), {11, 12, 13, 14, 15, 16});
  ends.mul_(2);
  expect(ends, {2, 4, 6, 8, 10, 12});
  expect(ends.sum(0), {10, 14, 18});
  expect(ends.t().contiguous(), {2, 8, 4, 10, 6, 12});
  x.slice(0, kSize - kWidth, kStep).fill_(1);
  const Tensor last = tensor({kRows - 1}).to(kCUDA);
  expect(table.index_select(0, last).sum(), {kWidth - 3 + 30});
  expect(table.index({last, tensor({kWidth - 2}).to(kCUDA)}), {10});
  expect(x.take(tensor({kSize - 1, int64_t{2}}).to(kCUDA)), {12, 6});
  table.index_put_({last, tensor({int64_t{5}}).to(kCUDA)}, 7);
  expect(x.narrow(0, kSize - kWidth + 4, 3), {1, 7, 1});
}

// More than a grid's second dimension may have.
TEST_F(CudaKernelTest, SeventyThousandRows) {
  const Tensor x = ones({70000, 1, 3}, kCUDA);
  EXPECT_EQ(x.sum(2).amax().item<float>(), 3);
  EXPECT_EQ(x.bmm(x.transpose(1, 2)).amin().item<float>(), 3);
}

TEST_F(CudaKernelTest, Copies) {
  for (const ScalarType t : {kByte, kHalf, kFloat, kDouble, kLong}) {
    const Tensor x = arange(0, 100 * 67 * 3, kLong).remainder(101).reshape({3, 100, 67}).to(t);
    compare(std::string("transposed ") + to_string(t), {x}, [](const Tensors& in) {
      return Tensors{in[0].transpose(1, 2).contiguous(), in[0].transpose(0, 2).contiguous(), in[0].slice(2, 1, 60, 2).clone(),
                     in[0].to(kInt)};
    });
  }
  compare("filled", {zeros({100, 7})}, [](const Tensors& t) {
    const Tensor y = t[0].clone();
    y.fill_(2.5);
    y.slice(1, 2, 4).fill_(-1);
    y.slice(0, 10, 20).zero_();
    return Tensors{y, ones_like(y, kBFloat16), full_like(y, 7, kByte)};
  });
  const Tensor edge = tensor(std::vector<double>{0.0, -0.0, 0.5, -1.5, 2.5, 255.7, 300.0, -3e9, 1e30, NAN, INFINITY, -INFINITY});
  compare("converted", {edge},
          [](const Tensors& t) { return Tensors{t[0].to(kInt), t[0].to(kByte), t[0].to(kBool), t[0].to(kHalf), t[0].to(kLong)}; });
}

TEST_F(CudaKernelTest, ReductionsOfAllSizes) {
  manual_seed(2);
  const auto reductions = [](const Tensors& t) {
    const Tensor& x = t[0];
    Tensors y{x.sum(), x.mean(), x.max(), x.argmax(), x.norm(2)};
    for (int64_t dim = 0; dim < x.dim(); ++dim) {
      y.insert(y.end(),
               {x.sum(dim), x.std(static_cast<int>(dim)), std::get<0>(x.min(dim)), x.argmin(dim), x.logsumexp(dim), x.cumsum(dim)});
    }
    return y;
  };
  for (const int64_t n : {1, 3, 31, 33, 257, 2049, 20000}) compare("vector " + std::to_string(n), {randn({n + 1})}, reductions, 1e-4, 1e-4);
  for (const auto& [rows, columns] : std::vector<std::pair<int64_t, int64_t>>{{2, 3000}, {3000, 2}, {70, 70}, {5, 1}, {300, 37}}) {
    compare(std::to_string(rows) + " by " + std::to_string(columns), {randn({rows, columns})}, reductions, 1e-4, 1e-4);
  }
  compare("three dimensions", {randn({5, 40, 70})}, reductions, 1e-4, 1e-4);
  compare("chunks", {randn({100000})},
          [](const Tensors& t) { return Tensors{t[0].sum(), t[0].abs().max(), t[0].slice(0, 1).sum()}; }, 1e-4, 1e-3);
  compare("chunks of columns", {randn({3000, 40})}, [](const Tensors& t) { return Tensors{t[0].sum(0), t[0].max()}; }, 1e-4, 1e-3);
  compare("half precision", {randn({40, 600}).to(kHalf)}, [](const Tensors& t) { return Tensors{t[0].sum(1), t[0].mean(0)}; }, 2e-3, 2e-3);
  compare("integers and bool", {randint(-50, 50, {40, 60}, kInt)},
          [](const Tensors& t) { return Tensors{t[0].sum(), t[0].gt(0).sum(1), t[0].prod(0), t[0].gt(-60).all(), t[0].eq(3).any(1)}; });
  compare("permuted", {randn({4, 30, 20})},
          [](const Tensors& t) { return Tensors{t[0].permute({2, 0, 1}).sum(1), t[0].transpose(0, 1).mean({0, 2})}; });
}

TEST_F(CudaKernelTest, FirstOfEqualsAndNaN) {
  Tensor x = zeros({5000});
  x[700].fill_(3), x[4000].fill_(3);
  compare("first of equals", {x},
          [](const Tensors& t) { return Tensors{t[0].argmax(), t[0].argmin(), t[0].reshape({2, 2500}).argmax(1)}; });
  x[1000].fill_(NAN), x[2000].fill_(NAN);
  compare("NaN", {x}, [](const Tensors& t) { return Tensors{t[0].argmax(), t[0].argmin(), t[0].max(), t[0].min(), t[0].sum()}; });
}

TEST_F(CudaKernelTest, ReductionsRepeatExactly) {
  manual_seed(3);
  const Tensor x = randn({200000}, kCUDA);
  const float once = x.sum().item<float>();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(x.sum().item<float>(), once);
}

TEST_F(CudaKernelTest, RunningResults) {
  manual_seed(5);
  const auto running = [](const Tensors& t) {
    const Tensor& x = t[0];
    Tensors y;
    for (int64_t dim = 0; dim < x.dim(); ++dim) {
      const auto [most, most_at] = x.cummax(dim);
      const auto [least, least_at] = x.cummin(dim);
      y.insert(y.end(), {x.cumsum(dim), x.cumprod(dim), x.logcumsumexp(dim), most, most_at, least, least_at});
    }
    return y;
  };
  for (const int64_t n : {1, 31, 32, 33, 255, 257, 1000}) {
    compare("vector " + std::to_string(n), {randn({n}) * 0.5 + 1}, running, 1e-4, 1e-4);
  }
  compare("a matrix", {randn({70, 300})}, running, 1e-4, 1e-4);
  Tensor ties = randint(0, 5, {3, 600}, kFloat);
  ties.select(0, 1).slice(0, 300, 301).fill_(NAN), ties.select(0, 2).slice(0, 0, 600, 7).fill_(-INFINITY);
  compare("ties, NaN and infinities", {ties}, [](const Tensors& t) {
    const auto [most, most_at] = t[0].cummax(1);
    const auto [least, least_at] = t[0].cummin(0);
    return Tensors{most, most_at, least, least_at, t[0].logcumsumexp(1)};
  });
  compare("integers", {randint(-3, 4, {4, 400}, kLong)},
          [](const Tensors& t) { return Tensors{t[0].cumsum(1), t[0].cumprod(1), std::get<1>(t[0].cummax(1))}; });
}

TEST_F(CudaKernelTest, JoinedPuts) {
  manual_seed(6);
  const Tensor x = rand({20, 7}) + 0.5, source = rand({400, 7}) + 0.5, at = randint(0, 20, {400, 7}, kLong);
  for (const char* reduce : {"sum", "prod", "amax", "amin", "mean"}) {
    compare(reduce, {x, source, at}, [&](const Tensors& t) { return Tensors{t[0].scatter_reduce(0, t[2], t[1], reduce)}; }, 1e-4, 1e-4);
    compare(reduce, {(x * 9).to(kInt), (source * 2).to(kInt), at},
            [&](const Tensors& t) { return Tensors{t[0].scatter_reduce(0, t[2], t[1], reduce)}; });
  }
}

// Computed on the host: each call is a wait, which the account shows.
TEST_F(CudaKernelTest, LinearAlgebra) {
  manual_seed(8);
  const Tensor a = randn({3, 5, 5}), spd = a.matmul(a.mT()) + eye(5), b = randn({3, 5, 2});
  compare("decompositions", {a, spd, b}, [](const Tensors& t) {
    const auto [q, r] = linalg_qr(t[0]);
    return Tensors{linalg_solve(t[0], t[2]), linalg_inv(t[0]), linalg_det(t[0]), linalg_cholesky(t[1]), q.matmul(r),
                   linalg_svdvals(t[0]), linalg_eigvalsh(t[1])};
  }, 1e-4, 1e-4);
  compare("a view", {a}, [](const Tensors& t) { return Tensors{linalg_inv(t[0][1]), linalg_inv(t[0].mT())}; }, 1e-4, 1e-4);
  cuda::reset_sync_report();
  const Tensor x = spd.cuda();
  linalg_cholesky(x);
  EXPECT_NE(cuda::sync_report().find("linalg_cholesky"), std::string::npos);
  EXPECT_THROW(linalg_inv(zeros({2, 2}, kCUDA)), LinAlgError);
}

TEST_F(CudaKernelTest, SoftmaxAndLosses) {
  manual_seed(4);
  for (const auto& [rows, classes] : std::vector<std::pair<int64_t, int64_t>>{{120, 3}, {7, 40}, {40, 1000}, {3, 5000}, {2000, 11}}) {
    const Tensor x = randn({rows, classes}), target = randint(0, classes, {rows}, kLong), weight = rand({classes}) + 0.5;
    compare(std::to_string(rows) + " of " + std::to_string(classes), {x, target, weight}, [](const Tensors& t) {
      Tensors y{softmax(t[0], 1), log_softmax(t[0], 1), softmax(t[0], 0)};
      for (const int64_t reduction : {Reduction::None, Reduction::Mean, Reduction::Sum}) {
        const Tensor leaf = t[0].detach().clone().requires_grad_();
        const Tensor loss = cross_entropy_loss(leaf, t[1], t[2], reduction, /*ignore_index=*/1);
        loss.sum().backward();
        y.insert(y.end(), {loss.detach(), leaf.grad(), nll_loss(t[0], t[1], {}, reduction, -100)});
      }
      const Tensor leaf = t[0].detach().clone().requires_grad_();
      (log_softmax(leaf, 1) * t[0] + softmax(leaf, 1)).sum().backward();
      y.push_back(leaf.grad());
      return y;
    }, 1e-4, 1e-5);
  }
  compare("images", {randn({2, 5, 9, 10}), randint(0, 5, {2, 9, 10}, kLong)},
          [](const Tensors& t) { return Tensors{cross_entropy_loss(t[0], t[1]), softmax(t[0], 1)}; });
  compare("everything ignored", {randn({6, 3}), full({6}, -100, kLong)},
          [](const Tensors& t) { return Tensors{cross_entropy_loss(t[0], t[1])}; });
}

TEST_F(CudaKernelTest, ErrorsOfTheDevice) {
  const Tensor x = randn({4, 3}, kCUDA), target = full({4}, 3, TensorOptions(kLong).device(kCUDA));
  EXPECT_EQ(message_of([&] { cross_entropy_loss(x, target).item(); }).substr(0, 25), "Target 3 is out of bounds");
  EXPECT_NO_THROW(x.sum().item());  // it was reported once
  const Tensor index = full({2}, 9, TensorOptions(kLong).device(kCUDA));
  const Tensor before = x.cpu();
  EXPECT_NE(message_of([&] { x.index_add_(0, index, ones({2, 3}, kCUDA)), x.cpu(); }), "");
  EXPECT_TRUE(x.cpu().equal(before));  // nothing was written
  EXPECT_NE(message_of([&] { x.gather(1, index.reshape({2, 1})).cpu(); }), "");
  EXPECT_NE(message_of([&] { complex(x, x); }).find("wick's complex tensors live on the CPU"), std::string::npos);
}

TEST_F(CudaKernelTest, PlacesThatCoincide) {
  manual_seed(5);
  const Tensor table = randn({50, 9}), index = randint(0, 50, {3000}, kLong), rows = randn({3000, 9});
  compare("index_add", {table, index, rows},
          [](const Tensors& t) { return Tensors{t[0].index_add(0, t[1], t[2]), t[0].index_select(0, t[1])}; });
  compare("the last one stays", {table, index, rows}, [](const Tensors& t) { return Tensors{t[0].index_copy(0, t[1], t[2])}; }, 0, 0);
  compare("scatter", {table, randint(0, 50, {200, 9}, kLong), randn({200, 9})},
          [](const Tensors& t) { return Tensors{t[0].scatter_add(0, t[1], t[2]), t[0].scatter(0, t[1], t[2]), t[0].gather(0, t[1])}; });
  compare("masks", {rand({70, 600}), rand({70, 600}).gt(0.5)}, [](const Tensors& t) {
    return Tensors{t[0].masked_fill(t[1], -1), t[0].masked_select(t[1]), t[1].nonzero(), t[0].index({t[1]})};
  });
  compare("embedding", {randn({30, 8}), randint(0, 30, {40, 5}, kLong)}, [](const Tensors& t) {
    const Tensor weight = t[0].clone().requires_grad_();
    const Tensor y = embedding(weight, t[1]);
    y.square().sum().backward();
    return Tensors{y.detach(), weight.grad()};
  });
}

TEST_F(CudaKernelTest, SortingAndJoining) {
  manual_seed(6);
  for (const int64_t n : {1, 5, 1000, 1024, 1025, 5000}) {
    compare("sort " + std::to_string(n), {randint(-20, 20, {3, n}, kInt), randn({3, n})}, [n](const Tensors& t) {
      const auto [a, b] = sort(t[0], 1);
      const auto [c, d] = sort(t[1], -1, /*descending=*/true);
      const auto [e, f] = topk(t[1], (n + 1) / 2, 1);
      return Tensors{a, b, c, d, e, f};
    }, 0, 0);
  }
  compare("cat", {randn({4, 6}), randn({4, 2}), randn({4, 1})},
          [](const Tensors& t) {
            return Tensors{cat({t[0], t[1], t[2]}, 1), cat({t[0], t[0]}, 0), cat({t[0].to(kByte), t[2].to(kByte)}, 1),
                           stack({t[1], t[1]}, 1)};
          });
}

TEST_F(CudaKernelTest, Products) {
  manual_seed(7);
  for (const auto& [m, k, n] : std::vector<std::array<int64_t, 3>>{{1, 1, 1}, {120, 4, 10}, {33, 65, 17}, {5, 300, 1}, {4, 0, 3}}) {
    const Tensor a = randn({m, k}), b = randn({k, n}), bias = randn({n});
    compare(std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n), {a, b, bias}, [](const Tensors& t) {
      return Tensors{t[0].mm(t[1]), t[1].t().mm(t[0].t()), addmm(t[2], t[0], t[1]), linear(t[0], t[1].t(), t[2]),
                     t[0].to(kDouble).mm(t[1].to(kDouble)), addmm(t[2].to(kDouble), t[0].to(kDouble), t[1].to(kDouble), 1, 0.5)};
    }, 1e-4, 1e-5);
  }
  compare("batches", {randn({3, 5, 7}), randn({3, 7, 4}), randn({7, 4})},
          [](const Tensors& t) {
            return Tensors{t[0].bmm(t[1]), t[0].matmul(t[2]), t[0].bmm(t[2].expand({3, 7, 4})), t[1].transpose(1, 2).matmul(t[1])};
          });
  compare("expanded", {randn({7}), randn({7, 4})},
          [](const Tensors& t) { return Tensors{t[0].expand({5, 7}).mm(t[1]), t[0].unsqueeze(1).expand({7, 5}).t().mm(t[1])}; });
  compare("integers", {randint(-9, 9, {6, 7}, kLong), randint(-9, 9, {7, 5}, kLong)},
          [](const Tensors& t) { return Tensors{t[0].mm(t[1]), t[0].to(kChar).mm(t[1].to(kChar))}; });
  compare("half precision", {randn({20, 40}), randn({40, 12}), randn({12})}, [](const Tensors& t) {
    Tensors y;
    for (const ScalarType half : {kHalf, kBFloat16}) {
      const Tensor a = t[0].to(half), b = t[1].to(half), bias = t[2].to(half);
      y.insert(y.end(), {a.mm(b), linear(a, b.t(), bias), a.slice(1, 0, 0).mm(b.slice(0, 0, 0)), a.slice(1, 0, 39).mm(b.slice(0, 1))});
    }
    return y;
  }, 2e-2, 5e-2);
}

// Few elements that lie 2^31 elements apart.
TEST_F(CudaKernelTest, PlacesBeyond31Bits) {
  constexpr int64_t kFar = int64_t{1} << 31;
  const Tensor memory = empty({kFar + 8}, TensorOptions(kChar).device(kCUDA));
  const Tensor corners = memory.as_strided({2, 2}, {kFar, 3}), values = tensor({1, 2, 3, 4}, kChar).view({2, 2});
  corners.copy_(values);
  EXPECT_TRUE(corners.cpu().equal(values));
  EXPECT_TRUE((corners + corners).cpu().equal(values + values));
  corners.add_(1);
  EXPECT_TRUE(memory.slice(0, kFar, kFar + 4, 3).cpu().equal(tensor({4, 5}, kChar)));
  EXPECT_EQ(corners.sum().item<int64_t>(), 14);
}

// Tensor cores read 10 bits of a mantissa, so 1 + 2^-12 is 1 to them, where they are allowed. Whether a GPU then uses them is its matter.
TEST_F(CudaKernelTest, Tf32IsASwitch) {
  const double value = 1 + std::ldexp(1, -12);
  const Tensor a = full({64, 64}, value, TensorOptions(kFloat).device(kCUDA)), b = eye(64).cuda(), bias = zeros({64}, kCUDA);
  EXPECT_FALSE(cuda::allow_tf32());
  const auto results = [&] { return Tensors{a.mm(b).cpu(), linear(a, b, bias).cpu()}; };
  for (const Tensor& y : results()) EXPECT_TRUE(y.equal(a.cpu()));
  cuda::set_allow_tf32(true);
  const Tensors quick = results();
  cuda::set_allow_tf32(false);
  const bool simulated = cuda::get_device_name().find("simulat") != std::string::npos;
  for (const Tensor& y : quick) EXPECT_TRUE(y.equal(ones({64, 64})) || (!simulated && y.equal(a.cpu()))) << y;
  for (const Tensor& y : results()) EXPECT_TRUE(y.equal(a.cpu()));
}

TEST_F(CudaKernelTest, NormsAndPools) {
  manual_seed(8);
  compare("layer norm", {randn({6, 40}), randn({40}), randn({40}), randn({2, 1500})}, [](const Tensors& t) {
    const Tensor x = t[0].clone().requires_grad_(), w = t[1].clone().requires_grad_(), b = t[2].clone().requires_grad_();
    const Tensor y = layer_norm(x, {40}, w, b);
    (y * y).sum().backward();
    return Tensors{y.detach(), x.grad(), w.grad(), b.grad(), layer_norm(t[3], {1500})};
  }, 1e-4, 1e-4);
  compare("batch norm", {randn({30, 5, 7, 6}), randn({5}), randn({5}), zeros({5}), ones({5}), randn({30, 5})}, [](const Tensors& t) {
    const Tensor x = t[0].clone().requires_grad_(), w = t[1].clone().requires_grad_(), b = t[2].clone().requires_grad_();
    const Tensor mean = t[3].clone(), variance = t[4].clone();
    const Tensor y = batch_norm(x, w, b, mean, variance, true, 0.1, 1e-5, false);
    (y * t[0].sin()).sum().backward();
    const Tensor flat = batch_norm(t[5], t[1], t[2], mean, variance, false, 0.1, 1e-5, false);
    return Tensors{y.detach(), x.grad(), w.grad(), b.grad(), mean, variance, flat, group_norm(t[0].slice(1, 0, 4), 2)};
  }, 1e-4, 1e-4);
  compare("pools", {randn({2, 3, 13, 12})}, [](const Tensors& t) {
    Tensors y;
    const auto both = [&](const auto& pool) {
      const Tensor x = t[0].clone().requires_grad_();
      const Tensor out = pool(x);
      out.square().sum().backward();
      y.insert(y.end(), {out.detach(), x.grad()});
    };
    both([](const Tensor& x) { return max_pool2d(x, {2, 2}); });
    both([](const Tensor& x) { return max_pool2d(x, {3, 3}, {2, 1}, {1, 1}, {2, 1}, true); });
    both([](const Tensor& x) { return avg_pool2d(x, {3, 2}, {2, 2}, {1, 0}, true); });
    both([](const Tensor& x) { return adaptive_avg_pool2d(x, {5, 7}); });
    return y;
  });
}

}  // namespace
}  // namespace wick
