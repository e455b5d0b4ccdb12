// What tests of errors share.
#pragma once

#include <string>

#include "wick/framework/core/error.h"

namespace wick::test {

// The message of the Exception that f throws; empty where it throws none. What else it throws goes on.
template <class Exception = Error, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Exception& error) {
    return error.what();
  }
  return "";
}

// The first line of it, and "no error" where there is none.
template <class Exception = Error, class F>
std::string error_of(F&& f) {
  const std::string message = message_of<Exception>(f);
  return message.empty() ? "no error" : message.substr(0, message.find('\n'));
}

}  // namespace wick::test
