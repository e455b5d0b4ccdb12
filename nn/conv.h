// Convolutions over one to three dimensions, and their transposes: options, functions and modules.
#pragma once

#include <variant>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/enum.h"
#include "wick/nn/expanding_array.h"

namespace wick::nn {

// Numbers, or kValid (none) or kSame (the output is as large as the input; needs stride 1).
template <size_t D>
using ConvPadding = std::variant<ExpandingArray<D>, enumtype::kValid, enumtype::kSame>;
using ConvPaddingMode = OneOf<enumtype::kZeros, enumtype::kReflect, enumtype::kReplicate, enumtype::kCircular>;

namespace detail {

// The options of all six layers. Of a transposed one, `padding` holds numbers; output_padding counts for transposed ones alone.
template <size_t D>
struct ConvNdOptions {
  using padding_t = ConvPadding<D>;
  ConvNdOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}
  // LibTorch programs pass plain numbers and lists as well.
  ConvNdOptions& padding(std::initializer_list<int64_t> values) { return padding(padding_t(ExpandingArray<D>(values))); }
  ConvNdOptions& padding(int64_t everywhere) { return padding(padding_t(ExpandingArray<D>(everywhere))); }
  WICK_ARG(int64_t, in_channels);
  WICK_ARG(int64_t, out_channels);
  WICK_ARG(ExpandingArray<D>, kernel_size);
  WICK_ARG(ExpandingArray<D>, stride) = 1;
  WICK_ARG(padding_t, padding) = ExpandingArray<D>(0);
  WICK_ARG(ExpandingArray<D>, dilation) = 1;
  WICK_ARG(ExpandingArray<D>, output_padding) = 0;
  WICK_ARG(int64_t, groups) = 1;
  WICK_ARG(bool, transposed) = false;
  WICK_ARG(bool, bias) = true;
  WICK_ARG(ConvPaddingMode, padding_mode) = kZeros;
};

}  // namespace detail

template <size_t D>
using ConvOptions = detail::ConvNdOptions<D>;
template <size_t D>
using ConvTransposeOptions = detail::ConvNdOptions<D>;
using Conv1dOptions = ConvOptions<1>;
using Conv2dOptions = ConvOptions<2>;
using Conv3dOptions = ConvOptions<3>;
using ConvTranspose1dOptions = ConvTransposeOptions<1>;
using ConvTranspose2dOptions = ConvTransposeOptions<2>;
using ConvTranspose3dOptions = ConvTransposeOptions<3>;

namespace functional {

template <size_t D>
struct ConvFuncOptions {
  using padding_t = ConvPadding<D>;
  ConvFuncOptions& padding(std::initializer_list<int64_t> values) { return padding(padding_t(ExpandingArray<D>(values))); }
  ConvFuncOptions& padding(int64_t everywhere) { return padding(padding_t(ExpandingArray<D>(everywhere))); }
  WICK_ARG(Tensor, bias) = Tensor();
  WICK_ARG(ExpandingArray<D>, stride) = 1;
  WICK_ARG(padding_t, padding) = ExpandingArray<D>(0);
  WICK_ARG(ExpandingArray<D>, dilation) = 1;
  WICK_ARG(int64_t, groups) = 1;
};
template <size_t D>
struct ConvTransposeFuncOptions {
  WICK_ARG(Tensor, bias) = Tensor();
  WICK_ARG(ExpandingArray<D>, stride) = 1;
  WICK_ARG(ExpandingArray<D>, padding) = 0;
  WICK_ARG(ExpandingArray<D>, output_padding) = 0;
  WICK_ARG(int64_t, groups) = 1;
  WICK_ARG(ExpandingArray<D>, dilation) = 1;
};

// y[n, c, o] = bias[c] + sum over i, k of weight[c, i, k] x[n, i, o * stride - padding + k * dilation], in `groups` groups of channels.
// x: [batch, in, ...] or one without a batch; weight: [out, in / groups, kernel...]. conv_transpose is the gradient of such a
// convolution with respect to x; of its weight, [in, out / groups, kernel...], the first dimension is that of its input.
#define WICK_CONV_FUNCTION(n)                                                                                                   \
  using Conv##n##dFuncOptions = ConvFuncOptions<n>;                                                                             \
  using ConvTranspose##n##dFuncOptions = ConvTransposeFuncOptions<n>;                                                           \
  Tensor conv##n##d(const Tensor& input, const Tensor& weight, const Conv##n##dFuncOptions& options = {});                      \
  Tensor conv_transpose##n##d(const Tensor& input, const Tensor& weight, const ConvTranspose##n##dFuncOptions& options = {});
WICK_CONV_FUNCTION(1)
WICK_CONV_FUNCTION(2)
WICK_CONV_FUNCTION(3)
#undef WICK_CONV_FUNCTION

}  // namespace functional

// What all six have in common. Weight and bias start as U(-b, b) with b = 1 / sqrt(in_channels / groups * kernel elements), the weight
// first, with the numbers that PyTorch's layer gets.
template <size_t D, class Derived>
class ConvNdImpl : public Cloneable<Derived> {
 public:
  explicit ConvNdImpl(detail::ConvNdOptions<D> options_);
  void reset() override;
  void reset_parameters();
  void describe(Fields& fields) const override;

  detail::ConvNdOptions<D> options;
  Tensor weight;  // [out, in / groups, kernel...], of a transposed one [in, out / groups, kernel...]
  Tensor bias;    // [out], or undefined

 protected:
  ForwardDefaults forward_default_args() const override;
  // The input with what a padding mode other than kZeros puts around it.
  Tensor padded(const Tensor& input) const;
  // The output_padding that gives an output of output_size (its last D dimensions count), or that of the options.
  ExpandingArray<D> output_padding_for(const Tensor& input, OptionalIntArrayRef output_size) const;
};

#define WICK_CONV_LAYER(n, Name, ...)                                                            \
  class Name##Impl;                                                                              \
  extern template class ConvNdImpl<n, Name##Impl>;                                               \
  class Name##Impl : public ConvNdImpl<n, Name##Impl> {                                          \
   public:                                                                                       \
    Name##Impl(int64_t in_channels, int64_t out_channels, ExpandingArray<n> kernel_size);        \
    explicit Name##Impl(const Name##Options& options_);                                          \
    Tensor forward(__VA_ARGS__);                                                                 \
  };                                                                                             \
  WICK_LAYER(Name);
WICK_CONV_LAYER(1, Conv1d, const Tensor& input)
WICK_CONV_LAYER(2, Conv2d, const Tensor& input)
WICK_CONV_LAYER(3, Conv3d, const Tensor& input)
WICK_CONV_LAYER(1, ConvTranspose1d, const Tensor& input, OptionalIntArrayRef output_size = std::nullopt)
WICK_CONV_LAYER(2, ConvTranspose2d, const Tensor& input, OptionalIntArrayRef output_size = std::nullopt)
WICK_CONV_LAYER(3, ConvTranspose3d, const Tensor& input, OptionalIntArrayRef output_size = std::nullopt)
#undef WICK_CONV_LAYER

}  // namespace wick::nn
