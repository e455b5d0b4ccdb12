// Pooling over one to three dimensions. One dimension is two, the first of size 1.
#include "wick/framework/plan/pool.h"

#include "wick/framework/ops/op.h"

namespace wick::ops {
namespace {

// What a pooling and its derivatives have in common.
struct PoolExtra : NodeExtra {
  PoolExtra(const PoolShape& s, IntArrayRef x, bool include_pad = false, int64_t divisor = 0)
      : shape(s), x_sizes(x), count_include_pad(include_pad), divisor_override(divisor) {}
  PoolShape shape;
  Dims x_sizes;
  bool count_include_pad;
  int64_t divisor_override;
};

// ---- Shapes ------------------------------------------------------------------------------------------------------------------------

struct Windows {
  Dims kernel, stride, padding, dilation;
};

Dims one_for_each(const char* op, const char* name, IntArrayRef list, size_t dims) {
  static constexpr const char* kCount[] = {"", "", "two", "three"};
  WICK_CHECK(list.size() == 1 || list.size() == dims, op, ": ", name, " must either be a single int, or a tuple of ", kCount[dims],
             " ints");
  for (int64_t v : list) WICK_CHECK(v <= INT32_MAX, "integer out of range\n  ", op, ": ", name, "=", list);
  return list.size() == 1 ? Dims(dims, list[0]) : Dims(list);
}

Windows make_windows(const char* op, size_t dims, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation) {
  Windows w;
  w.kernel = one_for_each(op, "kernel_size", kernel, dims);
  w.stride = stride.empty() ? w.kernel : one_for_each(op, "stride", stride, dims);
  w.padding = one_for_each(op, "padding", padding, dims);
  w.dilation = one_for_each(op, "dilation", dilation, dims);
  for (size_t d = 0; d < dims; ++d) {
    WICK_CHECK(w.stride[d] != 0, "stride should not be zero");
    WICK_CHECK(w.kernel[d] > 0 && w.stride[d] > 0, "kernel size and stride should be greater than zero, but got kernel_size: ", w.kernel,
               " stride: ", w.stride);
    WICK_CHECK(w.dilation[d] > 0, "dilation should be greater than zero, but got dilation: ", w.dilation);
    WICK_CHECK(w.padding[d] >= 0, "pad must be non-negative, but got pad: ", w.padding[d]);
    WICK_CHECK(w.padding[d] <= ((w.kernel[d] - 1) * w.dilation[d] + 1) / 2,
               "pad should be at most half of effective kernel size, but got pad=", w.padding[d], ", kernel_size=", w.kernel[d],
               " and dilation=", w.dilation[d]);
  }
  return w;
}

// How many windows there are; with ceil_mode also the last one that is not whole, if it begins inside the input or its low padding.
int64_t num_windows(int64_t input, const Windows& w, size_t d, bool ceil_mode) {
  const int64_t room = input + 2 * w.padding[d] - w.dilation[d] * (w.kernel[d] - 1) - 1 + (ceil_mode ? w.stride[d] - 1 : 0);
  const int64_t last = room >= 0 ? room / w.stride[d] : -((-room + w.stride[d] - 1) / w.stride[d]);
  return ceil_mode && last * w.stride[d] >= input + w.padding[d] ? last : last + 1;
}

void check_input(const Tensor& x, size_t dims) {
  const int64_t n = static_cast<int64_t>(dims);
  WICK_CHECK(x.dim() == n + 1 || x.dim() == n + 2, "non-empty ", n + 1, "D or ", n + 2,
             "D (batch mode) tensor expected for input\n  The input is ", x.sizes(), ".");
  for (int64_t d = x.dim() == n + 1 ? 0 : 1; d < x.dim(); ++d) {
    WICK_CHECK(x.size(d) > 0, "Expected ", n + 1, "D or ", n + 2,
               "D (batch mode) tensor with optional 0 dim batch size for input, but got:", x.sizes());
  }
}

// The leading dimensions of x are planes.
PoolShape empty_shape(const Tensor& x, size_t dims) {
  PoolShape s;
  s.planes = 1;
  const size_t lead = x.sizes().size() - dims;
  for (size_t d = 0; d < lead; ++d) s.planes *= x.sizes()[d];
  for (size_t d = 0; d < kPoolDims; ++d) {
    s.input[d] = d + dims < kPoolDims ? 1 : x.sizes()[lead + d + dims - kPoolDims];
    s.output[d] = s.kernel[d] = s.stride[d] = s.dilation[d] = 1;
    s.padding[d] = 0;
  }
  s.adaptive = false;
  return s;
}

std::string joined(IntArrayRef first, const int64_t* rest, size_t dims) {
  return joined_text(joined_dims({first, IntArrayRef(rest + kPoolDims - dims, dims)}), "x");
}

PoolShape windowed_shape(const Tensor& x, size_t dims, const Windows& w, bool ceil_mode) {
  check_input(x, dims);
  PoolShape s = empty_shape(x, dims);
  bool fits = true;
  for (size_t i = 0; i < dims; ++i) {
    const size_t d = i + kPoolDims - dims;
    s.kernel[d] = w.kernel[i];
    s.stride[d] = w.stride[i];
    s.padding[d] = w.padding[i];
    s.dilation[d] = w.dilation[i];
    s.output[d] = num_windows(s.input[d], w, i, ceil_mode);
    fits = fits && s.output[d] > 0;
  }
  const IntArrayRef planes = x.sizes().slice(x.sizes().size() - dims - 1, 1);
  WICK_CHECK(fits, "Given input size: (", joined(planes, s.input, dims), "). Calculated output size: (", joined(planes, s.output, dims),
             "). Output size is too small");
  return s;
}

PoolShape adaptive_shape(const char* op, const char* got, const Tensor& x, IntArrayRef output, size_t dims) {
  const int64_t n = static_cast<int64_t>(dims);
  WICK_CHECK(output.size() == dims || output.size() == 1, op, "(): internal error: output_size.size() must be ", dims);
  WICK_CHECK(x.dim() == n + 1 || x.dim() == n + 2, op, "(): Expected ", n + 1, "D or ", n + 2, "D tensor, but got", got, " ", x.sizes());
  for (int64_t d = x.dim() - n; d < x.dim(); ++d) {
    WICK_CHECK(x.size(d) > 0, op, "(): Expected input to have non-zero size for non-batch dimensions, but input has sizes ", x.sizes(),
               " with dimension ", d, " being empty");
  }
  PoolShape s = empty_shape(x, dims);
  s.adaptive = true;
  for (size_t i = 0; i < dims; ++i) {
    const int64_t size = output.size() == 1 ? output[0] : output[i];
    WICK_CHECK(size >= 0, op, ": elements of output_size must be greater than or equal to 0 but received ", size);
    s.output[i + kPoolDims - dims] = size;
  }
  return s;
}

Dims output_sizes(IntArrayRef x_sizes, const PoolShape& s, size_t dims) {
  Dims sizes(x_sizes);
  for (size_t i = 0; i < dims; ++i) sizes[sizes.size() - dims + i] = s.output[i + kPoolDims - dims];
  return sizes;
}

// ---- The largest element -----------------------------------------------------------------------------------------------------------

bool computes_in(ScalarType t) { return t == kFloat || t == kDouble || t == kInt || t == kLong; }

void launch_max(const Tensor& y, const Tensor& places, const Tensor& x, const PoolShape& s) {
  if (y.numel() > 0) launch(max_pool_kernel, x.device(), MaxPoolArgs{{y, places, x}, x.scalar_type(), s});
}

// gx from gy by operations, so that it can be recorded.
Tensor scatter_to_places(const Tensor& gy, const Tensor& places, IntArrayRef x_sizes, const PoolShape& s) {
  const Tensor at = places.reshape({s.planes, s.output_size()});
  const Tensor g = (gy * places.ge(0)).reshape({s.planes, s.output_size()});  // a window outside of the input has no place
  return gy.new_zeros({s.planes, s.input_size()}).scatter_add(1, at.clamp_min(0), g).view(x_sizes);
}

template <int dims, bool adaptive>
struct MaxPool {
  static constexpr const char* kNodeName = adaptive ? dims == 2 ? "AdaptiveMaxPool2DBackward0" : "AdaptiveMaxPool3DBackward0"
                                                    : dims == 2 ? "MaxPool2DWithIndicesBackward0" : "MaxPool3DWithIndicesBackward0";
  static constexpr OpInfo info = make_info<MaxPool>(adaptive ? "adaptive_max_pool" : "max_pool", kNodeName);

