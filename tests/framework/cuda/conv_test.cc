// Convolutions on a device: by cuDNN and by the plain kernels, forward and backward, against the CPU.
#include "wick/tests/framework/cuda/device.h"

#ifdef WICK_CUDA_SIM
#include "wick/tests/cuda_sim/control.h"
#endif

namespace wick {
namespace {

// Puts back what a test switches.
class CudaConvTest : public CudaTest {
 protected:
  void TearDown() override {
    cuda::set_cudnn_enabled(true);
    cuda::set_cudnn_benchmark(false);
    cuda::set_cudnn_deterministic(true);
    cuda::set_cudnn_workspace_limit(size_t{256} << 20);
  }
};

using Tensors = std::vector<Tensor>;

struct Conv {
  std::vector<int64_t> x, w;
  int64_t stride = 1, padding = 0, dilation = 1, groups = 1;
  bool transposed = false;

  Tensor operator()(const Tensor& input, const Tensor& weight, const Tensor& bias) const {
    if (transposed) return conv_transpose2d(input, weight, bias, stride, padding, stride - 1, groups, dilation);
    if (x.size() == 3) return conv1d(input, weight, bias, stride, padding, dilation, groups);
    if (x.size() == 4) return conv2d(input, weight, bias, stride, padding, dilation, groups);
    return conv3d(input, weight, bias, stride, padding, dilation, groups);
  }
};

const std::vector<Conv> kConvs = {
    {{2, 3, 8, 7}, {4, 3, 3, 3}},
    {{1, 4, 9, 9}, {6, 2, 3, 2}, 2, 1, 2, 2},
    {{3, 4, 6, 6}, {4, 1, 3, 3}, 1, 1, 1, 4},
    {{2, 3, 11}, {5, 3, 4}, 3, 2},
    {{1, 2, 5, 6, 4}, {3, 2, 2, 3, 2}, 1, 1},
    {{2, 4, 5, 5}, {4, 3, 3, 3}, 2, 1, 1, 1, true},
};

// The output and the three gradients.
Tensors results(const Conv& conv, Device device, ScalarType dtype) {
  manual_seed(7);
  const int64_t channels = conv.transposed ? conv.w[1] * conv.groups : conv.w[0];
  Tensor x = randn(conv.x, dtype).to(device).requires_grad_(), w = randn(conv.w, dtype).to(device).requires_grad_(),
         b = randn({channels}, dtype).to(device).requires_grad_();
  const Tensor y = conv(x, w, b);
  y.square().sum().backward();
  return {y.detach().cpu(), x.grad().cpu(), w.grad().cpu(), b.grad().cpu()};
}

void expect_equal(const Conv& conv, ScalarType dtype) {
  const Tensors want = results(conv, kCPU, dtype), got = results(conv, kCUDA, dtype);
  const double tolerance = dtype == kDouble ? 1e-10 : dtype == kFloat ? 2e-4 : 0.05;
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_EQ(got[i].sizes(), want[i].sizes());
    EXPECT_TRUE(allclose(got[i].to(kDouble), want[i].to(kDouble), tolerance, tolerance)) << "result " << i;
  }
}

TEST_F(CudaConvTest, AgreeWithTheCpu) {
  cuda::set_cudnn_allow_tf32(false);
  for (size_t i = 0; i < kConvs.size(); ++i) {
    SCOPED_TRACE("convolution " + std::to_string(i));
    for (const bool cudnn : {true, false}) {
      cuda::set_cudnn_enabled(cudnn);
      expect_equal(kConvs[i], kFloat);
      expect_equal(kConvs[i], kDouble);
    }
  }
  cuda::set_cudnn_enabled(true);
  expect_equal(kConvs[0], kHalf);
  cuda::set_cudnn_allow_tf32(true);
}

// Padding of one end only is not for cuDNN.
TEST_F(CudaConvTest, UnevenPaddingGoesToThePlainKernel) {
  namespace F = nn::functional;
  manual_seed(1);
  const Tensor x = randn({2, 3, 7, 9}), w = randn({4, 3, 4, 2});
  const auto same = [&](Device device) {
    return F::conv2d(x.to(device), w.to(device), F::Conv2dFuncOptions().padding(kSame)).cpu();
  };
  EXPECT_TRUE(allclose(same(kCUDA), same(kCPU), 1e-4, 1e-4));
}

TEST_F(CudaConvTest, EmptyBatches) {
  const Tensor w = randn({4, 3, 3, 3}).cuda().requires_grad_();
  const Tensor y = conv2d(zeros({0, 3, 8, 8}, kCUDA), w);
  EXPECT_EQ(y.sizes(), IntArrayRef({0, 4, 6, 6}));
  y.sum().backward();
  EXPECT_EQ(w.grad().abs().max().item<float>(), 0);
}

TEST_F(CudaConvTest, ResultsRepeatExactly) {
  for (const Conv& conv : kConvs) {
    const Tensors once = results(conv, kCUDA, kFloat), again = results(conv, kCUDA, kFloat);
    for (size_t i = 0; i < once.size(); ++i) EXPECT_TRUE(equal(once[i], again[i]));
  }
}

TEST_F(CudaConvTest, MeasuringAlgorithmsLeavesTheResultRight) {
  cuda::set_cudnn_benchmark(true);
  for (const Conv& conv : kConvs) expect_equal(conv, kDouble);
  cuda::set_cudnn_workspace_limit(0);
  for (const Conv& conv : kConvs) expect_equal(conv, kDouble);
}

TEST_F(CudaConvTest, GoIntoAGraph) {
  manual_seed(0);
  nn::Sequential net(nn::Conv2d(1, 3, 3), nn::ReLU(), nn::MaxPool2d(2), nn::Flatten(), nn::Linear(27, 4));
  net->to(kCUDA);
  optim::SGD optimizer(net->parameters(), 0.05);
  const Tensor x = randn({5, 1, 8, 8}).cuda(), target = randint(4, {5}).cuda();
  Tensor loss;
  const auto step = [&] {
    loss = nn::functional::cross_entropy(net->forward(x), target);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  };
  step();
  const auto twin = std::dynamic_pointer_cast<nn::SequentialImpl>(net->clone());
  Graph graph;
  {
    GraphCapture capture(graph);
    step();
  }
  for (int i = 0; i < 5; ++i) graph.replay();
  optim::SGD other(twin->parameters(), 0.05);
  for (int i = 0; i < 5; ++i) {
    other.zero_grad();
    nn::functional::cross_entropy(twin->forward(x), target).backward();
    other.step();
  }
  for (size_t i = 0; i < net->parameters().size(); ++i) {
    EXPECT_TRUE(allclose(net->parameters()[i].cpu(), twin->parameters()[i].cpu(), 1e-5, 1e-6));
  }
}

#ifdef WICK_CUDA_SIM
// What the simulated cuDNN counts: an algorithm is chosen once for each shape and set of switches.
TEST_F(CudaConvTest, AnAlgorithmIsChosenOnce) {
  const Tensor x = randn({1, 2, 13, 13}, kCUDA), w = randn({2, 2, 3, 3}, kCUDA);
  const auto choices = [&] {
    const uint64_t before = cuda_sim::counters().algorithm_choices;
    conv2d(x, w);
    return cuda_sim::counters().algorithm_choices - before;
  };
  EXPECT_EQ(choices(), 1u);
  EXPECT_EQ(choices(), 0u);
  cuda::set_cudnn_deterministic(false);
  EXPECT_EQ(choices(), 1u);
  cuda::set_cudnn_benchmark(true);
  EXPECT_EQ(choices(), 2u);  // proposed, then measured
  EXPECT_EQ(choices(), 0u);
}
#endif

}  // namespace
}  // namespace wick
