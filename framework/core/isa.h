// Which of the two builds of the CPU kernels this process runs: AVX2 with FMA and F16C, or AVX-512 (F, BW, DQ, VL).
#pragma once

#include <atomic>
#include <cstdint>

#include "wick/framework/core/macros.h"

namespace wick {

enum class Isa : int8_t { kAvx2 = 0, kAvx512 = 1 };
inline constexpr int kNumIsas = 2;

namespace detail {
extern std::atomic<int8_t> g_isa;  // -1 until the first kernel runs: nothing of wick runs before main
Isa detect_isa();
// The choice itself: `has_avx2` and `has_avx512` say what the processor runs, `wanted` is the value of WICK_ISA or null.
Isa choose_isa(bool has_avx2, bool has_avx512, const char* wanted);
}  // namespace detail

// The widest instruction set that the processor has, chosen once. WICK_ISA=avx2 or WICK_ISA=avx512 in the environment asks for one
// of them. Throws wick::Error, after one line on stderr, when the processor has neither or lacks the one asked for.
WICK_INLINE Isa isa() {
  const int8_t chosen = detail::g_isa.load(std::memory_order_relaxed);
  return WICK_LIKELY(chosen >= 0) ? static_cast<Isa>(chosen) : detail::detect_isa();
}

}  // namespace wick
