// The largest and the smallest.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/reduce.cuh"

namespace wick::cuda {

void install_reduce_extremes() {
  max_kernel.cuda = run_reduce<Max, Itself, true>;
  min_kernel.cuda = run_reduce<Min, Itself, true>;
  max_abs_kernel.cuda = run_reduce<Max, Absolute, false>;
  min_abs_kernel.cuda = run_reduce<Min, Absolute, false>;
  all_kernel.cuda = run_reduce<And, NonZero, true>;
  any_kernel.cuda = run_reduce<Or, NonZero, true>;
}

}  // namespace wick::cuda
