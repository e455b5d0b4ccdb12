// The caching allocator, seen from tensors: what is reused when, and what it says of itself.
#include "wick/tests/framework/cuda/device.h"

namespace wick {
namespace {

class CudaAllocatorTest : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    if (IsSkipped()) return;
    if (!caching()) GTEST_SKIP() << "without caching nothing is reused";
    cuda::synchronize();
    cuda::empty_cache();
  }

  static Tensor bytes(int64_t n) { return empty({n}, TensorOptions(kByte).device(kCUDA)); }
};

TEST_F(CudaAllocatorTest, ReusesAFreedBlockOfTheSameStream) {
  Tensor x = bytes(3000);
  const void* const place = x.data_ptr();
  x.reset();
  EXPECT_EQ(bytes(3000).data_ptr(), place);
  Tensor y = bytes(3000);
  const cuda::StreamGuard guard(cuda::stream_from_pool());
  y.reset();
  EXPECT_NE(bytes(3000).data_ptr(), place);  // another stream may not have it
}

TEST_F(CudaAllocatorTest, CutsAndJoinsBlocks) {
  Tensor a = bytes(1000), b = bytes(1000), c = bytes(1000);
  const char* const first = static_cast<char*>(a.data_ptr());
  EXPECT_EQ(static_cast<char*>(b.data_ptr()), first + 1024);
  EXPECT_EQ(static_cast<char*>(c.data_ptr()), first + 2048);
  a.reset();
  c.reset();
  b.reset();  // the three are one again, and one with the rest of the segment
  EXPECT_EQ(bytes(1 << 20).data_ptr(), first);
}

TEST_F(CudaAllocatorTest, ABlockThatAnotherStreamUsesIsKeptBack) {
  const cuda::Stream side = cuda::stream_from_pool();
  Tensor x = ones({1000}, kCUDA), sum;
  const void* const place = x.data_ptr();
  side.wait_stream(cuda::current_stream());
  {
    const cuda::StreamGuard guard(side);
    sum = x.sum();
  }
  x.record_stream(side);
  x.reset();
  for (int i = 0; i < 3; ++i) zeros({1000}, kCUDA);  // must not write where `side` still reads
  {
    const cuda::StreamGuard guard(side);
    EXPECT_EQ(sum.item<float>(), 1000.f);
  }
  EXPECT_EQ(empty({1000}, TensorOptions(kFloat).device(kCUDA)).data_ptr(), place);  // now it is free
}

TEST_F(CudaAllocatorTest, Statistics) {
  const cuda::MemoryStats before = cuda::memory_stats();
  cuda::reset_peak_memory_stats();
  {
    const Tensor x = bytes(1000), y = bytes(5 << 20);
    const cuda::MemoryStats now = cuda::memory_stats();
    EXPECT_EQ(now.allocated - before.allocated, 1024 + (5 << 20));
    EXPECT_EQ(now.reserved - before.reserved, (2 << 20) + (20 << 20));
    EXPECT_EQ(now.allocations - before.allocations, 2);
    EXPECT_EQ(now.device_allocations - before.device_allocations, 2);
  }
  EXPECT_EQ(cuda::memory_allocated(), before.allocated);
  EXPECT_EQ(cuda::max_memory_allocated(), before.allocated + 1024 + (5 << 20));
  EXPECT_EQ(cuda::memory_reserved(), before.reserved + (22 << 20));
  cuda::empty_cache();
  EXPECT_EQ(cuda::memory_reserved(), before.reserved);
}

TEST_F(CudaAllocatorTest, AStepThatRepeatsAsksTheDriverForNothing) {
  const Tensor x = randn({64, 32}, kCUDA);
  const auto step = [&] { return (x * 2 + 1).relu().sum(); };
  step();
  const int64_t before = cuda::memory_stats().device_allocations;
  for (int i = 0; i < 20; ++i) step();
  EXPECT_EQ(cuda::memory_stats().device_allocations, before);
}

TEST_F(CudaAllocatorTest, OutOfMemorySaysWhatThereIs) {
  const auto total = static_cast<int64_t>(cuda::get_device_properties().total_memory);
  const Tensor kept = bytes(1 << 20);
  std::string text;
  try {
    bytes(total + (int64_t{1} << 30));
  } catch (const OutOfMemoryError& error) {
    text = error.what();
  }
  EXPECT_EQ(text.find("CUDA out of memory. Tried to allocate " + std::to_string(total + (int64_t{1} << 30)) + " bytes"), 0u) << text;
  for (const char* part : {"are free", "reserved", "allocated"}) EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(zeros({3}, kCUDA).sum().item<float>(), 0.f);  // and it goes on
}

// Before it gives up, the allocator gives the cache back.
TEST_F(CudaAllocatorTest, RetriesWithAnEmptyCache) {
  const auto total = static_cast<int64_t>(cuda::get_device_properties().total_memory);
  if (total > int64_t{16} << 30) GTEST_SKIP() << "a large device, which others may share";
  const int64_t retries = cuda::memory_stats().retries;
  bytes(total * 6 / 10);
  EXPECT_GT(cuda::memory_reserved(), total / 2);
  bytes(total * 7 / 10);
  EXPECT_EQ(cuda::memory_stats().retries, retries + 1);
  cuda::empty_cache();
}

}  // namespace
}  // namespace wick
