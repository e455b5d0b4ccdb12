// The digits are learned as well as the page says, and the pictures show it.
#include "wick/tests/examples/tutorial.h"

namespace wick::examples {
namespace {

double test_accuracy(const std::string& out) {
  const std::string line = "\nTest accuracy: ";
  const std::size_t at = out.find(line);
  return at == std::string::npos ? -1 : std::stod(out.substr(at + line.size()));
}

TEST(DigitsCnn, ReadsNinetyEightOfAHundred) {
  const TestFolder folder;
  const Outcome outcome = run_here(folder, {});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "1437 digits to learn from, 360 to be tested with, on cpu\n"));
  EXPECT_TRUE(contains(outcome.out, "Parameters: 9,930, trainable 9,930\n"));
  EXPECT_GE(test_accuracy(outcome.out), 0.98);
  EXPECT_EQ(folder.names(), (Names{"digits_confusion.csv", "digits_curves.csv"}));
}

TEST(DigitsCnn, SaysTheSameTwice) {
  const TestFolder folder;
  const auto losses = [&] {
    const std::string out = run_here(folder, {"--epochs", "1", "--seed", "3"}).out;
    return out.substr(out.find("epoch  1"), out.find("Time:") - out.find("epoch  1"));
  };
  const std::string first = losses();
  EXPECT_TRUE(contains(first, "in training"));
  EXPECT_EQ(losses(), first);
}

TEST(DigitsCnn, CountsEveryTestDigitInTheTable) {
  const TestFolder folder;
  run_here(folder, {"--epochs", "1"});
  const std::string csv = viz::read_file(folder / "digits_confusion.csv");
  int total = 0, rows = 0;
  for (std::size_t at = csv.find('\n'); at + 1 < csv.size(); at = csv.find('\n', at + 1), ++rows) {
    const std::string line = csv.substr(at + 1, csv.find('\n', at + 1) - at - 1);
    total += std::stoi(line.substr(line.rfind(',') + 1));
  }
  EXPECT_EQ(rows, 100);
  EXPECT_EQ(total, 360);
}

TEST(DigitsCnn, RefusesBadArguments) {
  const TestFolder folder;
  expect_one_line(run_here(folder, {"--out", "nowhere"}), "digits_cnn: cannot write nowhere/");
  expect_one_line(run_here(folder, {"--batch", "0"}), "--batch");
  EXPECT_EQ(folder.names(), Names{});
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
