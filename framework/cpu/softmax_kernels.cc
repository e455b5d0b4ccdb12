// Softmax, its logarithm, and their gradients.
//
// Rows (inner == 1) longer than a few elements are worked on one by one. Short rows, and columns, go one to each lane of a pack.
#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/problem_lanes.h"
#include "wick/framework/plan/softmax.h"

namespace wick::cpu::WICK_ISA {
namespace {

// The largest element, or where that is -inf any number, since every difference to -inf is then -inf again (and the softmax NaN).
template <class T, bool log>
void forward_row(T* y, const T* x, int64_t n) {
  Pack<T> largest(kLowest<T>), sum(T(0));
  for_packs(x, n, kLowest<T>, [&](int64_t, Pack<T> e, int) __attribute__((always_inline)) { largest = max(e, largest); });
  const Pack<T> m(reduce_max(largest));
  for_packs(x, n, kLowest<T>, [&](int64_t i, Pack<T> e, int lanes) __attribute__((always_inline)) {
    const Pack<T> p = exp(e - m);
    if constexpr (!log) store(y + i, p, lanes);
    sum += lanes == Pack<T>::size ? p : select(Mask<T>::first(lanes), p, Pack<T>(T(0)));
  });
  const T total = reduce_add(sum);
  if constexpr (log) {
    const Pack<T> log_total(math::log(total));
    for_packs(x, n, T(0), [&](int64_t i, Pack<T> e, int lanes) __attribute__((always_inline)) { store(y + i, e - m - log_total, lanes); });
  } else {
    const Pack<T> scale(T(1) / total);
    for_packs(y, n, T(0), [&](int64_t i, Pack<T> p, int lanes) __attribute__((always_inline)) { store(y + i, p * scale, lanes); });
  }
}

template <class T, bool log>
void forward_lanes(T* y, const T* x, int64_t n, const ProblemLanes<T>& lanes) {
  Pack<T> kept[kNarrow];
  const bool keep = n <= kNarrow;
  Pack<T> m = lanes.load(x, 0);
  if (keep) kept[0] = m;
  for (int64_t j = 1; j < n; ++j) {
    const Pack<T> e = lanes.load(x, j);
    if (keep) kept[j] = e;
    m = max(e, m);
  }
  Pack<T> sum(T(0));
  for (int64_t j = 0; j < n; ++j) {
    const Pack<T> p = exp((keep ? kept[j] : lanes.load(x, j)) - m);
    sum += p;
    if constexpr (log) continue;
    if (keep) kept[j] = p;
    else lanes.store(y, j, p);
  }
  if constexpr (log) {
    const Pack<T> log_sum = math::WICK_ISA::log(sum);
    for (int64_t j = 0; j < n; ++j) lanes.store(y, j, (keep ? kept[j] : lanes.load(x, j)) - m - log_sum);
  } else {
    const Pack<T> scale = T(1) / sum;
    for (int64_t j = 0; j < n; ++j) lanes.store(y, j, (keep ? kept[j] : lanes.load(y, j)) * scale);
  }
}

template <class T, bool log>
void backward_row(T* gx, const T* g, const T* y, int64_t n) {
  Pack<T> sum(T(0));
  for_packs(g, n, T(0), [&](int64_t i, Pack<T> e, int lanes) __attribute__((always_inline)) {
    sum += log ? e : e * load(y + i, lanes);
  });
  const Pack<T> total(reduce_add(sum));
  for_packs(g, n, T(0), [&](int64_t i, Pack<T> e, int lanes) __attribute__((always_inline)) {
    const Pack<T> p = load(y + i, lanes);
    store(gx + i, log ? e - exp(p) * total : (e - total) * p, lanes);
  });
}

template <class T, bool log>
void backward_lanes(T* gx, const T* g, const T* y, int64_t n, const ProblemLanes<T>& lanes) {
  Pack<T> total(T(0));
  for (int64_t j = 0; j < n; ++j) total += log ? lanes.load(g, j) : lanes.load(g, j) * lanes.load(y, j);
  for (int64_t j = 0; j < n; ++j) {
    const Pack<T> e = lanes.load(g, j), p = lanes.load(y, j);
    lanes.store(gx, j, log ? e - exp(p) * total : (e - total) * p);
  }
}

// Calls row(offset of a problem) or lanes(offset of the first of several, those) for all problems.
template <class T, class Row, class Lanes>
WICK_INLINE void for_problems(const ClassShape& shape, const Row& row, const Lanes& lanes) {
  constexpr int kSize = Pack<T>::size;
  const int64_t n = shape.n;
  if (shape.problems() == 0 || n == 0) return;
  if (shape.inner == 1 && n > kNarrow) {
    parallel_for(0, shape.outer, kGrainSize / (4 * n) + 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) row(i * n);
    });
  } else if (shape.inner == 1) {
    parallel_for(0, (shape.outer + kSize - 1) / kSize, kGrainSize / (4 * kSize * n) + 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * kSize; i < end * kSize && i < shape.outer; i += kSize) {
        lanes(i * n, ProblemLanes<T>(n, 1, static_cast<int>(shape.outer - i < kSize ? shape.outer - i : kSize)));
      }
    });
  } else {
    const int64_t inner = shape.inner, bands = (inner + kSize - 1) / kSize;
    parallel_for(0, shape.outer * bands, kGrainSize / (4 * kSize * n) + 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t column = i % bands * kSize;
        lanes(i / bands * n * inner + column, ProblemLanes<T>(1, inner, static_cast<int>(inner - column < kSize ? inner - column : kSize)));
      }
    });
  }
}

template <class T, bool log>
void forward(const SoftmaxArgs& args) {
  T* const y = args.buffers[0].as<T>();
  const T* const x = args.buffers[1].as<T>();
  for_problems<T>(
      args.shape, [&](int64_t at) { forward_row<T, log>(y + at, x + at, args.shape.n); },
      [&](int64_t at, const ProblemLanes<T>& lanes) { forward_lanes<T, log>(y + at, x + at, args.shape.n, lanes); });
}

template <class T, bool log>
void backward(const SoftmaxBackwardArgs& args) {
  T* const gx = args.buffers[0].as<T>();
  const T* const g = args.buffers[1].as<T>();
  const T* const y = args.buffers[2].as<T>();
  for_problems<T>(
      args.shape, [&](int64_t at) { backward_row<T, log>(gx + at, g + at, y + at, args.shape.n); },
      [&](int64_t at, const ProblemLanes<T>& lanes) { backward_lanes<T, log>(gx + at, g + at, y + at, args.shape.n, lanes); });
}

}  // namespace

void softmax(const SoftmaxArgs& args) {
  if (args.dtype == kFloat) args.log ? forward<float, true>(args) : forward<float, false>(args);
  else args.log ? forward<double, true>(args) : forward<double, false>(args);
}

void softmax_backward(const SoftmaxBackwardArgs& args) {
  if (args.dtype == kFloat) args.log ? backward<float, true>(args) : backward<float, false>(args);
  else args.log ? backward<double, true>(args) : backward<double, false>(args);
}

}  // namespace wick::cpu::WICK_ISA
