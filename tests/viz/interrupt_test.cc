#include "wick/viz/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace wick::viz {
namespace {

int own_calls = 0;
void own_handler(int) { ++own_calls; }

// SIGINT's handler, put back when the test ends.
class ScopedHandler {
 public:
  explicit ScopedHandler(void (*handler)(int)) : old_(signal(SIGINT, handler)) {}
  ~ScopedHandler() { signal(SIGINT, old_); }

 private:
  void (*old_)(int);
};

void (*current_handler())(int) {
  struct sigaction action {};
  sigaction(SIGINT, nullptr, &action);
  return action.sa_handler;
}

TEST(InterruptGuard, SetsTheFlagAndRestoresTheHandler) {
  const ScopedHandler handler(own_handler);
  own_calls = 0;
  {
    const InterruptGuard guard;
    EXPECT_FALSE(guard.interrupted());
    raise(SIGINT);
    EXPECT_TRUE(guard.interrupted());
    EXPECT_EQ(own_calls, 0);
  }
  raise(SIGINT);
  EXPECT_EQ(own_calls, 1);
}

TEST(InterruptGuard, BeginsAnew) {
  const ScopedHandler handler(own_handler);
  {
    const InterruptGuard guard;
    raise(SIGINT);
  }
  const InterruptGuard guard;
  EXPECT_FALSE(guard.interrupted());
}

TEST(InterruptGuard, SharesTheFlagWithAnInnerOne) {
  const ScopedHandler handler(own_handler);
  const InterruptGuard outer;
  {
    const InterruptGuard inner;
    raise(SIGINT);
    EXPECT_TRUE(inner.interrupted());
  }
  EXPECT_TRUE(outer.interrupted());
  EXPECT_EQ(current_handler(), SIG_DFL) << "the second signal must end the program";
}

TEST(InterruptGuard, LeavesAnIgnoredSignalIgnored) {
  const ScopedHandler handler(SIG_IGN);
  const InterruptGuard guard;
  raise(SIGINT);
  EXPECT_FALSE(guard.interrupted());
}

TEST(InterruptGuardDeathTest, TheSecondSignalEndsTheProgram) {
  EXPECT_EXIT(
      {
        const InterruptGuard guard;
        raise(SIGINT);
        if (guard.interrupted()) raise(SIGINT);
        _exit(0);
      },
      testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace wick::viz
