// Several devices at once; without a GPU the CPU stands for each of them.
#include <torch/csrc/autograd/functions/comm.h>
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wick/tests/compat/support.h"

namespace {

using wick::test::error_of;

namespace parallel = torch::nn::parallel;

const std::vector<torch::Device> kTwo(2, torch::kCPU), kThree(3, torch::kCPU);

torch::nn::Sequential make_model() {
  torch::manual_seed(4);
  return torch::nn::Sequential(torch::nn::Linear(3, 5), torch::nn::Tanh(), torch::nn::Linear(5, 2));
}

void expect_near(const torch::Tensor& a, const torch::Tensor& b) { EXPECT_TRUE(torch::allclose(a, b, 1e-5, 1e-6)) << a << '\n' << b; }

// As without it: values, and gradients of the module and of the input.
void compare(const std::vector<torch::Device>& devices, int64_t batch) {
  auto model = make_model(), same = make_model();
  const auto x = torch::randn({batch, 3}).requires_grad_(), y = x.detach().clone().requires_grad_();
  const torch::Tensor output = parallel::data_parallel(model, x, devices), expected = same->forward(y);
  expect_near(output, expected);
  const auto weights = torch::randn(output.sizes());
  (output * weights).sum().backward();
  (expected * weights).sum().backward();
  expect_near(x.grad(), y.grad());
  for (size_t i = 0; i < model->parameters().size(); ++i) {
    ASSERT_TRUE(model->parameters()[i].grad().defined());
    expect_near(model->parameters()[i].grad(), same->parameters()[i].grad());
  }
}

TEST(DataParallel, IsTheModule) {
  compare({torch::kCPU}, 4);
  compare(kTwo, 4);
  compare(kThree, 5);  // parts of 2, 2 and 1
}

TEST(DataParallel, LeavesOutDevicesThatHaveNothingToDo) { compare(kThree, 2); }

TEST(DataParallel, AddsToGradientsThatAreThere) {
  auto model = make_model();
  const auto x = torch::ones({4, 3});
  parallel::data_parallel(model, x, kTwo).sum().backward();
  const auto once = model->parameters()[0].grad().clone();
  parallel::data_parallel(model, x, kTwo).sum().backward();
  expect_near(model->parameters()[0].grad(), once * 2);
}

TEST(DataParallel, TrainsLikeTheModule) {
  auto model = make_model(), same = make_model();
  torch::optim::SGD optimizer(model->parameters(), 0.1), other(same->parameters(), 0.1);
  const auto x = torch::randn({6, 3}), y = torch::randn({6, 2});
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    other.zero_grad();
    torch::mse_loss(parallel::data_parallel(model, x, kTwo), y).backward();
    torch::mse_loss(same->forward(x), y).backward();
    optimizer.step();
    other.step();
  }
  for (size_t i = 0; i < model->parameters().size(); ++i) expect_near(model->parameters()[i], same->parameters()[i]);
}

TEST(DataParallel, CutsAlongOtherDimensions) {
  auto model = std::make_shared<torch::nn::ReLUImpl>();
  const auto x = torch::tensor({{1.f, -2.f, 3.f}, {-4.f, 5.f, -6.f}});
  const auto output = parallel::data_parallel(model, x, kTwo, torch::Device(torch::kCPU), 1);
  EXPECT_TRUE(torch::equal(output, x.relu()));
}

TEST(DataParallel, RecordsNothingWithoutGradients) {
  torch::NoGradGuard no_grad;
  EXPECT_FALSE(parallel::data_parallel(make_model(), torch::ones({4, 3}), kTwo).requires_grad());
}

TEST(DataParallel, NeedsDevices) {
  if (torch::cuda::is_available()) GTEST_SKIP() << "there are CUDA devices";
  EXPECT_EQ(error_of([] { parallel::data_parallel(make_model(), torch::ones({4, 3})); }),
            "Expected at least one CUDA device to be available");
  EXPECT_EQ(error_of([] { parallel::data_parallel(make_model(), torch::ones({4, 3}), std::vector<torch::Device>()); }),
            "data_parallel: the list of devices is empty");
}

