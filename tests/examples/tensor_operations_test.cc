// The tour of tensors prints what PyTorch prints.
#include "wick/tests/examples/tutorial.h"

namespace wick::examples {
namespace {

TEST(TensorOperations, PrintsWhatTheTutorialShows) {
  const TestFolder folder;
  const Outcome outcome = run_here(folder, {"--size", "100"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has_lines(outcome.out, {
      "from a list: tensor([1, 2, 3, 4])",
      "tensor([[0., 0., 0., 0.],",
      "shape of ones: torch.Size([2, 3, 4])",
      "tensor([[ 1.5410, -0.2934, -2.1788],",  // torch.manual_seed(0)
      "        [ 0.5684, -1.0845, -1.3986],",
      "        [ 0.4033,  0.8380, -0.7193]])",
      "        [0., 0., 0., 1.]])",
      "from memory of ours, not copied: tensor([1, 2, 3])",
      "dimensions of a scalar, a vector, a matrix, an RGB picture, a batch of them: 0 1 2 3 4",
      "device in use: cpu",
      "back by .cpu(): cpu",
      "mixed devices: Expected all tensors to be on the same device, but found at least two devices, cpu and meta!",
      "exponential: tensor([ 0.3679,  7.3891, 20.0855, 54.5982])",
      "sum: tensor(42.)",
      "mean: tensor(3.5000)",
      "sums of the rows: tensor([ 8., 14., 20.])",
      "sums of the columns: tensor([13.,  6., -1., 24.])",
      "largest of each row: tensor([ 4.,  8., 12.]) at tensor([3, 3, 3])",
      "matrix product: torch.Size([3, 5])",
      "transposed: torch.Size([4, 3])",
      "flattened: torch.Size([12])",
      "tensor([[ 6,  8, 10],",
      "x[..., -1]: tensor([ 5, 11, 17, 23])",
      "x[x % 5 == 0]: tensor([ 0,  5, 10, 15, 20])",
      "        [  0,   0,   0,   0,   0,   0]])",
      "std::vector: 1 2 3",
      "written through the tensor: 2.5 3.5",
  }));
  EXPECT_EQ(folder.names(), Names{});
}

TEST(TensorOperations, SpeaksTheTutorialsLanguage) {
  const Outcome outcome = run_here(TestFolder(), {"--size", "10", "--lang", "zh"});
  EXPECT_TRUE(has_lines(outcome.out, {"从列表创建: tensor([1, 2, 3, 4])", "全一张量形状: torch.Size([2, 3, 4])", "使用设备: cpu",
                                      "展平后形状: torch.Size([12])"}));
}

TEST(TensorOperations, RefusesBadArguments) {
  const TestFolder folder;
  expect_one_line(run_here(folder, {"--device", "nonsense"}), "tensor_operations: ");
  expect_one_line(run_here(folder, {"--device", "meta"}), "the meta device");
  expect_one_line(run_here(folder, {"--size", "0"}), "--size");
  EXPECT_EQ(run_here(folder, {"--help"}).status, 0);
}

}  // namespace
}  // namespace wick::examples

int main(int argc, char** argv) { return wick::examples::run_program_tests(argc, argv); }
