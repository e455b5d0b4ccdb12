// iris_mlp --device cuda, as its user meets it: the data are on the device, and the losses are the CPU's.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "wick/tests/examples/program.h"
#include "wick/tests/viz/support.h"

namespace wick::examples {
namespace {

using viz::contains;
using viz::TestFolder;

Outcome iris_mlp(const std::string& device, const TestFolder& folder) {
  return run({program_path(), "--device", device, "--epochs", "300", "--record-every", "100", "--plot", "loss.png"}, folder / "",
             {"BUILD_WORKING_DIRECTORY="});
}

std::vector<double> losses_of(const std::string& out) {
  std::vector<double> losses;
  const std::string mark = ", Loss: ";
  for (size_t at = out.find(mark); at != std::string::npos; at = out.find(mark, at + 1)) {
    losses.push_back(std::stod(out.substr(at + mark.size())));
  }
  return losses;
}

TEST(IrisMlp, TrainsOnADevice) {
  const TestFolder folder;
  const Outcome there = iris_mlp("cuda", folder), here = iris_mlp("cpu", folder);
  if (there.status != 0 && contains(there.err, "no CUDA device")) GTEST_SKIP() << "there is no CUDA device";
  EXPECT_EQ(there.status, 0) << there.err;
  EXPECT_TRUE(contains(there.out, "Running on device: cuda")) << there.out;
  EXPECT_TRUE(contains(there.out, "Data is on: cuda:0")) << there.out;
  const std::vector<double> got = losses_of(there.out), want = losses_of(here.out);
  ASSERT_EQ(got.size(), want.size());
  ASSERT_FALSE(got.empty());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1.5e-4) << i;  // as they are printed
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
