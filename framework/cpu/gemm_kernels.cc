// Matrix products in registers. A tile of C, up to kMaxRows x 3 vectors, is held in accumulators while k runs: per step one load for
// each vector of op(B)'s row and one broadcast for each row of op(A), whose layout therefore does not matter. op(B) must be
// contiguous along the vector; where it is not, one of three ways is taken, by estimated cost:
//   transpose   C^T = op(B)^T op(A)^T is computed instead, if op(A) is contiguous along m;
//   pack        blocks of op(B) are copied to a buffer on the stack;
//   dot         both operands are contiguous along k: dot products, for few rows or columns.
#include "wick/framework/cpu/gemm_small.h"

#include <utility>

#include "wick/framework/cpu/gemm_vec.h"

namespace wick::cpu::WICK_ISA {
namespace {

#if defined(WICK_ISA_AVX512)
constexpr int kRegisterBytes = 64;
// Rows of a tile by its vectors per row, such that accumulators, a row of op(B) and a broadcast fit the 32 registers.
constexpr int kMaxRows[] = {0, 8, 8, 8};
#else
constexpr int kRegisterBytes = 32;
constexpr int kMaxRows[] = {0, 8, 6, 4};  // of 16 registers
#endif
constexpr int kMaxVecs = 3;

template <class T>
constexpr int kLanes = kRegisterBytes / sizeof(T);

// C(i, j) = activation(alpha * sum over p of A(i, p) B(p, j) + beta * C(i, j) + bias(i, j)), each operand with a stride per index.
template <class T>
struct Product {
  int64_t m, n, k;
  const T* a;
  int64_t a_row, a_col;
  const T* b;
  int64_t b_row, b_col;
  T* c;
  int64_t c_row, c_col;
  T alpha, beta;
  const T* bias;
  int64_t bias_row, bias_col;
  bool relu;

  // C^T = B^T A^T
  void transpose() {
    std::swap(m, n);
    std::swap(a, b);
    std::swap(a_row, b_col);
    std::swap(a_col, b_row);
    std::swap(c_row, c_col);
    std::swap(bias_row, bias_col);
  }
  void skip_columns(int64_t count) {
    b += count * b_col;
    c += count * c_col;
    if (bias != nullptr) bias += count * bias_col;
  }
};

template <class T>
Product<T> make_product(const GemmArgs<T>& x) {
  return {x.m, x.n, x.k,
          x.a, x.trans_a ? 1 : x.lda, x.trans_a ? x.lda : 1,
          x.b, x.trans_b ? 1 : x.ldb, x.trans_b ? x.ldb : 1,
          x.c, x.ldc, 1, x.alpha, x.beta, x.bias, 0, 1, x.activation == Activation::kRelu};
}

// Writes `rows` x `columns` sums, of which row i begins at sums + i * ld, to C from row `first` on.
template <class T>
[[gnu::noinline]] void finish(const Product<T>& x, int64_t first, int64_t rows, int64_t columns, const T* sums, int64_t ld) {
  for (int64_t i = first; i < first + rows; ++i, sums += ld) {
    T* c = x.c + i * x.c_row;
    const T* bias = x.bias == nullptr ? nullptr : x.bias + i * x.bias_row;
    for (int64_t j = 0; j < columns; ++j) {
      T y = x.alpha * sums[j];
      if (x.beta != 0) y += x.beta * c[j * x.c_col];
      if (bias != nullptr) y += bias[j * x.bias_col];
      c[j * x.c_col] = x.relu && y < 0 ? T(0) : y;
    }
  }
}

// Calls f<0>() to f<kCount - 1>(): GCC keeps an array in registers only if its indices are constants from the start.
template <int kCount, class F>
[[gnu::always_inline]] inline void unroll(F f) {
  [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) __attribute__((always_inline)) {
    (f.template operator()<kIndex>(), ...);
  }(std::make_integer_sequence<int, kCount>{});
}

// A tile of kRows x kVecs accumulators. `last` says which lanes of the last vector of a row belong to the matrix.
template <class V, int kRows, int kVecs>
struct Tile {
  using T = typename V::Scalar;
  using Reg = typename V::Reg;
  Reg sum[kRows * kVecs];

  template <int kVec>
  [[gnu::always_inline]] static Reg load(const T* row, typename V::Mask last) {
    if constexpr (kVec + 1 < kVecs) return V::load(row + kVec * V::kWidth);
    else return V::load(row + kVec * V::kWidth, last);
  }

