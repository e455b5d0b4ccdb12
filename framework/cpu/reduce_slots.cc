// The slots of the reductions.
#include "wick/framework/cpu/twin_slot.h"
#include "wick/framework/plan/reduce.h"

namespace wick {

#define WICK_REDUCE_SLOT(name, ...) WICK_TWIN_SLOT_OF(ReduceArgs, name, reduce_##name)
WICK_REDUCTIONS(WICK_REDUCE_SLOT)
WICK_TWIN_SLOT(ArgReduceArgs, argmax)
WICK_TWIN_SLOT(ArgReduceArgs, argmin)

}  // namespace wick
