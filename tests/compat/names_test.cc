// What `using namespace torch` brings, and that programs may reopen LibTorch's namespaces.
#include <torch/torch.h>

#include "gtest/gtest.h"

// Names of wick's own that a program may use for itself.
struct Buffer { int bytes = 7; };
struct Kernel {};
namespace math {
constexpr int answer = 42;
}

namespace torch {
inline Tensor twice(const Tensor& x) { return x * 2; }
namespace nn {
struct DoublerImpl : Cloneable<DoublerImpl> {
  void reset() override { inner = register_module("inner", Linear(LinearOptions(2, 2).bias(false))); }
  DoublerImpl() { reset(); }
  Tensor forward(const Tensor& x) { return functional::relu(twice(inner(x))); }
  Linear inner{nullptr};
};
TORCH_MODULE(Doubler);
}  // namespace nn
}  // namespace torch

namespace at {
constexpr int kOwn = 3;
}
namespace c10 {
constexpr int kOther = 4;
}

namespace {

using namespace torch;

TEST(Names, UsingNamespaceTorchIsUnambiguous) {
  Buffer buffer;
  EXPECT_EQ(buffer.bytes + math::answer, 49);
  [[maybe_unused]] Kernel kernel;
  nn::Sequential net(nn::Linear(2, 3), nn::Functional(relu));
  optim::SGD sgd(net->parameters(), optim::SGDOptions(0.1));
  const Tensor x = torch::ones({4, 2}, dtype(kFloat32));
  const Tensor y = net->forward(x).index({indexing::Slice(0, 2), indexing::Ellipsis});
  EXPECT_EQ(y.sizes(), IntArrayRef({2, 3}));
  EXPECT_TRUE(autograd::grad({y.sum()}, {net->parameters()[0]})[0].defined());
  EXPECT_EQ(kCPU, DeviceType::CPU);
}

TEST(Names, NamespacesMayBeReopened) {
  nn::Doubler doubler;
  {
    NoGradGuard off;
    doubler->inner->weight.copy_(torch::eye(2));
  }
  EXPECT_TRUE(doubler(torch::ones({1, 2})).equal(torch::full({1, 2}, 2.0)));
  EXPECT_EQ(at::kOwn + c10::kOther + torch::kOwn + torch::kOther, 14);
}

TEST(Names, TheOldSpellings) {
  torch::optional<int64_t> nothing = torch::nullopt;
  EXPECT_FALSE(nothing);
  c10::optional<double> one = c10::make_optional(1.0);
  EXPECT_EQ(*one, 1.0);
  c10::variant<int, double> number = 2.5;
  EXPECT_EQ(c10::get<double>(number), 2.5);
  EXPECT_TRUE(c10::holds_alternative<double>(number));
  const torch::autograd::Variable variable = torch::zeros({2});
  EXPECT_EQ(variable.dim(), 1);
  EXPECT_EQ(at::Reduction::Mean, torch::Reduction::Mean);
  EXPECT_EQ(torch::str("a", 1, 'b'), "a1b");
  EXPECT_EQ(TORCH_VERSION_MAJOR, 1);
}

TEST(Names, EnumeratorsByName) {
  c10::variant<torch::enumtype::kMean, torch::enumtype::kReLU> value = torch::kReLU;
  EXPECT_EQ(torch::enumtype::get_enum_name(value), "kReLU");
  value = torch::kMean;
  EXPECT_EQ(torch::enumtype::get_enum_name(value), "kMean");
}

TEST(Names, AnOptionsEnumerator) {
  auto options = torch::nn::functional::InterpolateFuncOptions().mode(torch::kBicubic);
  EXPECT_TRUE(c10::holds_alternative<torch::enumtype::kBicubic>(options.mode()));
  EXPECT_NE(c10::get_if<torch::enumtype::kBicubic>(&options.mode()), nullptr);
  EXPECT_EQ(c10::get_if<torch::enumtype::kNearest>(&options.mode()), nullptr);
  EXPECT_TRUE(c10::visit([](auto mode) { return std::is_same_v<decltype(mode), torch::enumtype::kBicubic>; }, options.mode()));
  EXPECT_EQ(torch::enumtype::get_enum_name(options.mode()), "kBicubic");
  EXPECT_EQ(torch::enumtype::get_enum_name(torch::nn::L1LossOptions().reduction()), "kMean");
  EXPECT_TRUE(options.mode() == torch::kBicubic);
  options.mode() = torch::kArea;
  EXPECT_EQ(options.mode().index(), 5u);
}

}  // namespace
