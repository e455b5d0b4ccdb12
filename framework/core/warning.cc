#include "wick/framework/core/warning.h"

#include <cstdio>
#include <cstring>

namespace wick {
namespace {
constinit thread_local WarningHandler* t_handler = nullptr;
std::atomic<bool> g_always{false};
}  // namespace

void WarningHandler::process(const SourceLocation& where, const std::string& message, bool) {
  const char* slash = std::strrchr(where.file, '/');
  std::fprintf(stderr, "[W %s:%u] Warning: %s (function %s)\n", slash ? slash + 1 : where.file, where.line, message.c_str(),
               where.function);
}

void Warning::warn(const SourceLocation& where, const std::string& message, bool verbatim) {
  get_warning_handler()->process(where, message, verbatim);
}

WarningHandler* Warning::get_warning_handler() noexcept {
  static WarningHandler to_stderr;
  return t_handler ? t_handler : &to_stderr;
}

void Warning::set_warning_handler(WarningHandler* handler) noexcept { t_handler = handler; }
bool Warning::get_warnAlways() noexcept { return g_always.load(std::memory_order_relaxed); }
void Warning::set_warnAlways(bool on) noexcept { g_always.store(on, std::memory_order_relaxed); }

}  // namespace wick
