// Sums, products and norms.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/reduce.cuh"

namespace wick::cuda {

void install_reduce_sums() {
  sum_kernel.cuda = run_reduce<Add, Itself, true>;
  prod_kernel.cuda = run_reduce<Multiply, Itself, true>;
  sum_abs_kernel.cuda = run_reduce<Add, Absolute, false>;
  sum_squares_kernel.cuda = run_reduce<Add, SquaredDistance, false>;
  sum_exp_kernel.cuda = run_reduce<Add, ExpOfDifference, false>;
  count_nonzero_kernel.cuda = run_reduce<Add, NonZero, true>;
}

}  // namespace wick::cuda
