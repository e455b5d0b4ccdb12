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
void forward_narrow(T* y, const T* x, int64_t n, const ProblemLanes<T>& lanes) {
  Pack<T> e[kNarrow], m(kLowest<T>), sum(T(0));
  lanes.load_all(x, n, e);
  for (int64_t j = 0; j < n; ++j) m = max(e[j], m);
  for (int64_t j = 0; j < n; ++j) {
    const Pack<T> p = exp(e[j] - m);
    sum += p;
    e[j] = log ? e[j] - m : p;
  }
  const Pack<T> last = log ? math::WICK_ISA::log(sum) : T(1) / sum;
  for (int64_t j = 0; j < n; ++j) e[j] = log ? e[j] - last : e[j] * last;
  lanes.store_all(y, n, e);
}

template <class T, bool log>
void forward_columns(T* y, const T* x, int64_t n, const ProblemLanes<T>& lanes) {
  Pack<T> m = lanes.load(x, 0), sum(T(0));
  for (int64_t j = 1; j < n; ++j) m = max(lanes.load(x, j), m);
  for (int64_t j = 0; j < n; ++j) {
    const Pack<T> p = exp(lanes.load(x, j) - m);
    sum += p;
    if constexpr (!log) lanes.store(y, j, p);
  }
  const Pack<T> last = log ? math::WICK_ISA::log(sum) : T(1) / sum;
  for (int64_t j = 0; j < n; ++j) lanes.store(y, j, log ? lanes.load(x, j) - m - last : lanes.load(y, j) * last);
}

template <class T, bool log>
WICK_INLINE Pack<T> backward_of(Pack<T> g, Pack<T> y, Pack<T> total) { return log ? g - exp(y) * total : (g - total) * y; }

template <class T, bool log>
void backward_row(T* gx, const T* g, const T* y, int64_t n) {
  Pack<T> sum(T(0));
  for_packs(g, n, T(0), [&](int64_t i, Pack<T> e, int lanes) __attribute__((always_inline)) {
    sum += log ? e : e * load(y + i, lanes);
  });
  const Pack<T> total(reduce_add(sum));
  for_packs(g, n, T(0), [&](int64_t i, Pack<T> e, int lanes) __attribute__((always_inline)) {
    const Pack<T> p = load(y + i, lanes);
    store(gx + i, backward_of<T, log>(e, p, total), lanes);
  });
}

template <class T, bool log>
void backward_narrow(T* gx, const T* g, const T* y, int64_t n, const ProblemLanes<T>& lanes) {
  Pack<T> e[kNarrow], p[kNarrow], total(T(0));
  lanes.load_all(g, n, e);
  lanes.load_all(y, n, p);
  for (int64_t j = 0; j < n; ++j) total += log ? e[j] : e[j] * p[j];
  for (int64_t j = 0; j < n; ++j) e[j] = backward_of<T, log>(e[j], p[j], total);
  lanes.store_all(gx, n, e);
}

template <class T, bool log>
void backward_columns(T* gx, const T* g, const T* y, int64_t n, const ProblemLanes<T>& lanes) {
  Pack<T> total(T(0));
  for (int64_t j = 0; j < n; ++j) total += log ? lanes.load(g, j) : lanes.load(g, j) * lanes.load(y, j);
  for (int64_t j = 0; j < n; ++j) lanes.store(gx, j, backward_of<T, log>(lanes.load(g, j), lanes.load(y, j), total));
}

// Calls row(offset of a problem), narrow(offset of the first of several, those) or columns(the same) for all problems.
template <class T, class Row, class Narrow, class Columns>
WICK_INLINE void for_problems(const ClassShape& shape, const Row& row, const Narrow& narrow, const Columns& columns) {
  constexpr int kSize = Pack<T>::size;
  const int64_t n = shape.n, inner = shape.inner;
  if (shape.problems() == 0 || n == 0) return;
  if (inner == 1 && n > kNarrow) {
    return parallel_for(0, shape.outer, kGrainSize / n + 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) row(i * n);
    });
  }
  const bool rows = inner == 1;
  const int64_t side_by_side = rows ? shape.outer : inner, bands = (side_by_side + kSize - 1) / kSize;
  parallel_for(0, rows ? bands : shape.outer * bands, kGrainSize / (kSize * n) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % bands * kSize, at = rows ? first * n : i / bands * n * inner + first;
      const ProblemLanes<T> lanes{rows, inner, static_cast<int>(side_by_side - first < kSize ? side_by_side - first : kSize)};
      if (n <= kNarrow) narrow(at, lanes);
      else columns(at, lanes);
    }
  });
}

template <class T, bool log>
void forward(const SoftmaxArgs& args) {
  T* const y = args.buffers[0].as<T>();
  const T* const x = args.buffers[1].as<T>();
  const int64_t n = args.shape.n;
  using Lanes = const ProblemLanes<T>&;
  for_problems<T>(
      args.shape, [&](int64_t at) { forward_row<T, log>(y + at, x + at, n); },
      [&](int64_t at, Lanes lanes) { forward_narrow<T, log>(y + at, x + at, n, lanes); },
      [&](int64_t at, Lanes lanes) { forward_columns<T, log>(y + at, x + at, n, lanes); });
}

template <class T, bool log>
void backward(const SoftmaxBackwardArgs& args) {
  T* const gx = args.buffers[0].as<T>();
  const T* const g = args.buffers[1].as<T>();
  const T* const y = args.buffers[2].as<T>();
  const int64_t n = args.shape.n;
  using Lanes = const ProblemLanes<T>&;
  for_problems<T>(
      args.shape, [&](int64_t at) { backward_row<T, log>(gx + at, g + at, y + at, n); },
      [&](int64_t at, Lanes lanes) { backward_narrow<T, log>(gx + at, g + at, y + at, n, lanes); },
      [&](int64_t at, Lanes lanes) { backward_columns<T, log>(gx + at, g + at, y + at, n, lanes); });
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
