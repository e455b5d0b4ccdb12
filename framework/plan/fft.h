// Discrete Fourier transforms of rows.
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

// y[i, k] = scale * sum over j of x[i, j] exp(-+2 pi i j k / n), with + for the inverse; both contiguous.
struct FftArgs {
  static constexpr Access access[2] = {Access::kWrite, Access::kRead};

  Buffer buffers[2];  // y, x
  ScalarType dtype;   // kComplexFloat or kComplexDouble
  bool inverse;
  double scale;
  int64_t rows, n;
};
extern constinit Kernel<FftArgs> fft_kernel;

}  // namespace wick
