// What the lanes of a warp do together. Each lane leaves its request; the last to arrive works out every lane's result and wakes them.
#include <algorithm>
#include <string>
#include <vector>

#include "wick/tests/cuda_sim/block.h"
#include "wick/tests/cuda_sim/report.h"

namespace cuda_sim {
namespace {

// The lanes of one call and what they ask for.
struct Lanes {
  Thread* threads;  // of lane 0
  uint32_t mask;    // who takes part

  bool has(unsigned lane) const { return lane < kWarpSize && (mask >> lane & 1); }
  template <class F>
  void each(F f) const {
    for (uint32_t rest = mask; rest; rest &= rest - 1) f(static_cast<unsigned>(__builtin_ctz(rest)));
  }
};

// The lane that a shuffle of `lane` reads; the lane itself where the source would lie outside its segment of `width` lanes.
unsigned source_lane(unsigned lane, const WarpRequest& request) {
  const auto width = static_cast<unsigned>(request.width);
  const unsigned first = lane & ~(width - 1), last = first + width - 1;
  switch (request.op) {
    case WarpOp::kShuffle: return first + (request.lane & (width - 1));
    case WarpOp::kShuffleUp: return lane >= first + request.lane ? lane - request.lane : lane;
    case WarpOp::kShuffleDown: return request.lane <= last - lane ? lane + request.lane : lane;
    default: return (lane ^ request.lane) <= last ? lane ^ request.lane : lane;
  }
}

bool is_shuffle(WarpOp op) { return op >= WarpOp::kShuffle && op <= WarpOp::kShuffleXor; }

uint64_t combine(const WarpRequest& request, uint64_t a, uint64_t b) {
  const auto less = [&] { return request.is_signed ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b; };
  switch (request.op) {
    case WarpOp::kAdd: return a + b;
    case WarpOp::kMin: return less() ? a : b;
    case WarpOp::kMax: return less() ? b : a;
    case WarpOp::kAnd: return a & b;
    case WarpOp::kOr: return a | b;
    default: return a ^ b;
  }
}

// Votes, matches and reductions: no lane is singled out.
uint64_t joint_result(const Lanes& lanes, unsigned lane) {
  const WarpRequest& own = lanes.threads[lane].request;
  uint64_t ballot = 0, matching = 0, total = 0;
  bool first = true;
  lanes.each([&](unsigned other) {
    const uint64_t value = lanes.threads[other].request.value;
    ballot |= static_cast<uint64_t>(value != 0) << other;
    matching |= static_cast<uint64_t>(value == own.value) << other;
    total = first ? value : combine(own, total, value);
    first = false;
  });
  switch (own.op) {
    case WarpOp::kSync: return 0;
    case WarpOp::kBallot: return ballot;
    case WarpOp::kAny: return ballot != 0;
    case WarpOp::kAll: return ballot == lanes.mask;
    case WarpOp::kMatchAny: return matching;
    case WarpOp::kMatchAll: return matching == lanes.mask ? lanes.mask : 0;
    default: return total;
  }
}

std::string lane_list(uint32_t mask) {
  std::vector<unsigned> lanes;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (mask >> lane & 1) lanes.push_back(lane);
  }
  return ranges(lanes);
}

void report_absent_lane(const Lanes& lanes, unsigned lane, unsigned source, const Where& where) {
  report(cudaErrorLaunchFailure, "lane " + std::to_string(lane) + " of the warp operation at " + source_line(where) + " reads lane " +
                                     std::to_string(source) + ", which does not take part; lanes " + lane_list(lanes.mask) + " do");
}

// Gives every lane its result and lets all go on.
void complete(Warp& warp, unsigned number) {
  const unsigned first = static_cast<unsigned>(&warp - block.warps.data()) * kWarpSize;
  const WarpCall call = warp.calls[number];
  warp.calls[number] = warp.calls[--warp.num_calls];
  const Lanes lanes{&block.threads[first], call.arrived};
  lanes.each([&](unsigned lane) {
    Thread& thread = lanes.threads[lane];
    if (!is_shuffle(call.op)) {
      thread.result = joint_result(lanes, lane);
      return;
    }
    const unsigned source = source_lane(lane, thread.request);
    if (!lanes.has(source)) {
      report_absent_lane(lanes, lane, source, call.where);
      stop();
    }
    thread.result = lanes.threads[source].request.value;
  });
  ++logical_time.warp[first / kWarpSize];
  lanes.each([&](unsigned lane) { wake(first + lane); });
}

bool is_complete(const Warp& warp, const WarpCall& call) { return call.arrived == (call.mask & warp.alive); }

// The call of this mask that already waits, or a new one.
unsigned find_call(Warp& warp, const WarpRequest& request, const Where& where) {
  for (unsigned i = 0; i < warp.num_calls; ++i) {
    if (warp.calls[i].mask == request.mask) return i;
  }
  warp.calls[warp.num_calls] = {request.mask, 0, request.op, where};
  return warp.num_calls++;
}

void check_request(const WarpRequest& request, unsigned lane, const Where& where) {
  if (!(request.mask >> lane & 1)) {
    report(cudaErrorLaunchFailure, "lane " + std::to_string(lane) + " is not in the mask of the warp operation at " + source_line(where) +
                                       ", which names lanes " + lane_list(request.mask));
    stop();
  }
  if (request.width < 1 || request.width > 32 || (request.width & (request.width - 1))) {
    report(cudaErrorLaunchFailure,
           "width " + std::to_string(request.width) + " of the shuffle at " + source_line(where) + " is no power of two up to 32");
    stop();
  }
}

}  // namespace

uint64_t warp_call(const WarpRequest& request, const Where& where) {
  SimulatorCode simulator;
  const unsigned lane = current_thread % kWarpSize;
  Warp& warp = block.warps[current_thread / kWarpSize];
  Thread& thread = block.threads[current_thread];
  check_request(request, lane, where);
  const unsigned number = find_call(warp, request, where);
  WarpCall& call = warp.calls[number];
  if (!same_place(where, call.where)) {
    report(cudaErrorLaunchFailure, "divergent warp: the warp operation at " + source_line(where) + " while lanes " +
                                       lane_list(call.arrived) + " with the same mask wait in another, at " + source_line(call.where));
    stop();
  }
  thread.state = ThreadState::kInWarpCall;
  thread.where = where;
  thread.request = request;
  call.arrived |= 1u << lane;
  if (is_complete(warp, call)) {
    complete(warp, number);
  } else {
    suspend();
  }
  return thread.result;
}

void leave_warp(unsigned thread) {
  Warp& warp = block.warps[thread / kWarpSize];
  warp.alive &= ~(1u << thread % kWarpSize);
  for (unsigned i = 0; i < warp.num_calls;) {
    if (warp.calls[i].arrived != 0 && is_complete(warp, warp.calls[i])) {
      complete(warp, i);
    } else {
      ++i;
    }
  }
}

}  // namespace cuda_sim
