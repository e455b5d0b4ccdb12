#include "wick/framework/core/error.h"

#include <cstdio>

namespace wick {

void Error::add_context(std::string line) {
  what_ += '\n';
  what_ += line;
}

namespace detail {

void append_text(std::string& out, std::string_view text) { out += text; }
void append_text(std::string& out, const char* text) { out += text; }
void append_text(std::string& out, char c) { out += c; }
void append_text(std::string& out, bool value) { out += value ? "true" : "false"; }
void append_text(std::string& out, long long value) { out += std::to_string(value); }
void append_text(std::string& out, unsigned long long value) { out += std::to_string(value); }

void append_text(std::string& out, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  out += text;
}

void append_text(std::string& out, const void* pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", pointer);
  out += text;
}

}  // namespace detail
}  // namespace wick
