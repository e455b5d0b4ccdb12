// Streams: queues of work, each piece with a position; an event is a point in a stream's order.
//
// In eager order a piece of work runs as soon as it is enqueued. In deferred order it runs only when somebody waits for it, and before it
// whatever it depends on, nothing else: work that forgot to wait for other work then sees the state from before.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cuda_sim {

using Time = std::chrono::steady_clock::time_point;

struct KernelCall;  // launches.h
struct Capture;     // graphs.h
struct Queue;

enum class WorkKind { kKernel, kCopy, kFill, kHost, kLibrary, kGraph, kEmpty };

struct Work {
  WorkKind kind = WorkKind::kEmpty;
  std::function<void()> run;
  bool crosses = false;                // a copy between host and device: it takes Options::copy_us
  std::shared_ptr<KernelCall> kernel;  // of kKernel
};

// When an event was reached.
struct Stamp {
  bool reached = false;
  Time time{};
};

// A point in a stream's order: everything up to `position`.
struct Mark {
  std::shared_ptr<Queue> queue;
  uint64_t position = 0;
  std::shared_ptr<Stamp> stamp;  // of an event
};

struct Item {
  Work work;
  std::vector<Mark> waits;
  std::shared_ptr<Stamp> stamp;  // to be set when the item is reached
};

// The work of a stream. It outlives the stream's handle while there is something left to do or an event refers to it.
struct Queue {
  bool blocking = true;  // waits for stream 0, and stream 0 for it
  std::deque<Item> items;
  uint64_t enqueued = 0, done = 0;
  Time ready_at{};  // when all that was done will have arrived
  // While the stream is being captured: what the next node comes after.
  std::shared_ptr<Capture> capture;
  std::vector<size_t> tails;
};

// Enqueues the work, or makes it a node of the graph that the stream is captured into. One call of the host.
cudaError_t submit(cudaStream_t stream, Work work);

// The queue behind a handle; refuses a stream that was destroyed.
cudaError_t find_queue(cudaStream_t stream, std::shared_ptr<Queue>& queue);
bool is_idle(const Queue& queue);
bool is_legacy(const Queue& queue);  // of stream 0
// The streams captured into it are streams as before.
void end_capture_of_streams(const std::shared_ptr<Capture>& capture);

// The host waits for the stream, which must not be in capture.
cudaError_t wait_for(cudaStream_t stream);
// Everything that was enqueued anywhere is done when it returns.
void finish_all_work();
// cudaDeviceReset: work not yet done is dropped.
void drop_all_work();

}  // namespace cuda_sim
