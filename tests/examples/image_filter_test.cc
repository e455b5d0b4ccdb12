// Filters of the test picture give PyTorch's sums; pictures and kernels of one's own work, and wrong ones are refused.
#include "wick/tests/examples/tutorial.h"
#include "wick/viz/image.h"

#include "wick.h"

namespace wick::examples {
namespace {

TEST(ImageFilter, FiltersTheTestPictureToPyTorchsSums) {
  const TestFolder folder;
  const Outcome outcome = run_here(folder, {});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has_lines(outcome.out, {
      "device: cpu",
      "drawing a test picture",
      "applying blur",
      "applying emboss",
      "original   min   0.0000  max   1.0000  sum  11025.0000  sum |.|  11025.0000",
      "blur       min   0.0000  max   1.0000  sum  11025.0000  sum |.|  11025.0000",
      "sharpen    min  -2.0000  max   4.0000  sum  11025.0000  sum |.|  12945.0000",
      "edge_x     min  -4.0000  max   4.0000  sum      0.0000  sum |.|   2880.0000",
      "edge_y     min  -4.0000  max   4.0000  sum      0.0000  sum |.|   4736.0000",
      "emboss     min  -4.0000  max   5.0000  sum  11025.0000  sum |.|  14197.0000",
      "magnitude  min   0.0000  max   4.4721  sum   6507.1297  sum |.|   6507.1297",
  }));
  EXPECT_EQ(folder.names(), Names{"image_processing_results.csv"});
}

TEST(ImageFilter, TakesPicturesAndKernels) {
  const TestFolder folder;
  viz::write_image(folder / "grey.png", full({8, 12}, 0.2));
  const Outcome outcome = run_here(folder, {"--image", "grey.png", "--kernel", "0 0 0, 0 2 0, 0 0 0", "--preview"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has_lines(outcome.out, {"yours      min   0.4000  max   0.4000  sum     38.4000  sum |.|     38.4000"}));
  EXPECT_TRUE(contains(outcome.out, "▀"));
}

TEST(ImageFilter, WatchesAKernelUntilInterrupted) {
  const TestFolder folder;
  write_file(folder / "kernel.txt", "0 0 0\n0 1 0\n0 0 0\n");
  Program program({program_path(), "--watch", "kernel.txt"}, folder / "", {"BUILD_WORKING_DIRECTORY=", "PATH=/nonexistent"});
  EXPECT_TRUE(program.wait_for("0 1 0\n"));
  write_file(folder / "kernel.txt", "1 2\n");
  EXPECT_TRUE(program.wait_for("odd number of rows and columns, got 1 x 2"));
  program.interrupt();
  EXPECT_EQ(program.finish().status, 130);
}

TEST(ImageFilter, RefusesBadArguments) {
  const TestFolder folder;
  expect_one_line(run_here(folder, {"--image", "none.png"}), "cannot read none.png");
  expect_one_line(run_here(folder, {"--kernel", "1 2, 3"}), "equally long");
  expect_one_line(run_here(folder, {"--kernel", "1 2, x y"}), "numbers only");
  expect_one_line(run_here(folder, {"--kernel", "1 2, 3 4"}), "odd number");
  expect_one_line(run_here(folder, {"--out", "a.txt"}), ".png, .svg or .pdf");
  EXPECT_EQ(folder.names(), Names{});
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
