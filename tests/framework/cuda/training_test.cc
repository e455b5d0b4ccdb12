// Training on a device against the CPU: the optimisers' kernels, and whole models.
#include "wick/tests/framework/cuda/device.h"

namespace wick {
namespace {

using CudaTrainingTest = CudaTest;

void expect_same(const std::vector<Tensor>& got, const std::vector<Tensor>& want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(got[i].detach().cpu().allclose(want[i].detach(), tolerance, tolerance))
        << "tensor " << i << " differs by " << (got[i].detach().cpu() - want[i].detach()).abs().max().item<double>();
  }
}

// ---- Optimisers ------------------------------------------------------------------------------------------------------------------------

// One tensor of several blocks, more small ones than fit one launch, an empty and a 0-dim one.
std::vector<Tensor> parameters(Device device, ScalarType dtype) {
  manual_seed(1);
  std::vector<Tensor> result{randn({9001}, dtype), randn({}, dtype), empty({0}, dtype)};
  for (int i = 0; i < 33; ++i) result.push_back(randn({i % 5 + 1, 3}, dtype));
  for (Tensor& p : result) p = p.to(device).requires_grad_();
  return result;
}

// Five steps with other gradients each, and another learning rate in the middle.
template <class Make>
std::vector<Tensor> after_steps(const Make& make, Device device, ScalarType dtype) {
  const std::vector<Tensor> params = parameters(device, dtype);
  const auto optimizer = make(params);
  manual_seed(2);
  for (int step = 0; step < 5; ++step) {
    for (const Tensor& p : params) p.mutable_grad() = randn(p.sizes(), dtype).to(device);
    if (step == 3) {
      for (auto& group : optimizer->param_groups()) group.options().set_lr(0.5 * group.options().get_lr());
    }
    optimizer->step();
  }
  return params;
}

template <class Make>
void compare(const char* what, const Make& make) {
  SCOPED_TRACE(what);
  expect_same(after_steps(make, kCUDA, kFloat), after_steps(make, kCPU, kFloat), 1e-5);
  expect_same(after_steps(make, kCUDA, kDouble), after_steps(make, kCPU, kDouble), 1e-13);
}

TEST_F(CudaTrainingTest, Sgd) {
  using Options = optim::SGDOptions;
  const auto with = [](Options options) { return [=](const std::vector<Tensor>& p) { return std::make_unique<optim::SGD>(p, options); }; };
  compare("plain", with(Options(0.1)));
  compare("momentum", with(Options(0.1).momentum(0.9).weight_decay(0.01)));
  compare("dampening", with(Options(0.1).momentum(0.8).dampening(0.3)));
  compare("nesterov", with(Options(0.1).momentum(0.9).nesterov(true)));
  compare("maximize", with(Options(0.1).maximize(true)));
}

TEST_F(CudaTrainingTest, Adam) {
  const auto adam = [](optim::AdamOptions options) {
    return [=](const std::vector<Tensor>& p) { return std::make_unique<optim::Adam>(p, options); };
  };
  compare("plain", adam(optim::AdamOptions(0.01)));
  compare("weight decay", adam(optim::AdamOptions(0.01).weight_decay(0.1).betas({0.8, 0.99})));
  compare("amsgrad", adam(optim::AdamOptions(0.01).amsgrad(true)));
  compare("AdamW", [](const std::vector<Tensor>& p) { return std::make_unique<optim::AdamW>(p, optim::AdamWOptions(0.01)); });
}

TEST_F(CudaTrainingTest, Adagrad) {
  using Options = optim::AdagradOptions;
  const auto with = [](Options options) {
    return [=](const std::vector<Tensor>& p) { return std::make_unique<optim::Adagrad>(p, options); };
  };
  compare("plain", with(Options(0.1)));
  compare("all", with(Options(0.1).lr_decay(0.1).weight_decay(0.01).initial_accumulator_value(0.5).maximize(true)));
}

TEST_F(CudaTrainingTest, RMSprop) {
  using Options = optim::RMSpropOptions;
  const auto with = [](Options options) {
    return [=](const std::vector<Tensor>& p) { return std::make_unique<optim::RMSprop>(p, options); };
  };
  compare("plain", with(Options(0.01)));
  compare("all", with(Options(0.01).alpha(0.4).momentum(0.8).weight_decay(0.01).centered(true).maximize(true)));
}

TEST_F(CudaTrainingTest, OneLaunchForManyParameters) {
  std::vector<Tensor> params;
  for (int i = 0; i < 20; ++i) params.push_back(ones({7}, kCUDA).requires_grad_());
  optim::Adam optimizer(params, optim::AdamOptions(0.01));
  for (const Tensor& p : params) p.mutable_grad() = ones({7}, kCUDA);
  optimizer.step();
  const int64_t before = cuda::launches();
  optimizer.step();
  EXPECT_EQ(cuda::launches() - before, 1);
}

// ---- Models ------------------------------------------------------------------------------------------------------------------------

struct Net : nn::Cloneable<Net> {
  nn::Linear fc1 = register_module("fc1", nn::Linear(6, 32)), fc2 = register_module("fc2", nn::Linear(32, 16)),
             fc3 = register_module("fc3", nn::Linear(16, 4));
  nn::LayerNorm norm = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({32})));
  Tensor forward(const Tensor& x) { return fc3(nn::functional::gelu(fc2(norm(relu(fc1(x)))))); }
};

