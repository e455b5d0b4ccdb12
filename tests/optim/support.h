// Small parameters and gradients whose values tools outside can reproduce.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "wick/framework/tensor.h"
#include "wick/tests/framework/core/support.h"

namespace wick::test {

// A leaf of shape [values.size()] that requires a gradient.
inline Tensor parameter(const std::vector<double>& values, ScalarType dtype = kDouble) {
  Tensor x = empty({static_cast<int64_t>(values.size())}, kDouble);
  std::copy(values.begin(), values.end(), x.data_ptr<double>());
  x = x.to(dtype);
  x.requires_grad_();
  return x;
}

inline std::vector<double> values(const Tensor& x) {
  const Tensor y = x.detach().to(kDouble).contiguous();
  const double* p = y.data_ptr<double>();
  return std::vector<double>(p, p + y.numel());
}

inline void set_grad(const Tensor& param, double value) { param.mutable_grad() = full_like(param.detach(), value); }

// The parameter and the gradients of the golden runs: exact in float32, and longer than a pack.
inline constexpr int kGolden = 19;
inline Tensor golden_parameter(ScalarType dtype) {
  std::vector<double> p(kGolden);
  for (int i = 0; i < kGolden; ++i) p[i] = (7 * i % 11 - 5) / 8.0;
  return parameter(p, dtype);
}
inline Tensor golden_gradient(int step, ScalarType dtype) {
  std::vector<double> g(kGolden);
  for (int i = 0; i < kGolden; ++i) g[i] = ((3 * i + 5 * step) % 13 - 6) / 16.0;
  return parameter(g, dtype).detach();
}

}  // namespace wick::test
