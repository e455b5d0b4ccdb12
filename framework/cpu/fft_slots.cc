// Fourier transforms by Eigen, row by row, of any length.
#include <complex>
#include <unsupported/Eigen/FFT>

#include "wick/framework/core/parallel.h"
#include "wick/framework/plan/fft.h"

namespace wick {
namespace {

template <class T>
void run_as(const FftArgs& args) {
  const auto* x = args.buffers[1].as<const std::complex<T>>();
  auto* y = args.buffers[0].as<std::complex<T>>();
  parallel_for(0, args.rows, kGrainSize / (16 * args.n) + 1, [&](int64_t begin, int64_t end) {
    Eigen::FFT<T> fft(typename Eigen::FFT<T>::impl_type(), Eigen::FFT<T>::Unscaled);
    for (int64_t i = begin; i < end; ++i) {
      if (args.n == 1) y[i] = x[i];  // which Eigen would not take
      else args.inverse ? fft.inv(y + i * args.n, x + i * args.n, args.n) : fft.fwd(y + i * args.n, x + i * args.n, args.n);
      for (int64_t k = 0; k < args.n; ++k) y[i * args.n + k] *= static_cast<T>(args.scale);
    }
  });
}

void run_fft(const FftArgs& args) { args.dtype == kComplexFloat ? run_as<float>(args) : run_as<double>(args); }

}  // namespace

constinit Kernel<FftArgs> fft_kernel = Kernel<FftArgs>::make<run_fft, run_fft>("fft");

}  // namespace wick
