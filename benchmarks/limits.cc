// What this machine can do, and how near wick comes to it, measured in one run: the machine may be shared, so only ratios count.
//
//   limits [threads]      a table: what, wick, the limit, their ratio
//
// Bandwidth is that of a loop that only copies, into memory that is used again and again; arithmetic that of a loop that only
// multiplies and adds in registers; products are compared with oneDNN's. A figure is the best of several rounds.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "dnnl.h"
#include "wick.h"

namespace {

double seconds(const std::function<void()>& body) {
  using Clock = std::chrono::steady_clock;
  body();
  double best = 1e30;
  for (int round = 0; round < 12; ++round) {
    const auto start = Clock::now();
    body();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

// Each thread copies its part by the C library's memcpy.
double copy_gigabytes(size_t bytes) {
  std::vector<char> from(bytes, 1), to(bytes, 2);
  return 2e-9 * static_cast<double>(bytes) / seconds([&] {
    const auto parts = static_cast<size_t>(omp_get_max_threads());
#pragma omp parallel for
    for (size_t i = 0; i < parts; ++i) {
      const size_t begin = bytes / parts * i, end = i + 1 == parts ? bytes : bytes / parts * (i + 1);
      std::memcpy(to.data() + begin, from.data() + begin, end - begin);
    }
  });
}

// Twelve independent chains of multiplications and additions, enough for two units with a latency of five cycles.
template <class Vector>
[[gnu::always_inline]] inline float fma_chains(int64_t steps) {
  Vector sum[12];
  for (int i = 0; i < 12; ++i) sum[i] = Vector{} + static_cast<float>(i);
  const Vector factor = Vector{} + 0.999f, term = Vector{} + 0.001f;
  for (int64_t s = 0; s < steps; ++s) {
    for (int i = 0; i < 12; ++i) sum[i] = sum[i] * factor + term;
  }
  Vector all = sum[0];
  for (int i = 1; i < 12; ++i) all += sum[i];
  return all[0];
}
typedef float Wide __attribute__((vector_size(64)));
typedef float Narrow __attribute__((vector_size(32)));
[[gnu::target("avx512f,fma,prefer-vector-width=512"), gnu::optimize("O3,unroll-loops")]] float chains_of_16(int64_t steps) {
  return fma_chains<Wide>(steps);
}
[[gnu::target("avx2,fma"), gnu::optimize("O3,unroll-loops")]] float chains_of_8(int64_t steps) { return fma_chains<Narrow>(steps); }

double fma_gigaflops() {
  constexpr int64_t kSteps = 1 << 20;
  const bool wide = __builtin_cpu_supports("avx512f");
  volatile float sink = 0;
  const double time = seconds([&] {
#pragma omp parallel
    sink = wide ? chains_of_16(kSteps) : chains_of_8(kSteps);
  });
  return 1e-9 * kSteps * 12 * 2 * (wide ? 16 : 8) * omp_get_max_threads() / time;
}

void row(const char* name, double wick, double limit, const char* unit) {
  std::printf("%-24s %9.2f %9.2f %-12s %5.2f\n", name, wick, limit, unit, wick / limit);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : omp_get_num_procs();
  omp_set_num_threads(threads);
  wick::set_num_threads(threads);
  wick::NoGradGuard no_grad;
  constexpr int64_t kMany = int64_t{1} << 24;
  std::printf("%d threads\n%-24s %9s %9s %-12s %5s\n", threads, "", "wick", "limit", "", "ratio");

  const wick::Tensor a = wick::randn({kMany}), b = wick::randn({kMany});
  const double copy = copy_gigabytes(kMany * sizeof(float)), peak = fma_gigaflops();
  const auto bandwidth = [&](const char* name, double bytes_per_element, const std::function<void()>& f) {
    row(name, 1e-9 * bytes_per_element * kMany / seconds(f), copy, "GB/s");
  };
  const auto arithmetic = [&](const char* name, double goal, const std::function<void()>& f) {
    row(name, 1e-9 * kMany / seconds(f), goal, "G elements/s");
  };
  bandwidth("a + b, 16 M", 12, [&] { auto c = a + b; });
  bandwidth("copy, 16 M", 8, [&] { auto c = a.clone(); });
  bandwidth("sum, 16 M", 4, [&] { auto c = a.sum(); });
  bandwidth("a > 0 ? a : b, 16 M", 13, [&] { auto c = wick::where(a > 0, a, b); });
  // The limit of an elementwise function is reading its input and writing its output.
  arithmetic("exp, 16 M", copy / 8, [&] { auto c = a.exp(); });
  arithmetic("tanh, 16 M", copy / 8, [&] { auto c = a.tanh(); });
  arithmetic("rand, 16 M", copy / 4, [&] { auto c = wick::rand({kMany}); });
  arithmetic("randn, 16 M", copy / 4, [&] { auto c = wick::randn({kMany}); });
  for (const int64_t n : {256, 1024, 2048}) {
    const wick::Tensor x = wick::randn({n, n}), y = wick::randn({n, n});
    std::vector<float> z(static_cast<size_t>(n * n));
    const double flops = 2e-9 * static_cast<double>(n * n * n);
    const double dnnl = flops / seconds([&] {
      dnnl_sgemm('N', 'N', n, n, n, 1, x.data_ptr<float>(), n, y.data_ptr<float>(), n, 0, z.data(), n);
    });
    row(("matmul " + std::to_string(n) + ", oneDNN").c_str(), flops / seconds([&] { auto c = wick::mm(x, y); }), dnnl, "GFLOP/s");
  }
  const wick::Tensor x = wick::randn({1024, 1024});
  row("matmul 1024, peak", 2e-9 * 1024 * 1024 * 1024 / seconds([&] { auto c = wick::mm(x, x); }), peak, "GFLOP/s");
  return 0;
}
