// The slots of pooling.
#include "wick/framework/cpu/twin_slot.h"
#include "wick/framework/plan/pool.h"

namespace wick {

WICK_TWIN_SLOT(MaxPoolArgs, max_pool)
WICK_TWIN_SLOT(MaxPoolBackwardArgs, max_pool_backward)
WICK_TWIN_SLOT(AvgPoolArgs, avg_pool)
WICK_TWIN_SLOT(AvgPoolArgs, avg_pool_backward)

}  // namespace wick
