// The slots of softmax and of the losses on class indices, filled with the CPU's pointers at compile time.
#include "wick/framework/plan/softmax.h"

namespace wick {

namespace cpu {
#define WICK_SOFTMAX_KERNELS                          \
  void softmax(const SoftmaxArgs& args);              \
  void softmax_backward(const SoftmaxBackwardArgs& args); \
  void cross_entropy(const ClassLossArgs& args);      \
  void nll(const ClassLossArgs& args);
namespace avx2 {
WICK_SOFTMAX_KERNELS
}
namespace avx512 {
WICK_SOFTMAX_KERNELS
}
}  // namespace cpu

#define WICK_SLOT(Args, kernel) \
  constinit Kernel<Args> kernel##_kernel = Kernel<Args>::make<cpu::avx2::kernel, cpu::avx512::kernel>(#kernel);
WICK_SLOT(SoftmaxArgs, softmax)
WICK_SLOT(SoftmaxBackwardArgs, softmax_backward)
WICK_SLOT(ClassLossArgs, cross_entropy)
WICK_SLOT(ClassLossArgs, nll)

}  // namespace wick
