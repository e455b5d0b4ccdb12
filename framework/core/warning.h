// Warnings: what PyTorch says without throwing.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "wick/framework/core/error.h"

namespace wick {

struct SourceLocation {
  const char* function;
  const char* file;
  uint32_t line;
};

// Gets each warning of the threads for which it is set. This one writes to stderr: "[W file.cc:12] Warning: text (function f)".
class WarningHandler {
 public:
  virtual ~WarningHandler() = default;
  // `verbatim`: the message says already where it comes from.
  virtual void process(const SourceLocation& where, const std::string& message, bool verbatim);
};

namespace Warning {
void warn(const SourceLocation& where, const std::string& message, bool verbatim = false);
// The calling thread's handler; null stands for the one that writes to stderr.
WarningHandler* get_warning_handler() noexcept;
void set_warning_handler(WarningHandler* handler) noexcept;
// Whether warnings that are given once only are given each time. For the whole process.
bool get_warnAlways() noexcept;
void set_warnAlways(bool on) noexcept;
inline bool due(std::atomic<bool>& warned) { return !warned.exchange(true, std::memory_order_relaxed) || get_warnAlways(); }
}  // namespace Warning
}  // namespace wick

#define WICK_WARN(...) \
  ::wick::Warning::warn({__func__, __FILE__, static_cast<uint32_t>(__LINE__)}, ::wick::detail::concat(__VA_ARGS__))
// Once at this place of the program.
#define WICK_WARN_ONCE(...)                                       \
  do {                                                            \
    static std::atomic<bool> warned{false};                       \
    if (::wick::Warning::due(warned)) WICK_WARN(__VA_ARGS__);     \
  } while (0)
