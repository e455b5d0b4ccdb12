// The mask improves its print as PyTorch's golden run does.
#include "wick/tests/examples/tutorial.h"

namespace wick::examples {
namespace {

TEST(MaskOptimization, FollowsTheGoldenRun) {
  const TestFolder folder;
  const Outcome outcome = run_here(folder, {});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has_lines(outcome.out, {
      "the pattern itself as mask: loss 39.2921, 50 wrong pixels",
      "iteration   0: loss 39.5798, 50 wrong pixels",
      "iteration  99: loss 28.7758, 30 wrong pixels",
      "iteration 299: loss 15.1999, 10 wrong pixels",
  }));
  EXPECT_EQ(folder.names(), (Names{"mask_loss.csv", "masks.csv"}));
}

TEST(MaskOptimization, RefusesBadArguments) {
  const TestFolder folder;
  expect_one_line(run_here(folder, {"--out", "nowhere"}), "mask_optimization: cannot write nowhere/");
  expect_one_line(run_here(folder, {"--iterations", "0"}), "--iterations");
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
