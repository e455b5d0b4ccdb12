#include "wick/tests/cuda_sim/streams.h"

#include <algorithm>
#include <set>
#include <utility>

#include "wick/tests/cuda_sim/graphs.h"
#include "wick/tests/cuda_sim/runtime.h"

struct CUstream_st {
  std::shared_ptr<cuda_sim::Queue> queue;
  unsigned flags;
  int priority;
};

struct CUevent_st {
  unsigned flags;
  cuda_sim::Mark mark;  // without a stamp until it is recorded
  // Recorded in a capture: what it stands for there.
  std::shared_ptr<cuda_sim::Capture> capture;
  std::vector<size_t> tails;
};

namespace cuda_sim {
namespace {

struct Streams {
  std::shared_ptr<Queue> legacy = std::make_shared<Queue>();  // of stream 0
  std::vector<std::shared_ptr<Queue>> queues{legacy};         // all with a handle or with work left
  std::set<CUstream_st*> handles;
  std::set<CUevent_st*> events;
};
Streams& streams() {
  static auto* const instance = new Streams;
  return *instance;
}

Time now() { return std::chrono::steady_clock::now(); }

bool is_pending(const Mark& mark) {
  if (mark.queue->done < mark.position) return true;
  return (mark.stamp ? mark.stamp->time : mark.queue->ready_at) > now();
}

void run_to(Queue& queue, uint64_t position) {
  while (queue.done < position) {
    const Item item = std::move(queue.items.front());
    queue.items.pop_front();
    Time start = std::max(now(), queue.ready_at);
    for (const Mark& mark : item.waits) {
      run_to(*mark.queue, mark.position);
      start = std::max(start, mark.stamp ? mark.stamp->time : mark.queue->ready_at);
    }
    ++queue.done;
    if (item.work.run && fault() == cudaSuccess) item.work.run();
    const auto latency = std::chrono::duration<double, std::micro>(item.work.crosses ? options().copy_us : 0);
    queue.ready_at = start + std::chrono::duration_cast<Time::duration>(latency);
    if (item.stamp) *item.stamp = {true, std::max(now(), queue.ready_at)};
  }
}

void enqueue(const std::shared_ptr<Queue>& queue, Item item) {
  const auto wait_for_all_of = [&](const std::shared_ptr<Queue>& other) {
    if (!is_idle(*other)) item.waits.push_back({other, other->enqueued, nullptr});
  };
  if (queue == streams().legacy) {
    for (const auto& other : streams().queues) {
      if (other != queue && other->blocking) wait_for_all_of(other);
    }
  } else if (queue->blocking) {
    wait_for_all_of(streams().legacy);
  }
  queue->items.push_back(std::move(item));
  ++queue->enqueued;
  if (!options().deferred) run_to(*queue, queue->enqueued);
}

// Streams without a handle and without work are gone.
void tidy() {
  std::set<const Queue*> named{streams().legacy.get()};
  for (const CUstream_st* handle : streams().handles) named.insert(handle->queue.get());
  std::erase_if(streams().queues, [&](const auto& queue) { return is_idle(*queue) && !named.contains(queue.get()); });
}

cudaError_t create_stream(cudaStream_t* stream, unsigned flags, int priority) {
  return api([&] {
    auto queue = std::make_shared<Queue>();
    queue->blocking = !(flags & cudaStreamNonBlocking);
    streams().queues.push_back(queue);
    *stream = new CUstream_st{std::move(queue), flags, priority};
    streams().handles.insert(*stream);
    return cudaSuccess;
  });
}

cudaError_t check_event(cudaEvent_t event) {
  if (streams().events.contains(event)) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle, "the event was not created, or was destroyed");
}

// A query of the host: not for what is in capture. Runs one operation, so that a loop around it ends.
cudaError_t poll(Queue& queue, const Mark& mark) {
  if (queue.done < mark.position) {
    run_to(queue, queue.done + 1);
    return fault() != cudaSuccess ? fault() : cudaErrorNotReady;
  }
  return is_pending(mark) ? cudaErrorNotReady : cudaSuccess;
}

cudaError_t wait_event(const std::shared_ptr<Queue>& queue, CUevent_st& event) {
  if (event.capture) return join_capture(*queue, event.capture, event.tails);
  if (queue->capture)
    return lose_capture(*queue->capture, cudaErrorStreamCaptureIsolation, "a stream in capture waits for an event from outside of it");
  if (event.mark.stamp && is_pending(event.mark)) enqueue(queue, {{}, {event.mark}, nullptr});
  return cudaSuccess;
}

cudaError_t record_event(const std::shared_ptr<Queue>& queue, CUevent_st& event) {
  if (queue->capture) {
    event.capture = queue->capture;
    event.tails = queue->tails;
    return cudaSuccess;
  }
  CUDA_SIM_TRY(forbid_implicit_wait(*queue));
  event.capture = nullptr;
  event.mark = {queue, queue->enqueued + 1, std::make_shared<Stamp>()};
  enqueue(queue, {{}, {}, event.mark.stamp});
  return cudaSuccess;
}

void host_waits_until(Time time) {
  ++mutable_counters().waits;
  spin_until(time);
}

}  // namespace

