// The Iris example as its user meets it: the numbers, the files, the messages.
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ostream>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include "stb/stb_image.h"
#include "wick/tests/examples/program.h"
#include "wick/tests/viz/support.h"
#include "wick/viz/gnuplot.h"

namespace wick::examples {
namespace {

using viz::contains;
using viz::matches;
using viz::read_file;
using viz::TestFolder;
using viz::write_file;

// PATH without gnuplot: the runs are faster, and the chart is a table that a test can read.
const std::string kNoGnuplot = "PATH=/nonexistent";
const std::string kNoBuildFolder = "BUILD_WORKING_DIRECTORY=";

Strings command(const Strings& arguments) {
  Strings argv = {program_path()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return argv;
}

Outcome iris_mlp(const Strings& arguments, const TestFolder& folder, const Strings& variables = {kNoGnuplot, kNoBuildFolder}) {
  return run(command(arguments), folder / "", variables);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

struct Golden {
  int seed;
  const char* losses[4];  // PyTorch's, at 5000, 10000, 15000 and 20000 epochs
};
constexpr Golden kGolden[] = {
    {0, {"0.1551", "0.0866", "0.0693", "0.0619"}}, {1, {"0.1648", "0.0876", "0.0690", "0.0614"}},
    {2, {"0.1745", "0.0913", "0.0714", "0.0632"}}, {3, {"0.2768", "0.1236", "0.0830", "0.0690"}},
    {4, {"0.1486", "0.0839", "0.0676", "0.0607"}}, {5, {"0.2056", "0.0954", "0.0716", "0.0626"}},
    {6, {"0.1566", "0.0868", "0.0692", "0.0618"}}, {7, {"0.1802", "0.0922", "0.0709", "0.0625"}},
    {8, {"0.1507", "0.0840", "0.0676", "0.0607"}}, {9, {"0.1975", "0.0969", "0.0732", "0.0639"}}};

// The lines on losses and accuracy that the run with this seed prints.
std::string golden_lines(const Golden& golden) {
  std::string out;
  for (int i = 0; i < 4; ++i) out += "Epoch [" + std::to_string(5000 * (i + 1)) + "/20000], Loss: " + golden.losses[i] + "\n";
  return out;
}

class PyTorchsNumbers : public testing::TestWithParam<Golden> {};

TEST_P(PyTorchsNumbers, LossesAndAccuracy) {
  TestFolder folder;
  const Outcome outcome = iris_mlp({"--seed", std::to_string(GetParam().seed)}, folder);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "(20000 epochs) ...\n" + golden_lines(GetParam()) + "✅ Training finished."));
  EXPECT_TRUE(contains(outcome.out, "\nTest accuracy: 0.9667\n"));
}

INSTANTIATE_TEST_SUITE_P(Seeds, PyTorchsNumbers, testing::ValuesIn(kGolden),
                         [](const auto& info) { return "seed" + std::to_string(info.param.seed); });

TEST(IrisMlp, NeitherThreadsNorTheInstructionSetChangeTheNumbers) {
  TestFolder folder;
  for (const auto& [threads, variable] : {std::pair("2", kNoGnuplot), std::pair("1", std::string("WICK_ISA=avx2"))}) {
    const Outcome outcome = iris_mlp({"--seed", "8", "--threads", threads}, folder, {variable, kNoGnuplot, kNoBuildFolder});
    EXPECT_TRUE(contains(outcome.out, golden_lines(kGolden[8]))) << outcome.err;
  }
}

TEST(IrisMlp, TellsDeviceDataAndWhatCallingDoes) {
  TestFolder folder;
  const Outcome outcome = iris_mlp({}, folder);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.out.starts_with("🚀 Running on device: cpu\n")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "Data is on: cpu (120 training rows, 30 test rows, 4 features, 3 classes)\n"));
  EXPECT_TRUE(matches(outcome.out, "✅ Training finished\\. Time: [0-9]+\\.[0-9]{4} s\n"));
  EXPECT_TRUE(contains(outcome.out, "Hello, PyTorch! (call 1)\n"));
  EXPECT_TRUE(contains(outcome.out, "\nFinal count: 3\n"));
  EXPECT_TRUE(contains(outcome.out, "Is the model callable? yes\n"));
  EXPECT_TRUE(matches(outcome.out, "model\\(x\\) +runs forward and its hooks: the hook was called 1 time\n"));
  EXPECT_TRUE(matches(outcome.out, "model.forward\\(x\\) +runs forward alone: +the hook was called 0 times\n"));
}

