// The loops of the reductions: how values combine, row by row and column by column. Kernel files only.
//
// Sums of float are formed in packs of float over short blocks, and the blocks are added up in double, so that the rounding errors of a
// long sum stay those of a short one. Blocks and chunks depend on the shape alone, and their results are joined in order.
#pragma once

#include "wick/framework/core/parallel.h"
#include "wick/framework/math/pack.h"
#include "wick/framework/plan/reduce.h"

namespace wick::cpu::WICK_ISA {
namespace {

using math::WICK_ISA::Mask;
using math::WICK_ISA::Pack;

// ---- Lanes -------------------------------------------------------------------------------------------------------------------------

// What Pack is to float and double: several int64 that wrap around on overflow.
struct Integers {
  using Scalar = int64_t;
  static constexpr int size = 4;
  typedef int64_t Vector __attribute__((vector_size(32)));
  typedef uint64_t Unsigned __attribute__((vector_size(32)));

  Vector v;

  Integers() = default;
  WICK_INLINE Integers(int64_t x) : v(Vector{} + x) {}
  explicit WICK_INLINE Integers(Vector x) : v(x) {}
  static WICK_INLINE Integers loadu(const int64_t* p) {
    Integers x;
    __builtin_memcpy(&x.v, p, sizeof(x.v));
    return x;
  }
  WICK_INLINE void storeu(int64_t* p) const { __builtin_memcpy(p, &v, sizeof(v)); }
  static WICK_INLINE Integers load_partial(const int64_t* p, int n) {
    Integers x(0);
    for (int i = 0; i < n; ++i) x.v[i] = p[i];
    return x;
  }
  WICK_INLINE void store_partial(int64_t* p, int n) const {
    for (int i = 0; i < n; ++i) p[i] = v[i];
  }
  WICK_INLINE int64_t operator[](int lane) const { return v[lane]; }
  friend WICK_INLINE Integers operator+(Integers x, Integers y) { return Integers((Vector)((Unsigned)x.v + (Unsigned)y.v)); }
  friend WICK_INLINE Integers operator*(Integers x, Integers y) { return Integers((Vector)((Unsigned)x.v * (Unsigned)y.v)); }
  friend WICK_INLINE Integers max(Integers x, Integers y) { return Integers(x.v > y.v ? x.v : y.v); }
  friend WICK_INLINE Integers min(Integers x, Integers y) { return Integers(x.v < y.v ? x.v : y.v); }
};

template <class T>
struct LanesOf {
  using type = Pack<T>;
};
template <>
struct LanesOf<int64_t> {
  using type = Integers;
};
template <class T>
using Lanes = typename LanesOf<T>::type;

// x in the first n lanes, y in the others.
template <class T>
WICK_INLINE Pack<T> first_lanes(int n, Pack<T> x, Pack<T> y) { return select(Mask<T>::first(n), x, y); }
WICK_INLINE Integers first_lanes(int n, Integers x, Integers y) {
  for (int i = n; i < Integers::size; ++i) x.v[i] = y.v[i];
  return x;
}

// The type in which partial results are joined.
template <class T>
struct JoinOf {
  using type = T;
};
template <>
struct JoinOf<float> {
  using type = double;
};
template <class T>
using Join = typename JoinOf<T>::type;

// ---- Combining ---------------------------------------------------------------------------------------------------------------------

template <class T>
inline constexpr T kHighest = T(__builtin_huge_val());
template <>
inline constexpr int64_t kHighest<int64_t> = INT64_MAX;
template <class T>
inline constexpr T kLowest = T(-__builtin_huge_val());
template <>
inline constexpr int64_t kLowest<int64_t> = INT64_MIN;

WICK_INLINE double wrapping_add(double x, double y) { return x + y; }
WICK_INLINE int64_t wrapping_add(int64_t x, int64_t y) { return int64_t(uint64_t(x) + uint64_t(y)); }
WICK_INLINE double wrapping_multiply(double x, double y) { return x * y; }
WICK_INLINE int64_t wrapping_multiply(int64_t x, int64_t y) { return int64_t(uint64_t(x) * uint64_t(y)); }

// apply() on lanes, join() on partial results.
struct Add {
  template <class T>
  static constexpr T identity = T(0);
  template <class V>
  static WICK_INLINE V apply(V x, V y) { return x + y; }
  template <class J>
  static WICK_INLINE J join(J x, J y) { return wrapping_add(x, y); }
};
struct Multiply {
  template <class T>
  static constexpr T identity = T(1);
  template <class V>
  static WICK_INLINE V apply(V x, V y) { return x * y; }
  template <class J>
  static WICK_INLINE J join(J x, J y) { return wrapping_multiply(x, y); }
};
struct Max {
  template <class T>
  static constexpr T identity = kLowest<T>;
  template <class V>
  static WICK_INLINE V apply(V x, V y) { return max(x, y); }
  template <class J>
  static WICK_INLINE J join(J x, J y) { return x != x || x > y ? x : y; }
};
struct Min {
  template <class T>
  static constexpr T identity = kHighest<T>;
  template <class V>
  static WICK_INLINE V apply(V x, V y) { return min(x, y); }
  template <class J>
  static WICK_INLINE J join(J x, J y) { return x != x || x < y ? x : y; }
};

// Of zeros and ones.
struct And : Min {
  template <class T>
  static constexpr T identity = T(1);
};
struct Or : Max {
  template <class T>
  static constexpr T identity = T(0);
};

// Across the lanes.
template <class C, class T>
WICK_INLINE Join<T> fold_lanes(Pack<T> x) {
  if constexpr (std::is_base_of_v<Add, C>) return reduce_add(x);
  else if constexpr (std::is_base_of_v<Max, C>) return reduce_max(x);
  else if constexpr (std::is_base_of_v<Min, C>) return reduce_min(x);
  Join<T> result = x[0];
  for (int i = 1; i < Pack<T>::size; ++i) result = C::join(result, Join<T>(x[i]));
  return result;
}
template <class C>
WICK_INLINE int64_t fold_lanes(Integers x) {
  int64_t result = x[0];
  for (int i = 1; i < Integers::size; ++i) result = C::join(result, x[i]);
  return result;
}

// ---- What is done to an element first: x is it, c the center of its result ----------------------------------------------------------

struct Itself {
  template <class V>
  static WICK_INLINE V apply(V x, V) { return x; }
};
struct NonZero {
  template <class T>
  static WICK_INLINE Pack<T> apply(Pack<T> x, Pack<T>) { return select(x == Pack<T>(T(0)), Pack<T>(T(0)), Pack<T>(T(1))); }
  static WICK_INLINE Integers apply(Integers x, Integers) { return Integers((x.v != 0) & 1); }
};
struct Absolute {
  template <class T>
  static WICK_INLINE Pack<T> apply(Pack<T> x, Pack<T>) { return abs(x); }
};
struct SquaredDistance {
  template <class T>
  static WICK_INLINE T center(T c) { return c; }
  template <class T>
  static WICK_INLINE Pack<T> apply(Pack<T> x, Pack<T> c) { return square(x - c); }
};
struct ExpOfDifference {
  // The center is the largest element; where that is infinite, or NaN, exp(x) itself says what the sum is.
  template <class T>
  static WICK_INLINE T center(T c) { return c - c == T(0) ? c : T(0); }
  template <class T>
  static WICK_INLINE Pack<T> apply(Pack<T> x, Pack<T> c) { return exp(x - c); }
};
template <class M>
inline constexpr bool kUsesCenter = std::is_same_v<M, SquaredDistance> || std::is_same_v<M, ExpOfDifference>;

// The center of result i; 0 where there is none.
template <class M, class T>
WICK_INLINE T center_of(const T* centers, int64_t i) {
  if constexpr (kUsesCenter<M>) return centers ? M::center(centers[i]) : T(0);
  else return T(0);
}

// ---- Elements in and results out -----------------------------------------------------------------------------------------------------

// n elements `stride` apart, as T.
template <class T>
__attribute__((noinline)) void load_run(const void* from_data, ScalarType dtype, int64_t stride, int64_t n, T* to) {
#define WICK_CASE(type, name, ...)                                                \
  case ScalarType::name:                                                          \
    if constexpr (reduce_compute_type(ScalarType::name) == dtype_of<T>) {         \
      const type* from = static_cast<const type*>(from_data);                     \
      if (stride == 1) {                                                          \
        for (int64_t i = 0; i < n; ++i) to[i] = convert<T>(from[i]);              \
      } else {                                                                    \
        for (int64_t i = 0; i < n; ++i) to[i] = convert<T>(from[i * stride]);     \
      }                                                                           \
    }                                                                             \
    break;
  switch (dtype) {
    WICK_FORALL_DTYPES(WICK_CASE)
    default:
      break;
  }
#undef WICK_CASE
}

template <class J>
__attribute__((noinline)) void store_run(const J* from, int64_t n, ScalarType dtype, void* to_data) {
#define WICK_CASE(type, name, ...)                                         \
  case ScalarType::name: {                                                 \
    type* to = static_cast<type*>(to_data);                                \
    for (int64_t i = 0; i < n; ++i) to[i] = convert<type>(from[i]);        \
    break;                                                                 \
  }
  switch (dtype) {
    WICK_FORALL_DTYPES(WICK_CASE)
    default:
      break;
  }
#undef WICK_CASE
}

// A stretch of x: a pointer and how far its elements are apart, read in place or through a buffer.
template <class T>
struct Source {
  const char* data;
  ScalarType dtype;
  int64_t itemsize;
  bool direct;  // elements of T, next to each other

