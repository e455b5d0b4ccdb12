#include "wick/framework/core/isa.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "wick/framework/core/error.h"

namespace wick::detail {

constinit std::atomic<int8_t> g_isa{-1};

Isa choose_isa(bool has_avx2, bool has_avx512, const char* wanted) {
  WICK_CHECK(has_avx2, "wick needs a processor with AVX2, FMA and F16C (Intel since 2013, AMD since 2015); this one lacks them");
  if (wanted == nullptr || *wanted == '\0') return has_avx512 ? Isa::kAvx512 : Isa::kAvx2;
  const std::string_view name = wanted;
  if (name == "avx2") return Isa::kAvx2;
  WICK_CHECK(name == "avx512", "WICK_ISA in the environment must be avx2 or avx512, got ", name);
  WICK_CHECK(has_avx512, "WICK_ISA asks for avx512, but this processor lacks AVX-512 (F, BW, DQ, VL)");
  return Isa::kAvx512;
}

Isa detect_isa() {
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  try {
    const Isa chosen = choose_isa(has_avx2, has_avx2 && has_avx512, std::getenv("WICK_ISA"));
    g_isa.store(static_cast<int8_t>(chosen), std::memory_order_relaxed);
    return chosen;
  } catch (const Error& error) {
    static const int once = std::fprintf(stderr, "%s\n", error.what());
    static_cast<void>(once);
    throw;
  }
}

}  // namespace wick::detail
