// A machine, or a build, without CUDA: questions are answered, and what needs a device says why it cannot.
#include "wick/tests/framework/cuda/device.h"

namespace wick {
namespace {

class NoCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda::is_available()) GTEST_SKIP() << "there is a CUDA device";
  }
};

TEST_F(NoCudaTest, QuestionsAreAnswered) {
  EXPECT_EQ(cuda::device_count(), 0);
  EXPECT_EQ(cuda::memory_allocated(), 0);
  EXPECT_EQ(cuda::launches(), 0);
  cuda::empty_cache();
  cuda::manual_seed(1);
  EXPECT_FALSE(tensor(1).is_pinned());
}

TEST_F(NoCudaTest, WhatNeedsADeviceThrows) {
  EXPECT_THROW(zeros({2}, kCUDA), Error);
  EXPECT_THROW(ones({2}).cuda(), Error);
  EXPECT_THROW(ones({2}).pin_memory(), Error);
  EXPECT_THROW(empty({2}, TensorOptions().pinned_memory(true)), Error);
  EXPECT_NE(message_of([] { cuda::synchronize(); }).find("No CUDA GPUs are available"), std::string::npos);
  EXPECT_NE(message_of([] { cuda::get_device_name(); }).find("No CUDA GPUs are available"), std::string::npos);
  EXPECT_NE(message_of([] { cuda::stream_from_pool(); }).find("No CUDA GPUs are available"), std::string::npos);
}

TEST_F(NoCudaTest, EventsTimeTheHost) {
  cuda::Event start(true), end(true);
  start.record();
  const Tensor x = ones({100, 100});
  mm(x, x);
  end.record();
  end.synchronize();
  EXPECT_TRUE(end.query());
  EXPECT_GT(start.elapsed_time(end), 0);
}

// These work on every device; here on the CPU.
TEST(LossLogTest, CollectsOnTheCpu) {
  LossLog log;
  for (int i = 0; i < 300; ++i) log.record(tensor(static_cast<float>(i)));
  EXPECT_EQ(log.arrived().size(), 256u);
  ASSERT_EQ(log.values().size(), 300u);
  for (size_t i = 0; i < 300; ++i) EXPECT_EQ(log.values()[i], static_cast<double>(i));
  log.record(tensor(0.25, kDouble));
  EXPECT_EQ(log.values().back(), 0.25);
  EXPECT_NE(message_of([&] { log.record(zeros({2})); }).find("a tensor of one element is wanted"), std::string::npos);
  EXPECT_THROW(LossLog(8), ValueError);
}

TEST(LossLogTest, TensorsThatChangeAreCopiedAtOnce) {
  LossLog log;
  const Tensor x = zeros({});
  for (int i = 0; i < 5; ++i) {
    x.add_(1);
    log.record(x);
  }
  EXPECT_EQ(log.values(), (std::vector<double>{1, 2, 3, 4, 5}));
  const Tensor fresh = tensor(1.f);
  log.record(fresh);
  fresh.add_(1);
  EXPECT_NE(message_of([&] { log.values(); }).find("has been written to in place since"), std::string::npos);
}

TEST(LossLogTest, RecordsInACapture) {
  const Tensor x = zeros({});
  LossLog log;
  log.record(tensor(-1.f));
  Graph graph;
  {
    GraphCapture capture(graph);
    x.add_(1);
    log.record(x * 2);
  }
  for (int i = 0; i < 4; ++i) graph.replay();
  EXPECT_EQ(log.values(), (std::vector<double>{-1, 2, 4, 6, 8}));
}

TEST(AsyncItemTest, IsThereAtOnceOnTheCpu) {
  Tensor x = tensor(3.f);
  const AsyncItem item = x.item_async();
  x.zero_();
  EXPECT_TRUE(item.ready());
  EXPECT_EQ(item.get<float>(), 3.f);
  EXPECT_THROW(AsyncItem().get(), Error);
}

}  // namespace
}  // namespace wick
