#include "wick/framework/core/allocator.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "wick/framework/core/error.h"

// A request that is too large must reach the library as a null pointer under sanitizers, too.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }

namespace wick {
namespace {

using detail::class_bytes;
using detail::size_class;

constexpr size_t kMiB = size_t{1} << 20;

struct Block {
  void* data;
  size_t bytes;
};

// Sizes around every boundary of the classes, up to 40 MB.
std::vector<size_t> interesting_sizes() {
  std::vector<size_t> sizes;
  for (size_t c = 0; class_bytes(c) < 40 * kMiB; c += c < 40 ? 1 : 5) {
    for (size_t bytes : {class_bytes(c) - 1, class_bytes(c), class_bytes(c) + 1}) sizes.push_back(bytes);
  }
  sizes.push_back(1);
  return sizes;
}

void allocate_and_free(size_t bytes, int times) {
  for (int i = 0; i < times; ++i) cpu_free(cpu_allocate(bytes), bytes);
}

TEST(SizeClass, IsTheSmallestThatFitsAndLosesLittle) {
  std::vector<size_t> sizes = interesting_sizes();
  for (size_t bytes = 1; bytes <= 5000; ++bytes) sizes.push_back(bytes);
  for (int power = 12; power <= 47; ++power) sizes.push_back((size_t{1} << power) - 1);
  sizes.push_back(detail::kLargestBlock);
  for (size_t bytes : sizes) {
    const size_t c = size_class(bytes);
    ASSERT_LT(c, detail::kClasses);
    ASSERT_GE(class_bytes(c), bytes);
    ASSERT_EQ(class_bytes(c) % detail::kBlockAlignment, 0u);
    if (c > 0) { ASSERT_LT(class_bytes(c - 1), bytes); }
    if (bytes > 1024) { ASSERT_LE(class_bytes(c) - bytes, bytes / 8); }
    ASSERT_EQ(size_class(class_bytes(c)), c);
  }
}

TEST(Allocator, ZeroBytesAreNoBlock) {
  EXPECT_EQ(cpu_allocate(0), nullptr);
  const MemoryStats before = memory_stats();
  cpu_free(nullptr, 0);
  EXPECT_EQ(memory_stats().allocated, before.allocated);
}

TEST(Allocator, BlocksAreAlignedAndDoNotOverlap) {
  std::vector<Block> blocks;
  for (size_t bytes : interesting_sizes()) {
    void* data = cpu_allocate(bytes);
    ASSERT_EQ(reinterpret_cast<uintptr_t>(data) % detail::kBlockAlignment, 0u) << bytes;
    const size_t marked = std::min<size_t>(bytes, 4096);
    std::memset(data, static_cast<int>(blocks.size() % 251), marked);
    std::memset(static_cast<char*>(data) + bytes - marked, static_cast<int>(blocks.size() % 251), marked);
    blocks.push_back({data, bytes});
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto* data = static_cast<const unsigned char*>(blocks[i].data);
    ASSERT_EQ(data[0], i % 251);
    ASSERT_EQ(data[blocks[i].bytes - 1], i % 251);
    cpu_free(blocks[i].data, blocks[i].bytes);
  }
}

TEST(Allocator, ReusesTheLastBlockFreed) {
  for (size_t bytes : {size_t{1}, size_t{100}, size_t{5000}, detail::kLargestThreadBlock, 3 * kMiB, 20 * kMiB}) {
    void* first = cpu_allocate(bytes);
    void* second = cpu_allocate(bytes);
    cpu_free(second, bytes);
    cpu_free(first, bytes);
    EXPECT_EQ(cpu_allocate(bytes), first) << bytes;
    EXPECT_EQ(cpu_allocate(bytes), second) << bytes;
    cpu_free(first, bytes);
    cpu_free(second, bytes);
  }
}

TEST(Allocator, StatisticsAreExactWithOneThread) {
  empty_cache();
  reset_peak_memory_stats();
  const MemoryStats start = memory_stats();
  void* small = cpu_allocate(100);
  void* large = cpu_allocate(5 * kMiB);
  MemoryStats stats = memory_stats();
  EXPECT_EQ(stats.allocated - start.allocated, int64_t(100 + 5 * kMiB));
  EXPECT_EQ(stats.reserved - start.reserved, int64_t(128 + 5 * kMiB));
  EXPECT_EQ(stats.allocations - start.allocations, 2);
  EXPECT_EQ(stats.system_allocations - start.system_allocations, 2);
  EXPECT_EQ(stats.cached_hits, start.cached_hits);

  cpu_free(large, 5 * kMiB);
  void* medium = cpu_allocate(70000);
  cpu_free(medium, 70000);
  medium = cpu_allocate(70001);
  stats = memory_stats();
  EXPECT_EQ(stats.allocated - start.allocated, 100 + 70001);
  EXPECT_EQ(stats.peak_allocated - start.allocated, int64_t(100 + 5 * kMiB));
  EXPECT_EQ(stats.cached_hits - start.cached_hits, 1);

  reset_peak_memory_stats();
  EXPECT_EQ(memory_stats().peak_allocated, memory_stats().allocated);
  allocate_and_free(300, 1);
  EXPECT_EQ(memory_stats().peak_allocated - start.allocated, 100 + 70001 + 300);
  cpu_free(medium, 70001);
  cpu_free(small, 100);
  EXPECT_EQ(memory_stats().allocated, start.allocated);
}

TEST(Allocator, PeakSurvivesPublications) {
  reset_peak_memory_stats();
  const int64_t start = memory_stats().allocated;
  std::vector<void*> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(cpu_allocate(40000));
  for (void* block : blocks) cpu_free(block, 40000);
  allocate_and_free(2 * kMiB, 3);
  EXPECT_EQ(memory_stats().peak_allocated - start, 100 * 40000);
  EXPECT_EQ(memory_stats().allocated, start);
}

TEST(Allocator, RepeatedStepAsksTheSystemForNothing) {
  const std::vector<size_t> sizes = interesting_sizes();
  const auto step = [&] {
    std::vector<Block> blocks;
    for (size_t bytes : sizes) {
      for (int i = 0; i < (bytes < 5000 ? 200 : 1); ++i) blocks.push_back({cpu_allocate(bytes), bytes});
    }
    for (const Block& block : blocks) cpu_free(block.data, block.bytes);
  };
  step();
  const MemoryStats before = memory_stats();
  step();
  const MemoryStats after = memory_stats();
  EXPECT_GT(after.allocations - before.allocations, 10000);
  EXPECT_EQ(after.cached_hits - before.cached_hits, after.allocations - before.allocations);
  EXPECT_EQ(after.system_allocations, before.system_allocations);
  EXPECT_EQ(after.reserved, before.reserved);
}

TEST(Allocator, EmptyCacheReturnsAllThatIsFree) {
  empty_cache();
  const int64_t start = memory_stats().reserved;
  void* kept = cpu_allocate(1000);
  for (size_t bytes : interesting_sizes()) allocate_and_free(bytes, 1);
  EXPECT_GT(memory_stats().reserved, start + int64_t(40 * kMiB));
  empty_cache();
  EXPECT_EQ(memory_stats().reserved, start + 1024);
  std::memset(kept, 1, 1000);
  cpu_free(kept, 1000);
  empty_cache();
  EXPECT_EQ(memory_stats().reserved, start);
}

TEST(Allocator, CachedMemoryIsBounded) {
  empty_cache();
  reset_peak_memory_stats();
  const size_t first = size_class(64 * kMiB);
  int64_t total = 0;
  for (size_t c = first; c < first + 20; ++c) {
    allocate_and_free(class_bytes(c), 1);
    total += static_cast<int64_t>(class_bytes(c));
    const MemoryStats stats = memory_stats();
    EXPECT_LE(stats.reserved, std::max(int64_t(1024 * kMiB), stats.peak_allocated * 5 / 4));
  }
  EXPECT_GT(total, int64_t(2048 * kMiB));
  EXPECT_GT(memory_stats().reserved, int64_t(512 * kMiB)) << "only as much was released as the new block needed";
  empty_cache();
}

TEST(Allocator, OutOfMemoryIsAnErrorThatStatesTheNumbers) {
  try {
    cpu_allocate(size_t{1} << 60);
    FAIL() << "2^60 bytes";
  } catch (const OutOfMemoryError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1152921504606846976 bytes."), 0u) << text;
    for (const char* word : {"wick holds", "in use", "peak"}) EXPECT_NE(text.find(word), std::string::npos) << text;
  }
}

TEST(Allocator, GivesTheCacheBackBeforeItFails) {
  empty_cache();
  const int64_t start = memory_stats().reserved;
  allocate_and_free(8 * kMiB, 1);
  allocate_and_free(100, 1);
  EXPECT_GT(memory_stats().reserved, start);
  EXPECT_THROW(cpu_allocate(detail::kLargestBlock), OutOfMemoryError);
  const MemoryStats stats = memory_stats();
  EXPECT_EQ(stats.reserved, start);
  allocate_and_free(8 * kMiB, 1);
  EXPECT_EQ(memory_stats().allocated, stats.allocated);
}

TEST(AllocatorThreads, ProducerAndConsumerStayBounded) {
  constexpr size_t kBytes = 1000;
  constexpr int kBlocks = 100000;
  constexpr size_t kQueue = 64;
  empty_cache();
  const MemoryStats start = memory_stats();
  std::vector<std::atomic<void*>> queue(kQueue);
  std::thread consumer([&] {
    for (int i = 0; i < kBlocks; ++i) {
      void* block;
      while ((block = queue[i % kQueue].exchange(nullptr)) == nullptr) std::this_thread::yield();
      cpu_free(block, kBytes);
    }
  });
  for (int i = 0; i < kBlocks; ++i) {
    while (queue[i % kQueue].load() != nullptr) std::this_thread::yield();
    void* block = cpu_allocate(kBytes);
    static_cast<char*>(block)[0] = 1;
    queue[i % kQueue].store(block);
  }
  consumer.join();
  const MemoryStats stats = memory_stats();
  EXPECT_EQ(stats.allocated, start.allocated);
  // The queue, two magazines of 62 and the batches between them.
  EXPECT_LE(stats.system_allocations - start.system_allocations, int64_t(kQueue + 3 * 62));
}

TEST(AllocatorThreads, EndOfAThreadHandsItsBlocksOver) {
  constexpr size_t kBytes = 3000;
  empty_cache();
  const int64_t start = memory_stats().reserved;
  std::thread([] {
    std::vector<void*> blocks;
    for (int i = 0; i < 30; ++i) blocks.push_back(cpu_allocate(kBytes));
    for (void* block : blocks) cpu_free(block, kBytes);
  }).join();
  const MemoryStats before = memory_stats();
  EXPECT_EQ(before.reserved - start, int64_t(30 * class_bytes(size_class(kBytes))));
  std::vector<void*> blocks;
  for (int i = 0; i < 30; ++i) blocks.push_back(cpu_allocate(kBytes));
  EXPECT_EQ(memory_stats().system_allocations, before.system_allocations);
  for (void* block : blocks) cpu_free(block, kBytes);
  empty_cache();
  EXPECT_EQ(memory_stats().reserved, start);
}

// Its destructor runs after the thread's cache has gone when the object was made before the thread's first allocation.
struct LateUser {
  void* block = nullptr;
  ~LateUser() {
    cpu_free(block, 200);
    allocate_and_free(300, 2);
  }
};

TEST(AllocatorThreads, MayBeUsedAfterTheThreadsCacheHasGone) {
  const MemoryStats start = memory_stats();
  std::thread([] {
    thread_local LateUser user;
    user.block = &user;
    user.block = cpu_allocate(200);
  }).join();
  const MemoryStats stats = memory_stats();
  EXPECT_EQ(stats.allocated, start.allocated);
  EXPECT_EQ(stats.allocations - start.allocations, 3);
}

// Freed by the destructor of a static object, after those of the main thread's thread-local objects.
LateUser static_user;

TEST(AllocatorThreads, MayBeUsedByDestructorsOfStaticObjects) {
  static_user.block = cpu_allocate(200);
  ASSERT_NE(static_user.block, nullptr);
}

TEST(AllocatorThreads, PeakOfSeveralThreadsIsCloseEnough) {
  constexpr int kThreads = 4;
  reset_peak_memory_stats();
  const int64_t start = memory_stats().allocated;
  std::atomic<int> holding{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      std::vector<void*> blocks;
      for (int i = 0; i < 300; ++i) blocks.push_back(cpu_allocate(10000));
      for (++holding; holding.load() < kThreads;) std::this_thread::yield();
      for (void* block : blocks) cpu_free(block, 10000);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const MemoryStats stats = memory_stats();
  EXPECT_EQ(stats.allocated, start);
  EXPECT_NEAR(static_cast<double>(stats.peak_allocated - start), kThreads * 300 * 10000, kThreads * double(kMiB));
}

TEST(AllocatorThreads, StressWithBlocksChangingHands) {
  constexpr int kThreads = 4;
  constexpr int kSteps = 20000;
  const int64_t start = memory_stats().allocated;
  std::vector<std::atomic<size_t*>> shared(97);
  std::atomic<int> damaged{0};
  // A block begins with its own size in bytes and ends with a mark derived from it.
  const auto release = [&](size_t* block) {
    if (block == nullptr) return;
    const size_t bytes = *block;
    if (reinterpret_cast<unsigned char*>(block)[bytes - 1] != bytes % 199) ++damaged;
    cpu_free(block, bytes);
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i < kSteps; ++i) {
        const size_t bytes = 16 + random() % (size_t{1} << (5 + random() % 14));
        auto* block = static_cast<size_t*>(cpu_allocate(bytes));
        *block = bytes;
        reinterpret_cast<unsigned char*>(block)[bytes - 1] = bytes % 199;
        release(shared[random() % shared.size()].exchange(block));
        if (i % 4096 == 0) empty_cache();
        if (i % 1024 == 0 && memory_stats().reserved <= 0) ++damaged;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (auto& slot : shared) release(slot.load());
  EXPECT_EQ(damaged.load(), 0);
  EXPECT_EQ(memory_stats().allocated, start);
}

TEST(AllocatorThreads, ChildProcessDoesNotInheritALockedAllocator) {
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop.load()) allocate_and_free(100000, 100);
  });
  int failures = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      allocate_and_free(100000, 10);
      allocate_and_free(100, 10);
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    failures += status != 0;
  }
  stop = true;
  busy.join();
  EXPECT_EQ(failures, 0);
}

