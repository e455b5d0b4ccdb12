#include "wick/framework/cpu/gemm_generic.h"

#include <algorithm>
#include <type_traits>

namespace wick::cpu {
namespace {

// What T is computed in: wraps around without undefined behaviour, and is not promoted to int.
template <class T>
using Wide = std::conditional_t<is_complex_v<T>, T, std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>;

template <class T>
void finish(const GemmArgs<T>& x, int64_t i, int64_t begin, int64_t end, const Wide<T>* sums) {
  for (int64_t j = begin; j < end; ++j) {
    T& c = x.c[i * x.ldc + j];
    Wide<T> y = Wide<T>(x.alpha) * sums[j - begin];
    if (x.beta != 0) y += Wide<T>(x.beta) * Wide<T>(c);
    if (x.bias != nullptr) y += Wide<T>(x.bias[j]);
    c = static_cast<T>(y);
    if constexpr (!is_complex_v<T>) {
      if (x.activation == Activation::kRelu) c = std::max(c, T(0));
    }
  }
}

}  // namespace

template <class T>
void gemm_generic(const GemmArgs<T>& x) {
  // Columns of C at a time: their sums stay in the first-level cache while k runs.
  constexpr int64_t kColumns = 256;
  const int64_t a_row = x.trans_a ? 1 : x.lda, a_column = x.trans_a ? x.lda : 1;
  const int64_t b_row = x.trans_b ? 1 : x.ldb, b_column = x.trans_b ? x.ldb : 1;
  for (int64_t begin = 0; begin < x.n; begin += kColumns) {
    const int64_t end = std::min(begin + kColumns, x.n);
    for (int64_t i = 0; i < x.m; ++i) {
      Wide<T> sums[kColumns] = {};
      for (int64_t p = 0; p < x.k; ++p) {
        const Wide<T> factor = Wide<T>(x.a[i * a_row + p * a_column]);
        const T* b = x.b + p * b_row + begin * b_column;
        for (int64_t j = 0; j < end - begin; ++j) sums[j] += factor * Wide<T>(b[j * b_column]);
      }
      finish(x, i, begin, end, sums);
    }
  }
}

template void gemm_generic(const GemmArgs<int64_t>&);
template void gemm_generic(const GemmArgs<int32_t>&);
template void gemm_generic(const GemmArgs<int16_t>&);
template void gemm_generic(const GemmArgs<int8_t>&);
template void gemm_generic(const GemmArgs<uint8_t>&);
template void gemm_generic(const GemmArgs<Complex<float>>&);
template void gemm_generic(const GemmArgs<Complex<double>>&);

}  // namespace wick::cpu
