// Strings made of parts.
#pragma once

#include <sstream>
#include <string>
#include <utility>

#include "wick/framework/core/macros.h"

namespace c10 {

// The parts written one after the other, as a stream prints them.
template <class... Parts>
WICK_COLD std::string str(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return std::move(out).str();
}
inline std::string str() { return {}; }

// The elements with the delimiter between them.
template <class Container>
std::string Join(const std::string& delimiter, const Container& elements) {
  std::ostringstream out;
  const char* between = "";
  for (const auto& element : elements) {
    out << between << element;
    between = delimiter.c_str();
  }
  return std::move(out).str();
}

}  // namespace c10
