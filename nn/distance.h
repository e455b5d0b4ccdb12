// Lengths and distances: options, functions and modules.
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

namespace functional {

using CosineSimilarityFuncOptions = CosineSimilarityOptions;
using PairwiseDistanceFuncOptions = PairwiseDistanceOptions;
struct NormalizeFuncOptions {
  WICK_ARG(double, p) = 2.0;
  WICK_ARG(int64_t, dim) = 1;
  WICK_ARG(double, eps) = 1e-12;
  WICK_ARG(std::optional<Tensor>, out) = std::nullopt;  // to which the result is written as well
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
Tensor normalize(const Tensor& input, const NormalizeFuncOptions& options = {});

}  // namespace functional

WICK_FUNCTION_LAYER(CosineSimilarity, (const Tensor& x1, const Tensor& x2), cosine_similarity(x1, x2, options));
WICK_FUNCTION_LAYER(PairwiseDistance, (const Tensor& x1, const Tensor& x2), pairwise_distance(x1, x2, options));

}  // namespace wick::nn
