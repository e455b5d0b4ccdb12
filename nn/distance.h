// Lengths, distances and products of pairs: options, functions and modules.
#pragma once

#include <optional>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"

namespace wick::nn {

struct CosineSimilarityOptions {
  WICK_ARG(int64_t, dim) = 1;
  WICK_ARG(double, eps) = 1e-8;  // the least length that is divided by
};
struct PairwiseDistanceOptions {
  WICK_ARG(double, p) = 2.0;
  WICK_ARG(double, eps) = 1e-6;  // added to each difference
  WICK_ARG(bool, keepdim) = false;
};
struct BilinearOptions {
  BilinearOptions(int64_t in1_features, int64_t in2_features, int64_t out_features)
      : in1_features_(in1_features), in2_features_(in2_features), out_features_(out_features) {}
  WICK_ARG(int64_t, in1_features);
  WICK_ARG(int64_t, in2_features);
  WICK_ARG(int64_t, out_features);
  WICK_ARG(bool, bias) = true;
};

namespace functional {

using CosineSimilarityFuncOptions = CosineSimilarityOptions;
using PairwiseDistanceFuncOptions = PairwiseDistanceOptions;
struct NormalizeFuncOptions {
  WICK_ARG(double, p) = 2.0;
  WICK_ARG(int64_t, dim) = 1;
  WICK_ARG(double, eps) = 1e-12;
};

// x1 · x2 / (|x1| |x2|) along dim.
inline Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, const CosineSimilarityFuncOptions& options = {}) {
  return wick::cosine_similarity(x1, x2, options.dim(), options.eps());
}
// The p-norm of x1 - x2 along the last dimension.
inline Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, const PairwiseDistanceFuncOptions& options = {}) {
  return wick::pairwise_distance(x1, x2, options.p(), options.eps(), options.keepdim());
}
// input / max(|input|_p, eps) along dim.
inline Tensor normalize(const Tensor& input, const NormalizeFuncOptions& options = {}) {
  return input / input.norm(options.p(), options.dim(), /*keepdim=*/true).clamp_min(options.eps());
}
// out[..., k] = sum_ij input1[..., i] weight[k, i, j] input2[..., j] + bias[k]
inline Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias = {}) {
  return wick::bilinear(input1, input2, weight, bias);
}

}  // namespace functional

class CosineSimilarityImpl : public Cloneable<CosineSimilarityImpl> {
 public:
  explicit CosineSimilarityImpl(const CosineSimilarityOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& x1, const Tensor& x2) { return functional::cosine_similarity(x1, x2, options); }

  CosineSimilarityOptions options;
};

class PairwiseDistanceImpl : public Cloneable<PairwiseDistanceImpl> {
 public:
  explicit PairwiseDistanceImpl(const PairwiseDistanceOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& x1, const Tensor& x2) { return functional::pairwise_distance(x1, x2, options); }

  PairwiseDistanceOptions options;
};

// Weight and bias start as U(-1/sqrt(in1), 1/sqrt(in1)).
class BilinearImpl : public Cloneable<BilinearImpl> {
 public:
  BilinearImpl(int64_t in1_features, int64_t in2_features, int64_t out_features)
      : BilinearImpl(BilinearOptions(in1_features, in2_features, out_features)) {}
  explicit BilinearImpl(const BilinearOptions& options_);
  void reset() override;
  void reset_parameters();
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input1, const Tensor& input2) { return functional::bilinear(input1, input2, weight, bias); }

  BilinearOptions options;
  Tensor weight;  // [out_features, in1_features, in2_features]
  Tensor bias;    // [out_features], or undefined
};

WICK_LAYER(CosineSimilarity);
WICK_LAYER(PairwiseDistance);
WICK_LAYER(Bilinear);

}  // namespace wick::nn
