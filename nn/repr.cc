#include "wick/nn/repr.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>
#include <vector>

#include "wick/nn/module.h"
#include "wick/nn/type_name.h"

namespace wick::nn {
namespace {

// The shortest digits that give the value back, as Python's repr(): 0.1, 1.0, 1e-05.
std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[48];
  const auto print = [&](std::chars_format format) {
    return std::string(text, std::to_chars(text, text + sizeof text, value, format).ptr);
  };
  std::string scientific = print(std::chars_format::scientific);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  if (exponent < -4 || exponent >= 16) return scientific;
  std::string fixed = print(std::chars_format::fixed);
  if (fixed.find('.') == std::string::npos) fixed += ".0";
  return fixed;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

void print(std::ostream& out, const Module& module, const std::string& indent) {
  module.pretty_print(out);
  const auto children = module.named_children();
  if (children.is_empty()) return;
  const std::string inner = indent + "  ";
  out << "(\n";
  for (const auto& child : children) {
    out << inner << '(' << child.key() << "): ";
    print(out, *child.value(), inner);
    out << '\n';
  }
  out << indent << ')';
}

}  // namespace

Fields& Fields::add_text(const char* name, std::string_view value) {
  if (std::exchange(skip_next_, false)) return *this;
  if (!text_.empty()) text_ += ", ";
  if (*name) text_.append(name).append("=");
  text_ += value;
  return *this;
}

Fields& Fields::add(const char* name, bool value) {
  if (is_python()) return add_text(name, value ? "True" : "False");
  return add_text(name, value ? "true" : "false");
}
Fields& Fields::add(const char* name, int64_t value) { return add_text(name, std::to_string(value)); }
Fields& Fields::add(const char* name, double value) {
  return add_text(name, is_python() ? python_float(value) : wick::detail::concat(value));
}
Fields& Fields::add(const char* name, std::string_view value) { return add_text(name, wick::detail::concat('\'', value, '\'')); }

Fields& Fields::add(const char* name, const std::optional<double>& value) { return value ? add(name, *value) : add_text(name, "None"); }

Fields& Fields::add_sizes(const char* name, IntArrayRef values, bool tuple) {
  const bool equal = std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values[0]; });
  const bool one = is_python() ? equal && !tuple : values.size() == 1;
  return one ? add(name, values[0]) : add_list(name, values);
}

Fields& Fields::add_list(const char* name, IntArrayRef values) {
  std::string text = joined_text(values, ", ");
  if (is_python() && values.size() == 1) text += ',';
  return add_text(name, is_python() ? '(' + text + ')' : '[' + text + ']');
}

std::string repr(const Module& module) {
  const std::vector<std::string> extra = split_lines(module.extra_repr());
  const auto children = module.named_children();
  std::string out = detail::short_type_name(typeid(module)) + '(';
  if (children.is_empty() && extra.size() <= 1) return out + (extra.empty() ? "" : extra[0]) + ')';
  for (const std::string& line : extra) out += "\n  " + line;
  for (const auto& child : children) {
    const std::vector<std::string> lines = split_lines(repr(*child.value()));
    for (size_t i = 0; i < lines.size(); ++i) out += (i ? "\n  " : "\n  (" + child.key() + "): ") + lines[i];
  }
  return out + "\n)";
}

std::ostream& operator<<(std::ostream& out, const Module& module) {
  print(out, module, "");
  return out;
}

}  // namespace wick::nn
