// Convolutions and transposed convolutions over one to three dimensions, and their derivatives.
//
// Three operations, each the derivative of the others (see plan/conv.h), so that derivatives of any order are the same kernels again.
#include "wick/framework/core/deterministic.h"
#include "wick/framework/ops/autocast.h"
#include "wick/framework/plan/conv.h"

#include "wick/framework/ops/op.h"

namespace wick::ops {
namespace {

struct ConvParams {
  Dims stride, padding, dilation;  // padding: of the low end
  int64_t groups;
  size_t dims() const { return stride.size(); }
};

// What backward needs besides tensors.
struct ConvExtra : NodeExtra {
  ConvExtra(const Tensor& x, const Tensor& w, const ConvParams& p) : x_sizes(x.sizes()), w_sizes(w.sizes()), params(p) {}
  Dims x_sizes, w_sizes;
  ConvParams params;
};

// ---- The kernels, without history --------------------------------------------------------------------------------------------------

ConvShape shape_of(IntArrayRef x, IntArrayRef w, IntArrayRef y, const ConvParams& p) {
  ConvShape s;
  s.batch = x[0];
  s.groups = p.groups;
  s.in_channels = x[1];
  s.out_channels = y[1];
  const size_t missing = kConvDims - p.dims();
  for (size_t d = 0; d < kConvDims; ++d) {
    const bool there = d >= missing;
    const size_t i = d - missing;
    s.input[d] = there ? x[i + 2] : 1;
    s.kernel[d] = there ? w[i + 2] : 1;
    s.output[d] = there ? y[i + 2] : 1;
    s.stride[d] = there ? p.stride[i] : 1;
    s.padding[d] = there ? p.padding[i] : 0;
    s.dilation[d] = there ? p.dilation[i] : 1;
  }
  return s;
}

Tensor add_bias(Tensor y, const Tensor& bias) {
  if (!bias.defined()) return y;
  Dims channels(static_cast<size_t>(y.dim()), 1);
  channels[1] = bias.numel();
  return y.add_(bias.view(channels));
}

// A new tensor of `sizes` from the kernel's two factors.
Tensor run(const KernelInfo& kernel, IntArrayRef sizes, const Tensor& a, const Tensor& b, const Tensor& bias, const ConvShape& shape) {
  const ScalarType dtype = a.scalar_type();
  if (WICK_UNLIKELY(dtype != kFloat && dtype != kDouble)) {
    WICK_CHECK_NOT_IMPLEMENTED(is_floating(dtype), "\"convolution\" not implemented for '", dtype, "'\n  ",
                               describe("convolution", {&a, &b}), "\n  Convert it with .to(kFloat).");
    return run(kernel, sizes, a.to(kFloat), b.to(kFloat), bias.defined() ? bias.to(kFloat) : bias, shape).to(dtype);
  }
  Tensor result = empty_base(sizes, dtype, a.device());
  if (result.numel() == 0) return result;
  if (a.numel() == 0 || b.numel() == 0) {
    return add_bias(result.zero_(), bias);
  }
  const Tensor left = a.contiguous(), right = b.contiguous(), row = bias.defined() ? bias.contiguous() : bias;
  launch(kernel, result.device(), ConvArgs{{result, left, right, row}, dtype, shape, is_deterministic()});
  return result;
}

Tensor run_forward(const Tensor& x, const Tensor& w, const Tensor& bias, IntArrayRef y_sizes, const ConvParams& p) {
  return run(conv_forward_kernel, y_sizes, x, w, bias, shape_of(x.sizes(), w.sizes(), y_sizes, p));
}
Tensor run_backward_input(const Tensor& gy, const Tensor& w, IntArrayRef x_sizes, const ConvParams& p) {
  return run(conv_backward_input_kernel, x_sizes, gy, w, {}, shape_of(x_sizes, w.sizes(), gy.sizes(), p));
}
Tensor run_backward_weight(const Tensor& x, const Tensor& gy, IntArrayRef w_sizes, const ConvParams& p) {
  return run(conv_backward_weight_kernel, w_sizes, x, gy, {}, shape_of(x.sizes(), w_sizes, gy.sizes(), p));
}

// ---- Operations --------------------------------------------------------------------------------------------------------------------

Tensor input_gradient(const Tensor& gy, const Tensor& w, const Dims& x_sizes, const ConvParams& p);
Tensor weight_gradient(const Tensor& x, const Tensor& gy, const Dims& w_sizes, const ConvParams& p);

// Of each channel of each image first: all dimensions but the channel's at once would take a copy.
Tensor bias_gradient(const Tensor& gy) { return gy.flatten(2).sum(2).sum(0); }

struct Convolution {
  static constexpr OpInfo info = make_info<Convolution>("convolution", "ConvolutionBackward0");
  static Tensor forward(Context& ctx, const Tensor& x, const Tensor& w, const Tensor& bias, const Dims& y_sizes, const ConvParams& p) {
    ctx.save(ctx.wants(1) ? x : Tensor(), ctx.wants(0) ? w : Tensor());
    if (ctx.recording()) ctx.save_extra(ConvExtra(x, w, p));
    return run_forward(x, w, bias, y_sizes, p);
  }
  static void backward(const Gradients& g) {
    const auto& e = g.extra<ConvExtra>();
    if (g.wants(0)) g.set(0, input_gradient(g.output(), g.saved(1), e.x_sizes, e.params));
    if (g.wants(1)) g.set(1, weight_gradient(g.saved(0), g.output(), e.w_sizes, e.params));
    if (g.wants(2)) g.set(2, bias_gradient(g.output()));
  }
};

// x and y as in the convolution that it transposes: the input is called gy, the result gx.
struct TransposedConvolution {
  static constexpr OpInfo info = make_info<TransposedConvolution>("convolution", "ConvolutionBackward0");
  static Tensor forward(Context& ctx, const Tensor& gy, const Tensor& w, const Tensor& bias, const Dims& x_sizes, const ConvParams& p) {
    ctx.save(ctx.wants(1) ? gy : Tensor(), ctx.wants(0) ? w : Tensor());
    if (ctx.recording()) ctx.save_extra(ConvExtra(gy, w, p));
    return add_bias(run_backward_input(gy, w, x_sizes, p), bias);
  }
  static void backward(const Gradients& g) {
    const auto& e = g.extra<ConvExtra>();
    const Tensor ggx = g.output();
    if (g.wants(0)) g.set(0, apply<Convolution>(ggx, g.saved(1), Tensor(), e.x_sizes, e.params));
    if (g.wants(1)) g.set(1, weight_gradient(ggx, g.saved(0), e.w_sizes, e.params));
    if (g.wants(2)) g.set(2, bias_gradient(ggx));
  }
};

struct WeightGradient {
  static constexpr OpInfo info = make_info<WeightGradient>("convolution_backward", "ConvolutionBackwardBackward0");
  static Tensor forward(Context& ctx, const Tensor& x, const Tensor& gy, const Dims& w_sizes, const ConvParams& p) {
    ctx.save(ctx.wants(1) ? x : Tensor(), ctx.wants(0) ? gy : Tensor());
    if (ctx.recording()) ctx.save_extra(ConvExtra(x, gy, p));
    return run_backward_weight(x, gy, w_sizes, p);
  }
  static void backward(const Gradients& g) {
    const auto& e = g.extra<ConvExtra>();
    const Tensor ggw = g.output();
    if (g.wants(0)) g.set(0, input_gradient(g.saved(1), ggw, e.x_sizes, e.params));
    if (g.wants(1)) g.set(1, apply<Convolution>(g.saved(0), ggw, Tensor(), e.w_sizes, e.params));  // shaped as gy
  }
};

using InputGradient = Named<TransposedConvolution, "convolution_backward", "ConvolutionBackwardBackward0">;

Tensor input_gradient(const Tensor& gy, const Tensor& w, const Dims& x_sizes, const ConvParams& p) {
  return apply<InputGradient>(gy, w, Tensor(), x_sizes, p);
}
Tensor weight_gradient(const Tensor& x, const Tensor& gy, const Dims& w_sizes, const ConvParams& p) {
  return apply<WeightGradient>(x, gy, w_sizes, p);
}

// ---- Checks ------------------------------------------------------------------------------------------------------------------------

// "5 x 7"
std::string by(IntArrayRef sizes) { return joined_text(sizes, " x "); }
// "stride_height: 2 stride_width: 1"
std::string named(const char* what, IntArrayRef sizes) {
  static constexpr const char* kNames[] = {"depth", "height", "width"};
  std::string text;
  for (size_t i = 0; i < sizes.size(); ++i) {
    text += wick::detail::concat(i ? " " : "", what, '_', kNames[kConvDims - std::max<size_t>(sizes.size(), 2) + i], ": ", sizes[i]);
  }
  return text;
}

Dims one_for_each(const char* name, IntArrayRef list, size_t dims) {
  WICK_CHECK(list.size() == 1 || list.size() == dims, "expected ", name, " to be a single integer value or a list of ", dims,
             " values to match the convolution dimensions, but got ", name, "=", list);
  for (int64_t v : list) WICK_CHECK(v <= INT32_MAX, "integer out of range\n  convolution: ", name, "=", list);
  return list.size() == 1 ? Dims(dims, list[0]) : Dims(list);
}

bool any_below(const Dims& list, int64_t least) {
  return std::any_of(list.begin(), list.end(), [least](int64_t v) { return v < least; });
}

ConvParams make_params(size_t dims, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, int64_t groups) {
  const auto each = [dims](const char* name, IntArrayRef list) { return one_for_each(name, list, dims); };
  ConvParams p{each("stride", stride), each("padding", padding), each("dilation", dilation), groups};
  WICK_CHECK(!any_below(p.padding, 0), "negative padding is not supported");
  WICK_CHECK(!any_below(p.stride, 1), "non-positive stride is not supported");
  WICK_CHECK(!any_below(p.dilation, 1), "dilation should be greater than zero, but got ", p.dilation);
  WICK_CHECK(groups > 0, "non-positive groups is not supported");
  return p;
}

void check_operands(const Tensor& x, const Tensor& w, const Tensor& bias, bool transposed, const ConvParams& p) {
  const IntArrayRef sizes = w.sizes();
  const int64_t groups = p.groups, rank = static_cast<int64_t>(p.dims()) + 2;
  WICK_CHECK(w.dim() == rank && x.dim() == rank, "Expected ", w.dim(), "-dimensional input for ", w.dim(), "-dimensional weight ", sizes,
             ", but got ", x.dim(), "-dimensional input of size ", x.sizes(), " instead");
  WICK_CHECK(sizes[0] >= groups, "Given groups=", groups, ", expected weight to be at least ", groups,
             " at dimension 0, but got weight of size ", sizes, " instead");
  WICK_CHECK(sizes[0] % groups == 0, "Given groups=", groups, ", expected weight to be divisible by ", groups,
             " at dimension 0, but got weight of size [", sizes, "] instead");
  WICK_CHECK(!any_below(Dims(sizes.slice(2)), 1), "kernel size should be greater than zero, but got ", named("kernel", sizes.slice(2)));
  const int64_t in = transposed ? sizes[0] : sizes[1] * groups, out = transposed ? sizes[1] * groups : sizes[0];
  const std::string given = transposed ? "transposed=1" : wick::detail::concat("groups=", groups);
  WICK_CHECK(x.sizes()[1] == in, "Given ", given, ", weight of size ", sizes, ", expected input", x.sizes(), " to have ", in,
             " channels, but got ", x.sizes()[1], " channels instead\n  ", describe("convolution", {&x, &w, &bias}),
             "\n  Dimensions are [batch, channels, ...]; without a batch, [channels, ...].");
  WICK_CHECK(!bias.defined() || (bias.dim() == 1 && bias.sizes()[0] == out), "Given ", transposed ? "transposed=1, " : "",
             "weight of size ", sizes, ", expected bias to be 1-dimensional with ", out, " elements, but got bias of size ", bias.sizes(),
             " instead");
  check_same_device("convolution", {&x, &w, &bias});
  const auto check_dtype = [&](const Tensor& other, const char* name) {
    WICK_CHECK(x.scalar_type() == other.scalar_type(), "Input type (", cpp_type_name(x.scalar_type()), ") and ", name, " type (",
               cpp_type_name(other.scalar_type()), ") should be the same\n  ", describe("convolution", {&x, &w, &bias}),
               "\n  Convert the input, or the module with to(dtype).");
  };
  check_dtype(w, "weight");
  if (bias.defined()) check_dtype(bias, "bias");
}

// ---- Shapes ------------------------------------------------------------------------------------------------------------------------

// x of size [batch, channels, ...], padding of both ends together.
Tensor convolve(const Tensor& x, const Tensor& w, const Tensor& bias, const Dims& total_padding, const ConvParams& p) {
  WICK_AUTOCAST(kLowPrecision, convolve, x, w, bias, total_padding, p);
  check_operands(x, w, bias, false, p);
  Dims padded, reach, y_sizes{x.sizes()[0], w.sizes()[0]};
  bool fits = true;
  for (size_t d = 0; d < p.dims(); ++d) {
    padded.push_back(x.sizes()[d + 2] + total_padding[d]);
    reach.push_back(p.dilation[d] * (w.sizes()[d + 2] - 1) + 1);
    fits = fits && padded[d] >= reach[d];
    y_sizes.push_back((padded[d] - reach[d]) / p.stride[d] + 1);
  }
  WICK_CHECK(fits, "Calculated padded input size per channel: (", by(padded), "). Kernel size: (", by(reach),
             "). Kernel size can't be greater than actual input size\n  ", describe("convolution", {&x, &w, &bias}));
  return apply<Convolution>(x, w, bias, y_sizes, p);
}

Tensor convolve_transposed(const Tensor& x, const Tensor& w, const Tensor& bias, const Dims& output_padding, const ConvParams& p) {
  WICK_AUTOCAST(kLowPrecision, convolve_transposed, x, w, bias, output_padding, p);
  WICK_CHECK(!any_below(output_padding, 0), "negative output_padding is not supported");
  check_operands(x, w, bias, true, p);
  Dims sizes{x.sizes()[0], w.sizes()[1] * p.groups};
  bool allowed = true;
  for (size_t d = 0; d < p.dims(); ++d) {
    allowed = allowed && (output_padding[d] < p.stride[d] || output_padding[d] < p.dilation[d]);
    const int64_t reach = p.dilation[d] * (w.sizes()[d + 2] - 1) + 1;
    sizes.push_back((x.sizes()[d + 2] - 1) * p.stride[d] - 2 * p.padding[d] + reach + output_padding[d]);
  }
  WICK_CHECK(allowed, "output padding must be smaller than either stride or dilation, but got ",
             named("output_padding", output_padding), " ", named("stride", p.stride), " ", named("dilation", p.dilation));
  const IntArrayRef spatial = IntArrayRef(sizes).slice(2);
  WICK_CHECK(!any_below(Dims(spatial), 1), "Given input size per channel: (", by(x.sizes().slice(2)),
             "). Calculated output size per channel: (", by(spatial), "). Output size is too small");
  return apply<TransposedConvolution>(x, w, bias, sizes, p);
}

// Calls f with x as a batch; a single input becomes a batch of one.
template <class F>
Tensor batched(const char* op, size_t dims, const Tensor& x, const F& f) {
  const int64_t rank = static_cast<int64_t>(dims) + 2;
  WICK_CHECK(x.dim() == rank || x.dim() == rank - 1, "Expected ", rank - 1, "D (unbatched) or ", rank, "D (batched) input to ", op,
             ", but got input of size: ", x.sizes(), "\n  Dimensions are [batch, channels, ...]: unsqueeze(0) adds one in front.");
  return x.dim() == rank ? f(x) : f(x.unsqueeze(0)).squeeze(0);
}

Dims twice(const Dims& padding) {
  Dims both(padding);
  for (int64_t& p : both) p *= 2;
  return both;
}

Tensor conv(const char* op, size_t dims, const Tensor& input, const Tensor& w, const Tensor& bias, IntArrayRef stride, IntArrayRef padding,
            IntArrayRef dilation, int64_t groups) {
  return batched(op, dims, input, [&](const Tensor& x) {
    const ConvParams p = make_params(dims, stride, padding, dilation, groups);
    return convolve(x, w, bias, twice(p.padding), p);
  });
}

Tensor conv(const char* op, size_t dims, const Tensor& input, const Tensor& w, const Tensor& bias, IntArrayRef stride,
            std::string_view padding, IntArrayRef dilation, int64_t groups) {
  WICK_CHECK(padding == "same" || padding == "valid", "Invalid padding string: '", padding, "'");
  return batched(op, dims, input, [&](const Tensor& x) {
    ConvParams p = make_params(dims, stride, 0, dilation, groups);
    Dims total(dims);
    if (padding == "valid") return convolve(x, w, bias, total, p);
    WICK_CHECK(std::all_of(p.stride.begin(), p.stride.end(), [](int64_t s) { return s == 1; }),
               "padding='same' is not supported for strided convolutions");
    for (size_t d = 0; d < dims && d + 2 < w.sizes().size(); ++d) {
      total[d] = std::max<int64_t>(0, p.dilation[d] * (w.sizes()[d + 2] - 1));
      p.padding[d] = total[d] / 2;  // an odd one more goes to the high end
    }
    return convolve(x, w, bias, total, p);
  });
}

Tensor conv_transpose(const char* op, size_t dims, const Tensor& input, const Tensor& w, const Tensor& bias, IntArrayRef stride,
                      IntArrayRef padding, IntArrayRef output_padding, int64_t groups, IntArrayRef dilation) {
  return batched(op, dims, input, [&](const Tensor& x) {
    const ConvParams p = make_params(dims, stride, padding, dilation, groups);
    return convolve_transposed(x, w, bias, one_for_each("output_padding", output_padding, dims), p);
  });
}

}  // namespace
}  // namespace wick::ops

