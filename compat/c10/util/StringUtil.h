// Strings made of parts.
#pragma once

#include <sstream>
#include <string>
#include <type_traits>
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

namespace guts {
// The key of a parameter's state in optimizer.state(), c10::guts::to_string(param.unsafeGetTensorImpl()): LibTorch up to 2.0 has the text
// of the address there, later ones the address itself. This is both.
class AddressText : public std::string {
 public:
  explicit AddressText(const void* address) : std::string(str(address)), address_(address) {}
  operator void*() const { return const_cast<void*>(address_); }

 private:
  const void* address_;
};
template <class T>
AddressText to_string(T* address) { return AddressText(address); }
template <class T>
  requires std::is_arithmetic_v<T>
std::string to_string(T value) { return std::to_string(value); }
}  // namespace guts

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
