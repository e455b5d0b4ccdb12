// Matrix products: wick's dispatch and each of its own builds beside oneDNN and Eigen, in one run.
//
// A name reads who/m/k/n/transpositions/threads; items per second are floating point operations. Eigen is compiled for AVX2 and FMA
// and has OpenMP's threads, as oneDNN has.
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "dnnl.h"
#include "wick/framework/core/isa.h"
#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/gemm.h"
#include "wick/framework/cpu/gemm_small.h"

namespace {

using wick::cpu::GemmArgs;

struct Shape {
  int64_t m, k, n;
  bool trans_a, trans_b, bias;
};

template <class T>
struct Operands {
  std::vector<T> a, b, c, bias;
  GemmArgs<T> args;

  explicit Operands(const Shape& s) : a(s.m * s.k, T(1)), b(s.k * s.n, T(1)), c(s.m * s.n), bias(s.n, T(1)) {
    args = {.m = s.m, .n = s.n, .k = s.k, .trans_a = s.trans_a, .trans_b = s.trans_b,
            .a = a.data(), .lda = s.trans_a ? s.m : s.k, .b = b.data(), .ldb = s.trans_b ? s.k : s.n, .c = c.data(), .ldc = s.n};
  }
};

void multiply_by_onednn(const GemmArgs<float>& x) {
  dnnl_sgemm(x.trans_a ? 'T' : 'N', x.trans_b ? 'T' : 'N', x.m, x.n, x.k, 1, x.a, x.lda, x.b, x.ldb, 0, x.c, x.ldc);
}

template <class T>
void multiply_by_eigen(const GemmArgs<T>& x) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Operand = Eigen::Map<const Matrix>;
  const Operand a(x.a, x.trans_a ? x.k : x.m, x.lda), b(x.b, x.trans_b ? x.n : x.k, x.ldb);
  Eigen::Map<Matrix> c(x.c, x.m, x.n);
  if (x.trans_a && x.trans_b) c.noalias() = a.transpose() * b.transpose();
  else if (x.trans_a) c.noalias() = a.transpose() * b;
  else if (x.trans_b) c.noalias() = a * b.transpose();
  else c.noalias() = a * b;
}

template <class T>
void add(const std::string& who, const Shape& s, int threads, void (*multiply)(const GemmArgs<T>&), bool with_bias) {
  const std::string name = who + (std::is_same_v<T, float> ? "/float/" : "/double/") + std::to_string(s.m) + "/" +
                           std::to_string(s.k) + "/" + std::to_string(s.n) + "/" + (s.trans_a ? "T" : "N") + (s.trans_b ? "T" : "N") +
                           (with_bias ? "+bias" : "") + "/" + std::to_string(threads);
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    wick::set_num_threads(threads);
    Operands<T> operands(s);
    if (with_bias) operands.args.bias = operands.bias.data();
    for (auto _ : state) {
      multiply(operands.args);
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * 2 * s.m * s.k * s.n);
  })->UseRealTime();
}

template <class T>
void add_all(const Shape& s, int threads) {
  add<T>("wick", s, threads, &wick::cpu::gemm<T>, s.bias);
  if (threads == 1) {
    add<T>("avx2", s, threads, &wick::cpu::avx2::gemm_small, s.bias);
    if (wick::isa() == wick::Isa::kAvx512) add<T>("avx512", s, threads, &wick::cpu::avx512::gemm_small, s.bias);
  }
  // Without the bias, which would cost them a second pass.
  if constexpr (std::is_same_v<T, float>) add<T>("onednn", s, threads, &multiply_by_onednn, false);
  add<T>("eigen", s, threads, &multiply_by_eigen<T>, false);
}

}  // namespace

int main(int argc, char** argv) {
  // The Iris training step (batch 120, layers 4-10-3): two layers forward, their weights' gradients, one input's gradient.
  const Shape iris[] = {{120, 4, 10, false, true, true},
                        {120, 10, 3, false, true, true},
                        {10, 120, 4, true, false, false},
                        {3, 120, 10, true, false, false},
                        {120, 3, 10, false, false, false}};
  for (const Shape& s : iris) add_all<float>(s, 1), add_all<double>(s, 1);
  for (const int64_t size : {8, 16, 24, 32, 48, 64, 96, 128}) {
    for (const bool trans_b : {false, true}) add_all<float>({size, size, size, false, trans_b, false}, 1);
  }
  for (const int threads : {1, 2}) {
    for (const int64_t size : {256, 1024}) add_all<float>({size, size, size, false, false, false}, threads);
    for (const int64_t size : {64, 256, 512}) add_all<double>({size, size, size, false, false, false}, threads);
    add_all<float>({1, 1024, 4096, false, false, false}, threads);
    add_all<float>({1, 1024, 4096, false, true, false}, threads);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
