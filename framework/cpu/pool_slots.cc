// The slots of pooling, filled with the CPU's pointers at compile time.
#include "wick/framework/plan/pool.h"

namespace wick {

namespace cpu {
#define WICK_POOL_KERNELS                                   \
  void max_pool(const MaxPoolArgs& args);                   \
  void max_pool_backward(const MaxPoolBackwardArgs& args);  \
  void avg_pool(const AvgPoolArgs& args);                   \
  void avg_pool_backward(const AvgPoolArgs& args);
namespace avx2 {
WICK_POOL_KERNELS
}
namespace avx512 {
WICK_POOL_KERNELS
}
}  // namespace cpu

#define WICK_SLOT(Args, kernel) \
  constinit Kernel<Args> kernel##_kernel = Kernel<Args>::make<cpu::avx2::kernel, cpu::avx512::kernel>(#kernel);
WICK_SLOT(MaxPoolArgs, max_pool)
WICK_SLOT(MaxPoolBackwardArgs, max_pool_backward)
WICK_SLOT(AvgPoolArgs, avg_pool)
WICK_SLOT(AvgPoolArgs, avg_pool_backward)

}  // namespace wick