  Source(const Buffer& x, ScalarType type, int64_t stride)
      : data(x.as<char>()), dtype(type), itemsize(element_size(type)), direct(type == dtype_of<T> && stride == 1) {}

  WICK_INLINE const T* read(int64_t offset, int64_t stride, int64_t n, T* buffer) const {
    const char* at = data + offset * itemsize;
    if (direct) return reinterpret_cast<const T*>(at);
    load_run(at, dtype, stride, n, buffer);
    return buffer;
  }
};

// Finishes and writes n results from the first-th on.
template <class T>
void write_results(const ReduceArgs& args, Join<T>* results, int64_t first, int64_t n) {
  if constexpr (!std::is_same_v<T, int64_t>) {
    if (args.finish == Finish::kDivide || args.finish == Finish::kRoot) {
      for (int64_t i = 0; i < n; ++i) results[i] /= args.divisor;
    }
    if (args.finish == Finish::kRoot) {
      for (int64_t i = 0; i < n; ++i) results[i] = __builtin_sqrt(results[i]);
    } else if (args.finish == Finish::kLog) {
      const T* center = args.buffers[2].as<T>() + first;
      for (int64_t i = 0; i < n; ++i) results[i] = __builtin_log(results[i]) + ExpOfDifference::center(center[i]);
    }
  }
  store_run(results, n, args.out, args.buffers[0].as<char>() + first * element_size(args.out));
}

// ---- Rows --------------------------------------------------------------------------------------------------------------------------

constexpr int64_t kBlock = 1024;   // elements that are summed in T alone
constexpr int64_t kResults = 128;  // results held before they are written
constexpr int64_t kShortSum = 256; // a row for which the fold across the lanes counts

template <class M, class T>
constexpr bool kMayLeaveRange = std::is_same_v<M, SquaredDistance> && std::is_same_v<T, float>;

// The sum y of what at(0) to at(n - 1) are mapped to. Squares of float that overflow or vanish are formed once more, in double: the norm of
// [3e30, 4e30] is 5e30.
template <class M, class T, class At>
WICK_INLINE Join<T> in_range(Join<T> y, int64_t n, T center, const At& at) {
  if constexpr (kMayLeaveRange<M, T>) {
    if (WICK_UNLIKELY(!(y > 1e-30 && y < __builtin_inf()))) {
      y = 0;
      for (int64_t i = 0; i < n; ++i) y += (double(at(i)) - center) * (double(at(i)) - center);
    }
  }
  return y;
}

// What four packs add up of n elements, a multiple of four packs, each pack as two halves: a Zen 4 brings long rows from its second and
// third cache a tenth faster in loads of 32 bytes than of 64, and adds as much.
template <class T, int... k>
WICK_INLINE void sum_halves(const T* x, int64_t n, Pack<T>* sums, std::integer_sequence<int, k...>) {
  typedef T Half __attribute__((vector_size(32), aligned(1), may_alias));
  constexpr int kHalf = 32 / sizeof(T);
  Half halves[8] = {};
  for (int64_t i = 0; i < n; i += 8 * kHalf) {
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) halves[j] += *reinterpret_cast<const Half*>(x + i + j * kHalf);
  }
  for (int j = 0; j < 4; ++j) sums[j] = Pack<T>(__builtin_shufflevector(halves[2 * j], halves[2 * j + 1], k...));
}

// n contiguous elements, folded to as many as there are lanes; the same by halves, which costs a short row more than it gains.
template <class C, class M, bool by_halves, class T>
WICK_INLINE Lanes<T> fold_packs(const T* x, int64_t n, Lanes<T> center) {
  using V = Lanes<T>;
  constexpr int kSize = V::size;
  const V identity(C::template identity<T>);
  V sums[4] = {identity, identity, identity, identity};
  auto& [a, b, c, d] = sums;
  int64_t i = 0;
  if constexpr (by_halves && std::is_same_v<C, Add> && std::is_same_v<M, Itself> && sizeof(V) == 64) {
    i = n - n % (4 * kSize);
    sum_halves(x, i, sums, std::make_integer_sequence<int, kSize>());
  }
  for (; i + 4 * kSize <= n; i += 4 * kSize) {
    a = C::apply(a, M::apply(V::loadu(x + i), center));
    b = C::apply(b, M::apply(V::loadu(x + i + kSize), center));
    c = C::apply(c, M::apply(V::loadu(x + i + 2 * kSize), center));
    d = C::apply(d, M::apply(V::loadu(x + i + 3 * kSize), center));
  }
  for (; i + kSize <= n; i += kSize) a = C::apply(a, M::apply(V::loadu(x + i), center));
  if (const int rest = static_cast<int>(n - i)) b = first_lanes(rest, C::apply(b, M::apply(V::load_partial(x + i, rest), center)), b);
  return C::apply(C::apply(a, b), C::apply(c, d));
}

// n contiguous elements.
template <class C, class M, class T>
WICK_INLINE Join<T> fold_block(const T* x, int64_t n, Lanes<T> center) {
  const Join<T> y = fold_lanes<C>(fold_packs<C, M, true>(x, n, center));
  return in_range<M, T>(y, n, center[0], [x](int64_t k) { return x[k]; });
}

// As many rows as there are lanes, whose folds become the lanes of one pack; each as fold_lanes would do it, the upper half onto the
// lower one. A round leaves what remains of rows i and i + half in the even and in the odd lanes of row i.
template <class C, class T, int... k>
WICK_INLINE Pack<T> fold_each(Pack<T>* rows, std::integer_sequence<int, k...>) {
  constexpr int kSize = Pack<T>::size;
#pragma GCC unroll 4
  for (int half = kSize / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < half; ++i) {
      const auto a = rows[i].v, b = rows[i + half].v;
      rows[i] = C::apply(Pack<T>(__builtin_shufflevector(a, b, (k % 2 * kSize + k / 2)...)),
                         Pack<T>(__builtin_shufflevector(a, b, (k % 2 * kSize + k / 2 + kSize / 2)...)));
    }
  }
  return rows[0];
}

