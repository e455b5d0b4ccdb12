// The slots of the optimisers' kernels.
#include "wick/framework/plan/optim.h"

namespace wick {

namespace cpu {
namespace avx2 {
void run_sgd(const SgdArgs& args);
void run_adam(const AdamArgs& args);
void run_adagrad(const AdagradArgs& args);
void run_rmsprop(const RmspropArgs& args);
}  // namespace avx2
namespace avx512 {
void run_sgd(const SgdArgs& args);
void run_adam(const AdamArgs& args);
void run_adagrad(const AdagradArgs& args);
void run_rmsprop(const RmspropArgs& args);
}  // namespace avx512
}  // namespace cpu

constinit Kernel<SgdArgs> sgd_kernel = Kernel<SgdArgs>::make<cpu::avx2::run_sgd, cpu::avx512::run_sgd>("sgd");
constinit Kernel<AdamArgs> adam_kernel = Kernel<AdamArgs>::make<cpu::avx2::run_adam, cpu::avx512::run_adam>("adam");
constinit Kernel<AdagradArgs> adagrad_kernel = Kernel<AdagradArgs>::make<cpu::avx2::run_adagrad, cpu::avx512::run_adagrad>("adagrad");
constinit Kernel<RmspropArgs> rmsprop_kernel = Kernel<RmspropArgs>::make<cpu::avx2::run_rmsprop, cpu::avx512::run_rmsprop>("rmsprop");

}  // namespace wick
