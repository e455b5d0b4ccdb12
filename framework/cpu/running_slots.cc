// Running products, extremes and logarithms of sums, line by line: each step needs the one before. One build serves all processors.
#include <cmath>

#include "wick/framework/core/parallel.h"
#include "wick/framework/plan/reduce.h"

namespace wick {
namespace {

template <class T>
using Number = std::conditional_t<is_floating(dtype_of<T>) && sizeof(T) == 2, float, T>;

struct Product {
  template <class T>
  using State = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;
  template <class S, class T>
  static bool step(S& y, T x) { return y *= static_cast<S>(x), false; }
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
    const double a = static_cast<double>(x), most = std::isnan(a) ? a : std::max(a, y);
    return y = std::isinf(most) || std::isnan(y) ? (std::isnan(y) ? y : most) : most + std::log1p(std::exp(-std::abs(a - y))), false;
  }
};

template <class Op>
void run_lines(const RunningArgs& args) {
  if (args.outer * args.n * args.inner == 0) return;
  dispatch_dtype(args.dtype, "scan", [&]<class T>() {
    parallel_for(0, args.outer * args.inner, kGrainSize / args.n + 1, [&](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        const int64_t first = line / args.inner * args.n * args.inner + line % args.inner;
        const T* x = args.buffers[2].as<T>() + first;
        T* y = args.buffers[0].as<T>() + first;
        int64_t* places = args.buffers[1].data ? args.buffers[1].as<int64_t>() + first : nullptr;
        auto state = static_cast<typename Op::template State<T>>(static_cast<Number<T>>(*x));
        int64_t place = 0;
        for (int64_t i = 0; i < args.n; ++i) {
          const int64_t at = i * args.inner;
          if (i > 0 && Op::step(state, static_cast<Number<T>>(x[at]))) place = i;
          y[at] = convert<T>(state);
          if (places) places[at] = place;
        }
      }
    });
  });
}

}  // namespace

#define WICK_SLOT(name, ...) \
  constinit Kernel<RunningArgs> name##_kernel = Kernel<RunningArgs>::make<run_lines<__VA_ARGS__>, run_lines<__VA_ARGS__>>(#name);
WICK_SLOT(cumprod, Product)
WICK_SLOT(cummax, Extreme<true>)
WICK_SLOT(cummin, Extreme<false>)
WICK_SLOT(logcumsumexp, LogSumExp)

}  // namespace wick
