#include "wick/framework/core/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "wick/framework/core/error.h"

namespace wick {
namespace {

using Range = std::pair<int64_t, int64_t>;

class Threads : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_num_threads(GetParam()); }
  void TearDown() override { set_num_threads(2); }
};

// The chunks that parallel_for hands out, in order.
std::vector<Range> chunks_of(int64_t begin, int64_t end, int64_t grain) {
  std::mutex mutex;
  std::set<Range> seen;
  int64_t calls = 0;
  parallel_for(begin, end, grain, [&](int64_t first, int64_t last) {
    std::lock_guard lock(mutex);
    seen.emplace(first, last);
    ++calls;
  });
  EXPECT_EQ(calls, static_cast<int64_t>(seen.size())) << "a chunk ran twice";
  return {seen.begin(), seen.end()};
}

TEST_P(Threads, ChunksDependOnTheRangeAndTheGrainOnly) {
  EXPECT_EQ(chunks_of(0, 10, 10), (std::vector<Range>{{0, 10}}));
  EXPECT_EQ(chunks_of(0, 11, 10), (std::vector<Range>{{0, 10}, {10, 11}}));
  EXPECT_EQ(chunks_of(-7, 5, 4), (std::vector<Range>{{-7, -3}, {-3, 1}, {1, 5}}));
  EXPECT_EQ(chunks_of(3, 6, 1), (std::vector<Range>{{3, 4}, {4, 5}, {5, 6}}));
  EXPECT_EQ(chunks_of(3, 5, 0), (std::vector<Range>{{3, 4}, {4, 5}})) << "a grain below 1 counts as 1";
  EXPECT_EQ(chunks_of(3, 5, -8), (std::vector<Range>{{3, 4}, {4, 5}}));
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(chunks_of(kMost - 5, kMost, 4), (std::vector<Range>{{kMost - 5, kMost - 1}, {kMost - 1, kMost}}));
  EXPECT_EQ(chunks_of(0, kMost, kMost - 1), (std::vector<Range>{{0, kMost - 1}, {kMost - 1, kMost}}));
}

TEST_P(Threads, EmptyAndNegativeRangesCallNothing) {
  EXPECT_TRUE(chunks_of(0, 0, 1).empty());
  EXPECT_TRUE(chunks_of(5, 5, 0).empty());
  EXPECT_TRUE(chunks_of(5, -5, 2).empty());
  int calls = 0;
  parallel_chunks(0, [&](int64_t) { ++calls; });
  parallel_chunks(-3, [&](int64_t) { ++calls; });
  EXPECT_EQ(calls, 0);
}

TEST_P(Threads, EveryElementIsVisitedOnce) {
  std::vector<int> visits(100003);
  parallel_for(0, static_cast<int64_t>(visits.size()), 1000, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) ++visits[i];
  });
  EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), 100003);
  std::vector<int> chunks(37);
  parallel_chunks(37, [&](int64_t chunk) { ++chunks[chunk]; });
  EXPECT_EQ(std::count(chunks.begin(), chunks.end(), 1), 37);
}

float chunked_sum(const std::vector<float>& values) {
  constexpr int64_t kChunk = 1024;
  const int64_t n = static_cast<int64_t>(values.size());
  std::vector<float> partial((n + kChunk - 1) / kChunk);
  parallel_for(0, n, kChunk, [&](int64_t first, int64_t last) {
    partial[first / kChunk] = std::accumulate(values.begin() + first, values.begin() + last, 0.0f);
  });
  return std::accumulate(partial.begin(), partial.end(), 0.0f);
}

TEST_P(Threads, SumsAreTheSameOnAnyNumberOfThreads) {
  std::vector<float> values(70001);
  for (size_t i = 0; i < values.size(); ++i) values[i] = 1.0f / static_cast<float>(i % 977 + 1);
  const float here = chunked_sum(values);
  set_num_threads(1);
  EXPECT_EQ(here, chunked_sum(values));
}

TEST_P(Threads, UsesThatManyThreadsAndNumbersThem) {
  EXPECT_FALSE(in_parallel_region());
  std::mutex mutex;
  std::set<int> numbers;
  std::set<std::thread::id> ids;
  parallel_chunks(64, [&](int64_t) {
    std::lock_guard lock(mutex);
    numbers.insert(get_thread_num());
    ids.insert(std::this_thread::get_id());
    EXPECT_EQ(in_parallel_region(), GetParam() > 1);
  });
  EXPECT_EQ(static_cast<int>(ids.size()), GetParam());
  EXPECT_EQ(static_cast<int>(numbers.size()), GetParam());
  EXPECT_EQ(*numbers.begin(), 0);
  EXPECT_EQ(*numbers.rbegin(), GetParam() - 1);
  EXPECT_FALSE(in_parallel_region());
  EXPECT_EQ(get_thread_num(), 0);
}