struct Trained {
  std::vector<double> losses, accuracies;
  std::vector<Tensor> parameters;
};

Trained train(Device device) {
  manual_seed(3);
  const Tensor x = randn({96, 6}).to(device), y = randint(0, 4, {96}, kLong).to(device);
  Net net;
  net.to(device);
  optim::Adam optimizer(net.parameters(), optim::AdamOptions(0.01).weight_decay(0.001));
  Trained result;
  for (int epoch = 0; epoch < 4; ++epoch) {
    for (int64_t first = 0; first < 96; first += 32) {
      const Tensor inputs = x.index({indexing::Slice(first, first + 32)}), targets = y.slice(0, first, first + 32);
      optimizer.zero_grad(/*set_to_none=*/epoch % 2 == 0);
      const Tensor loss = nn::functional::cross_entropy(net(inputs), targets);
      loss.backward();
      nn::utils::clip_grad_norm_(net.parameters(), 1.0);
      optimizer.step();
      result.losses.push_back(loss.item<double>());
    }
    NoGradGuard no_grad;
    result.accuracies.push_back(net(x).argmax(1).eq(y).to(kFloat).mean().item<double>());
  }
  for (const Tensor& p : net.parameters()) result.parameters.push_back(p);
  return result;
}

TEST_F(CudaTrainingTest, ClassifierAgreesWithTheCpu) {
  const Trained want = train(kCPU), got = train(kCUDA);
  for (size_t i = 0; i < want.losses.size(); ++i) EXPECT_NEAR(got.losses[i], want.losses[i], 1e-5) << "step " << i;
  for (size_t i = 0; i < want.accuracies.size(); ++i) EXPECT_NEAR(got.accuracies[i], want.accuracies[i], 0.011) << "epoch " << i;
  expect_same(got.parameters, want.parameters, 1e-4);
}

// A model with dropout learns; its training and evaluation differ.
TEST_F(CudaTrainingTest, DropoutModelLearns) {
  manual_seed(4);
  const Tensor x = randn({64, 5}, kCUDA), y = x.matmul(randn({5, 1}, kCUDA));
  nn::Sequential model(nn::Linear(5, 64), nn::ReLU(), nn::Dropout(0.1), nn::Linear(64, 1));
  model->to(kCUDA);
  optim::SGD optimizer(model->parameters(), optim::SGDOptions(0.05).momentum(0.9));
  double first = 0, last = 0;
  for (int step = 0; step < 60; ++step) {
    optimizer.zero_grad();
    const Tensor loss = mse_loss(model->forward(x), y);
    loss.backward();
    optimizer.step();
    (step == 0 ? first : last) = loss.item<double>();
  }
  EXPECT_LT(last, 0.2 * first);
  model->eval();
  EXPECT_TRUE(model->forward(x).equal(model->forward(x)));
}

}  // namespace
}  // namespace wick
