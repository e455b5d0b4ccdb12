// The slots of normalisation.
#include "wick/framework/cpu/twin_slot.h"
#include "wick/framework/plan/norm.h"

namespace wick {

WICK_TWIN_SLOT(NormArgs, norm)
WICK_TWIN_SLOT(NormBackwardArgs, norm_backward)

}  // namespace wick
