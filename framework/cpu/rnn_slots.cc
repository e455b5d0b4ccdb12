// The slots of recurrent layers.
#include "wick/framework/cpu/twin_slot.h"
#include "wick/framework/plan/rnn.h"

namespace wick {

WICK_TWIN_SLOT(RecurrentStepArgs, lstm_step)
WICK_TWIN_SLOT(RecurrentStepArgs, gru_step)
WICK_TWIN_SLOT(RecurrentStepBackwardArgs, lstm_step_backward)
WICK_TWIN_SLOT(RecurrentStepBackwardArgs, gru_step_backward)

}  // namespace wick