// The folds of n elements at x, at x + stride, ... : `count` short rows.
template <class C, class M, class T>
WICK_INLINE void fold_short_rows(const T* x, int64_t stride, int64_t n, int64_t count, const T* centers, Join<T>* results) {
  int64_t i = 0;
  if constexpr (std::is_floating_point_v<T> && std::is_base_of_v<Add, C> && !kUsesCenter<M>) {
    constexpr int kSize = Pack<T>::size;
    for (; n <= kShortSum && i + kSize <= count; i += kSize) {
      Pack<T> rows[kSize];
      for (int k = 0; k < kSize; ++k) rows[k] = fold_packs<C, M, false>(x + (i + k) * stride, n, Pack<T>(T(0)));
      T folds[kSize];
      fold_each<C>(rows, std::make_integer_sequence<int, kSize>()).storeu(folds);
      for (int k = 0; k < kSize; ++k) results[i + k] = folds[k];
    }
  }
  for (; i < count; ++i) results[i] = fold_block<C, M>(x + i * stride, n, Lanes<T>(center_of<M>(centers, i)));
}

template <class C, class M, class T>
WICK_INLINE Join<T> fold_row(const Source<T>& source, int64_t offset, int64_t stride, int64_t n, T center) {
  const Lanes<T> c(center);
  alignas(64) T buffer[kBlock];
  if (n <= kBlock) return fold_block<C, M>(source.read(offset, stride, n, buffer), n, c);
  Join<T> result = C::template identity<Join<T>>;
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t length = n - i < kBlock ? n - i : kBlock;
    result = C::join(result, fold_block<C, M>(source.read(offset + i * stride, stride, length, buffer), length, c));
  }
  return result;
}

