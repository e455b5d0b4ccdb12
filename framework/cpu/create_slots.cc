// The ranges on the CPU.
#include "wick/framework/plan/create.h"

#include <cmath>

#include "wick/framework/core/dtype.h"
#include "wick/framework/core/parallel.h"

namespace wick {
namespace {

template <class T, class F>
void fill(const RangeArgs& args, const F& f) {
  T* y = args.buffers[0].as<T>();
  parallel_for(0, args.n, kGrainSize, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = convert<T>(f(i));
  });
}

// Integers in int64, which wraps; the rest in double, rounded once. (PyTorch's float results differ in the last digit where its vector
// code rounds twice.)
void run_arange(const RangeArgs& args) {
  dispatch_dtype(args.dtype, "arange_cpu", [&]<class T>() {
    if constexpr (std::is_integral_v<T>) {
      fill<T>(args, [&](int64_t i) {
        return static_cast<int64_t>(static_cast<uint64_t>(args.first) + static_cast<uint64_t>(i) * static_cast<uint64_t>(args.stride));
      });
    } else {
      fill<T>(args, [&](int64_t i) { return std::fma(static_cast<double>(i), args.step, args.start); });
    }
  });
}

// Counted from the nearer end, so that the last value is `end` and the halves mirror each other. Computed in C.
template <class T, class C>
void linspace(const RangeArgs& args) {
  const C start = static_cast<C>(convert<T>(args.start)), end = static_cast<C>(convert<T>(args.end));
  const C step = args.n > 1 ? (end - start) / static_cast<C>(args.n - 1) : C(0);
  const int64_t half = args.n > 1 ? args.n / 2 : 1;
  fill<T>(args, [=](int64_t i) {
    return i < half ? std::fma(step, static_cast<C>(i), start) : std::fma(-step, static_cast<C>(args.n - 1 - i), end);
  });
}

void run_linspace(const RangeArgs& args) {
  dispatch_dtype(args.dtype, "linspace_cpu", [&]<class T>() {
    using Compute = std::conditional_t<std::is_integral_v<T> || std::is_same_v<T, double>, double, float>;
    linspace<T, Compute>(args);
  });
}

}  // namespace

constinit Kernel<RangeArgs> arange_kernel = Kernel<RangeArgs>::make<run_arange, run_arange>("arange");
constinit Kernel<RangeArgs> linspace_kernel = Kernel<RangeArgs>::make<run_linspace, run_linspace>("linspace");

}  // namespace wick
