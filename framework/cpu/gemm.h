// Matrix products on the CPU, on raw pointers:
//
//   C = activation(alpha * op(A) op(B) + beta * C + bias)
//
// op(A) is m x k, op(B) k x n and C m x n, all row-major: element (i, j) of a stored matrix X is x[i * ldx + j], and op(X) is X or,
// where trans_x says so, its transpose (then A is stored as k x m, B as n x k). `bias`, unless null, is a row of n elements, added to
// each row of C.
//
// As in BLAS, beta == 0 means that the old content of C is not read, and alpha == 0 that A and B are not (a NaN there does not
// matter). k == 0 leaves beta * C + bias; m == 0 or n == 0 does nothing. C must not overlap A, B or bias. The leading dimensions of
// A and B may have any value, zero (an expanded matrix) and negative ones included.
//
// Integers wrap around. Large products of float go to oneDNN, on all threads. All others run on one thread while they are small, and
// their results do not depend on the number of threads.
#pragma once

#include <cstdint>

#include "wick/framework/core/complex.h"

namespace wick::cpu {

enum class Activation : uint8_t { kNone, kRelu };

template <class T>
struct GemmArgs {
  int64_t m = 0, n = 0, k = 0;
  bool trans_a = false, trans_b = false;
  const T* a = nullptr;
  int64_t lda = 0;
  const T* b = nullptr;
  int64_t ldb = 0;
  T* c = nullptr;
  int64_t ldc = 0;
  T alpha = 1, beta = 0;
  const T* bias = nullptr;
  Activation activation = Activation::kNone;
};

// T: float, double, int64_t, int32_t, int16_t, int8_t, uint8_t, Complex<float>, Complex<double>.
template <class T>
void gemm(const GemmArgs<T>& args);

// `batch` products of one shape: A, B and C of the i-th lie i * stride_a, i * stride_b and i * stride_c elements after those of the
// first (stride_a or stride_b may be 0); they share the bias.
template <class T>
void gemm_batch(const GemmArgs<T>& args, int64_t batch, int64_t stride_a, int64_t stride_b, int64_t stride_c);

}  // namespace wick::cpu
