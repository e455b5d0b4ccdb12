// What the tests of core and of files share.
#pragma once

#include <string>

#include "wick/framework/core/error.h"

namespace wick::test {

// The message of the Error that f throws, "no error" where it throws none; what else it throws goes on.
template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.msg();
  }
  return "no error";
}

}  // namespace wick::test
