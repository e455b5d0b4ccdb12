// LibTorch's checks over wick's errors.
#pragma once

#include <sstream>
#include <string>

#include "wick/framework/core/error.h"

namespace c10 {
using namespace wick;

// The parts written one after the other, as a stream prints them.
template <class... Parts>
std::string str(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return std::move(out).str();
}

namespace detail {
template <class Exception, class... Parts>
[[noreturn]] WICK_COLD void check_failed(const char* condition, const Parts&... parts) {
  if constexpr (sizeof...(Parts) == 0) throw Exception(str("Expected ", condition, " to be true, but got false."));
  else throw Exception(str(parts...));
}
}  // namespace detail
}  // namespace c10

#define WICK_TORCH_CHECK(Exception, condition, ...) \
  do {                                              \
    if (WICK_UNLIKELY(!(condition))) ::c10::detail::check_failed<Exception>(#condition __VA_OPT__(, ) __VA_ARGS__); \
  } while (0)
#define TORCH_CHECK(condition, ...) WICK_TORCH_CHECK(::wick::Error, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_INDEX(condition, ...) WICK_TORCH_CHECK(::wick::IndexError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_VALUE(condition, ...) WICK_TORCH_CHECK(::wick::ValueError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_TYPE(condition, ...) WICK_TORCH_CHECK(::wick::TypeError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) \
  WICK_TORCH_CHECK(::wick::NotImplementedError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(condition, ...) TORCH_CHECK(condition __VA_OPT__(, ) __VA_ARGS__)
#define AT_ERROR(...) TORCH_CHECK(false __VA_OPT__(, ) __VA_ARGS__)
#define AT_ASSERT(condition) TORCH_CHECK(condition)
#define AT_ASSERTM(condition, ...) TORCH_CHECK(condition __VA_OPT__(, ) __VA_ARGS__)
