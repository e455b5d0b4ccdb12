// Decoding of UTF-8, for text that goes to a terminal or into a chart.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wick::viz {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// The code point that starts at text[i]; i moves behind it. A byte that starts no valid sequence (truncated, overlong, a surrogate,
// above U+10FFFF) counts as one U+FFFD. Requires i < text.size().
char32_t next_code_point(std::string_view text, std::size_t& i);

// The text on one line and valid: invalid bytes become U+FFFD, control characters become spaces. A newline stays if asked for.
std::string clean_text(std::string_view text, bool keep_newlines = false);

}  // namespace wick::viz