bool is_idle(const Queue& queue) { return queue.done == queue.enqueued && queue.ready_at <= now(); }
bool is_legacy(const Queue& queue) { return &queue == streams().legacy.get(); }

void end_capture_of_streams(const std::shared_ptr<Capture>& capture) {
  for (const auto& queue : streams().queues) {
    if (queue->capture == capture) queue->capture = nullptr;
  }
}

cudaError_t find_queue(cudaStream_t stream, std::shared_ptr<Queue>& queue) {
  if (stream == nullptr || stream == cudaStreamLegacy) {
    queue = streams().legacy;
    return cudaSuccess;
  }
  if (!streams().handles.contains(stream)) return refuse(cudaErrorInvalidResourceHandle, "the stream was not created, or was destroyed");
  queue = stream->queue;
  return cudaSuccess;
}

cudaError_t submit(cudaStream_t stream, Work work) {
  std::shared_ptr<Queue> queue;
  CUDA_SIM_TRY(find_queue(stream, queue));
  spin_for(options().launch_us);
  if (queue->capture) return add_to_capture(*queue, std::move(work));
  CUDA_SIM_TRY(forbid_implicit_wait(*queue));
  enqueue(queue, {std::move(work), {}, nullptr});
  return cudaSuccess;
}

cudaError_t wait_for(cudaStream_t stream) {
  std::shared_ptr<Queue> queue;
  CUDA_SIM_TRY(find_queue(stream, queue));
  if (queue->capture) return lose_capture(*queue->capture, cudaErrorStreamCaptureUnsupported, "the host waits for a stream in capture");
  CUDA_SIM_TRY(forbid_in_capture("a wait of the host"));
  if (queue == streams().legacy) enqueue(queue, {});  // which waits for the other streams
  run_to(*queue, queue->enqueued);
  host_waits_until(queue->ready_at);
  return fault();
}

void finish_all_work() {
  // The youngest first: no order among streams but that of events is to be relied on.
  const std::vector<std::shared_ptr<Queue>> queues = streams().queues;
  for (auto queue = queues.rbegin(); queue != queues.rend(); ++queue) run_to(**queue, (*queue)->enqueued);
  for (const auto& queue : queues) spin_until(queue->ready_at);
  tidy();
}

void drop_all_work() {
  for (const auto& queue : streams().queues) {
    queue->items.clear();
    queue->done = queue->enqueued;
    if (queue->capture) abandon_capture(queue->capture);
  }
}

}  // namespace cuda_sim

