// FractionalMaxPool2d and 3d: the largest elements of windows at random places, one for each output. Graham, "Fractional max-pooling",
// 2014.
#pragma once

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/expanding_array.h"

namespace wick::nn {

// Either output_size or output_ratio, its share of the input's size, is given.
template <size_t D>
struct FractionalMaxPoolOptions {
  FractionalMaxPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size) {}
  WICK_ARG(ExpandingArray<D>, kernel_size);
  WICK_ARG(std::optional<ExpandingArray<D>>, output_size) = std::nullopt;
  using ExpandingArrayDouble = ExpandingArray<D, double>;
  WICK_ARG(std::optional<ExpandingArrayDouble>, output_ratio) = std::nullopt;
  WICK_ARG(Tensor, _random_samples);  // [N, C, D] in [0, 1), where the windows start; drawn, unless set
};

// Of [N, C, H, W] or [N, C, D, H, W], or the same without N. Functions *_with_indices also return, int64, where in its plane, counted row
// by row, each element was found.
#define WICK_FRACTIONAL_POOLING(n)                                                                                            \
  using FractionalMaxPool##n##dOptions = FractionalMaxPoolOptions<n>;                                                         \
  namespace functional {                                                                                                      \
  using FractionalMaxPool##n##dFuncOptions = FractionalMaxPoolOptions<n>;                                                     \
  Tensor fractional_max_pool##n##d(const Tensor& input, const FractionalMaxPool##n##dFuncOptions& options);                   \
  TensorPair fractional_max_pool##n##d_with_indices(const Tensor& input, const FractionalMaxPool##n##dFuncOptions& options);  \
  }                                                                                                                           \
  class FractionalMaxPool##n##dImpl : public Cloneable<FractionalMaxPool##n##dImpl> {                                         \
   public:                                                                                                                    \
    FractionalMaxPool##n##dImpl(ExpandingArray<n> kernel_size)                                                                \
        : FractionalMaxPool##n##dImpl(FractionalMaxPool##n##dOptions(kernel_size)) {}                                         \
    explicit FractionalMaxPool##n##dImpl(FractionalMaxPool##n##dOptions options_);                                            \
    void reset() override;                                                                                                    \
    void describe(Fields& fields) const override;                                                                             \
    Tensor forward(const Tensor& input) { return std::get<0>(forward_with_indices(input)); }                                  \
    TensorPair forward_with_indices(const Tensor& input) {                                                                    \
      return functional::fractional_max_pool##n##d_with_indices(                                                              \
          input, FractionalMaxPool##n##dOptions(options)._random_samples(_random_samples));                                   \
    }                                                                                                                         \
                                                                                                                              \
    FractionalMaxPool##n##dOptions options;                                                                                   \
    Tensor _random_samples; /* a buffer, undefined unless the options have it */                                              \
  };                                                                                                                          \
  WICK_LAYER(FractionalMaxPool##n##d);
WICK_FRACTIONAL_POOLING(2)
WICK_FRACTIONAL_POOLING(3)
#undef WICK_FRACTIONAL_POOLING

}  // namespace wick::nn