  static Tensor forward(Context& ctx, const Tensor& self, const PoolShape& s) { return compute(ctx, self, s, {}); }

  static Tensor compute(Context& ctx, const Tensor& self, const PoolShape& s, const Tensor& places) {
    const ScalarType dtype = self.scalar_type();
    const Tensor x = (computes_in(dtype) ? self : self.to(is_floating(dtype) ? kFloat : kInt)).contiguous();
    const Tensor y = empty_base(output_sizes(x.sizes(), s, dims), x.scalar_type(), x.device());
    launch_max(y, places, x, s);
    ctx.save(self);
    if (ctx.recording()) ctx.save_extra(PoolExtra(s, self.sizes()));
    return y.to(dtype);
  }

  static void backward(const Gradients& g) {
    const auto& e = g.extra<PoolExtra>();
    const Tensor self = g.saved(0), gy = g.output();
    const ScalarType dtype = self.scalar_type();
    const Tensor x = self.detach().to(dtype == kDouble ? kDouble : kFloat).contiguous();
    if (g.create_graph()) {
      const Tensor y = empty_base(gy.sizes(), x.scalar_type(), x.device()), places = empty_base(gy.sizes(), kLong, x.device());
      launch_max(y, places, x, e.shape);
      return g.set(0, scatter_to_places(gy, places, e.x_sizes, e.shape));
    }
    const Tensor from = gy.to(x.scalar_type()).contiguous();
    Tensor gx = empty_base(e.x_sizes, x.scalar_type(), x.device());
    if (gx.numel() > 0) launch(max_pool_backward_kernel, x.device(), MaxPoolBackwardArgs{{gx, from, x}, x.scalar_type(), e.shape});
    g.set(0, gx);
  }
};

template <int dims, bool adaptive>
struct MaxPoolWithPlaces : MaxPool<dims, adaptive> {
  static TensorPair forward(Context& ctx, const Tensor& self, const PoolShape& s) {
    const Tensor places = empty_base(output_sizes(self.sizes(), s, dims), kLong, self.device());
    return {MaxPool<dims, adaptive>::compute(ctx, self, s, places), places};
  }
};

template <int dims>
PoolShape max_shape(const char* op, const Tensor& x, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                    bool ceil_mode) {
  const PoolShape s = windowed_shape(x, dims, make_windows(op, dims, kernel, stride, padding, dilation), ceil_mode);
  WICK_CHECK_NOT_IMPLEMENTED(x.scalar_type() != kBool && !x.is_complex(), "\"", op, "\" not implemented for '", x.scalar_type(), "'");
  return s;
}

// ---- The mean ----------------------------------------------------------------------------------------------------------------------

Tensor run_avg(const Kernel<AvgPoolArgs>& kernel, const Tensor& from, IntArrayRef sizes, const PoolExtra& e) {
  const ScalarType dtype = from.scalar_type(), compute = dtype == kDouble ? kDouble : kFloat;
  const Tensor x = from.to(compute).contiguous();
  Tensor y = empty_base(sizes, compute, x.device());
  if (y.numel() > 0) launch(kernel, x.device(), AvgPoolArgs{{y, x}, compute, e.count_include_pad, e.divisor_override, e.shape});
  return y.to(dtype);
}

template <int dims, bool adaptive>
struct AvgPoolBackward;

template <int dims, bool adaptive>
struct AvgPool {
  static constexpr const char* kNodeName = adaptive ? dims == 2 ? "AdaptiveAvgPool2DBackward0" : "AdaptiveAvgPool3DBackward0"
                                                    : dims == 2 ? "AvgPool2DBackward0" : "AvgPool3DBackward0";
  static constexpr OpInfo info = make_info<AvgPool>(adaptive ? "adaptive_avg_pool" : "avg_pool", kNodeName);
  static Tensor forward(Context& ctx, const Tensor& x, const PoolExtra& e) {
    if (ctx.recording()) ctx.save_extra(PoolExtra(e));
    return run_avg(avg_pool_kernel, x, output_sizes(x.sizes(), e.shape, dims), e);
  }
  static void backward(const Gradients& g) {
    g.set(0, apply<AvgPoolBackward<dims, adaptive>>(g.output(), g.template extra<PoolExtra>()));
  }
};

// Linear as the pooling itself, which is its derivative.
template <int dims, bool adaptive>
struct AvgPoolBackward {
  static constexpr OpInfo info =
      make_info<AvgPoolBackward>("avg_pool_backward", dims == 2 ? "AvgPool2DBackwardBackward0" : "AvgPool3DBackwardBackward0");
  static Tensor forward(Context& ctx, const Tensor& gy, const PoolExtra& e) {
    if (ctx.recording()) ctx.save_extra(PoolExtra(e));
    return run_avg(avg_pool_backward_kernel, gy, e.x_sizes, e);
  }
  static void backward(const Gradients& g) {
    g.set(0, apply<AvgPool<dims, adaptive>>(g.output(), g.template extra<PoolExtra>()));
  }
};

template <int dims>
Tensor avg_pool(const char* op, const Tensor& x, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                bool count_include_pad, std::optional<int64_t> divisor) {
  WICK_CHECK(!divisor || *divisor != 0, "divisor must be not zero");
  const PoolShape s = windowed_shape(x, dims, make_windows(op, dims, kernel, stride, padding, 1), ceil_mode);
  check_floating(op, x);
  return apply<AvgPool<dims, false>>(x, PoolExtra(s, x.sizes(), count_include_pad, divisor.value_or(0)));
}

template <int dims>
Tensor adaptive_avg_pool(const char* op, const Tensor& x, IntArrayRef output) {
  const PoolShape s = adaptive_shape(op, "", x, output, dims);
  check_floating(op, x);
  return apply<AvgPool<dims, true>>(x, PoolExtra(s, x.sizes()));
}

// ---- One dimension as two ----------------------------------------------------------------------------------------------------------

Dims behind(int64_t first, IntArrayRef list) {
  if (list.empty()) return {};
  WICK_CHECK(list.size() == 1, "pooling over one dimension takes one value, got ", list);
  return {first, list[0]};
}

void check_one_dimensional(const char* op, const Tensor& x) {
  WICK_CHECK(x.dim() == 2 || x.dim() == 3, "Expected 2 to 3 dimensions, but got ", x.dim(),
             "-dimensional tensor for argument #1 'self' (while checking arguments for ", op, ")");
}

PoolShape max_shape_one(const Tensor& x, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                        bool ceil_mode) {
  WICK_CHECK(x.dim() == 2 || x.dim() == 3,
             "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:", x.sizes());
  return max_shape<2>("max_pool1d", x.unsqueeze(-2), behind(1, kernel), behind(1, stride), behind(0, padding), behind(1, dilation),
                      ceil_mode);
}

}  // namespace
}  // namespace wick::ops