  [[gnu::always_inline]] void add_product(const T* a, int64_t a_row, const T* b, typename V::Mask last) {
    Reg row[kVecs];
    unroll<kVecs>([&]<int v>() __attribute__((always_inline)) { row[v] = load<v>(b, last); });
    unroll<kRows>([&]<int i>() __attribute__((always_inline)) {
      const Reg factor = V::fill(a[i * a_row]);
      unroll<kVecs>([&]<int v>() __attribute__((always_inline)) {
        sum[i * kVecs + v] = V::fma(factor, row[v], sum[i * kVecs + v]);
      });
    });
  }
};

// tile += A B for the rows at a. Few accumulators would wait for one another, as a multiplication takes four cycles: then k is
// dealt out to two or four sets of them.
template <class V, int kRows, int kVecs, class T = typename V::Scalar>
[[gnu::always_inline]] inline void accumulate(Tile<V, kRows, kVecs>& tile, int64_t k, const T* a, int64_t a_row, int64_t a_col,
                                              const T* b, int64_t b_row, typename V::Mask last) {
  constexpr int kSets = kRows * kVecs <= 2 ? 4 : kRows * kVecs <= 4 ? 2 : 1;
  int64_t p = 0;
  if constexpr (kSets > 1) {
    Tile<V, kRows, kVecs> others[kSets - 1];
    unroll<kSets - 1>([&]<int s>() __attribute__((always_inline)) {
      unroll<kRows * kVecs>([&]<int i>() __attribute__((always_inline)) { others[s].sum[i] = V::zero(); });
    });
    for (; p + kSets <= k; p += kSets, a += kSets * a_col, b += kSets * b_row) {
      tile.add_product(a, a_row, b, last);
      unroll<kSets - 1>([&]<int s>() __attribute__((always_inline)) {
        others[s].add_product(a + (s + 1) * a_col, a_row, b + (s + 1) * b_row, last);
      });
    }
    unroll<kSets - 1>([&]<int s>() __attribute__((always_inline)) {
      unroll<kRows * kVecs>([&]<int i>() __attribute__((always_inline)) { tile.sum[i] += others[s].sum[i]; });
    });
  }
  for (; p < k; ++p, a += a_col, b += b_row) tile.add_product(a, a_row, b, last);
}

// Rows first to first + count - 1 of C = A B, for B contiguous along n, n at most kVecs vectors (the last one perhaps partial) and
// count a multiple of kRows.
template <class V, int kRows, int kVecs, class T = typename V::Scalar>
void multiply_tiles(const Product<T>& x, int64_t first, int64_t count) {
  constexpr int W = V::kWidth;
  const bool relu = x.relu;
  const int64_t n = x.n, k = x.k, a_row = x.a_row, a_col = x.a_col, b_row = x.b_row, c_row = x.c_row;
  const T *a = x.a + first * a_row, *b = x.b;
  T* c = x.c + first * c_row;
  const auto last = V::Mask::first(n - (kVecs - 1) * W);
  const bool adds = x.beta == 1, has_bias = x.bias != nullptr;
  const bool straight = x.c_col == 1 && x.alpha == 1 && (adds ? !has_bias : x.beta == 0 && (!has_bias || x.bias_col == 1));
  Tile<V, 1, kVecs> start;
  unroll<kVecs>([&]<int v>() __attribute__((always_inline)) {
    start.sum[v] = straight && has_bias ? Tile<V, 1, kVecs>::template load<v>(x.bias, last) : V::zero();
  });
  for (const int64_t end = first + count; first < end; first += kRows, a += kRows * a_row, c += kRows * c_row) {
    Tile<V, kRows, kVecs> tile;
    if (straight && adds) {
      unroll<kRows * kVecs>([&]<int i>() __attribute__((always_inline)) {
        tile.sum[i] = Tile<V, 1, kVecs>::template load<i % kVecs>(c + i / kVecs * c_row, last);
      });
    } else {
      unroll<kRows * kVecs>([&]<int i>() __attribute__((always_inline)) { tile.sum[i] = start.sum[i % kVecs]; });
    }
    accumulate(tile, k, a, a_row, a_col, b, b_row, last);
    if (straight) {
      if (relu) unroll<kRows * kVecs>([&]<int i>() __attribute__((always_inline)) { tile.sum[i] = V::relu(tile.sum[i]); });
      unroll<kRows * kVecs>([&]<int i>() __attribute__((always_inline)) {
        T* to = c + i / kVecs * c_row + i % kVecs * W;
        if constexpr (i % kVecs + 1 < kVecs) V::store(to, tile.sum[i]);
        else V::store(to, tile.sum[i], last);
      });
    } else {
      T sums[kRows * kVecs * W];
      unroll<kRows * kVecs>([&]<int i>() __attribute__((always_inline)) { V::store(sums + i * W, tile.sum[i]); });
      finish(x, first, kRows, n, sums, kVecs * W);
    }
  }
}

template <class T>
using TileKernel = void (*)(const Product<T>&, int64_t, int64_t);

// multiply_tiles for 1 to kMaxRows[kVecs] rows.
template <class V, int kVecs, int... kRow>
TileKernel<typename V::Scalar> tile_kernel(int64_t rows, std::integer_sequence<int, kRow...>) {
  static constexpr TileKernel<typename V::Scalar> kKernels[] = {multiply_tiles<V, kRow + 1, kVecs>...};
  return kKernels[rows - 1];
}

// C = A B for B contiguous along n and n at most kVecs vectors. What the tallest tiles leave over is shared with one of them.
template <class V, int kVecs, class T = typename V::Scalar>
void multiply_columns(const Product<T>& x) {
  constexpr int kHeight = kMaxRows[kVecs];
  constexpr std::make_integer_sequence<int, kHeight> kHeights;
  int64_t first = x.m / kHeight * kHeight, left = x.m - first;
  if (left > 0 && first > 0) first -= kHeight, left += kHeight;
  if (first > 0) multiply_tiles<V, kHeight, kVecs>(x, 0, first);
  if (left > kHeight) {
    const int64_t rows = (left + 1) / 2;
    tile_kernel<V, kVecs>(rows, kHeights)(x, first, rows);
    first += rows;
    left -= rows;
  }
  if (left > 0) tile_kernel<V, kVecs>(left, kHeights)(x, first, left);
}

// As multiply_columns, for n at most kMaxVecs vectors.
template <class T>
void multiply_panel(const Product<T>& x) {
  constexpr int W = kLanes<T>;
  if (x.n > 2 * W) return multiply_columns<Vec<T, W>, 3>(x);
  if (x.n > W) return multiply_columns<Vec<T, W>, 2>(x);
#if defined(WICK_ISA_AVX512)
  // Where a processor runs two 256-bit or one 512-bit multiplication a cycle, half a vector is twice as fast.
  if (x.n <= W / 2) return multiply_columns<Vec<T, W / 2>, 1>(x);
#endif
  multiply_columns<Vec<T, W>, 1>(x);
}

// The width of the next panel where n columns are left: four vectors make two panels of two.
template <class T>
int64_t panel_width(int64_t n) {
  constexpr int W = kLanes<T>;
  return n <= kMaxVecs * W ? n : n <= 4 * W ? 2 * W : kMaxVecs * W;
}

// to[p * kRow + j] = B(p, j) for j below n.
template <int kRow, class T>
void pack(const Product<T>& x, int64_t n, T* to) {
  const int64_t k = x.k, row = x.b_row, column = x.b_col;
  const T* b = x.b;
  if (column == 1) {
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < n; ++j) to[p * kRow + j] = b[p * row + j];
    return;
  }
  // B is contiguous along k.
  const int64_t k4 = k & ~int64_t{3}, n4 = n & ~int64_t{3};
  for (int64_t j = 0; j < n4; j += 4)
    for (int64_t p = 0; p < k4; p += 4) transpose4(b + j * column + p, column, to + p * kRow + j, kRow);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t p = j < n4 ? k4 : 0; p < k; ++p) to[p * kRow + j] = b[j * column + p];
}

