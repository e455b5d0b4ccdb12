#include "wick/tests/cuda_sim/fibers.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <memory>
#include <vector>

#include "wick/tests/cuda_sim/accesses.h"
#include "wick/tests/cuda_sim/block.h"
#include "wick/tests/cuda_sim/report.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace cuda_sim {

constinit thread_local bool in_kernel = false;
unsigned current_thread = 0;
Range current_stack;
Range dynamic_shared_memory;
LogicalTime logical_time;
Block block;

struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;  // where it goes on
  Range stack;
  void* fake_stack = nullptr;  // ASan's
};

namespace {

constexpr size_t kStackBytes = 256 << 10;

alignas(256) char g_shared_memory[kMaxDynamicShared + kSharedMargin];

std::vector<std::unique_ptr<Fiber>> g_fibers;
std::vector<Fiber*> g_idle;
Fiber g_host;  // the host thread that launched the kernel
Fiber* g_running = nullptr;
const Launch* g_launch = nullptr;
std::vector<uint32_t> g_block_starts;  // the interval in which each block began

// ---- Switching ------------------------------------------------------------------------------------------------------------------------

// The first thing to do on a fiber that was switched to.
void arrive(boost::context::detail::transfer_t from, [[maybe_unused]] void* fake_stack) {
  static_cast<Fiber*>(from.data)->context = from.fctx;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

// `leave` = true: nothing on the running stack is needed again.
void switch_to(Fiber& to, [[maybe_unused]] bool leave = false) {
  Fiber& from = *g_running;
  g_running = &to;
  current_stack = to.stack;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(leave ? nullptr : &from.fake_stack, to.stack.begin, to.stack.size);
#endif
  arrive(boost::context::detail::jump_fcontext(to.context, &from), from.fake_stack);
}

[[noreturn]] void fiber_main(boost::context::detail::transfer_t from);

void renew(Fiber& fiber) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(fiber.stack.begin, fiber.stack.size);
#endif
  char* const top = const_cast<char*>(fiber.stack.begin) + fiber.stack.size;
  fiber.context = boost::context::detail::make_fcontext(top, fiber.stack.size, &fiber_main);
  fiber.fake_stack = nullptr;
}

Fiber& take_fiber() {
  if (g_idle.empty()) {
    char* const memory =
        static_cast<char*>(mmap(nullptr, kStackGuard + kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory == MAP_FAILED) std::abort();
    mprotect(memory, kStackGuard, PROT_NONE);
    auto fiber = std::make_unique<Fiber>();
    fiber->stack = {memory + kStackGuard, kStackBytes};
    renew(*fiber);
    g_idle.push_back(fiber.get());
    g_fibers.push_back(std::move(fiber));
  }
  Fiber& fiber = *g_idle.back();
  g_idle.pop_back();
  return fiber;
}

void abandon_fibers() {
  g_idle.clear();
  for (const auto& fiber : g_fibers) {
    renew(*fiber);
    g_idle.push_back(fiber.get());
  }
}

// Another host thread than last time may be running.
Range host_stack() {
  thread_local const Range bounds = [] {
    pthread_attr_t attributes;
    void* bottom = nullptr;
    size_t size = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &bottom, &size);
    pthread_attr_destroy(&attributes);
    return Range{static_cast<const char*>(bottom), size};
  }();
  return bounds;
}

// ---- The threads of a block -------------------------------------------------------------------------------------------------------------

void set_current(unsigned thread) {
  current_thread = thread;
  set_thread_index(block.threads[thread].index);
}

[[gnu::noinline]] void run_thread(unsigned thread) {
  set_current(thread);
  in_kernel = true;
  g_launch->kernel->invoke(g_launch->kernel->function, g_launch->args);
  in_kernel = false;
  block.threads[current_thread].state = ThreadState::kReturned;
  ++block.returned;
  leave_warp(current_thread);
}

// What goes on when the running thread cannot: one that waits no longer, else those not yet started, else the host.
Fiber& next() {
  if (!block.ready.empty()) {
    set_current(block.ready.pop());
    return *block.threads[current_thread].fiber;
  }
  if (block.started < block.size) return take_fiber();
  if (block.returned < block.size) {
    report_stuck();
    stop();
  }
  return g_host;
}

[[noreturn]] void fiber_main(boost::context::detail::transfer_t from) {
  arrive(from, nullptr);
  for (;;) {
    while (block.started < block.size) run_thread(block.started++);
    g_idle.push_back(g_running);
    switch_to(next());
  }
}

void start_block(const Launch& launch) {
  ++logical_time.interval;
  logical_time.block_start = logical_time.interval;
  g_block_starts.push_back(logical_time.interval);
  block.size = launch.block.x * launch.block.y * launch.block.z;
  block.started = block.returned = 0;
  block.barrier.arrived = 0;
  for (unsigned i = 0; i < block.size; ++i) block.threads[i].state = ThreadState::kRunning;
  for (unsigned w = 0; w * kWarpSize < block.size; ++w) {
    const unsigned lanes = std::min(block.size - w * kWarpSize, kWarpSize);
    block.warps[w].alive = lanes == kWarpSize ? ~0u : (1u << lanes) - 1;
    block.warps[w].num_calls = 0;
  }
}

void set_indices(const dim3& size) {
  unsigned thread = 0;
  for (unsigned z = 0; z < size.z; ++z) {
    for (unsigned y = 0; y < size.y; ++y) {
      for (unsigned x = 0; x < size.x; ++x) block.threads[thread++].index = {x, y, z};
    }
  }
}

}  // namespace

