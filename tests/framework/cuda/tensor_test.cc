// Tensors that live on a device: how they come there and back, and what joins them.
#include "wick/tests/framework/cuda/device.h"

namespace wick {
namespace {

using CudaTensorTest = CudaTest;

TEST_F(CudaTensorTest, HasADeviceWithANumber) {
  const Tensor x = zeros({2, 3}, kCUDA);
  EXPECT_TRUE(x.is_cuda());
  EXPECT_EQ(x.device(), Device("cuda:0"));
  EXPECT_EQ(x.get_device(), 0);
  EXPECT_EQ(ones({2}).cuda().device().str(), "cuda:0");
  EXPECT_EQ(ones({2}).to(kCUDA).device(), Device("cuda:0"));
  EXPECT_TRUE(x.to("cuda").is_same(x));
  EXPECT_EQ(x.cpu().device(), Device(kCPU));
}

TEST_F(CudaTensorTest, MovesEveryDtypeAndLayout) {
  for (const ScalarType t : {kFloat, kDouble, kLong, kInt, kShort, kChar, kByte, kBool, kHalf, kBFloat16}) {
    const Tensor x = arange(24).remainder(5).to(t).reshape({2, 3, 4});
    EXPECT_TRUE(x.cuda().cpu().equal(x)) << dtype_name(t);
    EXPECT_TRUE(x.transpose(0, 2).cuda().cpu().equal(x.transpose(0, 2))) << dtype_name(t);
    EXPECT_EQ(x.transpose(0, 2).cuda().strides(), x.transpose(0, 2).strides()) << dtype_name(t);
    EXPECT_TRUE(x.select(1, 1).cuda().cpu().equal(x.select(1, 1))) << dtype_name(t);
  }
  EXPECT_EQ(zeros({0, 3}, kCUDA).cpu().sizes(), IntArrayRef({0, 3}));
  EXPECT_TRUE(arange(6).cuda().to(TensorOptions(kCPU).dtype(kFloat)).equal(arange(6).to(kFloat)));
}

TEST_F(CudaTensorTest, CopiesIntoViewsOfEitherDevice) {
  const Tensor source = arange(6, kFloat).reshape({2, 3});
  const Tensor there = zeros({3, 4}, kCUDA);
  there.narrow(1, 1, 2).copy_(source.t());
  Tensor expected = zeros({3, 4});
  expected.narrow(1, 1, 2).copy_(source.t());
  EXPECT_TRUE(there.cpu().equal(expected));
  const Tensor here = zeros({3, 4});
  here.narrow(1, 1, 2).copy_(there.narrow(1, 1, 2));
  EXPECT_TRUE(here.equal(expected));
  there.copy_(tensor({1.0, 2.0, 3.0, 4.0}, kDouble));  // broadcast and converted
  EXPECT_TRUE(there.cpu().equal(tensor({1.f, 2.f, 3.f, 4.f}).expand({3, 4})));
}

TEST_F(CudaTensorTest, GradientsCrossDevices) {
  const Tensor x = ones({3}, requires_grad());
  (x.cuda() * 2).sum().cpu().backward();
  EXPECT_TRUE(x.grad().is_cpu());
  EXPECT_TRUE(x.grad().equal(full({3}, 2.f)));
  const Tensor scale = tensor(3.f, requires_grad());
  (ones({4}, kCUDA) * scale).sum().backward();
  EXPECT_TRUE(scale.grad().is_cpu());
  EXPECT_EQ(scale.grad().item<float>(), 4.f);
}

TEST_F(CudaTensorTest, CpuNumbersJoin) {
  const Tensor x = arange(3, TensorOptions(kFloat).device(kCUDA));
  EXPECT_TRUE((x * tensor(2.f)).cpu().equal(tensor({0.f, 2.f, 4.f})));
  EXPECT_TRUE((tensor(2.f) - x).is_cuda());
  EXPECT_TRUE((tensor(2.f) + tensor(1.f).cuda()).is_cuda());
  EXPECT_EQ((tensor(2.f) + tensor(1.f).cuda()).item<float>(), 3.f);
  EXPECT_EQ((x + tensor(1.0, kDouble)).scalar_type(), kFloat);
}

TEST_F(CudaTensorTest, OtherMixturesAreRefused) {
  const Tensor here = ones({3}), there = ones({3}, kCUDA);
  for (const std::string& text : {message_of([&] { here + there; }), message_of([&] { there + here; })}) {
    EXPECT_NE(text.find("Expected all tensors to be on the same device, but found at least two devices, "), std::string::npos) << text;
  }
  EXPECT_NE(message_of([&] { mm(ones({2, 2}), ones({2, 2}, kCUDA)); }).find("cpu and cuda:0"), std::string::npos);
}

TEST_F(CudaTensorTest, Prints) {
  EXPECT_EQ(to_string(tensor({1.f, 2.f}).cuda()), "tensor([1., 2.], device='cuda:0')");
  EXPECT_EQ(to_string(tensor(3).cuda()), "tensor(3, device='cuda:0')");
}

TEST_F(CudaTensorTest, GivesItsValue) {
  EXPECT_EQ(tensor(2.5, TensorOptions(kDouble).device(kCUDA)).item<double>(), 2.5);
  EXPECT_EQ(tensor({7}).cuda().item<int64_t>(), 7);
  EXPECT_EQ(arange(6).cuda()[4].item<int>(), 4);
}

TEST_F(CudaTensorTest, ResizeKeepsWhatWasThere) {
  const Tensor x = tensor({1.f, 2.f}).cuda();
  x.resize_({600});
  EXPECT_EQ(x.numel(), 600);
  EXPECT_TRUE(x.narrow(0, 0, 2).cpu().equal(tensor({1.f, 2.f})));
}

TEST_F(CudaTensorTest, PinnedMemory) {
  const Tensor x = arange(1000, kFloat);
  EXPECT_FALSE(x.is_pinned());
  const Tensor pinned = x.pin_memory();
  EXPECT_TRUE(pinned.is_pinned());
  EXPECT_TRUE(pinned.is_cpu());
  EXPECT_TRUE(pinned.equal(x));
  EXPECT_TRUE(pinned.pin_memory().is_same(pinned));
  EXPECT_TRUE(empty({3}, TensorOptions().pinned_memory(true)).is_pinned());
  const int64_t waits = cuda::synchronizations();
  const Tensor there = pinned.to(kCUDA, true);
  const Tensor back = (there + 1).to(kCPU, true);
  EXPECT_EQ(cuda::synchronizations(), waits);
  EXPECT_TRUE(back.is_pinned());
  cuda::synchronize();
  EXPECT_TRUE(back.equal(x + 1));
  EXPECT_NE(message_of([&] { there.pin_memory(); }).find("only dense CPU tensors can be pinned"), std::string::npos);
}

// The memory of a pinned tensor that is let go while a copy reads it must not be given to the next one.
TEST_F(CudaTensorTest, PinnedMemoryOutlivesItsCopies) {
  Tensor there = empty({256}, TensorOptions(kFloat).device(kCUDA));
  for (int i = 0; i < 8; ++i) {
    there.copy_(full({256}, i).to(kFloat).pin_memory(), true);
    full({256}, -1.f).pin_memory();
    ASSERT_EQ(there[200].item<float>(), static_cast<float>(i));
  }
}

TEST_F(CudaTensorTest, ErrorsNameTheDevice) {
  EXPECT_NE(message_of([] { zeros({2}, Device("cuda:9")); }).find("invalid device ordinal"), std::string::npos);
  EXPECT_NE(message_of([] { cuda::set_device(9); }).find("invalid device ordinal"), std::string::npos);
  EXPECT_NE(message_of([] { empty({1}, kMeta).cuda(); }).find("Cannot copy out of meta tensor; no data!"), std::string::npos);
}

TEST_F(CudaTensorTest, DeviceProperties) {
  const cuda::DeviceProperties properties = cuda::get_device_properties();
  EXPECT_FALSE(properties.name.empty());
  EXPECT_EQ(cuda::get_device_name(0), properties.name);
  EXPECT_GT(properties.total_memory, size_t{1} << 20);
  EXPECT_GE(properties.major, 7);
  EXPECT_EQ(properties.warp_size, 32);
  EXPECT_EQ(cuda::current_device(), 0);
}

}  // namespace
}  // namespace wick
