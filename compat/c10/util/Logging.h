// LOG(WARNING) << ...; CHECK(n > 0) << ...; and their kin write a line with a letter for the severity, the file and the line to standard
// error: "[W main.cc:12] ...". What is less severe than a warning is left out, FATAL and a CHECK that fails end the program. Macros that
// are there already stay as they are.
//
// What LibTorch's logging makes printable: std::cout << std::vector<int>{1, 2, 3} writes "1 2 3", and of longer containers the first
// hundred elements and " ...".
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace std {
template <class First, class Second>
ostream& operator<<(ostream& out, const pair<First, Second>& x);
}  // namespace std

namespace c10 {
template <class Iterator>
void PrintSequence(std::ostream& out, Iterator begin, Iterator end);
}  // namespace c10

namespace std {
#define WICK_PRINT_CONTAINER(Container)                                  \
  template <class... Types>                                              \
  ostream& operator<<(ostream& out, const Container<Types...>& sequence) { \
    c10::PrintSequence(out, sequence.begin(), sequence.end());           \
    return out;                                                          \
  }
WICK_PRINT_CONTAINER(vector)
WICK_PRINT_CONTAINER(map)
WICK_PRINT_CONTAINER(set)
#undef WICK_PRINT_CONTAINER
template <class First, class Second>
ostream& operator<<(ostream& out, const pair<First, Second>& x) { return out << '(' << x.first << ", " << x.second << ')'; }
}  // namespace std

namespace c10 {
template <class Iterator>
void PrintSequence(std::ostream& out, Iterator begin, Iterator end) {
  for (int i = 0; begin != end && i < 100; ++i, ++begin) out << (i ? " " : "") << *begin;
  if (begin != end) out << " ...";
}
}  // namespace c10

namespace c10 {

constexpr int GLOG_INFO = 0, GLOG_WARNING = 1, GLOG_ERROR = 2, GLOG_FATAL = 3;

// Writes its line, and ends the program if that is fatal, when it is destroyed.
class MessageLogger {
 public:
  MessageLogger(const char* file, int line, int severity) : severity_(severity) {
    const char* name = std::strrchr(file, '/');
    stream_ << '[' << (severity < 0 ? 'V' : "IWEF"[severity]) << ' ' << (name ? name + 1 : file) << ':' << line << "] ";
  }
  ~MessageLogger() {
    stream_ << '\n';
    std::fputs(stream_.str().c_str(), stderr);
    if (severity_ == GLOG_FATAL) std::abort();
  }
  std::ostream& stream() { return stream_; }

 private:
  std::ostringstream stream_;
  int severity_;
};

struct LoggerVoidify {
  void operator&(const std::ostream&) {}
};

}  // namespace c10

#define WICK_LOG(severity) ::c10::MessageLogger(__FILE__, __LINE__, severity).stream()
#define WICK_LOG_IF(severity, condition) !(condition) ? (void)0 : ::c10::LoggerVoidify() & WICK_LOG(severity)
#ifndef LOG
#define LOG(n) WICK_LOG_IF(::c10::GLOG_##n, ::c10::GLOG_##n >= ::c10::GLOG_WARNING)
#define LOG_IF(n, condition) WICK_LOG_IF(::c10::GLOG_##n, ::c10::GLOG_##n >= ::c10::GLOG_WARNING && (condition))
#define VLOG(n) WICK_LOG_IF(-(n), -(n) >= ::c10::GLOG_WARNING)
#define VLOG_IF(n, condition) WICK_LOG_IF(-(n), -(n) >= ::c10::GLOG_WARNING && (condition))
#define VLOG_IS_ON(n) (-(n) >= ::c10::GLOG_WARNING)
#endif
#ifndef CHECK
#define CHECK(condition) WICK_LOG_IF(::c10::GLOG_FATAL, !(condition)) << "Check failed: " #condition " "
#endif
#ifndef DCHECK
#ifdef NDEBUG
#define DCHECK(condition) while (false) CHECK(condition)
#else
#define DCHECK(condition) CHECK(condition)
#endif
#endif