TEST_P(Threads, NestedRegionsRunOnTheirCaller) {
  std::atomic<int> total{0};
  std::atomic<int> strayed{0};
  parallel_chunks(8, [&](int64_t) {
    const auto caller = std::this_thread::get_id();
    parallel_for(0, 100, 7, [&](int64_t first, int64_t last) {
      total += static_cast<int>(last - first);
      strayed += GetParam() > 1 && std::this_thread::get_id() != caller;
    });
  });
  EXPECT_EQ(total.load(), 800);
  EXPECT_EQ(strayed.load(), 0);
}

TEST_P(Threads, TheFirstExceptionInTheOrderOfChunksIsThrown) {
  for (int64_t first_bad : {0, 3, 31, 63}) {
    try {
      parallel_chunks(64, [&](int64_t chunk) {
        if (chunk >= first_bad) throw std::out_of_range(std::to_string(chunk));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::out_of_range& error) {
      EXPECT_EQ(error.what(), std::to_string(first_bad));
    }
    EXPECT_FALSE(in_parallel_region());
    EXPECT_EQ(get_thread_num(), 0);
  }
  EXPECT_EQ(chunks_of(0, 100, 10).size(), 10u) << "the threads are still usable";
}

TEST_P(Threads, RegionsOfSeveralCallersDoNotMix) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&, c] {
      for (int round = 0; round < 50; ++round) {
        std::vector<int> out(40, -1);
        parallel_chunks(40, [&](int64_t chunk) { out[chunk] = c * 1000 + static_cast<int>(chunk); });
        for (int i = 0; i < 40; ++i) wrong += out[i] != c * 1000 + i;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

INSTANTIATE_TEST_SUITE_P(Counts, Threads, testing::Values(1, 2, 3, 4));

TEST(Parallel, ThreadCountMustBePositive) {
  set_num_threads(3);
  EXPECT_EQ(get_num_threads(), 3);
  for (int threads : {0, -1}) {
    try {
      set_num_threads(threads);
      FAIL() << threads;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("Expected positive number of threads"), 0u) << error.what();
    }
  }
  EXPECT_EQ(get_num_threads(), 3);
  set_num_threads(2);
}

TEST(Parallel, ChildProcessRunsOnItsOwnThread) {
  set_num_threads(3);
  EXPECT_EQ(chunks_of(0, 9, 1).size(), 9u);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    int calls = 0;
    parallel_chunks(50, [&](int64_t) { ++calls; });
    _exit(calls == 50 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  set_num_threads(2);
}

// Each of these needs a process that has not chosen its number of threads yet.
class ParallelDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    clear();
  }
  void TearDown() override { clear(); }

 private:
  static void clear() {
    unsetenv("WICK_NUM_THREADS");
    unsetenv("OMP_NUM_THREADS");
  }
};

TEST_F(ParallelDeathTest, EnvironmentChoosesTheThreads) {
  setenv("OMP_NUM_THREADS", "5,2", 1);
  EXPECT_EXIT(std::_Exit(get_num_threads()), testing::ExitedWithCode(5), "");
  setenv("WICK_NUM_THREADS", "3", 1);
  EXPECT_EXIT(std::_Exit(get_num_threads()), testing::ExitedWithCode(3), "");
  unsetenv("WICK_NUM_THREADS");
  unsetenv("OMP_NUM_THREADS");
  EXPECT_EXIT(std::_Exit(get_num_threads() >= 1 && get_num_threads() <= int(std::thread::hardware_concurrency()) ? 0 : 1),
              testing::ExitedWithCode(0), "");
}

TEST_F(ParallelDeathTest, MalformedEnvironmentIsAnError) {
  for (const char* text : {"many", "0", "-2", "4x"}) {
    setenv("WICK_NUM_THREADS", text, 1);
    EXPECT_EXIT(
        {
          try {
            get_num_threads();
          } catch (const ValueError& error) {
            std::_Exit(std::string(error.what()).find(text) != std::string::npos ? 0 : 1);
          }
          std::_Exit(2);
        },
        testing::ExitedWithCode(0), "");
  }
}

}  // namespace
}  // namespace wick
