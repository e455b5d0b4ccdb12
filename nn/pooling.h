// Pooling: options, functions and modules. The largest element, or the mean, of windows that slide over the last one to three dimensions.
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

// std::nullopt in output_size: the input's size.
template <class OutputSize>
struct AdaptivePoolOptions {
  AdaptivePoolOptions(OutputSize output_size) : output_size_(output_size) {}
  WICK_ARG(OutputSize, output_size);
};

using AdaptiveSize1 = ExpandingArray<1>;
using AdaptiveSize2 = ExpandingArrayWithOptionalElem<2>;
using AdaptiveSize3 = ExpandingArrayWithOptionalElem<3>;

#define WICK_POOL_OPTIONS(n)                                        \
  using MaxPool##n##dOptions = MaxPoolOptions<n>;                   \
  using AvgPool##n##dOptions = AvgPoolOptions<n>;                   \
  using AdaptiveAvgPool##n##dOptions = AdaptivePoolOptions<AdaptiveSize##n>; \
  using AdaptiveMaxPool##n##dOptions = AdaptivePoolOptions<AdaptiveSize##n>; \
  namespace functional {                                            \
  using MaxPool##n##dFuncOptions = MaxPoolOptions<n>;               \
  using AvgPool##n##dFuncOptions = AvgPoolOptions<n>;               \
  using AdaptiveAvgPool##n##dFuncOptions = AdaptiveAvgPool##n##dOptions; \
  using AdaptiveMaxPool##n##dFuncOptions = AdaptiveMaxPool##n##dOptions; \
  }
WICK_POOL_OPTIONS(1)
WICK_POOL_OPTIONS(2)
WICK_POOL_OPTIONS(3)
#undef WICK_POOL_OPTIONS

namespace detail {

// The sizes for this input: its own where none is asked for.
inline Dims output_size_for(const Tensor&, const AdaptiveSize1& size) { return Dims(IntArrayRef(size)); }
template <size_t D>
Dims output_size_for(const Tensor& input, const ExpandingArrayWithOptionalElem<D>& size) {
  Dims sizes;
  for (size_t d = 0; d < D; ++d) sizes.push_back(size[d] ? *size[d] : input.size(static_cast<int64_t>(d) - static_cast<int64_t>(D)));
  return sizes;
}

}  // namespace detail

namespace functional {

#define WICK_POOLING(n)                                                                                                    \
  inline Tensor max_pool##n##d(const Tensor& input, const MaxPool##n##dFuncOptions& o) {                                          \
    return wick::max_pool##n##d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());                    \
  }                                                                                                                               \
  inline TensorPair max_pool##n##d_with_indices(const Tensor& input, const MaxPool##n##dFuncOptions& o) {                         \
    return wick::max_pool##n##d_with_indices(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());       \
  }                                                                                                                               \
  inline Tensor adaptive_avg_pool##n##d(const Tensor& input, const AdaptiveAvgPool##n##dFuncOptions& o) {                         \
    return wick::adaptive_avg_pool##n##d(input, nn::detail::output_size_for(input, o.output_size()));                             \
  }                                                                                                                               \
  inline TensorPair adaptive_max_pool##n##d_with_indices(const Tensor& input, const AdaptiveMaxPool##n##dFuncOptions& o) {        \
    return wick::adaptive_max_pool##n##d(input, nn::detail::output_size_for(input, o.output_size()));                             \
  }                                                                                                                               \
  inline Tensor adaptive_max_pool##n##d(const Tensor& input, const AdaptiveMaxPool##n##dFuncOptions& o) {                         \
    return std::get<0>(adaptive_max_pool##n##d_with_indices(input, o));                                                           \
  }
WICK_POOLING(1)
WICK_POOLING(2)
WICK_POOLING(3)
#undef WICK_POOLING

inline Tensor avg_pool1d(const Tensor& input, const AvgPool1dFuncOptions& o) {
  return wick::avg_pool1d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad());
}
inline Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& o) {
  return wick::avg_pool2d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad(), o.divisor_override());
}
inline Tensor avg_pool3d(const Tensor& input, const AvgPool3dFuncOptions& o) {
  return wick::avg_pool3d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad(), o.divisor_override());
}

}  // namespace functional

#define WICK_POOL_LAYER(Name, function, Size)                                                  \
  class Name##Impl : public Cloneable<Name##Impl> {                                            \
   public:                                                                                     \
    Name##Impl(Size size) : Name##Impl(Name##Options(size)) {}                                 \
    explicit Name##Impl(const Name##Options& options_) : options(options_) {}                  \
    void describe(Fields& fields) const override;                                              \
    Tensor forward(const Tensor& input) { return functional::function(input, options); }       \
                                                                                               \
    Name##Options options;                                                                     \
  };                                                                                           \
  WICK_LAYER(Name);
WICK_POOL_LAYER(AvgPool1d, avg_pool1d, ExpandingArray<1>)
WICK_POOL_LAYER(AvgPool2d, avg_pool2d, ExpandingArray<2>)
WICK_POOL_LAYER(AvgPool3d, avg_pool3d, ExpandingArray<3>)
WICK_POOL_LAYER(AdaptiveAvgPool1d, adaptive_avg_pool1d, AdaptiveSize1)
WICK_POOL_LAYER(AdaptiveAvgPool2d, adaptive_avg_pool2d, AdaptiveSize2)
WICK_POOL_LAYER(AdaptiveAvgPool3d, adaptive_avg_pool3d, AdaptiveSize3)
#undef WICK_POOL_LAYER

// These know as well where in its plane each element was found.
#define WICK_MAX_POOL_LAYER(Name, function, Size)                                              \
  class Name##Impl : public Cloneable<Name##Impl> {                                            \
   public:                                                                                     \
    Name##Impl(Size size) : Name##Impl(Name##Options(size)) {}                                 \
    explicit Name##Impl(const Name##Options& options_) : options(options_) {}                  \
    void describe(Fields& fields) const override;                                              \
    Tensor forward(const Tensor& input) { return functional::function(input, options); }       \
    TensorPair forward_with_indices(const Tensor& input) { return functional::function##_with_indices(input, options); } \
                                                                                               \
    Name##Options options;                                                                     \
  };                                                                                           \
  WICK_LAYER(Name);
WICK_MAX_POOL_LAYER(MaxPool1d, max_pool1d, ExpandingArray<1>)
WICK_MAX_POOL_LAYER(MaxPool2d, max_pool2d, ExpandingArray<2>)
WICK_MAX_POOL_LAYER(MaxPool3d, max_pool3d, ExpandingArray<3>)
WICK_MAX_POOL_LAYER(AdaptiveMaxPool1d, adaptive_max_pool1d, AdaptiveSize1)
WICK_MAX_POOL_LAYER(AdaptiveMaxPool2d, adaptive_max_pool2d, AdaptiveSize2)
WICK_MAX_POOL_LAYER(AdaptiveMaxPool3d, adaptive_max_pool3d, AdaptiveSize3)
#undef WICK_MAX_POOL_LAYER

}  // namespace wick::nn
