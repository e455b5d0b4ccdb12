// The kernels of plan/reduce.h's list. What compares and counts is there for integers as well, what measures is not.
#include "wick/framework/cpu/reduce_run.h"

namespace wick::cpu::WICK_ISA {

#define WICK_REDUCE_KERNEL(name, Combine, Map) \
  void reduce_##name(const ReduceArgs& args) { reduce<Combine, Map, std::is_same_v<Map, Itself> || std::is_same_v<Map, NonZero>>(args); }
WICK_REDUCTIONS(WICK_REDUCE_KERNEL)
#undef WICK_REDUCE_KERNEL

}  // namespace wick::cpu::WICK_ISA
