// The walks downhill arrive where they should, at the numbers that PyTorch gives.
#include "wick/tests/examples/tutorial.h"
#include "wick/viz/gnuplot.h"

namespace wick::examples {
namespace {

TEST(AutogradDemo, PrintsTheTrueNumbers) {
  const TestFolder folder;
  const Outcome outcome = run_here(folder, {});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has_lines(outcome.out, {
      "x = tensor([2.], requires_grad=True)",
      "y = x^2 = tensor([4.], grad_fn=<PowBackward0>)",
      "z = y + 3 = tensor([7.], grad_fn=<AddBackward0>)",
      "dz/dx = tensor([4.])",
      "before: None None None",
      "after : tensor(2.) tensor(1.) tensor(1.)",
      "step 0: x = 0.4000, loss = 10.0000",
      "step 5: x = 0.9533, loss = 8.0121",
      "step 10: x = 0.9964, loss = 8.0001",
      "step 15: x = 0.9997, loss = 8.0000",
      "result: x = 1.0000",
      "step 0: x=0.6000, y=-0.4000, loss=11.0000",
      "step 10: x=2.7423, y=-0.9964, loss=0.1038",
      "step 20: x=2.9723, y=-1.0000, loss=0.0012",
      "step 30: x=2.9970, y=-1.0000, loss=0.0000",
      "step 40: x=2.9997, y=-1.0000, loss=0.0000",
      "result: x=3.0000, y=-1.0000",
  }));
  EXPECT_EQ(folder.names(), (Names{"exercise_2.csv", "graph.dot", "learning_rates.csv", "optimization_path.csv", "two_variables.csv"}));
  const std::string graph = viz::read_file(folder / "graph.dot");
  EXPECT_TRUE(contains(graph, "PowBackward0"));
  EXPECT_TRUE(contains(graph, "AddBackward0"));
  EXPECT_TRUE(contains(viz::read_file(folder / "optimization_path.csv"), "path,1,0.4"));
}

TEST(AutogradDemo, DrawsItsPictures) {
  if (!viz::gnuplot_available()) GTEST_SKIP() << "no gnuplot";
  const TestFolder folder;
  const Outcome outcome = run_here(folder, {}, /*draws=*/true);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(folder.names(), (Names{"exercise_2.png", "graph.dot", "learning_rates.png", "optimization_path.png", "two_variables.png"}));
}

TEST(AutogradDemo, RefusesAFolderThatIsNotThere) {
  const TestFolder folder;
  expect_one_line(run_here(folder, {"--out", "nowhere"}), "autograd_demo: cannot write nowhere/");
  EXPECT_EQ(folder.names(), Names{});
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
