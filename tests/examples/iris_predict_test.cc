// A network goes from one program to another: from iris_mlp, and from Python, whose predictions it repeats.
#include <cmath>
#include <fstream>
#include <sstream>

#include "wick/framework/io/safetensors.h"
#include "wick/tests/examples/tutorial.h"

namespace wick::examples {
namespace {

using viz::read_file;

const std::string kFiles = std::filesystem::absolute("tests/examples/files").string() + "/";

// The lines that begin with a number, without the words and gaps of the table.
std::vector<Strings> rows(const std::string& text) {
  std::vector<Strings> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Strings row;
    for (std::string word; words >> word;) row.push_back(word);
    if (!row.empty() && std::isdigit(static_cast<unsigned char>(row[0][0]))) result.push_back(row);
  }
  return result;
}

void expect_same_predictions(const std::string& ours, const std::string& pythons) {
  const auto a = rows(ours), b = rows(pythons);
  ASSERT_EQ(a.size(), 30u) << ours;
  ASSERT_EQ(b.size(), 30u);
  for (std::size_t i = 0; i < 30; ++i) {
    ASSERT_EQ(a[i].size(), 8u);  // four measurements, a name, three probabilities
    for (std::size_t j = 0; j < 8; ++j) {
      if (j < 5) EXPECT_EQ(a[i][j], b[i][j]);
      else EXPECT_NEAR(std::stod(a[i][j]), std::stod(b[i][j]), 2e-6) << "row " << i;
    }
  }
}

TEST(IrisPredict, PredictsAsPythonDoesWithPythonsNetwork) {
  const TestFolder folder;
  const Outcome outcome = run_here(folder, {kFiles + "iris_torch.safetensors"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_same_predictions(outcome.out, read_file(kFiles + "iris_torch.txt"));
  EXPECT_TRUE(contains(outcome.out, "\nTest accuracy: 0.9667\n"));
  EXPECT_EQ(folder.names(), Names{});
}

// The same seed and the same steps give the same network, up to rounding, whoever takes them.
TEST(IrisPredict, PredictsWithWhatIrisMlpSaved) {
  const TestFolder folder;
  const std::string trainer = std::filesystem::path(program_path()).replace_filename("iris_mlp").string();
  const Outcome training =
      run({trainer, "--seed", "8", "--save", "iris.safetensors"}, folder / "", {"BUILD_WORKING_DIRECTORY=", "PATH=/nonexistent"});
  ASSERT_EQ(training.status, 0) << training.err;
  EXPECT_TRUE(contains(training.out, "\nmodel written to iris.safetensors\n"));
  const Outcome outcome = run_here(folder, {"iris.safetensors"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto a = rows(outcome.out), b = rows(read_file(kFiles + "iris_torch.txt"));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i][4], b[i][4]);
    EXPECT_NEAR(std::stod(a[i][6]), std::stod(b[i][6]), 1e-3);
  }
  const auto tensors = load_safetensors(folder / "iris.safetensors");
  const std::vector<std::string> names = {"fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias", "scaler.scale", "scaler.shift"};
  ASSERT_EQ(tensors.size(), names.size());
  for (const std::string& name : names) EXPECT_TRUE(tensors.contains(name)) << name;
}

TEST(IrisPredict, PredictsOneFlower) {
  const TestFolder folder;
  const Outcome outcome = run_here(folder, {kFiles + "iris_torch.safetensors", "5.1", "3.5", "1.4", "0.2"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  ASSERT_EQ(rows(outcome.out).size(), 1u) << outcome.out;
  EXPECT_EQ(rows(outcome.out)[0][4], "setosa");
  EXPECT_FALSE(contains(outcome.out, "accuracy"));
}

TEST(IrisPredict, RefusesWhatItCannotUse) {
  const TestFolder folder;
  expect_one_line(run_here(folder, {}), "iris_predict: file is required");
  expect_one_line(run_here(folder, {"nothing.safetensors"}), "iris_predict: ");
  write_file(folder / "text.safetensors", "no such thing");
  expect_one_line(run_here(folder, {"text.safetensors"}), "iris_predict: ");
  expect_one_line(run_here(folder, {kFiles + "iris_torch.safetensors", "5.1"}), "this model wants 4 measurements, got 1");
  expect_one_line(run_here(folder, {kFiles + "iris_torch.safetensors", "5.1", "wide"}), "measurements: wants numbers, got wide");
  expect_one_line(run_here(folder, {kFiles + "iris_torch.safetensors", "5.1", "nan", "1.4", "0.2"}),
                  "a measurement is a finite number, got nan");
  save_safetensors({{"fc1.weight", ones({10, 4})}}, folder / "half.safetensors");
  expect_one_line(run_here(folder, {"half.safetensors"}), "half.safetensors has no tensor fc2.weight");
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
