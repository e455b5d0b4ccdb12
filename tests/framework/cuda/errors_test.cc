// A kernel that fails. Alone in its program: on a GPU nothing works after that.
#include "wick/tests/framework/cuda/device.h"

namespace wick {
namespace {

using CudaErrorsTest = CudaTest;

TEST_F(CudaErrorsTest, AFailureNamesTheCallThatSawItAndTheLatestLaunches) {
  EXPECT_EQ((ones({4}, kCUDA) * 2).sum().item<float>(), 8.f);
  const Tensor astray = from_blob(reinterpret_cast<void*>(uintptr_t{4096}), {4}, TensorOptions(kFloat).device(kCUDA));
  bool started = false;
  const std::string text = message_of([&] {
    const Tensor y = astray + 1;
    started = true;
    y.sum().item<float>();
  });
  // Where each launch is waited for, the one that failed says so itself.
  EXPECT_EQ(started, std::getenv("WICK_CUDA_LAUNCH_BLOCKING") == nullptr);
  EXPECT_EQ(text.find("CUDA error: "), 0u) << text;
  EXPECT_NE(text.find("CUDA kernel errors might be asynchronously reported at some other API call"), std::string::npos) << text;
  EXPECT_NE(text.find("Launched before it, the latest first: "), std::string::npos) << text;
  EXPECT_NE(text.find("WICK_CUDA_LAUNCH_BLOCKING=1"), std::string::npos) << text;
  RecordProperty("text", text);
}

}  // namespace
}  // namespace wick
