// Functions of compat beside what PyTorch computes: a row has inputs, a call, and numbers that PyTorch gave for them.
#pragma once

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"

namespace golden {

using Inputs = std::vector<torch::Tensor>;

// Numbers without a pattern between low and high.
inline torch::Tensor sample(std::vector<int64_t> shape, double low = -1, double high = 1) {
  torch::Tensor x = torch::empty(shape, torch::kDouble);
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double n = static_cast<double>(i), v = 0.5 + n * n * 0.6180339887498949 + n * 0.37;
    x.data_ptr<double>()[i] = low + (high - low) * (v - std::floor(v));
  }
  return x.requires_grad_();
}
inline torch::Tensor ints(std::vector<int64_t> values) { return torch::tensor(values); }

// The inputs from `first` up to `last`.
inline Inputs part(const Inputs& x, size_t first, size_t last = 1000) {
  return Inputs(x.begin() + static_cast<ptrdiff_t>(first), x.begin() + static_cast<ptrdiff_t>(std::min(last, x.size())));
}

// All results of a function in one vector.
inline torch::Tensor as_reals(const torch::Tensor& x) {
  return (x.is_complex() ? torch::view_as_real(x) : x).to(torch::kDouble).flatten();
}
inline torch::Tensor joined(const Inputs& results) {
  Inputs parts;
  for (const torch::Tensor& x : results) parts.push_back(as_reals(x));
  return torch::cat(parts);
}
inline torch::Tensor joined(const torch::Tensor& x) { return as_reals(x); }
template <class... T>
torch::Tensor joined(const std::tuple<T...>& results) {
  return std::apply([](const auto&... x) { return torch::cat(Inputs{joined(x)...}); }, results);
}

// The elements, each counted with another weight, in one number.
inline torch::Tensor weighed(const torch::Tensor& x) {
  const torch::Tensor reals = as_reals(x);
  return (reals * torch::arange(1, reals.numel() + 1, torch::kDouble).cos()).sum();
}

struct Row {
  std::vector<double> golden;  // of the result; where it has a gradient, of the gradients of that number in the inputs that are no integers
  Inputs inputs;
  const char* call;
  std::function<torch::Tensor(const Inputs& x)> f;
};
#define OF(...) #__VA_ARGS__, [](const Inputs& x) -> torch::Tensor { return __VA_ARGS__; }

inline void expect_near(double got, double want, const std::string& what) {
  EXPECT_NEAR(got, want, 2e-6 * std::max(1.0, std::abs(want))) << what;
}

inline void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.call);
    const torch::Tensor y = weighed(row.f(row.inputs));
    expect_near(y.item<double>(), row.golden[0], "the result");
    EXPECT_EQ(y.requires_grad(), row.golden.size() > 1);
    if (!y.requires_grad() || row.golden.size() == 1) continue;
    Inputs leaves;
    for (const torch::Tensor& x : row.inputs) {
      if (x.requires_grad()) leaves.push_back(x);
    }
    const Inputs grads = torch::autograd::grad({y}, leaves, {}, std::nullopt, false, /*allow_unused=*/true);
    ASSERT_EQ(grads.size() + 1, row.golden.size());
    for (size_t i = 0; i < grads.size(); ++i) {
      expect_near(grads[i].defined() ? weighed(grads[i]).item<double>() : 0, row.golden[i + 1], "gradient " + std::to_string(i));
    }
  }
}

}  // namespace golden
