// What a test can ask of the simulator beyond CUDA's own functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cuda_sim {

struct Options {
  // Work on a stream runs at once where false. Where true it runs only when somebody waits for it, so that a missing wait shows every
  // time. A query runs one operation. WICK_SIM_DEFERRED=1.
  bool deferred = false;
  // Races between threads in global memory are looked for, too; in shared memory they always are. WICK_SIM_GLOBAL_RACES=0.
  bool global_races = true;
  // How long the host is busy with starting a kernel, a copy or a graph. WICK_SIM_LAUNCH_US.
  double launch_us = 0;
  // How long after its start a copy between host and device has arrived, at the earliest. WICK_SIM_COPY_US.
  double copy_us = 0;
  // The device's memory. WICK_SIM_MEMORY_MB.
  size_t memory_bytes = size_t{8} << 30;
};
// At first as the environment says.
Options& options();

// Other options for a scope.
class OptionsGuard {
 public:
  explicit OptionsGuard(const Options& other) : saved_(options()) { options() = other; }
  ~OptionsGuard() { options() = saved_; }
  OptionsGuard(const OptionsGuard&) = delete;

 private:
  Options saved_;
};

// Does what is still queued, then returns the text of the device's fault, "" where there is none, and lets the device go on: memory,
// streams and events are as they were.
std::string take_fault();

// How many kernels, memory operations between host and device, and waits of the host the process has asked for, and how often it asked
// cuDNN for an algorithm.
struct Counters {
  uint64_t launches = 0, graph_launches = 0, copies = 0, waits = 0, mallocs = 0, algorithm_choices = 0;
};
Counters counters();

}  // namespace cuda_sim
