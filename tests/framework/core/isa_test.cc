#include "wick/framework/core/isa.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "wick/framework/core/error.h"

namespace wick {
namespace {

TEST(IsaTest, TheWidestUnlessTheEnvironmentAsksForAnother) {
  EXPECT_EQ(detail::choose_isa(true, true, nullptr), Isa::kAvx512);
  EXPECT_EQ(detail::choose_isa(true, true, ""), Isa::kAvx512);
  EXPECT_EQ(detail::choose_isa(true, false, nullptr), Isa::kAvx2);
  EXPECT_EQ(detail::choose_isa(true, true, "avx2"), Isa::kAvx2);
  EXPECT_EQ(detail::choose_isa(true, true, "avx512"), Isa::kAvx512);
}

TEST(IsaTest, RefusesWhatTheProcessorLacksAndUnknownNames) {
  EXPECT_THROW(detail::choose_isa(false, false, nullptr), Error);
  EXPECT_THROW(detail::choose_isa(false, false, "avx2"), Error);
  EXPECT_THROW(detail::choose_isa(true, false, "avx512"), Error);
  EXPECT_THROW(detail::choose_isa(true, true, "AVX2"), Error);
}

// Exits with 0 if the first kernel of a process with this WICK_ISA would get `expected`, 1 if another, 2 if an error.
[[noreturn]] void exit_with_choice(const char* wanted, Isa expected) {
  setenv("WICK_ISA", wanted, 1);
  detail::g_isa.store(-1);
  try {
    _exit(isa() == expected ? 0 : 1);
  } catch (const Error&) {
    _exit(2);
  }
}

TEST(IsaTest, ReadsTheEnvironmentAndSaysOneLine) {
  EXPECT_EXIT(exit_with_choice("avx2", Isa::kAvx2), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(exit_with_choice("sse9", Isa::kAvx2), testing::ExitedWithCode(2), "^WICK_ISA in the environment must be .*, got sse9\n$");
}

}  // namespace
}  // namespace wick
