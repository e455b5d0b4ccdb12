// The progress bar as a terminal sees it: through a pseudo-terminal.
#include "wick/viz/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "wick/framework/core/error.h"
#include "wick/tests/viz/support.h"
#include "wick/viz/terminal.h"

namespace wick::viz {
namespace {


constexpr std::string_view kErase = "\r\x1b[K";

// A pseudo-terminal: what is written to fd() can be read back.
class Terminal {
 public:
  explicit Terminal(unsigned short columns) : term_("TERM", "xterm") {
    winsize size{};
    size.ws_row = 24;
    size.ws_col = columns;
    if (openpty(&master_, &slave_, nullptr, nullptr, &size) != 0) ADD_FAILURE() << "no pseudo-terminal";
    fcntl(master_, F_SETFL, O_NONBLOCK);
  }
  ~Terminal() {
    close(master_);
    close(slave_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  int fd() const { return slave_; }

  std::string read_all() {
    char buffer[4096];
    for (ssize_t got; (got = read(master_, buffer, sizeof(buffer))) > 0;) seen_.append(buffer, static_cast<std::size_t>(got));
    return seen_;
  }

  // What the line shows now: everything behind the last erasure.
  std::string line() {
    const std::string all = read_all();
    const std::size_t erased = all.rfind(kErase);
    return erased == std::string::npos ? all : all.substr(erased + kErase.size());
  }

 private:
  ScopedVariable term_;
  int master_ = -1, slave_ = -1;
  std::string seen_;
};

void wait_an_interval() { std::this_thread::sleep_for(std::chrono::milliseconds(110)); }

TEST(ProgressBar, ShowsPercentStepsTimeRateAndPostfix) {
  Terminal terminal(120);
  ProgressBar bar(20000, "training", terminal.fd());
  EXPECT_EQ(terminal.read_all(), "");
  wait_an_interval();
  bar.postfix("loss 0.0912");
  bar.update(9000);
  EXPECT_TRUE(matches(terminal.line(), "^training  45% \\[#{13}\\.{17}\\] 9000/20000 00:00<00:0. [0-9.]+k/s loss 0.0912$"));
}

TEST(ProgressBar, DrawsTheLastStepAtOnceAndErasesItself) {
  Terminal terminal(100);
  {
    ProgressBar bar(3, "steps", terminal.fd());
    for (int i = 1; i <= 3; ++i) bar.update(i);
    EXPECT_TRUE(contains(terminal.line(), "100% [##############################] 3/3 "));
  }
  EXPECT_TRUE(terminal.read_all().ends_with(kErase));
  EXPECT_EQ(terminal.line(), "");
}

TEST(ProgressBar, ErasesItselfWhenAnExceptionPasses) {
  Terminal terminal(100);
  const auto loop = [&] {
    ProgressBar bar(2, "", terminal.fd());
    bar.update(2);
    throw std::runtime_error("diverged");
  };
  EXPECT_THROW(loop(), std::runtime_error);
  EXPECT_TRUE(contains(terminal.read_all(), "100%"));
  EXPECT_EQ(terminal.line(), "");
}

TEST(ProgressBar, ClearMakesRoomForAnotherLine) {
  Terminal terminal(100);
  ProgressBar bar(100, "x", terminal.fd());
  bar.clear();
  EXPECT_EQ(terminal.read_all(), "");
  wait_an_interval();
  bar.update(1);
  bar.clear();
  EXPECT_EQ(terminal.line(), "");
  wait_an_interval();
  bar.update(50);
  EXPECT_TRUE(contains(terminal.line(), "x  50%"));
}

TEST(ProgressBar, DrawsSeldomHoweverOftenItIsAsked) {
  Terminal terminal(100);
  constexpr std::int64_t kSteps = 20'000'000;
  const auto start = std::chrono::steady_clock::now();
  {
    ProgressBar bar(kSteps, "", terminal.fd());
    for (std::int64_t i = 1; i <= kSteps; ++i) {
      bar.update(i);
      asm volatile("" ::: "memory");
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string all = terminal.read_all();
  int drawings = 0;
  for (std::size_t at = all.find(kErase); at != std::string::npos; at = all.find(kErase, at + 1)) ++drawings;
  EXPECT_GE(drawings, 2);  // the last step and the erasure at the end
  EXPECT_LE(drawings, 2 + seconds * 10);
}

TEST(ProgressBar, FollowsALoopThatSlowsDown) {
  Terminal terminal(100);
  constexpr std::int64_t kFast = 1'000'000, kTotal = 2 * kFast;
  ProgressBar bar(kTotal, "", terminal.fd());
  for (std::int64_t i = 1; i <= kFast; ++i) bar.update(i);
  for (int i = 1; i <= 150; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    bar.update(kFast + i);
  }
  EXPECT_TRUE(matches(terminal.line(), " 1000[0-9][0-9][0-9]/2000000 "));
}

TEST(ProgressBar, NeverWraps) {
  for (const unsigned short columns : {200, 60, 40, 20, 5, 1}) {
    Terminal terminal(columns);
    ProgressBar bar(1000, "训练 training", terminal.fd());
    bar.postfix("a postfix\nwith a line break");
    bar.update(1000);
    EXPECT_LT(display_width(terminal.line()), columns) << terminal.line();
    EXPECT_FALSE(contains(terminal.read_all(), "\n"));
  }
}

TEST(ProgressBar, WritesNothingIntoAPipeOrADumbTerminal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    ProgressBar bar(2, "label", ends[1]);
    bar.update(1);
    bar.update(2);
    bar.clear();
  }
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);

  Terminal terminal(80);
  const ScopedVariable dumb("TERM", "dumb");
  {
    ProgressBar bar(2, "label", terminal.fd());
    bar.update(2);
  }
  EXPECT_EQ(terminal.read_all(), "");
}

TEST(ProgressBar, ChecksItsTotal) {
  EXPECT_THROW(ProgressBar(-1), ValueError);
  Terminal terminal(80);
  {
    ProgressBar bar(0, "none", terminal.fd());
    bar.update(0);
    bar.update(1);
  }
  EXPECT_EQ(terminal.read_all(), "");
}

}  // namespace
}  // namespace wick::viz