template <class C, class M, class T>
void reduce_rows(const ReduceArgs& args) {
  const ReducePlan& plan = args.plan;
  const Source<T> source(args.buffers[1], args.in, plan.n_stride);
  const T* const centers = args.buffers[2].as<T>();
  // Piece p is chunk p % chunks of row p / chunks.
  const auto piece = [&](int64_t p) __attribute__((always_inline)) {
    const int64_t row = plan.chunks == 1 ? p : p / plan.chunks;
    const int64_t begin = (p - row * plan.chunks) * plan.chunk;
    const int64_t length = plan.n - begin < plan.chunk ? plan.n - begin : plan.chunk;
    return fold_row<C, M, T>(source, row * plan.outer_stride + begin * plan.n_stride, plan.n_stride, length, center_of<M>(centers, row));
  };
  if (plan.chunks > 1) {
    Join<T>* const partial = args.buffers[3].as<Join<T>>();
    parallel_chunks(plan.outer * plan.chunks, [&](int64_t p) { partial[p] = piece(p); });
    for (int64_t row = 0; row < plan.outer; ++row) {
      Join<T> result = partial[row * plan.chunks];
      for (int64_t k = 1; k < plan.chunks; ++k) result = C::join(result, partial[row * plan.chunks + k]);
      write_results<T>(args, &result, row, 1);
    }
    return;
  }
  const int64_t grain = plan.n < kGrainSize ? kGrainSize / (plan.n + 1) : 1;
  parallel_for(0, plan.outer, grain, [&](int64_t begin, int64_t end) {
    Join<T> results[kResults];
    for (int64_t first = begin; first < end; first += kResults) {
      const int64_t count = end - first < kResults ? end - first : kResults;
      if (source.direct && plan.n <= kBlock) {
        const T* x = reinterpret_cast<const T*>(source.data) + first * plan.outer_stride;
        fold_short_rows<C, M, T>(x, plan.outer_stride, plan.n, count, centers ? centers + first : nullptr, results);
      } else {
        for (int64_t i = 0; i < count; ++i) results[i] = piece(first + i);
      }
      write_results<T>(args, results, first, count);
    }
  });
}

