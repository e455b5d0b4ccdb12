// Running sums, products, extremes and logarithms of sums: each step needs the one before, so lines are walked side by side, a band of
// neighbours at a time. One build serves all processors.
#include <cmath>

#include "wick/framework/core/parallel.h"
#include "wick/framework/plan/reduce.h"

namespace wick {
namespace {

constexpr int64_t kBand = 64;  // lines

template <class T>
using Number = std::conditional_t<is_floating(dtype_of<T>) && sizeof(T) == 2, float, T>;

// Integers wrap; floating point numbers run in double.
template <bool product>
struct Fold {
  template <class T>
  using State = std::conditional_t<std::is_integral_v<T>, uint64_t, std::conditional_t<is_complex_v<T>, Complex<double>, double>>;
  template <class S, class T>
  static bool step(S& y, T x) { return y = product ? y * static_cast<S>(x) : y + static_cast<S>(x), false; }
};
// Of equal elements the last; NaN stays.
template <bool largest>
struct Extreme {
  template <class T>
  using State = Number<T>;
  template <class T>
  static bool step(T& y, T x) {
    if (!(x != x) && (y != y || (largest ? x < y : x > y))) return false;
    return y = x, true;
  }
};
struct LogSumExp {
  template <class T>
  using State = double;
  template <class T>
  static bool step(double& y, T x) {
    const auto a = static_cast<double>(x), most = a > y || a != a ? a : y;
    return y = std::isfinite(most) ? most + std::log1p(std::exp(-std::abs(a - y))) : most, false;
  }
};

// A line without neighbours: its state stays in a register.
template <class Op, class T>
void run_lines(const CumsumArgs& args) {
  parallel_for(0, args.outer, kGrainSize / args.n + 1, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin * args.n; first < end * args.n; first += args.n) {
      const T* x = args.buffers[1].as<T>() + first;
      T* y = args.buffers[0].as<T>() + first;
      int64_t* places = args.buffers[2].data ? args.buffers[2].as<int64_t>() + first : nullptr;
      auto state = static_cast<typename Op::template State<T>>(static_cast<Number<T>>(x[0]));
      int64_t place = 0;
      for (int64_t i = 0; i < args.n; ++i) {
        if (i > 0 && Op::step(state, static_cast<Number<T>>(x[i]))) place = i;
        y[i] = convert<T>(state);
        if (places) places[i] = place;
      }
    }
  });
}

template <class Op, class T>
void run_bands(const CumsumArgs& args) {
  if (args.inner == 1) return run_lines<Op, T>(args);
  const int64_t n = args.n, inner = args.inner, bands = (inner + kBand - 1) / kBand, work = n * std::min(inner, kBand);
  parallel_for(0, args.outer * bands, kGrainSize / work + 1, [&](int64_t begin, int64_t end) {
    typename Op::template State<T> state[kBand];
    int64_t place[kBand];
    for (int64_t band = begin; band < end; ++band) {
      const int64_t column = band % bands * kBand, count = std::min(inner - column, kBand);
      for (int64_t row = 0; row < n; ++row) {
        const int64_t first = (band / bands * n + row) * inner + column;
        const T* x = args.buffers[1].as<T>() + first;
        T* y = args.buffers[0].as<T>() + first;
        for (int64_t i = 0; i < count; ++i) {
          const auto value = static_cast<Number<T>>(x[i]);
          if (row == 0) state[i] = static_cast<typename Op::template State<T>>(value), place[i] = 0;
          else if (Op::step(state[i], value)) place[i] = row;
          y[i] = convert<T>(state[i]);
        }
        for (int64_t i = 0; args.buffers[2].data && i < count; ++i) args.buffers[2].as<int64_t>()[first + i] = place[i];
      }
    }
  });
}

template <class Op>
void run(const CumsumArgs& args) {
  if (args.outer * args.n * args.inner == 0) return;
  const auto bands = [&]<class T>() { run_bands<Op, T>(args); };
  if constexpr (std::is_same_v<Op, Fold<true>>) dispatch_any_dtype(args.dtype, "cumprod", bands);
  else dispatch_dtype(args.dtype, "scan", bands);
}

}  // namespace

#define WICK_SLOT(name, ...) \
  constinit Kernel<CumsumArgs> name##_kernel = Kernel<CumsumArgs>::make<run<__VA_ARGS__>, run<__VA_ARGS__>>(#name);
WICK_SLOT(cumsum, Fold<false>)
WICK_SLOT(cumprod, Fold<true>)
WICK_SLOT(cummax, Extreme<true>)
WICK_SLOT(cummin, Extreme<false>)
WICK_SLOT(logcumsumexp, LogSumExp)

}  // namespace wick
