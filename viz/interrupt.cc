#include "wick/viz/interrupt.h"

#include <signal.h>

#include <atomic>

namespace wick::viz {
namespace {

std::atomic<bool> interrupt_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not take a lock");

struct sigaction previous_action;
int depth = 0;

void set_flag(int) { interrupt_flag.store(true, std::memory_order_relaxed); }

}  // namespace

InterruptGuard::InterruptGuard() {
  if (depth++ > 0) return;
  interrupt_flag = false;
  struct sigaction action {};
  action.sa_handler = set_flag;
  action.sa_flags = SA_RESETHAND | SA_RESTART;  // the second signal finds the default handler
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, nullptr, &previous_action);
  if (previous_action.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
  if (--depth == 0) sigaction(SIGINT, &previous_action, nullptr);
}

bool InterruptGuard::interrupted() const noexcept { return interrupt_flag.load(std::memory_order_relaxed); }

}  // namespace wick::viz
