// The slots of the optimisers' kernels.
#include "wick/framework/cpu/twin_slot.h"
#include "wick/framework/plan/optim.h"

namespace wick {

WICK_TWIN_SLOT(SgdArgs, sgd)
WICK_TWIN_SLOT(AdamArgs, adam)
WICK_TWIN_SLOT(AdagradArgs, adagrad)
WICK_TWIN_SLOT(RmspropArgs, rmsprop)

}  // namespace wick
