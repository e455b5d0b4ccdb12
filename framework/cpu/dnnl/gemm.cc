#include "wick/framework/cpu/dnnl/gemm.h"

#include <algorithm>

#include "dnnl.h"
#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/dnnl/threads.h"

namespace wick::cpu {
namespace {

// The leading dimension of a matrix of one row is never used, so any will do.
int64_t leading_dimension(int64_t rows, int64_t columns, int64_t ld) { return rows == 1 ? std::max(ld, columns) : ld; }

// oneDNN's sgemm has neither.
void add_bias_and_activate(const GemmArgs<float>& x) {
  const bool relu = x.activation == Activation::kRelu;
  parallel_for(0, x.m, std::max<int64_t>(1, kGrainSize / x.n), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* c = x.c + i * x.ldc;
      if (x.bias != nullptr)
        for (int64_t j = 0; j < x.n; ++j) c[j] += x.bias[j];
      if (relu)
        for (int64_t j = 0; j < x.n; ++j) c[j] = c[j] < 0 ? 0 : c[j];
    }
  });
}

}  // namespace

bool dnnl_gemm(const GemmArgs<float>& x) {
  const int64_t lda = x.trans_a ? leading_dimension(x.k, x.m, x.lda) : leading_dimension(x.m, x.k, x.lda);
  const int64_t ldb = x.trans_b ? leading_dimension(x.n, x.k, x.ldb) : leading_dimension(x.k, x.n, x.ldb);
  const int64_t ldc = leading_dimension(x.m, x.n, x.ldc);
  if (lda < (x.trans_a ? x.m : x.k) || ldb < (x.trans_b ? x.k : x.n) || ldc < x.n) return false;
  {
    const OneDnnThreads threads;
    const dnnl_status_t status = dnnl_sgemm(x.trans_a ? 'T' : 'N', x.trans_b ? 'T' : 'N', x.m, x.n, x.k, x.alpha, x.a, lda, x.b, ldb,
                                            x.beta, x.c, ldc);
    if (status != dnnl_success) return false;
  }
  if (x.bias != nullptr || x.activation != Activation::kNone) add_bias_and_activate(x);
  return true;
}

}  // namespace wick::cpu
