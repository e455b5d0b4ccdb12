// What the tests of compat share.
#pragma once

#include <c10/util/Exception.h>

#include <string>

// The message of the error that f throws; "" where it throws none.
template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const c10::Error& error) {
    return error.what();
  }
  return "";
}
