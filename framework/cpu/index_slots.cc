// The slots of the indexing kernels.
#include "wick/framework/cpu/twin_slot.h"
#include "wick/framework/plan/index.h"

namespace wick {

WICK_TWIN_SLOT(OffsetsArgs, offsets)
WICK_TWIN_SLOT(TakeArgs, take)
WICK_TWIN_SLOT(PutArgs, put)
WICK_TWIN_SLOT(PutArgs, put_add)
WICK_TWIN_SLOT(PutArgs, put_multiply)
WICK_TWIN_SLOT(PutArgs, put_max)
WICK_TWIN_SLOT(PutArgs, put_min)
WICK_TWIN_SLOT(MaskedFillArgs, masked_fill)
WICK_TWIN_SLOT(CountTrueArgs, count_true)
WICK_TWIN_SLOT(ListTrueArgs, list_true)

}  // namespace wick