// ---- Columns -----------------------------------------------------------------------------------------------------------------------

constexpr int64_t kWidth = 1024;      // columns at a time: a page of float rows, which is fetched ahead
constexpr int64_t kRowsPerBlock = 64; // rows that are summed in T alone
constexpr int64_t kNarrow = 64;       // so many columns are worth a loop

// acc[i] combined with element i of a row.
template <class C, class M, class T>
WICK_INLINE void add_row(T* acc, const T* x, const T* center, int64_t width) {
  using V = Lanes<T>;
  const auto combined = [&](V a, V e, int64_t i) __attribute__((always_inline)) {
    V c(T(0));
    if constexpr (kUsesCenter<M>) c = V::loadu(center + i);
    return C::apply(a, M::apply(e, c));
  };
  int64_t i = 0;
  for (; i + V::size <= width; i += V::size) combined(V::loadu(acc + i), V::loadu(x + i), i).storeu(acc + i);
  if (const int rest = static_cast<int>(width - i)) {
    combined(V::loadu(acc + i), V::load_partial(x + i, rest), i).store_partial(acc + i, rest);
  }
}

// The same for `rows` rows, `stride` apart, in registers: at most four packs wide.
template <class C, class M, class T>
WICK_INLINE void add_rows(T* acc, const T* x, int64_t stride, int64_t rows, const T* center, int64_t width) {
  using V = Lanes<T>;
  V a[4], c[4];
  int lanes[4];
  for (int k = 0; k < 4; ++k) {
    const int64_t left = width - k * V::size;
    lanes[k] = static_cast<int>(left < 0 ? 0 : left < V::size ? left : V::size);
    a[k] = V::load_partial(acc + k * V::size, lanes[k]);
    c[k] = kUsesCenter<M> ? V::load_partial(center + k * V::size, lanes[k]) : V(T(0));
  }
  const bool full = width == 4 * V::size;
  for (int64_t row = 0; row < rows; ++row, x += stride) {
    for (int k = 0; k < 4; ++k) {
      const V e = full ? V::loadu(x + k * V::size) : V::load_partial(x + k * V::size, lanes[k]);
      a[k] = C::apply(a[k], M::apply(e, c[k]));
    }
  }
  for (int k = 0; k < 4; ++k) a[k].store_partial(acc + k * V::size, lanes[k]);
}

