// What the tests of nn share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "wick/nn/nn.h"
#include "wick/tests/framework/core/support.h"

namespace wick::test {

namespace F = nn::functional;

inline std::vector<float> floats(const Tensor& x) {
  const Tensor y = x.contiguous();
  return std::vector<float>(y.data_ptr<float>(), y.data_ptr<float>() + y.numel());
}

inline Tensor tensor_of(IntArrayRef sizes, const std::vector<float>& values) {
  Tensor x = empty(sizes);
  std::copy(values.begin(), values.end(), x.data_ptr<float>());
  return x;
}

// Every element to within a few rounding errors of float32.
inline void expect_near(const Tensor& got, const std::vector<float>& wanted, float tolerance = 1e-6f) {
  const std::vector<float> values = floats(got);
  ASSERT_EQ(values.size(), wanted.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], wanted[i], tolerance + 2e-6f * std::fabs(wanted[i])) << i;
}

// A module as a stream shows it.
template <class M>
std::string text(const M& module) {
  std::ostringstream out;
  out << module;
  return out.str();
}

// A Linear without bias whose weight is one number.
inline nn::Linear scale_by(float factor) {
  nn::Linear layer(nn::LinearOptions(1, 1).bias(false));
  NoGradGuard no_grad;
  layer->weight.fill_(factor);
  return layer;
}

}  // namespace wick::test
