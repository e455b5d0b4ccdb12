// The slots of the indexing kernels, filled with the CPU's pointers at compile time.
#include "wick/framework/cpu/index_kernels.h"

namespace wick {

#define WICK_SLOT(Args, name) \
  constinit Kernel<Args> name##_kernel = Kernel<Args>::make<cpu::avx2::run_##name, cpu::avx512::run_##name>(#name);
WICK_SLOT(OffsetsArgs, offsets)
WICK_SLOT(TakeArgs, take)
WICK_SLOT(PutArgs, put)
WICK_SLOT(PutArgs, put_add)
WICK_SLOT(PutArgs, put_multiply)
WICK_SLOT(PutArgs, put_max)
WICK_SLOT(PutArgs, put_min)
WICK_SLOT(MaskedFillArgs, masked_fill)
WICK_SLOT(CountTrueArgs, count_true)
WICK_SLOT(ListTrueArgs, list_true)

}  // namespace wick
