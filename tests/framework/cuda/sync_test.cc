// The account of waits, and the ways to look at a loss without one.
#include <cmath>
#include <cstring>

#include "wick/tests/framework/cuda/device.h"

namespace wick {
namespace {

class CudaSyncTest : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    if (IsSkipped()) return;
    zeros({1}, kCUDA).item<float>();  // the device is set up
    cuda::reset_sync_report();
  }
};

bool ends_with(const std::string& text, const char* end) {
  return text.size() >= std::strlen(end) && text.compare(text.size() - std::strlen(end), std::string::npos, end) == 0;
}

TEST_F(CudaSyncTest, BooksWaitsUnderTheirLine) {
  const Tensor x = arange(4, TensorOptions(kFloat).device(kCUDA));
  const int64_t before = cuda::synchronizations();
  const int item_line = __LINE__ + 1;
  for (int i = 0; i < 3; ++i) x.sum().item<float>();
  x.cpu();
  x.to(kCPU);
  cuda::synchronize();
  const int last_line = __LINE__ - 1;
  EXPECT_EQ(cuda::synchronizations() - before, 6);
  int found = 0;
  for (const cuda::SyncSite& site : cuda::sync_sites()) {
    EXPECT_TRUE(ends_with(site.file, "sync_test.cc")) << site.file;
    EXPECT_GE(site.seconds, site.longest);
    if (site.op == "item" && site.line == item_line) found += static_cast<int>(site.count);
    if (site.op == "cpu" && site.line == item_line + 1) found += 10;
    if (site.op == "to" && site.line == item_line + 2) found += 100;
    if (site.op == "synchronize" && site.line == last_line) found += 1000;
  }
  EXPECT_EQ(found, 1113);
  const std::string report = cuda::sync_report();
  EXPECT_NE(report.find("sync_test.cc:" + std::to_string(item_line) + " item"), std::string::npos) << report;
  cuda::reset_sync_report();
  EXPECT_TRUE(cuda::sync_sites().empty());
  EXPECT_EQ(cuda::sync_report(), "The host has not waited for a device.\n");
}

TEST_F(CudaSyncTest, WhatTheHostDoesNotNeedMakesNoWait) {
  const int64_t before = cuda::synchronizations();
  const Tensor x = arange(100, kFloat).cuda();
  const Tensor w = ones({100}, TensorOptions(kFloat).device(kCUDA)).requires_grad_();
  (x * w).sum().backward();
  w.grad().mul_(2);
  tensor({1.f, 2.f}, kCUDA);
  EXPECT_EQ(cuda::synchronizations(), before);
}

TEST_F(CudaSyncTest, ErrorModeRefusesBeforeAnythingHappens) {
  const Tensor x = ones({2}, kCUDA);
  {
    const cuda::SyncDebugGuard guard("error");
    const std::string text = message_of([&] { x.sum().item<float>(); });
    EXPECT_EQ(text.find("called a synchronizing CUDA operation\n  item at "), 0u) << text;
    EXPECT_NE(text.find("sync_test.cc:"), std::string::npos);
    EXPECT_TRUE((x + x).is_cuda());  // what does not wait goes on
    {
      const cuda::SyncDebugGuard inner("default");
      EXPECT_EQ(x.sum().item<float>(), 2.f);
    }
    EXPECT_NE(message_of([&] { x.nonzero(); }), "");
  }
  EXPECT_EQ(cuda::get_sync_debug_mode(), "default");
  EXPECT_THROW(cuda::set_sync_debug_mode("loud"), ValueError);
}

TEST_F(CudaSyncTest, WarnModeNamesEachLineOnce) {
  const Tensor x = ones({2}, kCUDA);
  ::testing::internal::CaptureStderr();
  {
    const cuda::SyncDebugGuard guard("warn");
    for (int i = 0; i < 3; ++i) x.cpu();
  }
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find("wick: called a synchronizing CUDA operation: cpu at "), 0u) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST_F(CudaSyncTest, AsyncItem) {
  Tensor x = full({}, 2.5, TensorOptions(kFloat).device(kCUDA));
  const int64_t before = cuda::synchronizations();
  const AsyncItem item = (x * 2).item_async();
  const AsyncItem first = x.item_async();
  x.add_(1);  // later changes do not matter
  EXPECT_EQ(cuda::synchronizations(), before);
  EXPECT_EQ(item.get<float>(), 5.f);
  EXPECT_EQ(first.get<float>(), 2.5f);
  EXPECT_TRUE(first.ready());
  EXPECT_LE(cuda::synchronizations() - before, 2);
}

TEST_F(CudaSyncTest, LossLogWaitsOnce) {
  LossLog log(512);
  const Tensor x = ones({}, kCUDA);
  const int64_t waits = cuda::synchronizations(), launches = cuda::launches();
  for (int i = 0; i < 300; ++i) log.record(x * i);
  EXPECT_EQ(cuda::synchronizations(), waits);
  EXPECT_LE(cuda::launches() - launches, 300 + 3);  // one for each block of 128, and the ring's zeros
  const std::vector<double> values = log.values();
  EXPECT_EQ(cuda::synchronizations(), waits + 1);
  ASSERT_EQ(values.size(), 300u);
  for (size_t i = 0; i < 300; ++i) EXPECT_EQ(values[i], static_cast<double>(i));
  log.record(x);
  EXPECT_EQ(log.values().size(), 301u);
  EXPECT_EQ(log.values().back(), 1);
  log.reset();
  EXPECT_TRUE(log.values().empty());
}

TEST_F(CudaSyncTest, LossLogOfAReplayedGraph) {
  const Tensor x = zeros({}, kCUDA);
  LossLog log(256);
  Graph graph;
  {
    GraphCapture capture(graph);
    x.add_(1);
    log.record(x * 2);
  }
  for (int i = 0; i < 100; ++i) graph.replay();
  std::vector<double> values = log.values();
  ASSERT_EQ(values.size(), 100u);
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(values[i], 2.0 * static_cast<double>(i + 1));
  for (int i = 0; i < 300; ++i) graph.replay();  // more than the ring holds
  values = log.values();
  ASSERT_EQ(values.size(), 400u);
  EXPECT_TRUE(std::isnan(values[100]) && std::isnan(values[143]));
  EXPECT_EQ(values[144], 290);
  EXPECT_EQ(values[399], 800);
}

}  // namespace
}  // namespace wick
