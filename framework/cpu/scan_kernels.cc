// argmax and argmin.
#include "wick/framework/cpu/reduce_run.h"

namespace wick::cpu::WICK_ISA {
namespace {

// ---- Arg reductions ------------------------------------------------------------------------------------------------------------------

// The best element so far and its place; -1 before there is one.
template <class T>
struct Best {
  T value;
  int64_t place = -1;
};

// Whether a beats b: NaN beats every number, and nothing beats NaN or what came first.
template <class C, class T>
WICK_INLINE bool beats(T a, T b) {
  const bool further = std::is_same_v<C, Max> ? a > b : a < b;
  return further | ((a != a) & (b == b));
}

template <class C, class T>
WICK_INLINE void improve(Best<T>& best, T value, int64_t place) {
  if (best.place < 0 || beats<C>(value, best.value)) best = {value, place};
}

// The first place where x is `value`, which occurs.
template <class T>
int64_t find(const T* x, int64_t n, T value) {
  int64_t i = 0;
  if constexpr (!std::is_same_v<T, int64_t>) {
    const Pack<T> wanted(value);
    const bool nan = value != value;
    for (; i + Pack<T>::size <= n; i += Pack<T>::size) {
      const Pack<T> e = Pack<T>::loadu(x + i);
      if (const unsigned bits = (nan ? is_nan(e) : e == wanted).bits()) return i + __builtin_ctz(bits);
    }
  }
  while (i + 1 < n && !(x[i] == value || (x[i] != x[i] && value != value))) ++i;
  return i;
}

// Elements [begin, end) of a row, block by block: a block is searched for its best element only where that is better than the rest.
template <class C, class T>
Best<T> best_of_row(const Source<T>& source, int64_t offset, int64_t stride, int64_t begin, int64_t end) {
  alignas(64) T buffer[kBlock];
  Best<T> best{};
  for (int64_t i = begin; i < end; i += kBlock) {
    const int64_t n = end - i < kBlock ? end - i : kBlock;
    const T* x = source.read(offset + i * stride, stride, n, buffer);
    const T value = static_cast<T>(fold_block<C, Itself>(x, n, Lanes<T>(T(0))));
    if (best.place < 0 || beats<C>(value, best.value)) best = {value, i + find(x, n, value)};
  }
  return best;
}

constexpr int64_t kShortRow = 16;

template <class C, class T>
WICK_INLINE Best<T> best_of_few(const T* x, int64_t n) {
  Best<T> best{x[0], 0};
  for (int64_t i = 1; i < n; ++i) {
    if (beats<C>(x[i], best.value)) best = {x[i], i};
  }
  return best;
}

template <class T>
void write_best(const ArgReduceArgs& args, const T* values, const int64_t* places, int64_t first, int64_t n) {
  if (int64_t* out = args.buffers[0].as<int64_t>()) {
    for (int64_t i = 0; i < n; ++i) out[first + i] = places[i];
  }
  if (char* out = args.buffers[1].as<char>()) store_run(values, n, args.in, out + first * element_size(args.in));
}

template <class C, class T>
void arg_rows(const ArgReduceArgs& args, const Source<T>& source) {
  constexpr int64_t kMaxPieces = 16 * 64;  // make_reduce_plan cuts fewer than 16 rows into 64 chunks at most
  const ReducePlan& plan = args.plan;
  if (plan.chunks > 1) {
    Best<T> best[kMaxPieces];
    parallel_chunks(plan.outer * plan.chunks, [&](int64_t p) {
      const int64_t row = p / plan.chunks, begin = p % plan.chunks * plan.chunk;
      const int64_t end = plan.n - begin < plan.chunk ? plan.n : begin + plan.chunk;
      best[p] = best_of_row<C>(source, row * plan.outer_stride, plan.n_stride, begin, end);
    });
    for (int64_t row = 0; row < plan.outer; ++row) {
      Best<T> result = best[row * plan.chunks];
      for (int64_t k = 1; k < plan.chunks; ++k) improve<C>(result, best[row * plan.chunks + k].value, best[row * plan.chunks + k].place);
      write_best(args, &result.value, &result.place, row, 1);
    }
    return;
  }
  const int64_t grain = plan.n < kGrainSize ? kGrainSize / (plan.n + 1) : 1;
  parallel_for(0, plan.outer, grain, [&](int64_t begin, int64_t end) {
    T value[kResults];
    int64_t place[kResults];
    for (int64_t first = begin; first < end; first += kResults) {
      const int64_t count = end - first < kResults ? end - first : kResults;
      for (int64_t i = 0; i < count; ++i) {
        const int64_t offset = (first + i) * plan.outer_stride;
        const Best<T> best = source.direct && plan.n <= kShortRow
                                 ? best_of_few<C>(reinterpret_cast<const T*>(source.data) + offset, plan.n)
                                 : best_of_row<C>(source, offset, plan.n_stride, 0, plan.n);
        value[i] = best.value;
        place[i] = best.place;
      }
      write_best(args, value, place, first, count);
    }
  });
}

template <class C, class T>
void arg_columns(const ArgReduceArgs& args, const Source<T>& source) {
  const ReducePlan& plan = args.plan;
  const int64_t bands = (plan.inner + kWidth - 1) / kWidth;
  const int64_t work = plan.n * (plan.inner < kWidth ? plan.inner : kWidth);
  const int64_t grain = work < kGrainSize ? kGrainSize / (work + 1) : 1;
  parallel_for(0, plan.outer * bands, grain, [&](int64_t begin, int64_t end) {
    alignas(64) T buffer[kWidth], value[kWidth];
    int64_t place[kWidth];
    for (int64_t p = begin; p < end; ++p) {
      const int64_t outer = p / bands, column = p % bands * kWidth;
      const int64_t columns = plan.inner - column < kWidth ? plan.inner - column : kWidth;
      const int64_t base = outer * plan.outer_stride + column * plan.inner_stride;
      for (int64_t row = 0; row < plan.n; ++row) {
        const T* x = source.read(base + row * plan.n_stride, plan.inner_stride, columns, buffer);
        for (int64_t i = 0; i < columns; ++i) {
          const bool better = (row == 0) | beats<C>(x[i], value[i]);
          value[i] = better ? x[i] : value[i];
          place[i] = better ? row : place[i];
        }
      }
      write_best(args, value, place, outer * plan.inner + column, columns);
    }
  });
}

template <class C, class T>
void arg_as(const ArgReduceArgs& args) {
  if (args.plan.inner == 1) arg_rows<C>(args, Source<T>(args.buffers[2], args.in, args.plan.n_stride));
  else arg_columns<C>(args, Source<T>(args.buffers[2], args.in, args.plan.inner_stride));
}

template <class C>
void arg_reduce(const ArgReduceArgs& args) {
  if (args.plan.results() == 0) return;
  if (args.compute == kFloat) arg_as<C, float>(args);
  else if (args.compute == kDouble) arg_as<C, double>(args);
  else arg_as<C, int64_t>(args);
}

}  // namespace

void argmax(const ArgReduceArgs& args) { arg_reduce<Max>(args); }
void argmin(const ArgReduceArgs& args) { arg_reduce<Min>(args); }

}  // namespace wick::cpu::WICK_ISA
