// The demonstration of callable objects prints what it is meant to teach.
#include <gtest/gtest.h>

#include "wick/tests/examples/program.h"

namespace wick::examples {
namespace {

TEST(CallableDemo, CountsItsCalls) {
  const Outcome outcome = run({program_path()}, ".");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "--- Testing operator() ---\n"
            "1. object initialised (constructor)\n"
            "2. object called (operator()) -> Hello, PyTorch! (call 1)\n"
            "2. object called (operator()) -> Hello, GPU! (call 2)\n"
            "2. object called (operator()) -> Hello, Deep Learning! (call 3)\n"
            "First call returned: 1\n"
            "Final count: 3\n"
            "Is the counter callable? yes\n");
}

TEST(CallableDemo, HasHelpAndRefusesWhatItDoesNotKnow) {
  const Outcome help = run({program_path(), "--help"}, ".");
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("Usage: callable_demo [OPTIONS]"), std::string::npos) << help.out;
  const Outcome unknown = run({program_path(), "--loud"}, ".");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_EQ(unknown.err, "callable_demo: there is no option --loud; --help lists what there is\n");
  EXPECT_EQ(run({program_path(), "--hepl"}, ".").err,
            "callable_demo: there is no option --hepl (did you mean --help?); --help lists what there is\n");
  EXPECT_EQ(run({program_path(), "loud"}, ".").err, "callable_demo: did not expect loud; --help lists what there is\n");
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
