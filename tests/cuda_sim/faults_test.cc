// The simulator finds every planted fault, says where it is, and finds none in the correct twins.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "wick/tests/cuda_sim/cases.h"
#include "wick/tests/cuda_sim/control.h"

namespace cuda_sim {
namespace {

// "order_cases.cu:42": where the source says `// <- name`.
std::string marked_line(const Case& c) {
  const std::string path = c.file, file = path.substr(path.rfind('/') + 1);
  std::ifstream source(path);
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    const size_t mark = line.find("// <- ");
    if (mark != std::string::npos && (line.substr(mark) + " ").find(" " + c.name + " ") != std::string::npos)
      return file + ":" + std::to_string(number);
  }
  return "a line of " + path + " marked with " + c.name;
}

class PlantedFault : public testing::TestWithParam<Case> {
 protected:
  // A fault of an earlier test must not stand for this one's.
  void SetUp() override { take_fault(); }
  void TearDown() override { take_fault(); }
};

TEST_P(PlantedFault, IsReportedAndTheTwinIsNot) {
  const Case& c = GetParam();
  c.run();
  const cudaError_t error = cudaDeviceSynchronize();
  EXPECT_EQ(error, c.error) << cudaGetErrorString(error);
  const std::string report = take_fault();
  for (const std::string& part : c.report) {
    EXPECT_NE(report.find(part), std::string::npos) << "no \"" << part << "\" in\n" << report;
  }
  if (c.report.empty()) {
    EXPECT_EQ(report, "");
  }
  if (c.file) {
    EXPECT_NE(report.find(marked_line(c)), std::string::npos) << "no \"" << marked_line(c) << "\" in\n" << report;
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Order, PlantedFault, testing::ValuesIn(order_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Memory, PlantedFault, testing::ValuesIn(memory_cases()), name_of);

}  // namespace
}  // namespace cuda_sim
