// What a program asks about the terminal it writes to.
#pragma once

#include <string>
#include <string_view>

namespace wick::viz {

// True if the descriptor is a terminal that understands "erase this line", which every one does except TERM=dumb.
bool is_terminal(int fd);

// Columns of the terminal, 80 where it does not tell.
int terminal_width(int fd);

// Columns that a text takes: two for a CJK character or an emoji, none for a combining mark. The text must have no control characters.
int display_width(std::string_view text);

// The longest beginning of the text that fits into the columns.
std::string_view fit(std::string_view text, int columns);

}  // namespace wick::viz
