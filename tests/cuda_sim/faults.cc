// What the callbacks of accesses.cc do not see ends as a segmentation fault: the host that touches device memory, and a kernel's memcpy
// to nowhere or its overflowing stack.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "wick/tests/cuda_sim/fibers.h"
#include "wick/tests/cuda_sim/memory.h"
#include "wick/tests/cuda_sim/report.h"
#include "wick/tests/cuda_sim/runtime.h"

namespace cuda_sim {
namespace {

constexpr size_t kSignalStack = 128 << 10;
struct sigaction g_previous;

void report_in_kernel(const void* address) {
  if (is_below_stack(address)) {
    report(cudaErrorLaunchFailure, "overflow of the thread's stack, which has 256 KiB");
  } else if (is_device_address(address)) {
    report(cudaErrorIllegalAddress, "segmentation fault at " + describe_address(address));
  } else {
    report(cudaErrorIllegalAddress, "segmentation fault at address " + std::to_string(reinterpret_cast<uintptr_t>(address)));
  }
}

void handle(int signal, siginfo_t* info, void*) {
  if (in_kernel) {
    in_kernel = false;
    report_in_kernel(info->si_addr);
    stop();
  }
  if (is_device_address(info->si_addr)) {
    std::fprintf(stderr, "cuda_sim: the host read or wrote device memory, %s: copy it with cudaMemcpy\n",
                 describe_address(info->si_addr).c_str());
  }
  // The instruction runs again and meets the handler from before.
  sigaction(signal, &g_previous, nullptr);
}

void install_handler() {
  struct sigaction action {};
  action.sa_sigaction = &handle;
  // The handler may be left by a switch to another fiber: the signal must not stay blocked.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &g_previous);
}

// A stack for this thread's signals, unless it has one.
class SignalStack {
 public:
  SignalStack() {
    stack_t current{};
    sigaltstack(nullptr, &current);
    if (!(current.ss_flags & SS_DISABLE)) return;
    memory_ = std::make_unique<char[]>(kSignalStack);
    stack_t ours{};
    ours.ss_sp = memory_.get();
    ours.ss_size = kSignalStack;
    sigaltstack(&ours, nullptr);
  }
  ~SignalStack() {
    if (!memory_) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

 private:
  std::unique_ptr<char[]> memory_;
};

// "In thread ... of kernel ...", before a sanitizer's own report.
void print_thread() {
  if (in_kernel) std::fprintf(stderr, "cuda_sim: in %s\n", current_thread_name().c_str());
}

}  // namespace

void prepare_host_thread() {
  [[maybe_unused]] static const bool installed = (install_handler(), true);
  [[maybe_unused]] thread_local SignalStack stack;
}

}  // namespace cuda_sim

// The sanitizers call these, where they are linked, before they report.
extern "C" {

void __asan_on_error() { cuda_sim::print_thread(); }
void __ubsan_on_report() { cuda_sim::print_thread(); }

}  // extern "C"
