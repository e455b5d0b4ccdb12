// Linear and what only changes the shape: options, functions and modules.
#pragma once

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/enum.h"

namespace wick::nn {

struct LinearOptions {
  LinearOptions(int64_t in_features, int64_t out_features) : in_features_(in_features), out_features_(out_features) {}
  WICK_ARG(int64_t, in_features);
  WICK_ARG(int64_t, out_features);
  WICK_ARG(bool, bias) = true;
};

struct FlattenOptions {
  WICK_ARG(int64_t, start_dim) = 1;
  WICK_ARG(int64_t, end_dim) = -1;
};

namespace functional {

// input weightᵀ + bias. input: [..., in], weight: [out, in], bias: [out] or undefined; result: [..., out].
inline Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {}) { return wick::linear(input, weight, bias); }

}  // namespace functional

// y = x weightᵀ + bias. Both start as U(-1/sqrt(in), 1/sqrt(in)), the weight first, with the numbers that PyTorch's Linear gets.
class LinearImpl : public Cloneable<LinearImpl> {
 public:
  LinearImpl(int64_t in_features, int64_t out_features) : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(const LinearOptions& options_);
  void reset() override;
  void reset_parameters();
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::linear(input, weight, bias); }

  LinearOptions options;
  Tensor weight;  // [out_features, in_features]
  Tensor bias;    // [out_features], or undefined
};

class IdentityImpl : public Cloneable<IdentityImpl> {
 public:
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return input; }
};

// Joins the dimensions from start_dim to end_dim.
class FlattenImpl : public Cloneable<FlattenImpl> {
 public:
  explicit FlattenImpl(const FlattenOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return input.flatten(options.start_dim(), options.end_dim()); }

  FlattenOptions options;
};

WICK_LAYER(Linear);
WICK_LAYER(Identity);
WICK_LAYER(Flatten);

}  // namespace wick::nn
