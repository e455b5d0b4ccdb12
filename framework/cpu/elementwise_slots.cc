// The slots of the elementwise kernels, filled with the CPU's pointers at compile time.
#include "wick/framework/plan/elementwise_slots.h"

#include "wick/framework/cpu/elementwise_run.h"

namespace wick {

namespace cpu {
// Defined in the kernel files; see elementwise_block.h.
namespace avx2 {
template <class Functor>
struct Blocks {
  static const BlockTable table;
};
}  // namespace avx2
namespace avx512 {
template <class Functor>
struct Blocks {
  static const BlockTable table;
};
}  // namespace avx512
}  // namespace cpu

namespace {

template <class Functor>
constexpr ElementwiseKernel make_slot(const char* name) {
  ElementwiseKernel kernel{};
  kernel.name = name;
  kernel.args_size = sizeof(ElementwiseArgs);
  kernel.num_buffers = kMaxOperands;
  kernel.access = ElementwiseArgs::access;
  kernel.cpu[static_cast<int>(Isa::kAvx2)] = cpu::avx2::run_elementwise;
  kernel.cpu[static_cast<int>(Isa::kAvx512)] = cpu::avx512::run_elementwise;
  kernel.blocks[static_cast<int>(Isa::kAvx2)] = &cpu::avx2::Blocks<Functor>::table;
  kernel.blocks[static_cast<int>(Isa::kAvx512)] = &cpu::avx512::Blocks<Functor>::table;
  return kernel;
}

}  // namespace

// The tables are explicitly instantiated in the kernel files, under names that the slots below refer to.
#define WICK_SLOT(text, ...)                                       \
  extern template struct cpu::avx2::Blocks<__VA_ARGS__>;           \
  extern template struct cpu::avx512::Blocks<__VA_ARGS__>;         \
  template <>                                                      \
  constinit ElementwiseKernel ElementwiseSlot<__VA_ARGS__>::kernel = make_slot<__VA_ARGS__>(text);

#define WICK_SLOT_1(Op, function, ...) WICK_SLOT(#function, ops::Forward<ops::Op>)
#define WICK_SLOT_2(Op, function, ...) WICK_SLOT_1(Op, function) WICK_SLOT(#function "_backward", ops::Gradient<ops::Op, 0>)
#define WICK_SLOT_3(Op, function, ...) WICK_SLOT_2(Op, function) WICK_SLOT(#function "_backward_b", ops::Gradient<ops::Op, 1>)
#define WICK_SLOT_4(Op, function, ...) WICK_SLOT_3(Op, function) WICK_SLOT(#function "_backward_c", ops::Gradient<ops::Op, 2>)
WICK_WITHOUT_GRADIENT(WICK_SLOT_1)
WICK_UNARY_WITH_GRADIENT(WICK_SLOT_2)
WICK_BINARY_WITH_GRADIENT(WICK_SLOT_3)
WICK_TERNARY_OPS(WICK_SLOT_4)

constinit Kernel<ElementwiseArgs> copy_kernel =
    Kernel<ElementwiseArgs>::make<cpu::avx2::run_copy, cpu::avx512::run_copy>("copy");

constinit Kernel<FusedElementwiseArgs> fused_elementwise_kernel = [] {
  auto kernel = Kernel<FusedElementwiseArgs>::make<cpu::avx2::run_fused_elementwise, cpu::avx512::run_fused_elementwise>("fused");
  kernel.num_buffers = 0;
  return kernel;
}();

bool is_fusible(const KernelInfo& kernel, const ElementwiseArgs& args) {
  if (kernel.cpu[0] != cpu::avx2::run_elementwise || !args.plan.flat) return false;
  const BlockTable& blocks = *static_cast<const ElementwiseKernel&>(kernel).blocks[0];
  if (blocks.writes_bool || args.plan.dtype[0] != args.compute || args.plan.strides[0][0] != 1) return false;
  int numbers = 0;
  for (int k = 1; k <= blocks.num_inputs; ++k) numbers += args.plan.strides[k][0] == 0;
  return numbers == 0 || (numbers == 1 && blocks.num_inputs == 2);
}

}  // namespace wick
