#include "wick/framework/core/parallel.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "wick/framework/core/error.h"

#if defined(WICK_STD_THREADS) || !defined(_OPENMP)
#define WICK_OPENMP 0
#include <condition_variable>
#include <system_error>
#include <thread>
#else
#define WICK_OPENMP 1
#include <omp.h>
#endif

namespace wick {
namespace {

constinit std::atomic<int> num_threads{0};  // 0: not chosen yet
constinit std::atomic<bool> threads_lost{false};
constinit thread_local bool inside_region = false;
constinit thread_local int thread_number = 0;

// ---- how many threads --------------------------------------------------------------------------------------------------------------

// The first bytes of a file of the kernel, without its last line end; empty when it cannot be read.
std::string read_system_file(const std::string& path) {
  std::string text;
  if (std::FILE* file = std::fopen(path.c_str(), "r")) {
    text.resize(4096);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
  }
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

// Hyper-threads of one core share its vector units, so that a second thread there gains nothing.
int physical_cores_of_affinity() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  std::set<std::string> cores;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    const std::string name = std::to_string(cpu);
    const std::string siblings = read_system_file("/sys/devices/system/cpu/cpu" + name + "/topology/thread_siblings_list");
    cores.insert(siblings.empty() ? name : siblings);
  }
  return std::max(1, static_cast<int>(cores.size()));
}

// Whole processors that a quota of the form "max 100000" or "150000 100000" (microseconds each) pays for.
int processors_of_quota(const std::string& quota_and_period) {
  long long quota = 0;
  long long period = 0;
  if (std::sscanf(quota_and_period.c_str(), "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0) {
    return std::numeric_limits<int>::max();
  }
  return static_cast<int>(std::clamp<long long>(quota / period, 1, std::numeric_limits<int>::max()));
}

int processors_of_cgroup() {
  const std::string root = "/sys/fs/cgroup";
  int processors = processors_of_quota(read_system_file(root + "/cpu/cpu.cfs_quota_us") + " " +
                                       read_system_file(root + "/cpu/cpu.cfs_period_us"));
  // Version 2: the group's own line is "0::/path", and every group above it may set a quota, too.
  const std::string groups = read_system_file("/proc/self/cgroup");
  const size_t own = groups.rfind("0::");
  std::string path = own == std::string::npos ? "" : groups.substr(own + 3, groups.find('\n', own) - own - 3);
  for (;;) {
    processors = std::min(processors, processors_of_quota(read_system_file(root + path + "/cpu.max")));
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return processors;
    path.resize(slash);
  }
}

int default_num_threads() {
  if (const char* text = std::getenv("WICK_NUM_THREADS"); text != nullptr && *text != '\0') {
    char* end = nullptr;
    const long threads = std::strtol(text, &end, 10);
    WICK_CHECK_VALUE(*end == '\0' && threads > 0 && threads <= CPU_SETSIZE, "WICK_NUM_THREADS must be a number from 1 to ", CPU_SETSIZE,
                     ", got '", text, "'");
    return static_cast<int>(threads);
  }
  if (const char* text = std::getenv("OMP_NUM_THREADS"); text != nullptr) {
    const long threads = std::strtol(text, nullptr, 10);
    if (threads > 0 && threads <= CPU_SETSIZE) return static_cast<int>(threads);
  }
  return std::min(physical_cores_of_affinity(), processors_of_cgroup());
}

// ---- a region ----------------------------------------------------------------------------------------------------------------------

class Region {
 public:
  Region(int64_t count, detail::RunChunks run, const void* context) : count_(count), run_(run), context_(context) {}

  // The share of one thread of the team.
  void work(int thread, int team) noexcept {
    const bool was_inside = std::exchange(inside_region, true);
    const int number = std::exchange(thread_number, thread);
    try {
      const int64_t first = start_of(thread, team);
      const int64_t last = start_of(thread + 1, team);
      if (first < last) run_(context_, first, last);
    } catch (...) {
      // Shares are in the order of the chunks, so the lowest thread has the first chunk that failed.
      std::lock_guard lock(mutex_);
      if (thread < failed_thread_) {
        failed_thread_ = thread;
        failure_ = std::current_exception();
      }
    }
    inside_region = was_inside;
    thread_number = number;
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  int64_t start_of(int thread, int team) const { return count_ / team * thread + std::min<int64_t>(thread, count_ % team); }

  const int64_t count_;
  const detail::RunChunks run_;
  const void* const context_;
  std::mutex mutex_;
  int failed_thread_ = std::numeric_limits<int>::max();
  std::exception_ptr failure_;
};

#if WICK_OPENMP

// The team always has the same size, also when there are fewer chunks: libgomp ends threads that a smaller team does not need and
// has to start them again for the next one.
void run_on_team(Region& region, int threads) {
#pragma omp parallel num_threads(threads)
  region.work(omp_get_thread_num(), omp_get_num_threads());
}

#else

class Team {
 public:
  void run(Region& region, int threads) {
    std::unique_lock turn(turn_, std::try_to_lock);
    if (!turn.owns_lock()) return region.work(0, 1);
    {
      std::lock_guard lock(mutex_);
      threads = std::min(threads, start_workers(threads - 1) + 1);
      region_ = &region;
      threads_ = threads;
      pending_ = threads - 1;
      ++generation_;
    }
    wake_.notify_all();
    region.work(0, threads);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return pending_ == 0; });
  }

 private:
  // Returns how many there are: fewer than wanted when the system gives no more.
  int start_workers(int wanted) {
    try {
      for (; workers_ < wanted; ++workers_) std::thread(&Team::serve, this, workers_ + 1, generation_).detach();
    } catch (const std::system_error&) {
    }
    return workers_;
  }

  void serve(int thread, uint64_t seen) {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return generation_ != seen; });
      seen = generation_;
      if (thread >= threads_) continue;
      Region& region = *region_;
      const int threads = threads_;
      lock.unlock();
      region.work(thread, threads);
      lock.lock();
      if (--pending_ == 0) done_.notify_one();
    }
  }

  std::mutex turn_;   // held by the caller whose region runs
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::condition_variable done_;
  Region* region_ = nullptr;
  uint64_t generation_ = 0;
  int threads_ = 0;
  int pending_ = 0;
  int workers_ = 0;
};

