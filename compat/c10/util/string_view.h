#pragma once

#include <string_view>

namespace c10 {
using std::basic_string_view;
using std::string_view;
}  // namespace c10
