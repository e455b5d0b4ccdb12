#include "wick/viz/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "wick/viz/utf8.h"

namespace wick::viz {
namespace {

struct Interval {
  char32_t first, last;
};

// The blocks with East Asian width "wide" or "full" (Unicode Standard Annex 11), rounded to whole blocks, and the emoji.
constexpr Interval kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},
                              {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
                              {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
constexpr Interval kZeroWidth[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0xFE00, 0xFE0F}};

template <std::size_t n>
bool contains(const Interval (&intervals)[n], char32_t code) {
  for (const Interval& interval : intervals) {
    if (code >= interval.first && code <= interval.last) return true;
  }
  return false;
}

int code_point_width(char32_t code) {
  if (contains(kZeroWidth, code)) return 0;
  return contains(kWide, code) ? 2 : 1;
}

}  // namespace

bool is_terminal(int fd) {
  const char* term = std::getenv("TERM");
  return isatty(fd) == 1 && !(term != nullptr && std::string_view(term) == "dumb");
}

int terminal_width(int fd) {
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

int display_width(std::string_view text) {
  int columns = 0;
  for (std::size_t i = 0; i < text.size();) columns += code_point_width(next_code_point(text, i));
  return columns;
}

std::string_view fit(std::string_view text, int columns) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < text.size(); end = i) {
    columns -= code_point_width(next_code_point(text, i));
    if (columns < 0) break;
  }
  return text.substr(0, end);
}

}  // namespace wick::viz
