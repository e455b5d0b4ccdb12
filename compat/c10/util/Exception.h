// LibTorch's checks and warnings over wick's.
#pragma once

#include <c10/util/StringUtil.h>

#include <sstream>

#include "wick/framework/core/error.h"
#include "wick/framework/core/warning.h"

namespace wick::Warning {
// Lets warnings that are given once only be given each time, while it lives.
class WarnAlways {
 public:
  explicit WarnAlways(bool on = true) : before_(get_warnAlways()) { set_warnAlways(on); }
  ~WarnAlways() { set_warnAlways(before_); }

 private:
  bool before_;
};
}  // namespace wick::Warning

namespace c10 {
using wick::Error;
using wick::IndexError;
using wick::LinAlgError;
using wick::NotImplementedError;
using wick::OutOfMemoryError;
using wick::SourceLocation;
using wick::TypeError;
using wick::ValueError;
using wick::WarningHandler;
namespace Warning = wick::Warning;
}  // namespace c10

namespace wick::detail {
// The user's message in place of the default one, which a message without parts has.
template <class Exception, class... Parts>
[[noreturn]] WICK_COLD void check_failed(const char* otherwise, const Parts&... parts) {
  if constexpr (sizeof...(Parts) == 0) throw Exception(otherwise);
  else throw Exception(c10::str(parts...));
}
template <class... Parts>
[[noreturn]] WICK_COLD void assert_failed(const char* otherwise, const Parts&... parts) {
  throw Error(c10::str(otherwise, ", please report a bug to wick. ", parts...));
}
}  // namespace wick::detail

#define WICK_TORCH_LINE_INNER(line) #line
#define WICK_TORCH_LINE(line) WICK_TORCH_LINE_INNER(line)
#define TORCH_CHECK_WITH(Exception, condition, ...)                                                                              \
  do {                                                                                                                           \
    if (WICK_UNLIKELY(!(condition))) {                                                                                           \
      ::wick::detail::check_failed<Exception>(                                                                                    \
          "Expected " #condition " to be true, but got false.  (Could this error message be improved?  If so, please report an " \
          "enhancement request to wick.)" __VA_OPT__(, ) __VA_ARGS__);                                                           \
    }                                                                                                                            \
  } while (0)
#define TORCH_CHECK(condition, ...) TORCH_CHECK_WITH(::wick::Error, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_INDEX(condition, ...) TORCH_CHECK_WITH(::wick::IndexError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_VALUE(condition, ...) TORCH_CHECK_WITH(::wick::ValueError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_TYPE(condition, ...) TORCH_CHECK_WITH(::wick::TypeError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_LINALG(condition, ...) TORCH_CHECK_WITH(::wick::LinAlgError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) TORCH_CHECK_WITH(::wick::NotImplementedError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(condition, ...)                                                                          \
  do {                                                                                                                 \
    if (WICK_UNLIKELY(!(condition))) {                                                                                 \
      ::wick::detail::assert_failed(#condition " INTERNAL ASSERT FAILED at \"" __FILE__ "\":" WICK_TORCH_LINE(__LINE__) \
                                       __VA_OPT__(, ) __VA_ARGS__);                                                    \
    }                                                                                                                  \
  } while (0)
#ifdef NDEBUG
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) \
  while (false) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#else
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#endif
// TORCH_CHECK_EQ(a, b) << "what else there is to say": throws "Check failed: a == b (1 vs. 2). what else there is to say".
namespace wick::detail {
class CheckMessage {
 public:
  CheckMessage() = default;
  CheckMessage(const CheckMessage&) = delete;
  CheckMessage& operator=(const CheckMessage&) = delete;
  ~CheckMessage() noexcept(false) { throw Error(text_.str()); }
  std::ostream& stream() { return text_; }

 private:
  std::ostringstream text_;
};
// Gives both sides of ?: the type void.
struct Voidify {
  void operator&(const std::ostream&) const {}
};
}  // namespace wick::detail
#define TORCH_CHECK_OP(a, b, op)                                                                                              \
  ((a)op(b)) ? (void)0                                                                                                        \
             : ::wick::detail::Voidify() & ::wick::detail::CheckMessage().stream()                                            \
                                               << "Check failed: " #a " " #op " " #b " (" << (a) << " vs. " << (b) << "). "
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK_OP(a, b, ==)
#define TORCH_CHECK_NE(a, b) TORCH_CHECK_OP(a, b, !=)
#define TORCH_CHECK_LE(a, b) TORCH_CHECK_OP(a, b, <=)
#define TORCH_CHECK_LT(a, b) TORCH_CHECK_OP(a, b, <)
#define TORCH_CHECK_GE(a, b) TORCH_CHECK_OP(a, b, >=)
#define TORCH_CHECK_GT(a, b) TORCH_CHECK_OP(a, b, >)
#ifdef NDEBUG
#define TORCH_DCHECK_OP(a, b, op) \
  while (false) TORCH_CHECK_OP(a, b, op)
#else
#define TORCH_DCHECK_OP(a, b, op) TORCH_CHECK_OP(a, b, op)
#endif
#define TORCH_DCHECK_EQ(a, b) TORCH_DCHECK_OP(a, b, ==)
#define TORCH_DCHECK_NE(a, b) TORCH_DCHECK_OP(a, b, !=)
#define TORCH_DCHECK_LE(a, b) TORCH_DCHECK_OP(a, b, <=)
#define TORCH_DCHECK_LT(a, b) TORCH_DCHECK_OP(a, b, <)
#define TORCH_DCHECK_GE(a, b) TORCH_DCHECK_OP(a, b, >=)
#define TORCH_DCHECK_GT(a, b) TORCH_DCHECK_OP(a, b, >)

#define AT_ERROR(...) ::wick::detail::check_failed<::wick::Error>("" __VA_OPT__(, ) __VA_ARGS__)
#define C10_THROW_ERROR(Exception, message) throw ::c10::Exception(message)
#define AT_ASSERT(condition) TORCH_INTERNAL_ASSERT(condition)
#define AT_ASSERTM(condition, ...) TORCH_INTERNAL_ASSERT(condition __VA_OPT__(, ) __VA_ARGS__)
#define AT_CHECK(condition, ...) TORCH_CHECK(condition __VA_OPT__(, ) __VA_ARGS__)

#define TORCH_WARN(...) \
  ::c10::Warning::warn({__func__, __FILE__, static_cast<uint32_t>(__LINE__)}, ::c10::str(__VA_ARGS__), false)
#define TORCH_WARN_ONCE(...)                                  \
  do {                                                        \
    static std::atomic<bool> wick_warned{false};              \
    if (::c10::Warning::due(wick_warned)) TORCH_WARN(__VA_ARGS__); \
  } while (0)
#define AT_WARN(...) TORCH_WARN(__VA_ARGS__)
