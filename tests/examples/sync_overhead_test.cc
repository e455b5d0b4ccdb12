// The example about looking at a loss, as its user meets it.
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "wick/tests/examples/program.h"
#include "wick/tests/viz/support.h"

namespace wick::examples {
namespace {

using viz::contains;
using viz::TestFolder;

const char* const kWays[] = {"item() in each step", "item() every 50", "LossLog in each step", "never", "a graph, LossLog inside"};

Outcome sync_overhead(Strings arguments, const TestFolder& folder, Strings variables = {}) {
  arguments.insert(arguments.begin(), {program_path(), "--epochs", "100", "--fetch-every", "50"});
  variables.insert(variables.end(), {"PATH=/nonexistent", "BUILD_WORKING_DIRECTORY="});
  return run(arguments, folder / "", variables);
}

struct Figures {
  double us = -1, launches = -1, waits = -1, loss = -1;
};

Figures figures_of(const std::string& out, std::string way) {
  way = std::regex_replace(way, std::regex("[()]"), "\\$&");
  std::smatch found;
  if (!std::regex_search(out, found, std::regex(way + R"( +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)\n)"))) return {};
  return {std::stod(found[1]), std::stod(found[2]), std::stod(found[3]), std::stod(found[4])};
}

TEST(SyncOverhead, MeasuresOnTheCpu) {
  const TestFolder folder;
  const Outcome outcome = sync_overhead({"--device", "cpu"}, folder);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* way : kWays) {
    const Figures figures = figures_of(outcome.out, way);
    EXPECT_GT(figures.us, 0) << way;
    EXPECT_EQ(figures.waits, 0) << way;
    EXPECT_NEAR(figures.loss, 1.05, 0.1) << way;
    EXPECT_EQ(figures.loss, figures_of(outcome.out, kWays[0]).loss) << way;  // the same training in every way
  }
  EXPECT_TRUE(contains(outcome.out, "On the CPU a kernel has run when its call returns"));
  EXPECT_TRUE(contains(viz::read_file(folder / "sync_overhead.csv"), "item() in each step"));
}

TEST(SyncOverhead, CountsWaitsOnADevice) {
  const TestFolder folder;
  const Outcome outcome = sync_overhead({}, folder, {"WICK_SIM_LAUNCH_US=100"});
  if (contains(outcome.out, "on the CPU")) GTEST_SKIP() << "there is no CUDA device";
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(figures_of(outcome.out, kWays[0]).waits, 1);
  EXPECT_EQ(figures_of(outcome.out, kWays[1]).waits, 0.02);
  EXPECT_EQ(figures_of(outcome.out, kWays[2]).waits, 0);
  EXPECT_EQ(figures_of(outcome.out, kWays[3]).waits, 0);
  EXPECT_EQ(figures_of(outcome.out, kWays[4]).launches, 1);
  for (const char* way : kWays) EXPECT_NEAR(figures_of(outcome.out, way).loss, figures_of(outcome.out, kWays[0]).loss, 1.1e-4) << way;
  EXPECT_LE(figures_of(outcome.out, kWays[2]).launches, figures_of(outcome.out, kWays[3]).launches + 0.02);
  EXPECT_LT(figures_of(outcome.out, kWays[4]).us, figures_of(outcome.out, kWays[3]).us);
  EXPECT_TRUE(std::regex_search(outcome.out, std::regex(R"( 100 .*sync_overhead\.cc:\d+ item\n)"))) << outcome.out;
}

TEST(SyncOverhead, RefusesWhatItCannotDo) {
  const TestFolder folder;
  EXPECT_EQ(sync_overhead({"--plot", "a.txt"}, folder).status, 1);
  EXPECT_EQ(sync_overhead({"--device", "abacus"}, folder).status, 1);
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