// A piece of a column reduction: `width` columns from `column` on, rows [begin, end) of the outer-th slice. Narrow rows that follow each
// other are taken several at a time, as one longer row of `fold` parts.
template <class C, class M, class T>
struct ColumnPiece {
  static constexpr int64_t kPadded = kWidth + Lanes<T>::size;

  const ReducePlan& plan;
  const Source<T>& source;
  const T* centers;  // of the first column, or null
  int64_t fold;
  alignas(64) T acc[kPadded];
  alignas(64) T center[kPadded];
  alignas(64) T buffer[kPadded];
  Join<T> result[kWidth];

  ColumnPiece(const ReducePlan& p, const Source<T>& s, const T* c, int64_t f) : plan(p), source(s), centers(c), fold(f) {}

  void run(int64_t outer, int64_t begin, int64_t end, int64_t column, int64_t columns) {
    const int64_t width = columns * fold;
    if constexpr (kUsesCenter<M>) {
      for (int64_t i = 0; i < width; ++i) center[i] = center_of<M>(centers, outer * plan.inner + column + i % columns);
    }
    if (kMayLeaveRange<M, T> || begin == end) {
      for (int64_t i = 0; i < width; ++i) result[i] = C::template identity<Join<T>>;
    }
    const int64_t base = outer * plan.outer_stride + column * plan.inner_stride;
    for (int64_t first = begin; first < end; first += kRowsPerBlock * fold) {
      for (int64_t i = 0; i < width; ++i) acc[i] = C::template identity<T>;
      const int64_t last = end - first < kRowsPerBlock * fold ? end : first + kRowsPerBlock * fold;
      int64_t row = first;
      if (source.direct && width <= kNarrow) {
        const T* x = reinterpret_cast<const T*>(source.data) + base + row * plan.n_stride;
        const int64_t rows = (last - first) / fold;
        for (int64_t i = 0; i < width; i += 4 * Lanes<T>::size) {
          const int64_t strip = width - i < 4 * Lanes<T>::size ? width - i : 4 * Lanes<T>::size;
          add_rows<C, M>(acc + i, x + i, fold * plan.n_stride, rows, center + i, strip);
        }
        row += rows * fold;
      }
      for (; row < last; row += fold) {
        const int64_t length = last - row < fold ? (last - row) * columns : width;
        add_row<C, M>(acc, source.read(base + row * plan.n_stride, plan.inner_stride, length, buffer), center, length);
      }
      if constexpr (!kMayLeaveRange<M, T>) {
        if (first == begin) {
          for (int64_t i = 0; i < width; ++i) result[i] = Join<T>(acc[i]);
        } else {
          for (int64_t i = 0; i < width; ++i) result[i] = C::join(result[i], Join<T>(acc[i]));
        }
        continue;
      }
      for (int64_t part = 0, i = 0; part < fold; ++part) {
        const int64_t count = (last - first - part + fold - 1) / fold;
        for (int64_t c = 0; c < columns; ++c, ++i) {
          const auto element = [&](int64_t k) {
            return *source.read(base + (first + part + k * fold) * plan.n_stride + c * plan.inner_stride, 1, 1, buffer);
          };
          result[i] = C::join(result[i], in_range<M, T>(acc[i], count, center[i], element));
        }
      }
    }
    for (int64_t half = width / 2; half >= columns; half /= 2) {
      for (int64_t i = 0; i < half; ++i) result[i] = C::join(result[i], result[i + half]);
    }
  }
};

