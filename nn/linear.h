// Linear and bilinear maps, and what only changes the shape: options, functions and modules.
#pragma once

#include <vector>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"

namespace wick::nn {

struct LinearOptions {
  LinearOptions(int64_t in_features, int64_t out_features) : in_features_(in_features), out_features_(out_features) {}
  WICK_ARG(int64_t, in_features);
  WICK_ARG(int64_t, out_features);
  WICK_ARG(bool, bias) = true;
};
struct BilinearOptions {
  BilinearOptions(int64_t in1_features, int64_t in2_features, int64_t out_features)
      : in1_features_(in1_features), in2_features_(in2_features), out_features_(out_features) {}
  WICK_ARG(int64_t, in1_features);
  WICK_ARG(int64_t, in2_features);
  WICK_ARG(int64_t, out_features);
  WICK_ARG(bool, bias) = true;
};
struct FlattenOptions {
  WICK_ARG(int64_t, start_dim) = 1;
  WICK_ARG(int64_t, end_dim) = -1;
};
struct UnflattenOptions {
  UnflattenOptions(int64_t dim, std::vector<int64_t> sizes) : dim_(dim), sizes_(std::move(sizes)) {}
  WICK_ARG(int64_t, dim);
  WICK_ARG(std::vector<int64_t>, sizes);
};

namespace functional {

// input weightᵀ + bias. input: [..., in], weight: [out, in], bias: [out] or undefined; result: [..., out].
inline Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {}) { return wick::linear(input, weight, bias); }
// out[..., k] = sum_ij input1[..., i] weight[k, i, j] input2[..., j] + bias[k]
inline Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias = {}) {
  return wick::bilinear(input1, input2, weight, bias);
}

}  // namespace functional

// y = x weightᵀ + bias. Both start as U(-1/sqrt(in), 1/sqrt(in)), the weight first, with the numbers that PyTorch's Linear gets.
class LinearImpl : public Cloneable<LinearImpl> {
 public:
  LinearImpl(int64_t in_features, int64_t out_features) : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(const LinearOptions& options_) : options(options_) { LinearImpl::reset(); }
  void reset() override;
  void reset_parameters();
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::linear(input, weight, bias); }

  LinearOptions options;
  Tensor weight;  // [out_features, in_features]
  Tensor bias;    // [out_features], or undefined
};

// Weight and bias start as U(-1/sqrt(in1), 1/sqrt(in1)).
class BilinearImpl : public Cloneable<BilinearImpl> {
 public:
  BilinearImpl(int64_t in1_features, int64_t in2_features, int64_t out_features)
      : BilinearImpl(BilinearOptions(in1_features, in2_features, out_features)) {}
  explicit BilinearImpl(const BilinearOptions& options_) : options(options_) { BilinearImpl::reset(); }
  void reset() override;
  void reset_parameters();
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input1, const Tensor& input2) { return functional::bilinear(input1, input2, weight, bias); }

  BilinearOptions options;
  Tensor weight;  // [out_features, in1_features, in2_features]
  Tensor bias;    // [out_features], or undefined
};

WICK_LAYER(Linear);
WICK_LAYER(Bilinear);
WICK_PLAIN_LAYER(Identity, (const Tensor& input), input);
// Joins the dimensions from start_dim to end_dim.
WICK_OPTION_LAYER(Flatten, , (const Tensor& input), { return input.flatten(options.start_dim(), options.end_dim()); });
// Splits a dimension.
WICK_OPTION_LAYER(Unflatten, , (const Tensor& input), { return input.unflatten(options.dim(), options.sizes()); });

}  // namespace wick::nn