void run_kernel(const Launch& launch) {
  g_launch = &launch;
  dynamic_shared_memory = {g_shared_memory, launch.shared};
  g_block_starts.clear();
  logical_time.launch_start = logical_time.interval + 1;
  logical_time.published = logical_time.interval;
  enter_kernel(launch.kernel->function);
  set_indices(launch.block);
  set_grid(launch.grid, launch.block);
  g_host.stack = host_stack();
  g_running = &g_host;
  uint3 at{};
  for (at.z = 0; at.z < launch.grid.z; ++at.z) {
    for (at.y = 0; at.y < launch.grid.y; ++at.y) {
      for (at.x = 0; at.x < launch.grid.x; ++at.x) {
        block.index = at;
        set_block_index(at);
        start_block(launch);
        switch_to(take_fiber());
        if (fault() != cudaSuccess) {
          block.ready.clear();
          abandon_fibers();
          g_launch = nullptr;
          return;
        }
      }
    }
  }
  g_launch = nullptr;
}

void suspend() {
  block.threads[current_thread].fiber = g_running;
  switch_to(next());
}

void wake(unsigned thread) {
  block.threads[thread].state = ThreadState::kRunning;
  if (thread != current_thread) block.ready.push(thread);
}

void stop() {
  in_kernel = false;
  switch_to(g_host, true);
  __builtin_unreachable();
}

void report(cudaError_t code, const std::string& what) { set_fault(code, what + "\n  by " + current_thread_name()); }

void* dynamic_shared() { return g_shared_memory; }

std::string thread_name(unsigned thread) {
  return "thread " + coordinates(block.threads[thread].index) + " of block " + coordinates(block.index) + " in kernel " +
         g_launch->kernel->name;
}
std::string current_thread_name() { return thread_name(current_thread); }

std::string block_at(uint32_t interval) {
  const auto after = std::upper_bound(g_block_starts.begin(), g_block_starts.end(), interval);
  const auto number = static_cast<unsigned>(after - g_block_starts.begin() - 1);
  const dim3& grid = g_launch->grid;
  return coordinates({number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y});
}

void thread_fence() { logical_time.published = logical_time.interval; }
uint32_t active_mask() { return block.warps[current_thread / kWarpSize].alive; }

void trap(const Where& where) {
  SimulatorCode simulator;
  report(cudaErrorLaunchFailure, "__trap() at " + source_line(where));
  stop();
}

}  // namespace cuda_sim
