#include "wick/framework/cpu/dnnl/threads.h"

#if defined(_OPENMP) && !defined(WICK_STD_THREADS)

#include <omp.h>
#include <pthread.h>

#include <atomic>

namespace wick::cpu {
namespace {

constinit std::atomic<bool> forked{false};

void lose_threads() { forked.store(true, std::memory_order_relaxed); }

}  // namespace

OneDnnThreads::OneDnnThreads(int count) : previous_(omp_get_max_threads()) {
  static const int handler = pthread_atfork(nullptr, nullptr, lose_threads);
  static_cast<void>(handler);
  const int threads = forked.load(std::memory_order_relaxed) ? 1 : count;
  if (threads != previous_) omp_set_num_threads(threads);
}

OneDnnThreads::~OneDnnThreads() {
  if (omp_get_max_threads() != previous_) omp_set_num_threads(previous_);
}

}  // namespace wick::cpu

#else

namespace wick::cpu {

OneDnnThreads::OneDnnThreads(int) : previous_(1) {}
OneDnnThreads::~OneDnnThreads() { static_cast<void>(previous_); }

}  // namespace wick::cpu

#endif
