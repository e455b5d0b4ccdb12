// Convolutions over one to three dimensions: three products that are linear in either factor, and the derivatives of each other.
//
// With the offset in(o, k) = o * stride - padding + k * dilation, for each group of channels on its own, and 0 outside of x:
//
//   forward           y[n, c, o]  = bias[c] + sum over i, k   of w[c, i, k] x[n, i, in(o, k)]
//   backward_input    gx[n, i, p] = sum over c and the (o, k) with in(o, k) = p   of w[c, i, k] gy[n, c, o]
//   backward_weight   gw[c, i, k] = sum over n, o   of gy[n, c, o] x[n, i, in(o, k)]
//
// A transposed convolution is backward_input; the second derivatives are made of the same three again.
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

inline constexpr int kConvDims = 3;

// Everything contiguous: x [batch, in_channels, input...], y [batch, out_channels, output...], w [out_channels, in_channels / groups,
// kernel...]. Where there are fewer than three dimensions the first ones have size 1.
struct ConvShape {
  int64_t batch, groups, in_channels, out_channels;
  int64_t input[kConvDims], kernel[kConvDims], output[kConvDims];
  int64_t stride[kConvDims], padding[kConvDims], dilation[kConvDims];  // padding: of the low end; the high end has what output needs

  WICK_HD int64_t input_size() const { return input[0] * input[1] * input[2]; }
  WICK_HD int64_t kernel_size() const { return kernel[0] * kernel[1] * kernel[2]; }
  WICK_HD int64_t output_size() const { return output[0] * output[1] * output[2]; }
};

struct ConvArgs {
  static constexpr Access access[4] = {Access::kWrite, Access::kRead, Access::kRead, Access::kRead};

  Buffer buffers[4];  // the result; the other two in the order of the formulas' names below; bias, or null
  ScalarType dtype;   // float or double
  ConvShape shape;
  bool deterministic;  // whether the result may not depend on the number of threads
};

extern constinit Kernel<ConvArgs> conv_forward_kernel;          // y, x, w, bias
extern constinit Kernel<ConvArgs> conv_backward_input_kernel;   // gx, gy, w
extern constinit Kernel<ConvArgs> conv_backward_weight_kernel;  // gw, x, gy

}  // namespace wick
