// A progress bar for a loop that a person waits for.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace wick::viz {

//   ProgressBar bar(epochs, "training");
//   for (int epoch = 0; epoch < epochs; ++epoch) {
//     ...
//     bar.update(epoch + 1);
//   }
//
// shows on one line: label, percent, bar, steps done, time spent and left, steps per second, and a postfix of the caller's:
//   training  45% [##########............] 9000/20000 00:12<00:15 741/s loss 0.0912
// Nothing is written unless the descriptor is a terminal (and TERM is not "dumb"), so a pipe or a log file stays clean. The line is
// redrawn at most ten times a second; an update costs one comparison, and where steps come fast the clock is read at every 64th only.
// The destructor erases the line, also when an exception leaves the loop. Not for use by several threads at once.
class ProgressBar {
 public:
  // total: the number of steps, 0 for a loop that will not run. A negative one throws wick::ValueError. fd: standard error.
  explicit ProgressBar(std::int64_t total, std::string label = {}, int fd = 2);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // So many steps are done. Call it with growing numbers; at `total` the bar is drawn full.
  void update(std::int64_t done) {
    if (done >= next_) refresh(done);
  }

  // Text behind the numbers from the next drawing on. Costs a string's assignment.
  void postfix(std::string text) { postfix_ = std::move(text); }

  // Erases the line, so that the program can print one of its own; the next drawing brings it back.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void refresh(std::int64_t done);
  void draw(std::int64_t done, double seconds);
  void write(const std::string& text) const;

  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  std::int64_t next_ = kNever;  // the count of steps before which no update looks at the clock
  std::int64_t stride_ = 1;     // steps between two looks at the clock
  std::int64_t total_;
  std::int64_t drawn_steps_ = 0;
  Clock::time_point start_, drawn_at_;
  std::string label_, postfix_;
  int fd_;
  bool visible_ = false;
};

}  // namespace wick::viz
