#include "wick/framework/cpu/gemm.h"

#include <algorithm>
#include <type_traits>

#include "wick/framework/core/isa.h"
#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/dnnl/gemm.h"
#include "wick/framework/cpu/gemm_generic.h"
#include "wick/framework/cpu/gemm_small.h"

namespace wick::cpu {
namespace {

// The borders below were measured: below 2^21 multiplications our kernels win against oneDNN on one thread (0.7 of its time at 32³,
// equal at 128³), and more threads than one gain less than they lose where other programs want the cores.
constexpr int64_t kOneDnnWork = int64_t{1} << 21;
constexpr int64_t kOneDnnDimension = 16;
// What a thread should get at least.
constexpr int64_t kThreadWork = int64_t{1} << 20;

template <class T>
int64_t work(const GemmArgs<T>& x) {
  return std::max<int64_t>(x.m * x.n, 1) * std::max<int64_t>(x.k, 1);
}

template <class T>
bool belongs_to_onednn(const GemmArgs<T>& x) {
  return std::is_same_v<T, float> && std::min({x.m, x.n, x.k}) > kOneDnnDimension && work(x) > kOneDnnWork;
}

template <class T>
void run(const GemmArgs<T>& x) {
  if constexpr (!std::is_floating_point_v<T>) {
    gemm_generic(x);
  } else {
    if (isa() == Isa::kAvx512) avx512::gemm_small(x);
    else avx2::gemm_small(x);
  }
}

// The same without A and B, which may then be null pointers.
template <class T>
GemmArgs<T> without_product(GemmArgs<T> x) {
  x.k = x.lda = x.ldb = 0;
  x.trans_a = false;
  x.trans_b = true;
  return x;
}

// Rows i to i + m - 1 and columns j to j + n - 1 of the product.
template <class T>
GemmArgs<T> block(GemmArgs<T> x, int64_t i, int64_t m, int64_t j, int64_t n) {
  x.m = m;
  x.n = n;
  x.a += i * (x.trans_a ? 1 : x.lda);
  x.b += j * (x.trans_b ? x.ldb : 1);
  x.c += i * x.ldc + j;
  if (x.bias != nullptr) x.bias += j;
  return x;
}

// Our own kernels on blocks of C that depend on the shape alone, and so does the result. A block's part of A, 256 columns at a time,
// stays in the second-level cache.
template <class T>
void run_blocks(const GemmArgs<T>& x) {
  constexpr int64_t kRows = 128;
  const int64_t columns = x.m <= 8 ? 1536 : 384;
  if (x.m <= kRows && x.n <= columns) return run(x);
  const int64_t across = (x.n + columns - 1) / columns, blocks = (x.m + kRows - 1) / kRows * across;
  parallel_for(0, blocks, std::max<int64_t>(1, kThreadWork * blocks / work(x)), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      const int64_t i = t / across * kRows, j = t % across * columns;
      run(block(x, i, std::min(kRows, x.m - i), j, std::min(columns, x.n - j)));
    }
  });
}

}  // namespace

template <class T>
void gemm(const GemmArgs<T>& x) {
  if (x.m <= 0 || x.n <= 0) return;
  if (x.k <= 0 || x.alpha == 0) return run_blocks(without_product(x));
  if constexpr (std::is_same_v<T, float>) {
    if (belongs_to_onednn(x) && dnnl_gemm(x)) return;
  }
  run_blocks(x);
}

template <class T>
void gemm_batch(const GemmArgs<T>& x, int64_t batch, int64_t stride_a, int64_t stride_b, int64_t stride_c) {
  if (x.m <= 0 || x.n <= 0) return;
  const auto multiply = [&](int64_t begin, int64_t end) {
    GemmArgs<T> one = x;
    for (int64_t i = begin; i < end; ++i) {
      one.a = x.a + i * stride_a;
      one.b = x.b + i * stride_b;
      one.c = x.c + i * stride_c;
      gemm(one);
    }
  };
  // Large products have threads of their own.
  if (belongs_to_onednn(x)) multiply(0, batch);
  else parallel_for(0, batch, std::max<int64_t>(1, kThreadWork / work(x)), multiply);
}

#define WICK_GEMM(T)                            \
  template void gemm(const GemmArgs<T>& args); \
  template void gemm_batch(const GemmArgs<T>& args, int64_t batch, int64_t stride_a, int64_t stride_b, int64_t stride_c);
WICK_GEMM(float)
WICK_GEMM(double)
WICK_GEMM(int64_t)
WICK_GEMM(int32_t)
WICK_GEMM(int16_t)
WICK_GEMM(int8_t)
WICK_GEMM(uint8_t)
WICK_GEMM(Complex<float>)
WICK_GEMM(Complex<double>)
#undef WICK_GEMM

}  // namespace wick::cpu
