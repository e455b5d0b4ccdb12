#include "wick/framework/linalg.h"

#include <cmath>

#include <gtest/gtest.h>

#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

// Entries without a pattern, the same in every run.
Tensor entries(IntArrayRef shape) { return (arange(checked_numel(shape), kDouble).square() * 0.37 + 1).sin().reshape(shape); }

void expect_near(const Tensor& got, const Tensor& want) {
  ASSERT_EQ(sizes(got), sizes(want));
  EXPECT_LT((got - want).abs().max().item<double>(), 1e-12);
}

TEST(Linalg, FactorsMultiplyToTheMatrix) {
  for (const Longs& shape : {Longs{3, 3}, Longs{5, 3}, Longs{2, 3, 6}}) {
    const Tensor a = entries(shape);
    const auto [q, r] = linalg::qr(a);
    expect_near(q.matmul(r), a);
    expect_near(q.mT().matmul(q), eye(q.size(-1), kDouble).expand_as(q.mT().matmul(q)));
    for (bool full : {false, true}) {
      const auto [u, s, vh] = linalg::svd(a, full);
      const int64_t k = s.size(-1);
      expect_near((u.narrow(-1, 0, k) * s.unsqueeze(-2)).matmul(vh.narrow(-2, 0, k)), a);
      EXPECT_EQ(u.size(-1), full ? a.size(-2) : k);
      EXPECT_EQ(vh.size(-2), full ? a.size(-1) : k);
    }
    expect_near(a.matmul(linalg::pinv(a)).matmul(a), a);
  }
  const Tensor b = entries({4, 4}), symmetric = b + b.mT();
  for (const char* half : {"L", "U"}) {
    const auto [w, v] = linalg::eigh(half[0] == 'L' ? symmetric.tril() : symmetric.triu(), half);
    expect_near((v * w).matmul(v.mT()), symmetric);
  }
}

TEST(Linalg, SystemsOfAllShapes) {
  const Tensor a = entries({2, 3, 3}) + eye(3, kDouble) * 3;
  expect_near(a.matmul(linalg::solve(a, entries({3, 2}))), entries({3, 2}).expand({2, 3, 2}));
  expect_near(a.matmul(linalg::solve(a, entries({2, 3})).unsqueeze(-1)).squeeze(-1), entries({2, 3}));
  expect_near(linalg::solve(a, entries({2, 4, 3}), false).matmul(a), entries({2, 4, 3}));
  expect_near(a.matmul(a.inverse()), eye(3, kDouble).expand({2, 3, 3}));
  EXPECT_EQ(sizes(linalg::inv(zeros({2, 0, 0}))), (Longs{2, 0, 0}));
  EXPECT_EQ(values(linalg::det(zeros({2, 0, 0}))), (Numbers{1, 1}));
  const Tensor tall = tensor({{1.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}}, kDouble);
  const auto [solution, residuals, found, singular] = linalg::lstsq(tall, tensor({{1.0}, {2.0}, {3.0}}, kDouble), std::nullopt, "gelsd");
  expect_near(solution, tensor({{1.0}, {2.0}}, kDouble));
  expect_near(residuals, tensor({9.0}, kDouble));
  EXPECT_EQ(found.item<int64_t>(), 2);
  expect_near(singular, tensor({1.0, 1.0}, kDouble));
}

TEST(Linalg, DeterminantsOfSingularMatricesHaveAGradient) {
  // The cofactors of {{1, 2}, {2, 4}}, and of zeros.
  const Tensor a = tensor({{1.0, 2.0}, {2.0, 4.0}}, TensorOptions(kDouble).requires_grad(true));
  a.det().backward();
  expect_near(a.grad(), tensor({{4.0, -2.0}, {-2.0, 1.0}}, kDouble));
  const Tensor z = zeros({2, 2}, TensorOptions(kDouble).requires_grad(true));
  z.det().backward();
  EXPECT_EQ(values(z.grad()), (Numbers{0, 0, 0, 0}));
}

TEST(Linalg, RefusesWhatPyTorchRefuses) {
  const Tensor zero = zeros({3, 3}), oblong = ones({2, 3});
  EXPECT_EQ(error_of<LinAlgError>([&] { zero.inverse(); }),
            "linalg.inv: The diagonal element 1 is zero, the inversion could not be completed because the input matrix is singular.");
  EXPECT_EQ(
      error_of<LinAlgError>([&] {
        linalg::inv(stack({eye(2), zeros({2, 2})}));
      }),
      "linalg.inv: (Batch element 1): The diagonal element 1 is zero, the inversion could not be completed because the input matrix is "
      "singular.");
  EXPECT_EQ(error_of<LinAlgError>([&] { linalg::solve(zero, ones({3})); }),
            "torch.linalg.solve: The solver failed because the input matrix is singular.");
  EXPECT_EQ(
      error_of<LinAlgError>([&] {
        linalg::cholesky(tensor({{1.0, 2.0}, {2.0, 1.0}}));
      }),
      "linalg.cholesky: The factorization could not be completed because the input is not positive-definite (the leading minor of order 2 "
      "is not positive-definite).");
  EXPECT_EQ(error_of<LinAlgError>([&] { linalg::svd(full({2, 2}, NAN)); }),
            "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values.");
  EXPECT_EQ(error_of([&] { linalg::inv(oblong); }), "linalg.inv: A must be batches of square matrices, but they are 2 by 3 matrices");
  EXPECT_EQ(error_of([&] { linalg::det(ones({3})); }), "linalg.det: The input tensor A must have at least 2 dimensions.");
  EXPECT_EQ(error_of([&] {
              linalg::inv(ones({2, 2}, kLong));
            }),
            "linalg.inv: Expected a floating point or complex tensor as input. Got Long");
  EXPECT_EQ(error_of([&] { linalg::inv(ones({2, 2}, kHalf)); }), "linalg.inv: Low precision dtypes not supported. Got Half");
  EXPECT_EQ(error_of([&] { linalg::solve(eye(3), ones({2, 4})); }),
            "linalg.solve: Incompatible shapes of A and B for the equation AX = B (3x3 and 2x4)");
  EXPECT_EQ(error_of([&] { linalg::qr(eye(2), "foo"); }),
            "qr received unrecognized mode 'foo' but expected one of 'reduced' (default), 'r', or 'complete'");
  EXPECT_EQ(error_of([&] { linalg::eigh(eye(2), "X"); }), "Expected UPLO argument to be 'L' or 'U', but got X");
  EXPECT_EQ(error_of([&] { linalg::matrix_norm(eye(2), 3); }), "linalg.matrix_norm: Order 3 not supported.");
  EXPECT_EQ(error_of([&] { linalg::cond(eye(2), 3); }), "linalg.cond got an invalid norm type: 3");
}

}  // namespace
}  // namespace wick::test
