#include "wick/viz/utf8.h"

namespace wick::viz {
namespace {

// The length that a first byte announces, 0 for a byte that cannot be first.
int sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};  // by length: anything below is an overlong form

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& i) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const std::size_t start = i++;
  const int length = sequence_length(byte(start));
  if (length == 1) return byte(start);
  if (length == 0 || text.size() - start < static_cast<std::size_t>(length)) return kReplacementCharacter;
  char32_t code = byte(start) & (0x7F >> length);
  for (int k = 1; k < length; ++k) {
    if ((byte(start + k) & 0xC0) != 0x80) return kReplacementCharacter;
    code = code << 6 | (byte(start + k) & 0x3F);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[length] || code > 0x10FFFF || surrogate) return kReplacementCharacter;
  i = start + length;
  return code;
}

std::string clean_text(std::string_view text, bool keep_newlines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    const char32_t code = next_code_point(text, i);
    if (code == kReplacementCharacter) out += "\uFFFD";
    else if (code == '\n' && keep_newlines) out += '\n';
    else if (code < 0x20 || (code >= 0x7F && code < 0xA0)) out += ' ';
    else out += text.substr(start, i - start);
  }
  return out;
}

}  // namespace wick::viz