// The part of a product in which the inner index runs from p to p + depth - 1. The first brings beta and bias, the others add to what
// is there, the last one activates.
template <class T>
Product<T> inner_part(const Product<T>& x, int64_t p, int64_t depth) {
  const bool ends = p + depth >= x.k;
  return {x.m, x.n, ends ? x.k - p : depth, x.a + p * x.a_col, x.a_row, x.a_col, x.b + p * x.b_row, x.b_row, x.b_col,
          x.c, x.c_row, x.c_col, x.alpha, p == 0 ? x.beta : T(1), p == 0 ? x.bias : nullptr, x.bias_row, x.bias_col, ends && x.relu};
}

// C = A B for B contiguous along n.
template <class T>
void multiply_direct(Product<T>& x) {
  for (int64_t left = x.n; left > 0; left -= x.n, x.skip_columns(x.n)) {
    x.n = panel_width<T>(left);
    multiply_panel(x);
  }
}

// C = A B, each panel of B packed.
template <class T>
[[gnu::noinline]] void multiply_packed(const Product<T>& x) {
  constexpr int kDepth = 256, kWidth = kMaxVecs * kLanes<T>;
  alignas(64) T buffer[kDepth * kWidth];
  for (int64_t p = 0; p < x.k; p += kDepth) {
    Product<T> part = inner_part(x, p, kDepth), panel = part;
    panel.b = buffer;
    panel.b_row = kWidth;
    panel.b_col = 1;
    for (int64_t left = x.n; left > 0; left -= panel.n) {
      panel.n = panel_width<T>(left);
      pack<kWidth>(part, panel.n, buffer);
      multiply_panel(panel);
      part.skip_columns(panel.n);
      panel.c = part.c;
      panel.bias = part.bias;
    }
  }
}

