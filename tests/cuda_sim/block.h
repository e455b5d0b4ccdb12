// The state of the block that runs: its threads, what they wait for, its warps. Shared by fibers.cc, barriers.cc and warps.cc.
#pragma once

#include <array>

#include "wick/tests/cuda_sim/fibers.h"

namespace cuda_sim {

struct Fiber;

enum class ThreadState : uint8_t { kRunning, kAtBarrier, kInWarpCall, kReturned };

struct Thread {
  Fiber* fiber;  // where a waiting thread goes on
  ThreadState state;
  uint3 index;
  Where where;          // it waits
  WarpRequest request;  // of a thread that is kInWarpCall
  uint64_t result;      // of what it waited for
};

struct Barrier {
  unsigned arrived;
  BarrierKind kind;
  Where where;  // of the first thread to arrive
  int count, all, any;
};

// Lanes that wait for each other: those of one mask.
struct WarpCall {
  uint32_t mask, arrived;
  WarpOp op;
  Where where;  // of the first lane to arrive
};

struct Warp {
  uint32_t alive;  // the lanes that have not returned
  unsigned num_calls;
  WarpCall calls[kWarpSize];
};

// Threads that wait no longer, in order. Each is in it once at most.
class ReadyQueue {
 public:
  bool empty() const { return first_ == last_; }
  void push(unsigned thread) { threads_[last_++ % kMaxThreads] = static_cast<uint16_t>(thread); }
  unsigned pop() { return threads_[first_++ % kMaxThreads]; }
  void clear() { first_ = last_; }

 private:
  std::array<uint16_t, kMaxThreads> threads_;
  unsigned first_ = 0, last_ = 0;
};

struct Block {
  unsigned size, started, returned;  // threads
  uint3 index;
  Barrier barrier;
  ReadyQueue ready;
  std::array<Thread, kMaxThreads> threads;
  std::array<Warp, kMaxWarps> warps;
};
extern Block block;

// Whether two calls are written at the same place of the source.
bool same_place(const Where& a, const Where& b);

// Goes on with other threads until the running one is woken.
void suspend();
// The thread's wait is over. (For the running one that never began.)
void wake(unsigned thread);

// No thread of the block can go on and some have not returned.
void report_stuck();
// The thread has returned: the lanes left may have waited for it alone.
void leave_warp(unsigned thread);

// threadIdx and its like: coordinates.cc.
void set_thread_index(const uint3& index);
void set_block_index(const uint3& index);
void set_grid(const dim3& grid, const dim3& block);

}  // namespace cuda_sim