using namespace cuda_sim;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create_stream(stream, cudaStreamDefault, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) { return create_stream(stream, flags, 0); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return create_stream(stream, flags, std::clamp(priority, -5, 0));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api([&]() -> cudaError_t {
    std::shared_ptr<Queue> queue;
    CUDA_SIM_TRY(find_queue(stream, queue));
    if (queue == streams().legacy) return refuse(cudaErrorInvalidResourceHandle, "stream 0 cannot be destroyed");
    if (queue->capture) abandon_capture(queue->capture);
    streams().handles.erase(stream);
    delete stream;
    tidy();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api([&] { return wait_for(stream); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return api([&]() -> cudaError_t {
    std::shared_ptr<Queue> queue;
    CUDA_SIM_TRY(find_queue(stream, queue));
    if (queue->capture) return lose_capture(*queue->capture, cudaErrorStreamCaptureUnsupported, "a query of a stream in capture");
    CUDA_SIM_TRY(forbid_in_capture("a query of a stream"));
    return poll(*queue, {queue, queue->enqueued, nullptr});
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return api([&]() -> cudaError_t {
    std::shared_ptr<Queue> queue;
    CUDA_SIM_TRY(find_queue(stream, queue));
    CUDA_SIM_TRY(check_event(event));
    return wait_event(queue, *event);
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return api([&]() -> cudaError_t {
    std::shared_ptr<Queue> queue;
    CUDA_SIM_TRY(find_queue(stream, queue));
    *priority = queue == streams().legacy ? 0 : stream->priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return api([&]() -> cudaError_t {
    std::shared_ptr<Queue> queue;
    CUDA_SIM_TRY(find_queue(stream, queue));
    *flags = queue == streams().legacy ? cudaStreamDefault : stream->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return api([&] { return submit(stream, {WorkKind::kHost, [=] { function(data); }, false, nullptr}); });
}

cudaError_t cudaDeviceSynchronize() {
  return api([&]() -> cudaError_t {
    CUDA_SIM_TRY(forbid_in_capture("a wait of the host"));
    finish_all_work();
    host_waits_until(now());
    return fault();
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api([&] {
    *event = new CUevent_st{flags, {}, nullptr, {}};
    streams().events.insert(*event);
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return api([&]() -> cudaError_t {
    CUDA_SIM_TRY(check_event(event));
    streams().events.erase(event);
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return api([&]() -> cudaError_t {
    std::shared_ptr<Queue> queue;
    CUDA_SIM_TRY(find_queue(stream, queue));
    CUDA_SIM_TRY(check_event(event));
    return record_event(queue, *event);
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return cudaEventRecordWithFlags(event, stream, 0); }

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return api([&]() -> cudaError_t {
    CUDA_SIM_TRY(check_event(event));
    if (event->capture) return lose_capture(*event->capture, cudaErrorCapturedEvent, "a query of an event that was recorded in a capture");
    return event->mark.stamp ? poll(*event->mark.queue, event->mark) : cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return api([&]() -> cudaError_t {
    CUDA_SIM_TRY(check_event(event));
    if (event->capture) return lose_capture(*event->capture, cudaErrorCapturedEvent, "a wait for an event that was recorded in a capture");
    CUDA_SIM_TRY(forbid_in_capture("a wait of the host"));
    if (!event->mark.stamp) return cudaSuccess;
    run_to(*event->mark.queue, event->mark.position);
    host_waits_until(event->mark.stamp->time);
    return fault();
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return api([&]() -> cudaError_t {
    for (const cudaEvent_t event : {start, end}) {
      CUDA_SIM_TRY(check_event(event));
      if (event->flags & cudaEventDisableTiming)
        return refuse(cudaErrorInvalidResourceHandle, "the event was created with cudaEventDisableTiming");
      if (!event->mark.stamp) return refuse(cudaErrorInvalidResourceHandle, "the event was never recorded");
      if (is_pending(event->mark)) return cudaErrorNotReady;
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->mark.stamp->time - start->mark.stamp->time).count();
    return cudaSuccess;
  });
}

}  // extern "C"
