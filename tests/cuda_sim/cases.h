// Kernels with one fault each and their correct twins: what faults_test.cc runs.
#pragma once

#include <cuda_runtime_api.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace cuda_sim {

// `kernel` is the name in the report. A faulty kernel marks its fault with the comment `// <- name`, and the report must name that line
// and say what `report` holds. Of a correct one (`report` empty) nothing may be reported.
struct Case {
  // A correct kernel.
  Case(std::string name_, void (*run_)()) : name(std::move(name_)), run(run_) {}
  // A faulty one. `file`: where the fault is marked; nullptr: the report has no line.
  Case(std::string name_, void (*run_)(), cudaError_t error_, std::vector<std::string> report_, const char* file_)
      : name(std::move(name_)), run(run_), error(error_), report(std::move(report_)), file(file_) {}

  std::string name;
  void (*run)();  // starts the kernel
  cudaError_t error = cudaSuccess;
  std::vector<std::string> report;
  const char* file = nullptr;

  friend void PrintTo(const Case& c, std::ostream* stream) { *stream << c.name; }
};

const std::vector<Case>& order_cases();   // barriers, warps, races
const std::vector<Case>& memory_cases();  // where a kernel reads and writes

}  // namespace cuda_sim
