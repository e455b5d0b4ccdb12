#pragma once

#include <variant>

namespace c10 {
using std::get;
using std::get_if;
using std::holds_alternative;
using std::in_place_index;
using std::in_place_type;
using std::monostate;
using std::variant;
using std::visit;
}  // namespace c10