TEST(IrisMlp, HelpNamesEveryFlag) {
  TestFolder folder;
  const Outcome outcome = iris_mlp({"--help"}, folder);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* flag :
       {"--help", "--device", "--epochs", "--lr", "--record-every", "--seed", "--threads", "--csv", "--label", "--plot", "--save"}) {
    EXPECT_TRUE(contains(outcome.out, flag));
  }
  EXPECT_EQ(folder.names(), viz::Names{});
}

// ---- The chart ----

class Picture {
 public:
  explicit Picture(const std::string& path) : pixels_(stbi_load(path.c_str(), &width, &height, nullptr, 3)) {
    if (pixels_ == nullptr) ADD_FAILURE() << path << " is no picture: " << stbi_failure_reason();
  }
  ~Picture() { stbi_image_free(pixels_); }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  // How many pixels have about this colour.
  int count(int red, int green, int blue) const {
    const auto near = [](int a, int b) { return std::abs(a - b) < 40; };
    int found = 0;
    for (int i = 0; pixels_ != nullptr && i < width * height; ++i) {
      const unsigned char* pixel = pixels_ + 3 * i;
      found += near(pixel[0], red) && near(pixel[1], green) && near(pixel[2], blue);
    }
    return found;
  }

  int width = 0, height = 0;

 private:
  unsigned char* pixels_;
};

void expect_chart(const std::string& path) {
  const Picture picture(path);
  EXPECT_GE(picture.width, 600);
  EXPECT_GE(picture.height, 400);
  EXPECT_GT(picture.count(0, 0x72, 0xb2), picture.width) << "no curve from left to right in " << path;
  EXPECT_GT(picture.count(0, 0, 0), 500) << "no text in " << path;
  EXPECT_GT(picture.count(255, 255, 255), picture.width * picture.height / 2);
}

TEST(IrisMlp, DrawsTheLoss) {
  if (!viz::gnuplot_available()) GTEST_SKIP() << "no gnuplot";
  TestFolder folder;
  const Outcome outcome = iris_mlp({"--epochs", "2000"}, folder, {kNoBuildFolder});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(contains(outcome.out, "\nchart written to training_loss.png\n"));
  EXPECT_EQ(folder.names(), (viz::Names{"training_loss.png"}));
  expect_chart(folder / "training_loss.png");
}

TEST(IrisMlp, WithoutGnuplotTheChartIsATable) {
  TestFolder folder;
  const Outcome outcome = iris_mlp({"--epochs", "200", "--record-every", "50", "--plot", "loss.svg"}, folder);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(matches(outcome.out, "\n[^\n]*no gnuplot[^\n]* written to loss\\.csv\n"));
  EXPECT_EQ(folder.names(), (viz::Names{"loss.csv"}));
  EXPECT_TRUE(matches(read_file(folder / "loss.csv"),
                      "^series,x,y\ntraining,50,1\\.[0-9]+\ntraining,100,1\\.[0-9]+\ntraining,150,1\\.[0-9]+\ntraining,200,1\\.[0-9]+\n$"));
}

TEST(IrisMlp, RecordsAsOftenAsAsked) {
  TestFolder folder;
  for (const auto& [epochs, every, points, printed] :
       {std::tuple("20000", "200", 100, 4), std::tuple("1000", "1", 1000, 4), std::tuple("7", "200", 1, 1), std::tuple("1", "1", 1, 1)}) {
    const Outcome outcome = iris_mlp({"--epochs", epochs, "--record-every", every}, folder);
    EXPECT_EQ(count(read_file(folder / "training_loss.csv"), "training,"), static_cast<std::size_t>(points));
    EXPECT_EQ(count(outcome.out, "Epoch ["), static_cast<std::size_t>(printed)) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, std::string("Epoch [") + epochs + "/" + epochs + "], Loss: "));
  }
}

TEST(IrisMlp, RelativePathsAreTheUsers) {
  TestFolder here, users;
  write_file(users / "flowers.csv", "a,kind\n1,x\n2,y\n3,x\n4,y\n5,x\n");
  const Strings variables = {kNoGnuplot, "BUILD_WORKING_DIRECTORY=" + users / ""};
  const Outcome outcome = iris_mlp({"--csv", "flowers.csv", "--label", "kind", "--epochs", "10"}, here, variables);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "written to " + users / "training_loss.csv"));
  EXPECT_EQ(here.names(), viz::Names{});
  EXPECT_EQ(users.names(), (viz::Names{"flowers.csv", "training_loss.csv"}));
}

// ---- A table of one's own ----

// Measurements of three kinds of flower that lie apart; the label column is neither the first nor the last.
std::string flower_table() {
  std::string out = "\"length, cm\",width,species,height\r\n";
  for (int i = 0; i < 90; ++i) {
    const int kind = i % 3;
    const auto number = [&](int base, int step) { return std::to_string(base * kind + i * step % 17) + ".5"; };
    const char* const name = kind == 0 ? "lily" : kind == 1 ? "\"rose, red\"" : "tulip";
    out += number(30, 5) + "," + number(20, 7) + "," + name + "," + number(10, 3) + "\r\n";
  }
  return out;
}

