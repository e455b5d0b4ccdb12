// What the tests of the tutorial's programs share.
#pragma once

#include "wick/tests/examples/program.h"
#include "wick/tests/viz/support.h"

namespace wick::examples {

using viz::contains;
using viz::Names;
using viz::TestFolder;
using viz::write_file;

// Runs the program in the folder. Without gnuplot its charts are tables.
inline Outcome run_here(const TestFolder& folder, Strings arguments, bool draws = false) {
  arguments.insert(arguments.begin(), program_path());
  Strings variables = {"BUILD_WORKING_DIRECTORY="};
  if (!draws) variables.push_back("PATH=/nonexistent");
  return run(std::move(arguments), folder / "", variables);
}

// Every line of `lines` appears in the text, one after the other.
inline testing::AssertionResult has_lines(const std::string& text, const Strings& lines) {
  std::size_t at = 0;
  for (const std::string& line : lines) {
    const std::size_t found = ("\n" + text).find("\n" + line + "\n", at);
    if (found == std::string::npos) return testing::AssertionFailure() << '"' << line << "\" is not, or not there, in\n" << text;
    at = found;
  }
  return testing::AssertionSuccess();
}

// A wrong argument: exit status 1 and one line that begins with the program's name.
inline void expect_one_line(const Outcome& outcome, const std::string& part) {
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, part));
}

}  // namespace wick::examples