namespace wick {

#define WICK_CONV_FORMS(n)                                                                                                            \
  Tensor conv##n##d(const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride, IntArrayRef padding,           \
                    IntArrayRef dilation, int64_t groups) {                                                                           \
    return ops::conv("conv" #n "d", n, input, weight, bias, stride, padding, dilation, groups);                                       \
  }                                                                                                                                   \
  Tensor conv##n##d(const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride, std::string_view padding,      \
                    IntArrayRef dilation, int64_t groups) {                                                                           \
    return ops::conv("conv" #n "d", n, input, weight, bias, stride, padding, dilation, groups);                                       \
  }                                                                                                                                   \
  Tensor conv_transpose##n##d(const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride, IntArrayRef padding, \
                              IntArrayRef output_padding, int64_t groups, IntArrayRef dilation) {                                     \
    return ops::conv_transpose("conv_transpose" #n "d", n, input, weight, bias, stride, padding, output_padding, groups, dilation);   \
  }
WICK_CONV_FORMS(1)
WICK_CONV_FORMS(2)
WICK_CONV_FORMS(3)

Tensor convolution(const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride, IntArrayRef padding,
                   IntArrayRef dilation, bool transposed, IntArrayRef output_padding, int64_t groups) {
  const auto n = static_cast<size_t>(weight.dim() - 2);
  WICK_CHECK(n >= 1 && n <= kConvDims, "weight should have at least three dimensions\n  wick convolves over one to three; ",
             ops::describe("convolution", {&input, &weight}));
  return transposed ? ops::conv_transpose("convolution", n, input, weight, bias, stride, padding, output_padding, groups, dilation)
                    : ops::conv("convolution", n, input, weight, bias, stride, padding, dilation, groups);
}

}  // namespace wick
