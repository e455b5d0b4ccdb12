// LibTorch's names for streams, events, guards and graphs.
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/cuda.h>
#include <torch/torch.h>

#include "wick/tests/framework/cuda/device.h"

using CudaCompatTest = wick::CudaTest;

TEST_F(CudaCompatTest, AProgramForLibTorch) {
  const torch::Tensor x = torch::ones({64}, torch::kCUDA);
  torch::Tensor y;
  at::cuda::CUDAStream side = at::cuda::getStreamFromPool();
  at::cuda::CUDAEvent ready, start(0), end(0);
  ready.record();
  {
    at::cuda::CUDAStreamGuard guard(side);
    EXPECT_EQ(c10::cuda::getCurrentCUDAStream(), side);
    ready.block(side);
    start.record(side);
    y = x * 2;
    end.record();
  }
  x.record_stream(side);
  end.block(at::cuda::getCurrentCUDAStream());
  EXPECT_EQ(y.sum().item<float>(), 128.f);
  end.synchronize();
  EXPECT_GE(start.elapsed_time(end), 0.f);

  at::cuda::CUDAGuard device(0);
  EXPECT_EQ(c10::cuda::current_device(), 0);
  EXPECT_EQ(at::cuda::getDefaultCUDAStream(), at::cuda::getCurrentCUDAStream());

  at::cuda::CUDAGraph graph;
  graph.capture_begin();
  torch::Tensor z = x + 1;
  graph.capture_end();
  graph.replay();
  EXPECT_EQ(z.sum().item<float>(), 128.f);
  c10::cuda::CUDACachingAllocator::emptyCache();
  torch::cuda::synchronize();
  EXPECT_EQ(torch::cuda::device_count(), c10::cuda::device_count());
}

TEST(NoCudaCompatTest, SaysThatThereIsNoDevice) {
  if (torch::cuda::is_available()) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_THROW(torch::cuda::synchronize(), c10::Error);
  EXPECT_THROW(at::cuda::getCurrentCUDAStream().synchronize(), c10::Error);
}
