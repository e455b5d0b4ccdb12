#include "wick/viz/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "wick/framework/core/error.h"
#include "wick/viz/terminal.h"
#include "wick/viz/utf8.h"

namespace wick::viz {
namespace {

constexpr std::chrono::milliseconds kInterval{100};
constexpr int kLooksPerInterval = 8;
constexpr std::int64_t kLongestStride = 64;  // a look costs 25 ns; more would show a loop that slows down too late
constexpr int kWidestBar = 30;
constexpr int kNarrowestBar = 5;
constexpr const char* kEraseLine = "\r\x1b[K";

// mm:ss, from an hour on h:mm:ss, from 100 hours on a plain ">4d".
std::string clock_text(double seconds) {
  char text[32];
  if (seconds >= 360000) {
    std::snprintf(text, sizeof(text), ">4d");
  } else {
    const int whole = static_cast<int>(seconds + 0.5);
    if (whole >= 3600) std::snprintf(text, sizeof(text), "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    else std::snprintf(text, sizeof(text), "%02d:%02d", whole / 60, whole % 60);
  }
  return text;
}

// Three digits and a prefix: 12.3k/s. Below one step a second, the time of a step: 2.5 s/step.
std::string rate_text(double per_second) {
  char text[48];
  if (per_second < 1) {
    std::snprintf(text, sizeof(text), "%.3g s/step", 1 / per_second);
    return text;
  }
  int prefix = 0;
  for (; per_second >= 999.5 && prefix < 4; ++prefix) per_second /= 1000;
  constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T"};
  std::snprintf(text, sizeof(text), "%.3g%s/s", per_second, kPrefixes[prefix]);
  return text;
}

}  // namespace

ProgressBar::ProgressBar(std::int64_t total, std::string label, int fd)
    : total_(total), start_(Clock::now()), drawn_at_(start_), label_(clean_text(label)), fd_(fd) {
  WICK_CHECK_VALUE(total >= 0, "ProgressBar: the number of steps must not be negative, got ", total);
  if (total > 0 && is_terminal(fd)) next_ = 1;
}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  if (visible_) write(kEraseLine);
  visible_ = false;
}

void ProgressBar::refresh(std::int64_t done) {
  const Clock::time_point now = Clock::now();
  const bool finished = done >= total_;
  if (now - drawn_at_ >= kInterval || finished) {
    draw(done, std::chrono::duration<double>(now - start_).count());
    stride_ = std::clamp<std::int64_t>((done - drawn_steps_) / kLooksPerInterval, 1, kLongestStride);
    drawn_steps_ = done;
    drawn_at_ = now;
  } else if (done - drawn_steps_ >= kLooksPerInterval * stride_) {
    stride_ = std::min(2 * stride_, kLongestStride);  // faster than at the last drawing, or before the first one
  }
  next_ = finished ? kNever : std::min(total_, done + stride_);
}

void ProgressBar::draw(std::int64_t done, double seconds) {
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const double per_second = static_cast<double>(done) / std::max(seconds, 1e-9);
  char percent[16];
  std::snprintf(percent, sizeof(percent), "%3d%% ", static_cast<int>(part * 100));
  const std::string left = (label_.empty() ? "" : label_ + ' ') + percent;
  const double remaining = static_cast<double>(std::max<std::int64_t>(0, total_ - done)) / per_second;
  std::string right = detail::concat(" ", done, "/", total_, " ", clock_text(seconds), "<", clock_text(remaining), " ",
                                     rate_text(per_second));
  if (!postfix_.empty()) right += ' ' + clean_text(postfix_);

  // The last column stays free: a character there makes some terminals wrap.
  const int columns = terminal_width(fd_) - 1;
  const int room = std::min(kWidestBar, columns - display_width(left) - display_width(right) - 2);
  std::string bar;
  if (room >= kNarrowestBar) {
    const int full = static_cast<int>(part * room);
    bar = '[' + std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(room - full), '.') + ']';
  }
  const std::string line = left + bar + right;
  write(kEraseLine + std::string(fit(line, columns)));
  visible_ = true;
}

void ProgressBar::write(const std::string& text) const {
  // A terminal that has gone away is no reason to stop the work.
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t written = ::write(fd_, text.data() + sent, text.size() - sent);
    if (written < 0 && errno != EINTR) return;
    sent += static_cast<std::size_t>(std::max<ssize_t>(0, written));
  }
}

}  // namespace wick::viz