TEST(IrisMlp, LearnsTheUsersOwnTable) {
  TestFolder folder;
  write_file(folder / "flowers.csv", flower_table());
  const Outcome outcome = iris_mlp({"--csv", "flowers.csv", "--label", "species", "--lr", "0.1"}, folder);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "(72 training rows, 18 test rows, 3 features, 3 classes)\n"));
  EXPECT_TRUE(contains(outcome.out, "Test accuracy: 1.0000\n"));
}

// ---- Bad input: one line on standard error, status 1, no file ----

struct BadInput {
  const char* name;
  Strings arguments;
  const char* message;      // a regular expression
  const char* table = "";  // the content of flowers.csv
};

std::ostream& operator<<(std::ostream& out, const BadInput& input) { return out << input.name; }

const char* const kTable = "a,b,species\n1,2,lily\n3,4,rose\n5,6,lily\n7,8,rose\n9,10,lily\n";
const Strings kOwnTable = {"--csv", "flowers.csv", "--label", "species"};

const BadInput kBadInputs[] = {
    {"UnknownDevice",
     {"--device", "tpu"},
     "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, ort, mps, xla, lazy, vulkan, meta, hpu device type at start of device string: tpu$"},
    {"MalformedDevice", {"--device", "cuda:x"}, "Invalid device string: 'cuda:x'$"},
    {"NoCuda", {"--device", "cuda"}, "no CUDA device.*--device cpu"},
    {"NoDataOnMeta", {"--device", "meta"}, "meta device.*--device cpu"},
    {"ZeroEpochs", {"--epochs", "0"}, "--epochs: wants a number above 0, got 0$"},
    {"NegativeEpochs", {"--epochs", "-5"}, "--epochs.* -5"},
    {"EpochsInWords", {"--epochs", "many"}, "--epochs.*many"},
    {"TooManyEpochs", {"--epochs", "99999999999"}, "--epochs.*99999999999"},
    {"ZeroRate", {"--lr", "0"}, "--lr"},
    {"NoRate", {"--lr", "nan"}, "--lr: wants a number above 0, got nan$"},
    {"ZeroRecords", {"--record-every", "0"}, "--record-every.* 0"},
    {"ZeroThreads", {"--threads", "0"}, "--threads.* 0"},
    {"SeedInWords", {"--seed", "none"}, "--seed.*none"},
    {"UnknownFlag", {"--epoch", "5"}, "--epoch"},
    {"MissingValue", {"--plot"}, "--plot"},
    {"TableWithoutLabel", {"--csv", "flowers.csv"}, "--csv.*--label", kTable},
    {"LabelWithoutTable", {"--label", "species"}, "--label.*--csv", kTable},
    {"EmptyLabel", {"--csv", "flowers.csv", "--label", ""}, "--label must name a column of flowers\\.csv$", kTable},
    {"MissingTable", {"--csv", "trees.csv", "--label", "species"}, "cannot open trees\\.csv: No such file or directory$"},
    {"FolderForATable", {"--csv", ".", "--label", "species"}, "\\.: Is a directory$"},
    {"UnknownLabel", {"--csv", "flowers.csv", "--label", "kind"}, "flowers\\.csv:1: .*\"kind\".*\"a\", \"b\", \"species\"", kTable},
    {"EmptyTable", kOwnTable, "flowers\\.csv:1: .*empty"},
    {"HeaderAlone", kOwnTable, "flowers\\.csv:1: ", "a,b,species\n"},
    {"MissingField", kOwnTable, "flowers\\.csv:3: 2 fields instead of 3", "a,b,species\n1,2,lily\n3,rose\n"},
    {"SuperfluousField", kOwnTable, "flowers\\.csv:2: 4 fields instead of 3", "a,b,species\n1,2,3,lily\n"},
    {"Text", kOwnTable, "flowers\\.csv:4: column \"b\" is not a number: \"four\"", "a,b,species\n1,2,lily\n\n3,four,rose\n"},
    {"EmptyField", kOwnTable, "flowers\\.csv:2: column \"a\" is empty", "a,b,species\n,2,lily\n"},
    {"NaN", kOwnTable, "flowers\\.csv:3: column \"b\" is not a finite number: \"nan\"", "a,b,species\n1,2,lily\n3,nan,rose\n"},
    {"Infinity", kOwnTable, "flowers\\.csv:2: column \"a\" is not a finite number: \"-inf\"", "a,b,species\n-inf,2,lily\n"},
    {"MissingLabel", kOwnTable, "flowers\\.csv:2: column \"species\" has no label", "a,b,species\n1,2,\n"},
    {"OpenQuote", kOwnTable, "flowers\\.csv:2: the quote .*never closed", "a,b,species\n1,\"2,lily\n3,4,rose\n"},
    {"OneClass", kOwnTable, "flowers\\.csv: column \"species\" has one class, \"lily\"", "a,b,species\n1,2,lily\n3,4,lily\n"},
    {"TooFewRows", kOwnTable, "train set will be empty", "a,b,species\n1,2,lily\n"},
    {"PlotInAMissingFolder", {"--plot", "missing/loss.png"}, "cannot write missing/loss\\.png: No such file or directory$"},
    {"PlotOnAFolder", {"--plot", "."}, "cannot write \\.: "},
    {"PlotOnADevice", {"--plot", "/dev/full"}, "cannot write /dev/full"},
    {"PlotOfUnknownFormat", {"--plot", "loss.jpg"}, "loss\\.jpg.*\\.png, \\.svg or \\.pdf"},
    {"SaveInAMissingFolder", {"--save", "missing/iris.safetensors"}, "cannot write missing/iris\\.safetensors: No such file or directory$"},
    {"NoPlot", {"--plot", ""}, "--plot|cannot write"},
};

