// Threads under LibTorch's names; parallel_for and the number of threads are wick's.
#pragma once

#include <c10/util/Exception.h>

#include <cstdint>
#include <vector>

#include "wick/framework/core/parallel.h"

namespace at {
using wick::get_num_threads;
using wick::get_thread_num;
using wick::in_parallel_region;
using wick::parallel_for;
using wick::set_num_threads;

namespace internal {
inline constexpr int64_t GRAIN_SIZE = wick::kGrainSize;
inline std::atomic<int> interop_threads{1};
}  // namespace internal

constexpr int64_t divup(int64_t x, int64_t y) { return (x + y - 1) / y; }

// combine(... combine(combine(identity, f(chunk 0, identity)), f(chunk 1, identity)) ...): the chunks' results joined in order, so that
// the number of threads makes no difference.
template <class T, class F, class Combine>
T parallel_reduce(int64_t begin, int64_t end, int64_t grain_size, T identity, const F& f, const Combine& combine) {
  if (begin >= end) return identity;
  const int64_t grain = grain_size < 1 ? 1 : grain_size;
  std::vector<T> parts(static_cast<size_t>(divup(end - begin, grain)), identity);
  parallel_for(begin, end, grain, [&](int64_t first, int64_t last) {
    parts[static_cast<size_t>((first - begin) / grain)] = f(first, last, identity);
  });
  T result = identity;
  for (const T& part : parts) result = combine(result, part);
  return result;
}

// Threads start by themselves.
inline void init_num_threads() {}

// wick has no second pool of threads, in which whole operations would run side by side; the number is kept for who asks.
inline void set_num_interop_threads(int threads) {
  TORCH_CHECK(threads > 0, "Expected positive number of threads");
  internal::interop_threads = threads;
}
inline int get_num_interop_threads() { return internal::interop_threads; }

}  // namespace at
