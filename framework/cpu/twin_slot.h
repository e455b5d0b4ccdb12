// The slot of a kernel whose file is compiled once for each instruction set, filled with the CPU's pointers at compile time.
#pragma once

#include "wick/framework/core/launch.h"

// In namespace wick, for a function `name` of wick::cpu::WICK_ISA: defines the slot name_kernel.
#define WICK_TWIN_SLOT(Args, name) WICK_TWIN_SLOT_OF(Args, name, name)
#define WICK_TWIN_SLOT_OF(Args, name, function)                \
  namespace cpu::avx2 { void function(const Args& args); }     \
  namespace cpu::avx512 { void function(const Args& args); }   \
  constinit Kernel<Args> name##_kernel = Kernel<Args>::make<cpu::avx2::function, cpu::avx512::function>(#function);
