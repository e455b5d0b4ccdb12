// Streams and events, with work of tensors on them.
#include <thread>

#include "wick/tests/framework/cuda/device.h"

namespace wick {
namespace {

using CudaStreamTest = CudaTest;

TEST_F(CudaStreamTest, GuardsNest) {
  const cuda::Stream first = cuda::current_stream();
  EXPECT_EQ(first, cuda::default_stream());
  const cuda::Stream a = cuda::stream_from_pool(), b = cuda::stream_from_pool(true);
  EXPECT_FALSE(a == b);
  {
    const cuda::StreamGuard outer(a);
    EXPECT_EQ(cuda::current_stream(), a);
    {
      const cuda::StreamGuard inner(b);
      EXPECT_EQ(cuda::current_stream(), b);
    }
    EXPECT_EQ(cuda::current_stream(), a);
    std::thread([&] { EXPECT_EQ(cuda::current_stream(), first); }).join();  // each thread has its own
  }
  EXPECT_EQ(cuda::current_stream(), first);
}

TEST_F(CudaStreamTest, WorkOfAnotherStreamIsWaitedFor) {
  const cuda::Stream main = cuda::current_stream(), side = cuda::stream_from_pool();
  const Tensor x = ones({1000}, kCUDA);
  Tensor y;
  side.wait_stream(main);
  {
    const cuda::StreamGuard guard(side);
    y = x * 3;
  }
  x.record_stream(side);
  y.record_stream(main);
  main.wait_stream(side);
  EXPECT_EQ((y + 1).sum().item<float>(), 4000.f);
  side.synchronize();
  EXPECT_TRUE(side.query());
}

TEST_F(CudaStreamTest, EventsMarkAndMeasure) {
  cuda::Event start(true), end(true), plain;
  EXPECT_TRUE(plain.query());  // not recorded
  start.record();
  const Tensor x = ones({100, 100}, kCUDA);
  for (int i = 0; i < 5; ++i) mm(x, x);
  end.record();
  end.synchronize();
  EXPECT_TRUE(start.query());
  EXPECT_GE(start.elapsed_time(end), 0);
  EXPECT_LT(start.elapsed_time(end), 60e3);
  plain.record();
  EXPECT_NE(message_of([&] { start.elapsed_time(plain); }).find("Both events must be created with argument 'enable_timing=True'."),
            std::string::npos);
  EXPECT_NE(message_of([&] { start.elapsed_time(cuda::Event(true)); }).find("must be recorded"), std::string::npos);
}

TEST_F(CudaStreamTest, ThreadsWorkSideBySide) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      const cuda::StreamGuard guard(cuda::stream_from_pool());
      for (int i = 0; i < 10; ++i) {
        const Tensor x = full({500}, t, TensorOptions(kFloat).device(kCUDA));
        ASSERT_EQ((x * 2).sum().item<float>(), static_cast<float>(1000 * t));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(CudaStreamTest, RandomNumbersFollowTheSeed) {
  manual_seed(5);
  const Tensor a = rand({100}, kCUDA), b = rand({100}, kCUDA);
  EXPECT_FALSE(a.cpu().equal(b.cpu()));
  manual_seed(5);
  EXPECT_TRUE(rand({100}, kCUDA).cpu().equal(a.cpu()));
  cuda::manual_seed(5);
  EXPECT_TRUE(rand({100}, kCUDA).cpu().equal(a.cpu()));
  EXPECT_NE(message_of([] { rand({2}, make_generator(), kCUDA); }).find("Expected a 'cuda' device type for generator but found 'cpu'"),
            std::string::npos);
}

}  // namespace
}  // namespace wick