class IrisMlpRefuses : public testing::TestWithParam<BadInput> {};

TEST_P(IrisMlpRefuses, InOneLine) {
  TestFolder folder;
  write_file(folder / "flowers.csv", GetParam().table);
  const Outcome outcome = iris_mlp(GetParam().arguments, folder, {kNoBuildFolder, "CUDA_VISIBLE_DEVICES="});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(outcome.err.starts_with("iris_mlp: ")) << outcome.err;
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  EXPECT_TRUE(matches(outcome.err.substr(0, outcome.err.size() - 1), GetParam().message));
  EXPECT_FALSE(contains(outcome.out, "Training"));
  EXPECT_EQ(folder.names(), (viz::Names{"flowers.csv"}));
}

INSTANTIATE_TEST_SUITE_P(BadInput, IrisMlpRefuses, testing::ValuesIn(kBadInputs), [](const auto& info) { return info.param.name; });

// ---- Ctrl-C and the progress bar ----

Outcome interrupted_run(const TestFolder& folder, const Strings& variables) {
  Program program(command({"--epochs", "2000000000", "--record-every", "10"}), folder / "", variables);
  EXPECT_TRUE(program.wait_for("Training (")) << program.finish().err;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  program.interrupt();
  return program.finish();
}

TEST(IrisMlp, ControlCSavesTheCurveSoFar) {
  TestFolder folder;
  const Outcome outcome = interrupted_run(folder, {kNoGnuplot, kNoBuildFolder});
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "Interrupted."));
  EXPECT_TRUE(matches(outcome.out, "\nTest accuracy: [01]\\.[0-9]{4}\n"));
  EXPECT_TRUE(contains(outcome.out, "written to training_loss.csv\n"));
  EXPECT_FALSE(contains(outcome.out, "operator()"));
  EXPECT_EQ(folder.names(), (viz::Names{"training_loss.csv"}));
  EXPECT_GT(count(read_file(folder / "training_loss.csv"), "training,"), 10u);
}

TEST(IrisMlp, ControlCSavesTheChart) {
  if (!viz::gnuplot_available()) GTEST_SKIP() << "no gnuplot";
  TestFolder folder;
  EXPECT_EQ(interrupted_run(folder, {kNoBuildFolder}).status, 130);
  EXPECT_EQ(folder.names(), (viz::Names{"training_loss.png"}));
  expect_chart(folder / "training_loss.png");
}

TEST(IrisMlp, ShowsABarOnATerminalOnly) {
  TestFolder folder;
  int master = -1, terminal = -1;
  winsize size{};
  size.ws_col = 100;
  ASSERT_EQ(openpty(&master, &terminal, nullptr, nullptr, &size), 0);
  Program program(command({"--epochs", "500"}), folder / "", {kNoGnuplot, kNoBuildFolder, "TERM=xterm"}, terminal);
  EXPECT_EQ(program.finish().status, 0);
  char shown[4096];
  const ssize_t got = read(master, shown, sizeof(shown));
  EXPECT_TRUE(matches(std::string(shown, static_cast<std::size_t>(std::max<ssize_t>(got, 0))), "training +100% \\[#+\\] 500/500 "));
  close(master);
  close(terminal);

  const Outcome piped = iris_mlp({"--epochs", "500"}, folder, {kNoGnuplot, kNoBuildFolder, "TERM=xterm"});
  EXPECT_EQ(piped.err, "");
  EXPECT_FALSE(contains(piped.out, "%"));
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
