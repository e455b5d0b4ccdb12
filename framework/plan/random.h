// The kernels that draw random numbers: their arguments and slots.
#pragma once

#include "wick/framework/core/generator.h"
#include "wick/framework/core/launch.h"

namespace wick {

// n numbers, one after the other, from the generator, which the kernel locks. What a, b, base and range mean is each kernel's business;
// the functions of cpu/random.h document it.
struct RandomArgs {
  static constexpr Access access[2] = {Access::kWrite, Access::kRead};

  Buffer buffers[2];         // the output; for bernoulli_each the probabilities, float or double, else null
  // Null on CUDA, where the device has one. Not owned: a record that outlives the operation needs a generator that does, too.
  GeneratorImpl* generator;
  ScalarType dtype;          // of the output
  ScalarType probability_dtype;
  int64_t n;
  double a, b;
  int64_t base;
  uint64_t range;
};

#define WICK_RANDOM_KERNELS(X)                                                    \
  X(uniform)            /* [a, b) */                                              \
  X(normal)             /* mean a, standard deviation b */                        \
  X(normal_pairs)       /* the same, as PyTorch fills what is not contiguous */   \
  X(log_normal)         /* mean a and standard deviation b of the logarithm */    \
  X(cauchy)             /* median a, scale b */                                   \
  X(exponential)        /* rate a */                                              \
  X(geometric)          /* probability a */                                       \
  X(bernoulli)          /* probability a */                                       \
  X(bernoulli_each)     /* probabilities buffers[1] */                            \
  X(random_from_to)     /* base, ..., base + range - 1 */                         \
  X(random_full_range)  /* all of int64 */                                        \
  X(random_default)     /* what random_() without bounds draws from */            \
  X(randperm)           /* a permutation of 0, ..., n - 1; int64 */

#define WICK_RANDOM_SLOT(name) extern constinit Kernel<RandomArgs> name##_kernel;
WICK_RANDOM_KERNELS(WICK_RANDOM_SLOT)
#undef WICK_RANDOM_SLOT

}  // namespace wick
