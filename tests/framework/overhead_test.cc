// Counted things: what a training step does once it is warm. Its blocks come from the cache, so it makes no system call; it starts no
// thread; and how many blocks and pieces of memory it uses is written down here, for a change to keep or to lower.
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <new>

#include "wick.h"
#include "wick/framework/core/allocator.h"

namespace {

std::atomic<int64_t> calls_of_new{0};

}  // namespace

// None of these is inlined: where the compiler sees malloc() or free() behind one of them only, it warns of a mismatch.
#define WICK_NOINLINE __attribute__((noinline))
WICK_NOINLINE void* operator new(size_t size, const std::nothrow_t&) noexcept {
  calls_of_new.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size);
}
WICK_NOINLINE void* operator new(size_t size) {
  void* block = operator new(size, std::nothrow);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
WICK_NOINLINE void operator delete(void* block) noexcept { std::free(block); }
WICK_NOINLINE void operator delete(void* block, size_t) noexcept { std::free(block); }

namespace wick {
namespace {

constexpr int kWarmUp = 10;
constexpr int kSteps = 1000;

// In each step, at most:
constexpr int kBlocks = 13;      // from cpu_allocate: five in forward, the gradients in backward
constexpr int kCallsOfNew = 14;  // the lists of one run of backward

// The training of the Iris example, on random data.
class Training {
 public:
  Training() { steps(kWarmUp); }

  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      const Tensor loss = criterion_(model_(x_), y_);
      optimizer_.zero_grad();
      loss.backward();
      optimizer_.step();
    }
  }

 private:
  struct MLP : nn::Cloneable<MLP> {
    nn::Linear fc1 = register_module("fc1", nn::Linear(4, 10));
    nn::Linear fc2 = register_module("fc2", nn::Linear(10, 3));
    Tensor forward(const Tensor& x) { return fc2(relu(fc1(x))); }
  };

  Tensor x_ = rand({120, 4}), y_ = randint(0, 3, {120}, kLong);
  MLP model_;
  nn::CrossEntropyLoss criterion_;
  optim::SGD optimizer_{model_.parameters(), optim::SGDOptions(0.01).momentum(0.9)};
};

class Overhead : public testing::Test {
 protected:
  void SetUp() override { set_num_threads(1); }
};

TEST_F(Overhead, BlocksComeFromTheCache) {
  Training training;
  const MemoryStats before = memory_stats();
  training.steps(kSteps);
  const MemoryStats after = memory_stats();
  EXPECT_GE(after.allocations - before.allocations, 5 * kSteps) << "hardly any block: is this the right counter?";
  EXPECT_LE(after.allocations - before.allocations, kBlocks * kSteps);
  EXPECT_EQ(after.cached_hits - before.cached_hits, after.allocations - before.allocations);
  EXPECT_EQ(after.system_allocations, before.system_allocations);
  EXPECT_EQ(after.reserved, before.reserved);
  EXPECT_EQ(after.allocated, before.allocated);
}

TEST_F(Overhead, FewPiecesComeFromNew) {
  Training training;
  const int64_t before = calls_of_new;
  training.steps(kSteps);
  EXPECT_LE(calls_of_new - before, kCallsOfNew * kSteps);
}

TEST_F(Overhead, NoThreadStarts) {
  const auto threads = [] {
    using Folder = std::filesystem::directory_iterator;
    return std::distance(Folder("/proc/self/task"), Folder());
  };
  const auto before = threads();
  Training training;
  training.steps(kSteps);
  EXPECT_EQ(threads(), before);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // a sanitizer's runtime makes calls of its own
#else
constexpr bool kSanitized = false;
#endif

TEST_F(Overhead, NoSystemCall) {
  if (kSanitized) GTEST_SKIP() << "sanitizers make system calls";
  constexpr int kNoSeccomp = 77;
  const pid_t child = fork();
  if (child == 0) {
    Training training;
    // From here on the kernel ends the process at any call but read, write, exit and sigreturn.
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(kNoSeccomp);
    training.steps(kSteps);
    syscall(SYS_exit, 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoSeccomp) GTEST_SKIP() << "no seccomp here";
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "a step made a system call: ended by signal " << WTERMSIG(status);
}

}  // namespace
}  // namespace wick
