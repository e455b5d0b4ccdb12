// Checkpoints save the memory that they should, and change no gradient.
#include <regex>

#include "wick/tests/examples/tutorial.h"

namespace wick::examples {
namespace {

// Peak MiB in the row of this name; it must end with "the same".
double peak_of(const std::string& out, const std::string& name) {
  std::smatch found;
  if (!std::regex_search(out, found, std::regex("\n" + name + R"( +([\d.]+) +[\d.]+ +[\d.]+  the same\n)"))) return -1;
  return std::stod(found[1]);
}

TEST(Checkpointing, KeepsTheInputsOfPartsAlone) {
  const TestFolder folder;
  // A result of 256 x 128 floats is an eighth of a MiB.
  const Outcome outcome = run_here(folder, {"--layers", "36", "--width", "128", "--batch", "256", "--steps", "1"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "one layer's result takes 0.12 MiB\n"));
  const double nothing = peak_of(outcome.out, "nothing"), parts = peak_of(outcome.out, "parts of 6 layers");
  EXPECT_NEAR(nothing, 36 * 0.125, 1);
  EXPECT_NEAR(parts, (6 + 6) * 0.125, 1);
  EXPECT_GT(parts, 0);
  EXPECT_LT(parts, 0.5 * nothing);
  EXPECT_GT(peak_of(outcome.out, "every layer"), parts);
  EXPECT_GT(peak_of(outcome.out, "the whole network"), parts);
  EXPECT_EQ(folder.names(), (Names{"checkpointing.csv"}));
}

TEST(Checkpointing, RefusesBadArguments) {
  const TestFolder folder;
  expect_one_line(run_here(folder, {"--plot", "a.txt"}), "checkpointing: ");
  expect_one_line(run_here(folder, {"--layers", "0"}), "--layers");
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
