// The slots of softmax and of the losses on class indices.
#include "wick/framework/cpu/twin_slot.h"
#include "wick/framework/plan/softmax.h"

namespace wick {

WICK_TWIN_SLOT(SoftmaxArgs, softmax)
WICK_TWIN_SLOT(SoftmaxBackwardArgs, softmax_backward)
WICK_TWIN_SLOT(ClassLossArgs, cross_entropy)
WICK_TWIN_SLOT(ClassLossArgs, nll)

}  // namespace wick
