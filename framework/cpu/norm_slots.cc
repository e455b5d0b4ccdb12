// The slots of normalisation, filled with the CPU's pointers at compile time.
#include "wick/framework/plan/norm.h"

namespace wick {

namespace cpu {
namespace avx2 {
void norm(const NormArgs& args);
void norm_backward(const NormBackwardArgs& args);
}  // namespace avx2
namespace avx512 {
void norm(const NormArgs& args);
void norm_backward(const NormBackwardArgs& args);
}  // namespace avx512
}  // namespace cpu

constinit Kernel<NormArgs> norm_kernel = Kernel<NormArgs>::make<cpu::avx2::norm, cpu::avx512::norm>("norm");
constinit Kernel<NormBackwardArgs> norm_backward_kernel =
    Kernel<NormBackwardArgs>::make<cpu::avx2::norm_backward, cpu::avx512::norm_backward>("norm_backward");

}  // namespace wick