// Rows first to first + kRows - 1 of the first columns of C, at most four, as dot products along k.
template <int kRows, class T>
void multiply_dots(const Product<T>& x, int64_t first) {
  using V = Vec<T, kLanes<T>>;
  constexpr int W = V::kWidth;
  const int64_t n = x.n < 4 ? x.n : 4;
  const T* const a = x.a + first * x.a_row;
  const T* b[4];
  for (int j = 0; j < 4; ++j) b[j] = x.b + (j < n ? j : n - 1) * x.b_col;
  typename V::Reg sum[kRows * 4];
  unroll<kRows * 4>([&]<int i>() __attribute__((always_inline)) { sum[i] = V::zero(); });
  const auto step = [&](int64_t p, auto... lanes) __attribute__((always_inline)) {
    typename V::Reg row[kRows];
    unroll<kRows>([&]<int i>() __attribute__((always_inline)) { row[i] = V::load(a + i * x.a_row + p, lanes...); });
    unroll<4>([&]<int j>() __attribute__((always_inline)) {
      const auto column = V::load(b[j] + p, lanes...);
      unroll<kRows>([&]<int i>() __attribute__((always_inline)) { sum[i * 4 + j] = V::fma(row[i], column, sum[i * 4 + j]); });
    });
  };
  int64_t p = 0;
  for (; p + W <= x.k; p += W) step(p);
  if (p < x.k) step(p, V::Mask::first(x.k - p));
  T sums[kRows * 4];
  unroll<kRows>([&]<int i>() __attribute__((always_inline)) {
    store_sums(sums + i * 4, sum[i * 4], sum[i * 4 + 1], sum[i * 4 + 2], sum[i * 4 + 3]);
  });
  finish(x, first, kRows, n, sums, 4);
}

// C = A B for A and B contiguous along k.
template <class T>
[[gnu::noinline]] void multiply_dots(Product<T> x) {
  for (int64_t left = x.n; left > 0; left -= 4, x.skip_columns(4)) {
    x.n = left;
    int64_t i = 0;
    for (; i + 1 < x.m; i += 2) multiply_dots<2>(x, i);
    if (i < x.m) multiply_dots<1>(x, i);
  }
}

// Half cycles, roughly, of multiply_direct or multiply_packed for an m x n result that is or is not contiguous along n, as B is.
template <class T>
[[gnu::always_inline]] inline int64_t tile_cost(int64_t m, int64_t n, int64_t k, bool b_contiguous, bool c_contiguous) {
  constexpr int64_t kHalf = 32 / sizeof(T);
  return m * k * ((n + kHalf - 1) / kHalf) + (b_contiguous ? 0 : n * k) + (c_contiguous ? 0 : 2 * m * n);
}

template <class T>
[[gnu::always_inline]] inline int64_t dot_cost(int64_t m, int64_t n, int64_t k) {
  constexpr int64_t kHalf = 32 / sizeof(T);
  return m * n * ((k + kHalf - 1) / kHalf + 8);
}

template <class T>
void multiply(Product<T> x) {
  const int64_t cost = tile_cost<T>(x.m, x.n, x.k, x.b_col == 1, x.c_col == 1);
  const int64_t transposed_cost = tile_cost<T>(x.n, x.m, x.k, x.a_row == 1, x.c_row == 1);
  if (x.a_col == 1 && x.b_row == 1) {
    const int64_t dots = dot_cost<T>(x.m, x.n, x.k);
    if (dots < cost && dots < transposed_cost) {
      if (x.n < 4 && x.m > x.n) x.transpose();
      return multiply_dots(x);
    }
  }
  if (transposed_cost < cost) x.transpose();
  if (x.b_col != 1 && x.k > 0) return multiply_packed(x);
  // A large B comes from beyond the nearest cache. With many rows of A to come a packed copy is worth its price; with few, a panel
  // whose rows are pages apart goes down eight of them, as many streams as the processor follows.
  constexpr int64_t kCached = 1 << 17, kPage = 4096, kManyRows = 64, kFewRows = 8, kStreams = 8;
  if (x.k * x.n * int64_t(sizeof(T)) <= kCached) return multiply_direct(x);
  if (x.m >= kManyRows) return multiply_packed(x);
  if (x.m > kFewRows || x.b_row * int64_t(sizeof(T)) < kPage) return multiply_direct(x);
  for (int64_t p = 0; p < x.k; p += kStreams) {
    Product<T> part = inner_part(x, p, kStreams);
    multiply_direct(part);
  }
}

}  // namespace

void gemm_small(const GemmArgs<float>& args) { multiply(make_product(args)); }
void gemm_small(const GemmArgs<double>& args) { multiply(make_product(args)); }

}  // namespace wick::cpu::WICK_ISA