void run_on_team(Region& region, int threads) {
  // Never destroyed: its threads wait there until the process ends, and destructors of static objects may open a region.
  static Team& team = *new Team;
  team.run(region, threads);
}

#endif

void lose_threads() {
  threads_lost.store(true, std::memory_order_relaxed);
#if WICK_OPENMP
  omp_set_num_threads(1);  // for oneDNN
#endif
}

}  // namespace

int get_num_threads() {
  int threads = num_threads.load(std::memory_order_relaxed);
  if (threads == 0) {
    // Keeps what another thread has set in the meantime.
    const int chosen = default_num_threads();
    if (num_threads.compare_exchange_strong(threads, chosen, std::memory_order_relaxed)) return chosen;
  }
  return threads;
}

void set_num_threads(int threads) {
  WICK_CHECK(threads > 0, "Expected positive number of threads\n  set_num_threads got ", threads);
  num_threads.store(threads, std::memory_order_relaxed);
#if WICK_OPENMP
  omp_set_num_threads(threads);  // for oneDNN and the caller's own regions
#endif
}

bool in_parallel_region() {
#if WICK_OPENMP
  if (omp_in_parallel()) return true;
#endif
  return inside_region;
}

int get_thread_num() { return thread_number; }

void detail::run_parallel(int64_t count, RunChunks run, const void* context) {
  const int threads = in_parallel_region() || threads_lost.load(std::memory_order_relaxed) ? 1 : get_num_threads();
  if (threads == 1) return run(context, 0, count);
  static const int forks = pthread_atfork(nullptr, nullptr, lose_threads);
  static_cast<void>(forks);
  Region region(count, run, context);
  run_on_team(region, threads);
  region.rethrow();
}

}  // namespace wick
