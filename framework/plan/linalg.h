// Linear algebra on stacks of matrices: `batch` of them in each buffer, row-major and without gaps.
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

struct LinalgArgs {
  static constexpr Access access[5] = {Access::kWrite, Access::kWrite, Access::kWrite, Access::kRead, Access::kRead};

  Buffer buffers[5];  // up to three results, and up to two inputs: A [m, n], B [n, k]
  ScalarType dtype;   // of A; what is real by its nature (singular values, |det|) has the type of its parts
  int64_t batch, m, n, k;
  bool upper, unit;   // which triangle, and whether its diagonal counts as ones
};

// X(name): the slot is linalg_<name>_kernel. info [batch], int64, is 0 or says what failed: the 1-based number of a pivot or of a
// leading minor.
#define WICK_LINALG_KERNELS(X)                                                                                \
  X(solve)       /* X [n, k] with A X = B; info */                                                            \
  X(triangular)  /* the same with a triangle of A */                                                          \
  X(determinant) /* det, its sign, and log |det|: one number each */                                          \
  X(cholesky)    /* the lower L with A = L L^H; info */                                                       \
  X(qr)          /* Q [m, k], R [k, n] */                                                                     \
  X(svd)         /* U [m, k or m], S [min(m, n)], V^T [k or n, n]; `unit`: the full ones */                   \
  X(eigh)        /* eigenvalues [n] in ascending order, eigenvectors [n, n] as columns; A's lower triangle */ \
  X(eig)         /* eigenvalues [n], eigenvectors [n, n] as columns: complex */

#define WICK_LINALG_SLOT(name) extern constinit Kernel<LinalgArgs> linalg_##name##_kernel;
WICK_LINALG_KERNELS(WICK_LINALG_SLOT)
#undef WICK_LINALG_SLOT

}  // namespace wick
