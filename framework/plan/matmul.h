// The slot of matrix products and its arguments.
#pragma once

#include "wick/framework/plan/elementwise.h"

namespace wick {

// What a product does beside. A graph (framework/graph) has it take over the call that does so in an eager step:
//   kRelu           C = max(product, 0)
//   kGelu           C = gelu(product) by tanh; the product itself goes to aux, unless that is null
//   kGeluGradient   C = product gelu'(aux)
//   kRowSums        aux[i] = the sum over k of op(A)[i, k]: a bias gradient beside that of the weights
// aux has C's layout or, for kRowSums, m elements. The CPU knows kRelu only; the others come from cuBLASLt and are not for double.
enum class MatmulEpilogue : uint8_t { kNone, kRelu, kGelu, kGeluGradient, kRowSums };

// For each of `batch` products of the same shape: C = epilogue(alpha op(A) op(B) + bias), where op(A) is m x k, op(B) k x n,
// everything row-major with leading dimensions, op(X) the transpose of what lies in memory where trans_x is set, and bias a row that is
// added to each row of C.
struct MatmulArgs {
  static constexpr Access access[5] = {Access::kWrite, Access::kRead, Access::kRead, Access::kRead, Access::kReadWrite};

  Buffer buffers[5];  // C, A, B, bias or null, aux or null
  ScalarType dtype;
  bool trans_a, trans_b;
  MatmulEpilogue epilogue;
  int64_t m, n, k;
  int64_t lda, ldb, ldc;
  int64_t batch, stride_a, stride_b, stride_c;
  double alpha;
};

extern constinit Kernel<MatmulArgs> matmul_kernel;

// Whether the call does something to each element of C, as it lies there.
inline bool takes_elementwise(const MatmulArgs& product, const ElementwiseArgs& call) {
  return call.buffers[1].data == product.buffers[0].data && call.plan.flat && call.plan.dtype[0] == product.dtype &&
         product.ldc == product.n && call.plan.numel == product.batch * product.m * product.n;
}

}  // namespace wick
