// The example about timing, as its user meets it.
#include <gtest/gtest.h>

#include <string>

#include "wick/tests/examples/program.h"

namespace wick::examples {
namespace {

Outcome matmul_timing(Strings arguments) {
  arguments.insert(arguments.begin(), {program_path(), "--rows", "200", "--inner", "100", "--columns", "50"});
  return run(arguments, ".");
}

// PyTorch's value for the same seed and sizes.
const std::string kNorm = "c.norm(2) = tensor(1003.4854";

TEST(MatmulTiming, OnTheCpu) {
  const Outcome outcome = matmul_timing({"--device", "cpu"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  const bool no_gpu = outcome.out.find("CUDA available: no") != std::string::npos;
  for (const char* part : {"the CPU\n", "first call", "second call", "after the warm-up", no_gpu ? "by events" : "", "GFLOP/s"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << '\n' << outcome.out;
  }
  EXPECT_NE(outcome.out.find(kNorm + ")\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("the trap"), std::string::npos);
}

TEST(MatmulTiming, OnADevice) {
  const Outcome outcome = matmul_timing({});
  if (outcome.out.find("CUDA available: no") != std::string::npos) GTEST_SKIP() << "there is no CUDA device";
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("the trap: the clock stopped before the wait"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(", device='cuda:0')\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("c.norm(2) = tensor(1003.48"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
