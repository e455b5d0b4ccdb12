// The benchmark measures every size and writes its report and its chart where it was told.
#include "wick/tests/examples/tutorial.h"

namespace wick::examples {
namespace {

TEST(PerformanceBenchmark, WritesAReportAndAChart) {
  const TestFolder folder;
  const Outcome outcome = run_here(folder, {"--largest", "256", "--seconds", "0.02", "--threads", "1"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* size : {"   64: CPU", "  128: CPU", "  256: CPU"}) EXPECT_TRUE(contains(outcome.out, size));
  EXPECT_TRUE(contains(outcome.out, "There is no GPU here to compare with."));
  EXPECT_EQ(folder.names(), (Names{"performance.csv", "performance.md"}));
  const std::string report = viz::read_file(folder / "performance.md");
  EXPECT_TRUE(contains(report, "| size | CPU ms | CPU GFLOP/s |"));
  EXPECT_TRUE(contains(report, "\n| 64 | "));
  EXPECT_TRUE(contains(report, "\n| 256 | "));
  EXPECT_TRUE(contains(report, "Threads of the CPU: 1"));
}

TEST(PerformanceBenchmark, RefusesBadArguments) {
  const TestFolder folder;
  expect_one_line(run_here(folder, {"--out", "nowhere"}), "performance_benchmark: cannot write nowhere/");
  expect_one_line(run_here(folder, {"--largest", "10"}), "--largest");
  expect_one_line(run_here(folder, {"--threads", "0"}), "--threads");
  EXPECT_EQ(folder.names(), Names{});
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