// How many rows make one: a power of two, so that a chunk is a whole number of these.
WICK_INLINE int64_t rows_in_one(const ReducePlan& plan) {
  int64_t fold = 1;
  if (plan.n_stride == plan.inner * plan.inner_stride) {
    while (2 * fold * plan.inner <= kNarrow && 2 * fold <= plan.n) fold *= 2;
  }
  return fold;
}

template <class C, class M, class T>
void reduce_columns(const ReduceArgs& args) {
  const ReducePlan& plan = args.plan;
  const Source<T> source(args.buffers[1], args.in, plan.inner_stride);
  const int64_t fold = rows_in_one(plan);
  const int64_t bands = (plan.inner + kWidth - 1) / kWidth;
  const int64_t per_outer = bands * plan.chunks;
  const int64_t work = plan.chunk * (plan.inner < kWidth ? plan.inner : kWidth);
  const int64_t grain = work < kGrainSize ? kGrainSize / (work + 1) : 1;
  Join<T>* const partial = plan.chunks > 1 ? args.buffers[3].as<Join<T>>() : nullptr;
  parallel_for(0, plan.outer * per_outer, grain, [&](int64_t first, int64_t last) {
    ColumnPiece<C, M, T> piece(plan, source, args.buffers[2].as<T>(), fold);
    for (int64_t p = first; p < last; ++p) {
      const int64_t outer = p / per_outer, chunk = p % per_outer / bands, column = p % bands * kWidth;
      const int64_t columns = plan.inner - column < kWidth ? plan.inner - column : kWidth;
      const int64_t begin = chunk * plan.chunk, end = plan.n - begin < plan.chunk ? plan.n : begin + plan.chunk;
      piece.run(outer, begin, end, column, columns);
      if (!partial) {
        write_results<T>(args, piece.result, outer * plan.inner + column, columns);
        continue;
      }
      Join<T>* to = partial + (outer * plan.chunks + chunk) * plan.inner + column;
      for (int64_t i = 0; i < columns; ++i) to[i] = piece.result[i];
    }
  });
  if (!partial) return;
  for (int64_t outer = 0; outer < plan.outer; ++outer) {
    Join<T>* const results = partial + outer * plan.chunks * plan.inner;
    for (int64_t k = 1; k < plan.chunks; ++k) {
      for (int64_t i = 0; i < plan.inner; ++i) results[i] = C::join(results[i], results[k * plan.inner + i]);
    }
    write_results<T>(args, results, outer * plan.inner, plan.inner);
  }
}

template <class C, class M, class T>
void reduce_as(const ReduceArgs& args) {
  if (args.plan.inner == 1) reduce_rows<C, M, T>(args);
  else reduce_columns<C, M, T>(args);
}

// Integers: false for what is defined on floating point alone.
template <class C, class M, bool integers>
void reduce(const ReduceArgs& args) {
  if (args.plan.results() == 0) return;
  if (args.compute == kFloat) return reduce_as<C, M, float>(args);
  if (args.compute == kDouble) return reduce_as<C, M, double>(args);
  if constexpr (integers) reduce_as<C, M, int64_t>(args);
}

}  // namespace
}  // namespace wick::cpu::WICK_ISA