namespace wick {

using ops::behind;

Tensor max_pool1d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                  bool ceil_mode) {
  const PoolShape s = ops::max_shape_one(self, kernel_size, stride, padding, dilation, ceil_mode);
  return ops::own(ops::apply<ops::MaxPool<2, false>>(self.unsqueeze(-2), s).squeeze(-2));
}
TensorPair max_pool1d_with_indices(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                                   IntArrayRef dilation, bool ceil_mode) {
  const PoolShape s = ops::max_shape_one(self, kernel_size, stride, padding, dilation, ceil_mode);
  const auto [y, places] = ops::apply<ops::MaxPoolWithPlaces<2, false>>(self.unsqueeze(-2), s);
  return {ops::own(y.squeeze(-2)), ops::own(places.squeeze(-2))};
}

#define WICK_MAX_POOL_FORMS(n)                                                                                                      \
  Tensor max_pool##n##d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, \
                        bool ceil_mode) {                                                                                           \
    return ops::apply<ops::MaxPool<n, false>>(                                                                                      \
        self, ops::max_shape<n>("max_pool" #n "d", self, kernel_size, stride, padding, dilation, ceil_mode));                       \
  }                                                                                                                                 \
  TensorPair max_pool##n##d_with_indices(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,      \
                                         IntArrayRef dilation, bool ceil_mode) {                                                    \
    return ops::apply<ops::MaxPoolWithPlaces<n, false>>(                                                                            \
        self, ops::max_shape<n>("max_pool" #n "d", self, kernel_size, stride, padding, dilation, ceil_mode));                       \
  }                                                                                                                                 \
  Tensor avg_pool##n##d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,       \
                        bool count_include_pad, std::optional<int64_t> divisor_override) {                                          \
    return ops::avg_pool<n>("avg_pool" #n "d", self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override); \
  }                                                                                                                                 \
  Tensor adaptive_avg_pool##n##d(const Tensor& self, IntArrayRef output_size) {                                                     \
    return ops::adaptive_avg_pool<n>("adaptive_avg_pool" #n "d", self, output_size);                                                \
  }                                                                                                                                 \
  TensorPair adaptive_max_pool##n##d(const Tensor& self, IntArrayRef output_size) {                                                 \
    const PoolShape s = ops::adaptive_shape("adaptive_max_pool" #n "d", ":", self, output_size, n);                                 \
    ops::check_floating("adaptive_max_pool" #n "d", self);                                                                          \
    return ops::apply<ops::MaxPoolWithPlaces<n, true>>(self, s);                                                                    \
  }
WICK_MAX_POOL_FORMS(2)
WICK_MAX_POOL_FORMS(3)

Tensor avg_pool1d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad) {
  ops::check_one_dimensional("avg_pool1d", self);
  return avg_pool2d(self.unsqueeze(-2), behind(1, kernel_size), behind(1, stride), behind(0, padding), ceil_mode, count_include_pad)
      .squeeze(-2);
}
Tensor adaptive_avg_pool1d(const Tensor& self, IntArrayRef output_size) {
  ops::check_one_dimensional("adaptive_avg_pool1d", self);
  return adaptive_avg_pool2d(self.unsqueeze(-2), behind(1, output_size)).squeeze(-2);
}
TensorPair adaptive_max_pool1d(const Tensor& self, IntArrayRef output_size) {
  ops::check_one_dimensional("adaptive_max_pool1d", self);
  const auto [y, places] = adaptive_max_pool2d(self.unsqueeze(-2), behind(1, output_size));
  return {ops::own(y.squeeze(-2)), ops::own(places.squeeze(-2))};
}

}  // namespace wick