TEST(Replicate, MakesCopiesThatLeadBack) {
  torch::nn::Linear linear(2, 2);
  linear->bias.requires_grad_(false);
  const auto replicas = parallel::replicate(linear, kTwo);
  ASSERT_EQ(replicas.size(), 2u);
  EXPECT_TRUE(torch::equal(replicas[1]->weight, linear->weight));
  EXPECT_FALSE(replicas[1]->weight.is_alias_of(linear->weight));
  EXPECT_FALSE(replicas[1]->weight.is_leaf());
  EXPECT_FALSE(replicas[1]->bias.requires_grad());
  (replicas[0]->weight.sum() + 2 * replicas[1]->weight.sum()).backward();
  EXPECT_TRUE(torch::equal(linear->weight.grad(), torch::full({2, 2}, 3.f)));
}

struct NoClone : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return x; }
};

TEST(Replicate, NeedsAClone) {
  const std::string text = error_of([] { parallel::replicate(std::make_shared<NoClone>(), kTwo); });
  EXPECT_NE(text.find("clone() has not been implemented"), std::string::npos) << text;
}

TEST(ParallelApply, TakesAnInputForEachModule) {
  std::vector<torch::nn::Linear> modules{torch::nn::Linear(1, 1), torch::nn::Linear(2, 1)};
  const auto outputs = parallel::parallel_apply(modules, {torch::ones({1}), torch::ones({2})});
  ASSERT_EQ(outputs.size(), 2u);
  expect_near(outputs[0], modules[0]->forward(torch::ones({1})));
  expect_near(outputs[1], modules[1]->forward(torch::ones({2})));
  EXPECT_EQ(error_of([&] { parallel::parallel_apply(modules, {torch::ones({1})}); }), "Must have as many inputs as modules");
  EXPECT_EQ(error_of([&] { parallel::parallel_apply(modules, {torch::ones({1}), torch::ones({2})}, kThree); }),
            "Must have as many devices as modules");
}

TEST(ParallelApply, ThrowsWhatAModuleThrows) {
  std::vector<torch::nn::Linear> modules{torch::nn::Linear(1, 1), torch::nn::Linear(2, 1)};
  EXPECT_THROW(parallel::parallel_apply(modules, {torch::ones({1}), torch::ones({5})}), c10::Error);
}

TEST(DataParallel, ScatterAndGatherAreDifferentiable) {
  const auto x = torch::arange(10, torch::kFloat).requires_grad_();
  const auto parts = torch::autograd::Scatter(kTwo).apply({x});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_TRUE(parts[1].equal(torch::arange(5, 10, torch::kFloat)));
  const auto joined = torch::autograd::Gather(torch::kCPU).apply(parts);
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_TRUE(joined[0].equal(x));
  (joined[0] * 3).sum().backward();
  EXPECT_TRUE(x.grad().equal(torch::full({10}, 3.0f)));

  const auto uneven = torch::autograd::Scatter(kTwo, std::vector<int64_t>{1, 3}, 1).apply({torch::ones({2, 4})});
  EXPECT_EQ(uneven[0].sizes(), torch::IntArrayRef({2, 1}));
  EXPECT_EQ(uneven[1].sizes(), torch::IntArrayRef({2, 3}));
  EXPECT_EQ(torch::autograd::Gather(torch::kCPU).apply({torch::tensor(1.0), torch::tensor(2.0)})[0].sizes(), torch::IntArrayRef({2}));
  EXPECT_NE(error_of([] { torch::autograd::Scatter(kTwo, std::vector<int64_t>{1}); }).find("2 devices, but 1 chunk sizes"), std::string::npos);
}

}  // namespace
