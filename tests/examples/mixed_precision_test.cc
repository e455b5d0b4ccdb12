// Autocast's dtypes, the scaler's arithmetic and the agreement of the losses, as the example shows them.
#include <cmath>
#include <regex>

#include "wick/tests/examples/tutorial.h"

namespace wick::examples {
namespace {

// The last loss and the accuracy in the row of this precision.
std::pair<double, double> figures_of(const std::string& out, const std::string& precision) {
  std::smatch found;
  if (!std::regex_search(out, found, std::regex("\n  " + precision + R"( +([\d.]+) +([\d.]+) +[\d.]+\n)"))) return {NAN, NAN};
  return {std::stod(found[1]), std::stod(found[2])};
}

TEST(MixedPrecision, ShowsWhatAutocastAndTheScalerDo) {
  const TestFolder folder;
  const Outcome outcome = run_here(folder, {"--steps", "40", "--width", "64"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has_lines(outcome.out, {
      "inside autocast(cpu, bfloat16):",
      "  x                      float32",
      "  layer->weight          float32",
      "  layer(x)               bfloat16",
      "  relu(layer(x))         bfloat16",
      "  x + x                  float32",
      "  cross_entropy(...)     float32",
      "  layer->weight.grad()   float32",
      "A gradient of 1e-8 through float16:  0 without a scaler, 1e-08 with one (the loss times 65536, the gradient divided by it)",
      "A gradient that overflows:           the step is left out (w is still 1), and the scale goes from 65536 to 32768",
  }));
  const auto [loss, accuracy] = figures_of(outcome.out, "float32");
  EXPECT_LT(loss, 0.5);
  EXPECT_GT(accuracy, 0.85);
  for (const char* precision : {"bfloat16", "float16 and GradScaler"}) {
    const auto [low_loss, low_accuracy] = figures_of(outcome.out, precision);
    EXPECT_NEAR(low_loss, loss, 0.05 * loss) << precision;
    EXPECT_NEAR(low_accuracy, accuracy, 0.02) << precision;
  }
  EXPECT_EQ(folder.names(), (Names{"mixed_precision.csv"}));
}

TEST(MixedPrecision, RefusesBadArguments) {
  const TestFolder folder;
  expect_one_line(run_here(folder, {"--plot", "nowhere/a.png"}), "mixed_precision: cannot write nowhere/");
  expect_one_line(run_here(folder, {"--steps", "-1"}), "--steps");
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
