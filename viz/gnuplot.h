// Driving gnuplot: finding it, quoting for it, running it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wick::viz {

// True if a folder of PATH has an executable named gnuplot. Looks anew at each call.
bool gnuplot_available();

namespace detail {

// A gnuplot string literal that shows exactly this text when it is drawn with "noenhanced". Double quotes with every active
// character escaped; a back-quote above all, since gnuplot runs what stands between two of them as a shell command. The text is made
// valid UTF-8, newlines stay, other control characters become spaces.
std::string gnuplot_quote(std::string_view text);

// The same for the label of a tick, where gnuplot would take a percent sign as a number format.
std::string gnuplot_quote_tick(std::string_view text);

// Throws wick::Error with what to install where the text has Chinese, Japanese or Korean characters and no font on this machine has
// them: gnuplot would fill the picture with boxes.
void check_font_for(std::string_view text);

// Runs another program of PATH: the text is its standard input, what it prints goes to the descriptor. Throws wick::Error with the
// program's own words if it fails, and with the hint if there is none of that name.
void run_program(const std::string& name, const std::vector<std::string>& arguments, std::string_view input, int output_fd,
                 const std::string& hint);
bool program_available(const std::string& name);

// Runs the script, which reaches gnuplot as its standard input, no shell in between; what it draws goes to the descriptor.
// Throws wick::Error with gnuplot's own words if it is not there, does not start, reports an error or is killed.
void run_gnuplot(std::string_view script, int output_fd);

}  // namespace detail
}  // namespace wick::viz
