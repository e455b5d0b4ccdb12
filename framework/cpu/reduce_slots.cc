// The slots of the reductions, filled with the CPU's pointers at compile time.
#include "wick/framework/plan/reduce.h"

namespace wick {

namespace cpu {
#define WICK_REDUCE_KERNEL(name, ...) void reduce_##name(const ReduceArgs& args);
#define WICK_REDUCE_KERNELS              \
  WICK_REDUCTIONS(WICK_REDUCE_KERNEL)    \
  void argmax(const ArgReduceArgs& args); \
  void argmin(const ArgReduceArgs& args);
namespace avx2 {
WICK_REDUCE_KERNELS
}
namespace avx512 {
WICK_REDUCE_KERNELS
}
}  // namespace cpu

#define WICK_REDUCE_SLOT(name, ...)           \
  constinit Kernel<ReduceArgs> name##_kernel = \
      Kernel<ReduceArgs>::make<cpu::avx2::reduce_##name, cpu::avx512::reduce_##name>("reduce_" #name);
WICK_REDUCTIONS(WICK_REDUCE_SLOT)

constinit Kernel<ArgReduceArgs> argmax_kernel = Kernel<ArgReduceArgs>::make<cpu::avx2::argmax, cpu::avx512::argmax>("argmax");
constinit Kernel<ArgReduceArgs> argmin_kernel = Kernel<ArgReduceArgs>::make<cpu::avx2::argmin, cpu::avx512::argmin>("argmin");

}  // namespace wick
