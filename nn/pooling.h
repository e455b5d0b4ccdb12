// Pooling: options, functions and modules. The largest element, the mean or the p-norm of windows over the last one to three dimensions.
//
// input: [N, C, L], [N, C, H, W] or [N, C, D, H, W], or the same without N; floating point (max_pool takes integers, too).
// The result has the same dimensions, and along each of those that are pooled floor((size + 2 padding - dilation (kernel_size - 1) - 1)
// / stride) + 1 elements, or that rounded up with ceil_mode; in adaptive pooling output_size. Functions *_with_indices also return,
// int64, where in its plane, counted row by row, each element was found. Errors: an input of another number of dimensions, a window
// larger than the padded input.
#pragma once

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/expanding_array.h"

namespace wick::nn {

template <size_t D>
struct MaxPoolOptions {
  MaxPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  WICK_ARG(ExpandingArray<D>, kernel_size);
  WICK_ARG(ExpandingArray<D>, stride);  // the kernel's size, unless set
  WICK_ARG(ExpandingArray<D>, padding) = 0;
  WICK_ARG(ExpandingArray<D>, dilation) = 1;
  WICK_ARG(bool, ceil_mode) = false;
};

template <size_t D>
struct AvgPoolOptions {
  AvgPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  WICK_ARG(ExpandingArray<D>, kernel_size);
  WICK_ARG(ExpandingArray<D>, stride);
  WICK_ARG(ExpandingArray<D>, padding) = 0;
  WICK_ARG(bool, ceil_mode) = false;
  WICK_ARG(bool, count_include_pad) = true;
  WICK_ARG(std::optional<int64_t>, divisor_override) = std::nullopt;  // not over one dimension
};

template <size_t D>
struct LPPoolOptions {
  LPPoolOptions(double norm_type, ExpandingArray<D> kernel_size) : norm_type_(norm_type), kernel_size_(kernel_size), stride_(kernel_size) {}
  WICK_ARG(double, norm_type);
  WICK_ARG(ExpandingArray<D>, kernel_size);
  WICK_ARG(ExpandingArray<D>, stride);
  WICK_ARG(bool, ceil_mode) = false;
};

template <size_t D>
struct MaxUnpoolOptions {
  MaxUnpoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  WICK_ARG(ExpandingArray<D>, kernel_size);
  WICK_ARG(ExpandingArray<D>, stride);
  WICK_ARG(ExpandingArray<D>, padding) = 0;
};

// std::nullopt in output_size: the input's size.
template <class OutputSize>
struct AdaptivePoolOptions {
  AdaptivePoolOptions(OutputSize output_size) : output_size_(output_size) {}
  WICK_ARG(OutputSize, output_size);
};

using AdaptiveSize1 = ExpandingArray<1>;
using AdaptiveSize2 = ExpandingArrayWithOptionalElem<2>;
using AdaptiveSize3 = ExpandingArrayWithOptionalElem<3>;

namespace functional {
template <size_t D>
struct MaxUnpoolFuncOptions {
  MaxUnpoolFuncOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  WICK_ARG(ExpandingArray<D>, kernel_size);
  WICK_ARG(ExpandingArray<D>, stride);
  WICK_ARG(ExpandingArray<D>, padding) = 0;
  WICK_ARG(std::optional<std::vector<int64_t>>, output_size) = std::nullopt;
};
}  // namespace functional

#define WICK_POOL_OPTIONS(Name, ...)       \
  using Name##Options = __VA_ARGS__;       \
  namespace functional {                   \
  using Name##FuncOptions = Name##Options; \
  }
// A layer that knows as well where in its plane each element was found.
#define WICK_INDEXED_POOL_LAYER(Name, function)                                                                                 \
  WICK_FUNCTION_LAYER_WITH(Name,                                                                                                \
    TensorPair forward_with_indices(const Tensor& input) { return functional::function##_with_indices(input, options); },       \
    (const Tensor& input), function(input, options));
// The options, functions and layers over n dimensions.
#define WICK_POOLING(n)                                                                                                         \
  WICK_POOL_OPTIONS(MaxPool##n##d, MaxPoolOptions<n>)                                                                           \
  WICK_POOL_OPTIONS(AvgPool##n##d, AvgPoolOptions<n>)                                                                           \
  WICK_POOL_OPTIONS(LPPool##n##d, LPPoolOptions<n>)                                                                             \
  WICK_POOL_OPTIONS(AdaptiveAvgPool##n##d, AdaptivePoolOptions<AdaptiveSize##n>)                                                \
  WICK_POOL_OPTIONS(AdaptiveMaxPool##n##d, AdaptivePoolOptions<AdaptiveSize##n>)                                                \
  using MaxUnpool##n##dOptions = MaxUnpoolOptions<n>;                                                                           \
  namespace functional {                                                                                                        \
  using MaxUnpool##n##dFuncOptions = MaxUnpoolFuncOptions<n>;                                                                   \
  Tensor max_pool##n##d(const Tensor& input, const MaxPool##n##dFuncOptions& options);                                          \
  TensorPair max_pool##n##d_with_indices(const Tensor& input, const MaxPool##n##dFuncOptions& options);                         \
  Tensor avg_pool##n##d(const Tensor& input, const AvgPool##n##dFuncOptions& options);                                          \
  Tensor adaptive_avg_pool##n##d(const Tensor& input, const AdaptiveAvgPool##n##dFuncOptions& options);                         \
  TensorPair adaptive_max_pool##n##d_with_indices(const Tensor& input, const AdaptiveMaxPool##n##dFuncOptions& options);        \
  Tensor adaptive_max_pool##n##d(const Tensor& input, const AdaptiveMaxPool##n##dFuncOptions& options);                         \
  /* (sum x^p)^(1/p), p = norm_type; with infinity max |x| */                                                                   \
  Tensor lp_pool##n##d(const Tensor& input, const LPPool##n##dFuncOptions& options);                                            \
  /* What max_pool took, back in its place among zeros. */                                                                      \
  Tensor max_unpool##n##d(const Tensor& input, const Tensor& indices, const MaxUnpool##n##dFuncOptions& options);               \
  }                                                                                                                             \
  WICK_FUNCTION_LAYER(AvgPool##n##d, (const Tensor& input), avg_pool##n##d(input, options));                                    \
  WICK_FUNCTION_LAYER(LPPool##n##d, (const Tensor& input), lp_pool##n##d(input, options));                                      \
  WICK_FUNCTION_LAYER(AdaptiveAvgPool##n##d, (const Tensor& input), adaptive_avg_pool##n##d(input, options));                   \
  WICK_INDEXED_POOL_LAYER(MaxPool##n##d, max_pool##n##d)                                                                        \
  WICK_INDEXED_POOL_LAYER(AdaptiveMaxPool##n##d, adaptive_max_pool##n##d)                                                       \
  WICK_FUNCTION_LAYER_WITH(MaxUnpool##n##d, ForwardDefaults forward_default_args() const override;,                             \
    (const Tensor& input, const Tensor& indices, const std::optional<std::vector<int64_t>>& output_size = std::nullopt),        \
    max_unpool##n##d(input, indices, functional::MaxUnpoolFuncOptions<n>(options.kernel_size()).stride(options.stride())        \
        .padding(options.padding()).output_size(output_size)));
WICK_POOLING(1)
WICK_POOLING(2)
WICK_POOLING(3)

#undef WICK_POOL_OPTIONS
#undef WICK_POOLING
#undef WICK_INDEXED_POOL_LAYER

}  // namespace wick::nn
