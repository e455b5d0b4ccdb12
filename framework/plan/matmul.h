// The slot of matrix products and its arguments.
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

enum class MatmulActivation : uint8_t { kNone, kRelu };

// For each of `batch` products of the same shape: C = activation(alpha op(A) op(B) + bias), where op(A) is m x k, op(B) k x n,
// everything row-major with leading dimensions, op(X) the transpose of what lies in memory where trans_x is set, and bias a row that is
// added to each row of C.
struct MatmulArgs {
  static constexpr Access access[4] = {Access::kWrite, Access::kRead, Access::kRead, Access::kRead};

  Buffer buffers[4];  // C, A, B, bias or null
  ScalarType dtype;
  bool trans_a, trans_b;
  MatmulActivation activation;
  int64_t m, n, k;
  int64_t lda, ldb, ldc;
  int64_t batch, stride_a, stride_b, stride_c;
  double alpha;
};

extern constinit Kernel<MatmulArgs> matmul_kernel;

}  // namespace wick
