// The eigenvalues of torch.randn(5, 5), and of its symmetric part, after torch.manual_seed(0), and parts that fit together.
#include <regex>

#include "wick/tests/examples/tutorial.h"

namespace wick::examples {
namespace {

TEST(LinalgDemo, FindsPyTorchsEigenvalues) {
  const Outcome outcome = run_here(TestFolder(), {});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has_lines(outcome.out, {"eigenvalues: tensor([-1.0360+1.4844j, -1.0360-1.4844j,  2.3025+0.0000j, -0.7857+0.0000j,",
                                      "         1.1824+0.0000j])"}));
  EXPECT_TRUE(has_lines(outcome.out, {"eigenvalues: tensor([-1.8722, -0.9598, -0.4730,  0.8890,  3.0432])"}));
  // Every residual is a rounding error of float32.
  const std::regex residual(": (\\d\\.\\de-0[5-9]|0\\.0e\\+00)\n");
  EXPECT_EQ(std::distance(std::sregex_iterator(outcome.out.begin(), outcome.out.end(), residual), std::sregex_iterator()), 7)
      << outcome.out;
}

TEST(LinalgDemo, RefusesBadArguments) { expect_one_line(run_here(TestFolder(), {"--size", "0"}), "--size"); }

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
