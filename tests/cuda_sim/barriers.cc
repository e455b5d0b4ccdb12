// Barriers of a block, and what is said of a block in which nothing goes on any more.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wick/tests/cuda_sim/block.h"
#include "wick/tests/cuda_sim/report.h"

namespace cuda_sim {
namespace {

int barrier_result(const Barrier& barrier) {
  switch (barrier.kind) {
    case BarrierKind::kPlain: return 0;
    case BarrierKind::kCount: return barrier.count;
    case BarrierKind::kAnd: return barrier.all;
    case BarrierKind::kOr: return barrier.any;
  }
  return 0;
}

std::string activity(const Thread& thread) {
  switch (thread.state) {
    case ThreadState::kAtBarrier: return "wait at the barrier at " + source_line(thread.where);
    case ThreadState::kInWarpCall: return "wait in the warp operation at " + source_line(thread.where);
    case ThreadState::kReturned: return "have returned";
    case ThreadState::kRunning: break;
  }
  return "run";
}

}  // namespace

bool same_place(const Where& a, const Where& b) {
  if (a.line() != b.line() || a.column() != b.column()) return false;
  return a.file_name() == b.file_name() || std::string_view(a.file_name()) == b.file_name();
}

int block_barrier(BarrierKind kind, int predicate, const Where& where) {
  SimulatorCode simulator;
  Barrier& barrier = block.barrier;
  Thread& thread = block.threads[current_thread];
  if (barrier.arrived == 0) {
    barrier.kind = kind, barrier.where = where;
    barrier.count = 0, barrier.all = 1, barrier.any = 0;
  } else if (!same_place(where, barrier.where)) {
    report(cudaErrorLaunchFailure, "divergent barrier: __syncthreads at " + source_line(where) +
                                       " while other threads of the block wait in another __syncthreads, at " + source_line(barrier.where));
    stop();
  }
  barrier.count += predicate != 0;
  barrier.all &= predicate != 0;
  barrier.any |= predicate != 0;
  thread.state = ThreadState::kAtBarrier;
  thread.where = where;
  if (++barrier.arrived < block.size) {
    suspend();
    return static_cast<int>(thread.result);
  }
  barrier.arrived = 0;
  ++logical_time.interval;
  const int result = barrier_result(barrier);
  for (unsigned i = 0; i < block.size; ++i) {
    block.threads[i].result = static_cast<uint64_t>(result);
    wake(i);
  }
  return result;
}

void report_stuck() {
  std::map<std::string, std::vector<unsigned>> groups;
  for (unsigned i = 0; i < block.size; ++i) groups[activity(block.threads[i])].push_back(i);
  std::string text = "the threads of a block wait for each other for ever:";
  for (const auto& [what, threads] : groups) text += "\n  threads " + ranges(threads) + " " + what;
  for (unsigned i = 0; i < block.size; ++i) {
    if (block.threads[i].state == ThreadState::kReturned) continue;
    current_thread = i;
    break;
  }
  report(cudaErrorLaunchFailure, text);
}

}  // namespace cuda_sim