TEST(AllocatorDeathTest, CachingCanBeTurnedOff) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";  // a new process, which reads the variable anew
  setenv("WICK_NO_CACHING", "1", 1);
  EXPECT_EXIT(
      {
        const int64_t start = memory_stats().reserved;
        allocate_and_free(100, 10);
        allocate_and_free(3 * kMiB, 2);
        const MemoryStats stats = memory_stats();
        const bool right = stats.reserved == start && stats.cached_hits == 0 && stats.system_allocations == 12 && stats.allocated == 0 &&
                           stats.peak_allocated == int64_t(3 * kMiB);
        std::_Exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  unsetenv("WICK_NO_CACHING");
}

#ifdef WICK_ASAN
TEST(AllocatorAsan, WhatIsNotAllocatedIsPoisoned) {
  for (size_t bytes : {size_t{100}, size_t{70001}}) {
    auto* block = static_cast<char*>(cpu_allocate(bytes));
    EXPECT_FALSE(__asan_address_is_poisoned(block));
    EXPECT_FALSE(__asan_address_is_poisoned(block + bytes - 1));
    EXPECT_TRUE(__asan_address_is_poisoned(block + bytes));
    cpu_free(block, bytes);
    EXPECT_TRUE(__asan_address_is_poisoned(block));
    EXPECT_TRUE(__asan_address_is_poisoned(block + bytes - 1));
  }
}
#endif

}  // namespace
}  // namespace wick
