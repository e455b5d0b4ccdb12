// The eigenvalues of torch.randn(5, 5) after torch.manual_seed(0), and parts that fit together.
#include <regex>

#include "wick/tests/examples/tutorial.h"

namespace wick::examples {
namespace {

TEST(LinalgDemo, FindsPyTorchsEigenvalues) {
  const Outcome outcome = run_here(TestFolder(), {});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  // Their order is the algorithm's; the complex ones come as a pair.
  for (const char* part : {"-1.0360+1.4844j", "-1.0360-1.4844j", "2.3025+0.0000j", "1.1824+0.0000j", "-0.7857+0.0000j"}) {
    EXPECT_TRUE(contains(outcome.out, part));
  }
  // Every residual is a rounding error: 1e-4 at most for float32.
  const std::regex residual(": (\\d\\.\\de-0[5-9])\n");
  EXPECT_EQ(std::distance(std::sregex_iterator(outcome.out.begin(), outcome.out.end(), residual), std::sregex_iterator()), 5) << outcome.out;
}

TEST(LinalgDemo, RefusesBadArguments) { expect_one_line(run_here(TestFolder(), {"--size", "0"}), "--size"); }

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
