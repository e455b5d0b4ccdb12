// Runs a kernel: the blocks of its grid one after another, the threads of a block on fibers.
//
// A thread starts on the fiber of the thread before it where that one has returned without waiting for others. Only a thread that waits
// keeps its fiber, and switches straight to the next thread that can go on. A kernel without barriers so costs two switches a block.
//
// Everything here happens under the lock of the runtime (runtime.h): one kernel runs at a time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "wick/tests/cuda_sim/hooks.h"
#include "wick/tests/cuda_sim/range.h"

namespace cuda_sim {

inline constexpr unsigned kMaxThreads = 1024;  // of a block
inline constexpr unsigned kWarpSize = 32;
inline constexpr unsigned kMaxWarps = kMaxThreads / kWarpSize;
inline constexpr size_t kMaxDynamicShared = 227 << 10;

struct Launch {
  const KernelEntry* kernel;
  dim3 grid, block;
  size_t shared;
  void** args;
};

// Runs the whole grid. A fault ends it: set_fault() says which.
void run_kernel(const Launch& launch);

// Whether this host thread executes a kernel's own code at the moment. What the simulator does in between does not count, nor what
// other host threads do: nobody checks their accesses.
extern constinit thread_local bool in_kernel;

// While one lives, the code is the simulator's.
class SimulatorCode {
 public:
  SimulatorCode() { in_kernel = false; }
  ~SimulatorCode() { in_kernel = true; }
  SimulatorCode(const SimulatorCode&) = delete;
};

// The thread that runs, by its linear number in the block.
extern unsigned current_thread;

// Logical time, for races. It never goes back, so that what earlier blocks and launches left behind need not be cleared away.
struct LogicalTime {
  uint32_t interval = 1;     // grows at each barrier of the block and with each block
  uint32_t block_start = 1;  // the interval in which the running block began
  uint32_t launch_start = 1;
  uint32_t published = 0;         // what was written up to this interval may be read by other blocks: __threadfence()
  uint32_t warp[kMaxWarps] = {};  // grows when lanes of the warp wait for each other
};
extern LogicalTime logical_time;

// The stack of the fiber that runs: where the thread's own variables are.
extern Range current_stack;
// Below it lies memory that cannot be touched, and nothing else up to this size: a stack that overflows is seen.
inline constexpr size_t kStackGuard = 1 << 20;
inline bool is_below_stack(const void* p) { return Range{current_stack.begin - kStackGuard, kStackGuard}.contains(p); }

// The block's dynamic shared memory: as much of it as the launch asked for.
extern Range dynamic_shared_memory;
// Behind the greatest that a launch can ask for nothing lies that an index slightly too great could reach.
inline constexpr size_t kSharedMargin = 64 << 10;

// "thread (3,0,0) of block (0,0,0) in kernel scale<float>".
std::string thread_name(unsigned thread);
std::string current_thread_name();
// The block of the running launch that was at work in the interval.
std::string block_at(uint32_t interval);

// A fault of the running thread; `what` becomes a line together with where it happened. Nothing may be thrown through a kernel, and what
// lies on its stack is never destroyed: let every temporary die, then stop().
void report(cudaError_t code, const std::string& what);
[[noreturn]] void stop();

}  // namespace cuda_sim
