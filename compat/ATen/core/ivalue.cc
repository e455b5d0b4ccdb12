#include <ATen/core/Dict.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <utility>

namespace wick {

namespace {

template <class List, class Print>
std::ostream& between(std::ostream& out, const char* left, const List& items, const char* right, const Print& print) {
  out << left;
  const char* separator = "";
  for (const auto& item : items) {
    out << std::exchange(separator, ", ");
    print(item);
  }
  return out << right;
}

std::ostream& print_double(std::ostream& out, double d) {
  if (std::abs(d) < 1e10 && d == std::trunc(d)) return out << static_cast<int64_t>(d) << '.';
  const auto precision = out.precision(std::numeric_limits<double>::max_digits10);
  out << d;
  out.precision(precision);
  return out;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const IValue& value) {
  const auto one = [&](const IValue& item) { out << item; };
  if (value.isTensor()) return out << value.toTensor();
  if (value.isDouble()) return print_double(out, value.toDouble());
  if (value.isInt()) return out << value.toInt();
  if (value.isBool()) return out << (value.toBool() ? "True" : "False");
  if (value.isString()) return out << value.toStringRef();
  if (value.isTuple()) return between(out, "(", value.toList(), value.toList().size() == 1 ? ",)" : ")", one);
  if (value.isList()) return between(out, "[", value.toList(), "]", one);
  if (!value.isGenericDict()) return out << value.tagKind();
  return between(out, "{", value.toGenericDict(), "}", [&](const auto& entry) { out << entry.first << ": " << entry.second; });
}

}  // namespace wick
