// The exceptions of wick and the checks that throw them.
//
// Every error is a wick::Error (c10::Error in compat/). Where PyTorch has a sentence for the error, the message begins with it word
// for word, because programs match on it; what to do about it follows on the next lines. A check runs before anything is changed.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "wick/framework/core/macros.h"

namespace wick {

class Error : public std::exception {
 public:
  explicit Error(std::string message) : message_(std::move(message)), what_(message_) {}

  const char* what() const noexcept override { return what_.c_str(); }
  // LibTorch's spelling: the message without any context.
  const char* what_without_backtrace() const noexcept { return message_.c_str(); }
  const std::string& msg() const noexcept { return message_; }
  // Adds a line below the message, for example the path of the module in which the error arose.
  void add_context(std::string line);

 private:
  std::string message_;
  std::string what_;
};

// An index or a dimension outside its range.
class IndexError : public Error { using Error::Error; };
// A value that an argument may not have.
class ValueError : public Error { using Error::Error; };
// An argument of the wrong type.
class TypeError : public Error { using Error::Error; };
// Something that PyTorch has and that wick, this backend or this dtype has not.
class NotImplementedError : public Error { using Error::Error; };
// The device or the host has no memory left, or the size asked for cannot exist.
class OutOfMemoryError : public Error { using Error::Error; };
// A matrix that the linear algebra routine cannot handle (singular, not positive definite, ...).
class LinAlgError : public Error { using Error::Error; };

namespace detail {

// How a value appears in an error message. A type of one's own joins in with an overload of append_text in its namespace.
void append_text(std::string& out, std::string_view text);
void append_text(std::string& out, const char* text);
void append_text(std::string& out, char c);
void append_text(std::string& out, bool value);
void append_text(std::string& out, long long value);
void append_text(std::string& out, unsigned long long value);
void append_text(std::string& out, double value);  // as an ostream prints it: six significant digits
void append_text(std::string& out, const void* pointer);

template <class T>
void append_any(std::string& out, const T& value) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, char>) {
    append_text(out, value);
  } else if constexpr (std::is_integral_v<T>) {
    if constexpr (std::is_signed_v<T>) append_text(out, static_cast<long long>(value));
    else append_text(out, static_cast<unsigned long long>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    append_text(out, static_cast<double>(value));
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    append_text(out, std::string_view(value));
  } else {
    append_text(out, value);
  }
}

template <class... Parts>
WICK_COLD std::string concat(const Parts&... parts) {
  std::string out;
  (append_any(out, parts), ...);
  return out;
}

template <class Exception, class... Parts>
[[noreturn]] WICK_COLD void raise(const Parts&... parts) {
  throw Exception(concat(parts...));
}

}  // namespace detail
}  // namespace wick

// WICK_CHECK(condition, "text ", value, ...): throws wick::Error with the joined text when the condition does not hold.
#define WICK_CHECK_AS(Exception, condition, ...)                                    \
  do {                                                                              \
    if (WICK_UNLIKELY(!(condition))) ::wick::detail::raise<Exception>(__VA_ARGS__); \
  } while (0)
#define WICK_CHECK(condition, ...) WICK_CHECK_AS(::wick::Error, condition, __VA_ARGS__)
#define WICK_CHECK_INDEX(condition, ...) WICK_CHECK_AS(::wick::IndexError, condition, __VA_ARGS__)
#define WICK_CHECK_VALUE(condition, ...) WICK_CHECK_AS(::wick::ValueError, condition, __VA_ARGS__)
#define WICK_CHECK_TYPE(condition, ...) WICK_CHECK_AS(::wick::TypeError, condition, __VA_ARGS__)
#define WICK_CHECK_NOT_IMPLEMENTED(condition, ...) WICK_CHECK_AS(::wick::NotImplementedError, condition, __VA_ARGS__)
