// What the tests of operations share: values, shapes, error texts.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wick/framework/ops/tensor_literal.h"
#include "wick/tests/framework/core/support.h"

namespace wick::test {

using Numbers = std::vector<double>;
using Longs = std::vector<int64_t>;

inline Numbers values(const Tensor& x) {
  const Tensor y = x.detach().to(kDouble).contiguous();
  return Numbers(y.data_ptr<double>(), y.data_ptr<double>() + y.numel());
}
inline Longs sizes(const Tensor& x) { return x.sizes().vec(); }
inline Longs strides(const Tensor& x) { return x.strides().vec(); }
inline std::string node(const Tensor& x) { return x.grad_fn() ? x.grad_fn()->name() : "none"; }

// 0, 1, 2, ... as float32.
inline Tensor counting(IntArrayRef shape) { return arange(checked_numel(shape), kFloat).view(shape); }
inline Tensor leaf(const Tensor& x) { return x.detach().clone().requires_grad_(); }

}  // namespace wick::test
