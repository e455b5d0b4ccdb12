// The slots of recurrent layers, filled with the CPU's pointers at compile time.
#include "wick/framework/plan/rnn.h"

namespace wick {

namespace cpu {
#define WICK_STEP_KERNELS                                         \
  void lstm_step(const RecurrentStepArgs& args);                  \
  void gru_step(const RecurrentStepArgs& args);                   \
  void lstm_step_backward(const RecurrentStepBackwardArgs& args); \
  void gru_step_backward(const RecurrentStepBackwardArgs& args);
namespace avx2 {
WICK_STEP_KERNELS
}
namespace avx512 {
WICK_STEP_KERNELS
}
}  // namespace cpu

#define WICK_SLOT(Args, kernel) \
  constinit Kernel<Args> kernel##_kernel = Kernel<Args>::make<cpu::avx2::kernel, cpu::avx512::kernel>(#kernel);
WICK_SLOT(RecurrentStepArgs, lstm_step)
WICK_SLOT(RecurrentStepArgs, gru_step)
WICK_SLOT(RecurrentStepBackwardArgs, lstm_step_backward)
WICK_SLOT(RecurrentStepBackwardArgs, gru_step_backward)

}  // namespace wick
