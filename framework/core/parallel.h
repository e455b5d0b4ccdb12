// Threads inside an operation, under LibTorch's names.
//
// Work is cut into chunks that depend on the range and the grain alone, never on the number of threads: chunk i of
// parallel_for(begin, end, grain, f) is [begin + i * grain, begin + (i + 1) * grain), the last one shorter. Each chunk is one call of
// f, whoever makes it, so a kernel that writes one result per chunk and joins the results in order gives the same numbers on any
// number of threads. Thread t of T takes the t-th of T equal runs of chunks, so that it finds in its cache what it wrote there
// before. A parallel_for inside a parallel region, and any range of one chunk, runs on the calling thread.
//
// f runs on threads that have thread-local modes of their own (grad mode, autocast, current stream): it must not read them. What a
// kernel needs, it gets through what f captures.
//
// If calls of f throw, the exception of the first of those chunks is thrown to the caller after all threads have finished, as if
// the chunks had run in order. Chunks after that one may have run.
//
// Threads start with the first region that uses them and are OpenMP's, which oneDNN shares. GNU's OpenMP lets threads spin for some
// milliseconds, workers after a region and the caller at its end: the fastest way on an idle machine, dear on a busy one (65,536
// elements after a pause, on two busy cores: 4 to 24 ms, where sleeping threads take 0.06). So a chunk should be worth 10 microseconds
// or more, as kGrainSize is, and where other programs want the cores, fewer threads or OMP_WAIT_POLICY=passive help.
// With WICK_STD_THREADS defined, or without OpenMP, a team of sleeping std::threads takes its place, which ThreadSanitizer can
// follow; a region that finds it at work for another thread runs on its caller.
//
// A child process made by fork() after a region has run lacks the threads: there everything runs on the calling thread.
//
// In a kernel file call these from functions in an anonymous namespace, so that what is instantiated here stays local to the object.
#pragma once

#include <cstdint>

namespace wick {

// A chunk of this many elements is worth a thread when each of them costs about a nanosecond (PyTorch's at::internal::GRAIN_SIZE).
inline constexpr int64_t kGrainSize = 32768;

// How many threads a region may use. At first: WICK_NUM_THREADS, else OMP_NUM_THREADS, else the physical cores that the process may
// run on by its affinity and its cgroup's quota. Throws ValueError when WICK_NUM_THREADS is not a positive number.
int get_num_threads();
void set_num_threads(int threads);  // throws Error unless positive

// Whether the caller runs inside a region, and the number of its thread there, 0 to get_num_threads() - 1; 0 outside.
bool in_parallel_region();
int get_thread_num();

namespace detail {
// Calls run(context, first, last) for disjoint ranges of chunks that make up [0, count).
using RunChunks = void (*)(const void* context, int64_t first, int64_t last);
void run_parallel(int64_t count, RunChunks run, const void* context);

template <class F>
void run_chunks(int64_t count, const F& f) {
  const RunChunks run = [](const void* context, int64_t first, int64_t last) {
    const F& call = *static_cast<const F*>(context);
    for (int64_t chunk = first; chunk < last; ++chunk) call(chunk);
  };
  run_parallel(count, run, &f);
}
}  // namespace detail

// Calls f(chunk) for each chunk in [0, count); none when count is not positive. For kernels that choose their chunks themselves.
template <class F>
void parallel_chunks(int64_t count, const F& f) {
  if (count == 1) f(int64_t{0});
  else if (count > 1) detail::run_chunks(count, f);
}

// Calls f(chunk_begin, chunk_end) for each chunk of [begin, end); not at all when the range is empty or negative. A grain below 1
// counts as 1.
template <class F>
void parallel_for(int64_t begin, int64_t end, int64_t grain_size, const F& f) {
  if (begin >= end) return;
  const int64_t grain = grain_size < 1 ? 1 : grain_size;
  const int64_t range = end - begin;
  // The usual case must not pay for more than this comparison.
  if (range <= grain) return f(begin, end);
  detail::run_chunks((range - 1) / grain + 1, [&](int64_t chunk) {
    const int64_t first = begin + chunk * grain;
    f(first, end - first > grain ? first + grain : end);
  });
}

}  // namespace wick
