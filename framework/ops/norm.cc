// Batch, layer, group and instance norm: one operation with the statistics taken over different parts (see plan/norm.h).
#include "wick/framework/plan/norm.h"

#include "wick/framework/ops/view.h"

namespace wick::ops {
namespace {

struct NormExtra : NodeExtra {
  NormExtra(const NormShape& s, bool is_fixed, double e) : shape(s), fixed(is_fixed), eps(e) {}
  NormShape shape;
  bool fixed;  // the statistics are given
  double eps;
};

ScalarType compute_in(ScalarType dtype) { return dtype == kDouble ? kDouble : kFloat; }

Tensor prepared(const Tensor& x, ScalarType dtype) { return x.defined() ? x.detach().to(dtype).contiguous() : x; }

// A running statistic as the kernel updates it; what it is in another dtype, or with gaps, is written back.
class Running {
 public:
  Running(const Tensor& x, ScalarType dtype) : original_(x), data_(prepared(x, dtype)) {}
  const Tensor& data() const { return data_; }
  void finish() const {
    if (!original_.defined()) return;
    if (data_.is_alias_of(original_)) original_.impl().bump_version();
    else original_.copy_(data_);
  }

 private:
  Tensor original_, data_;
};

// ---- The operation -----------------------------------------------------------------------------------------------------------------

// One weight for each element of [1, groups, inner].
Tensor spread(const Tensor& w, const NormShape& s) {
  const int64_t times = s.stride() / (s.channels * s.spatial);
  return w.reshape({1, s.channels, 1}).expand({times, s.channels, s.spatial}).reshape({1, s.groups, s.inner});
}
// The sum of [outer, groups, inner] over all elements that have the same weight.
Tensor gather(const Tensor& x, const NormShape& s) { return x.reshape({-1, s.channels, s.spatial}).sum(IntArrayRef({0, 2})); }

struct NormGradients {
  Tensor input, weight, bias;
};

// By operations, so that they can be recorded.
NormGradients compose(const Tensor& gy, const Tensor& x, const Tensor& w, const Tensor& saved_mean, const Tensor& saved_rstd,
                      const NormExtra& e) {
  const NormShape& s = e.shape;
  const Dims shape{s.outer, s.groups, s.inner}, per_group{1, s.groups, 1}, dims{0, 2};
  const Tensor rows = x.reshape(shape), g = gy.reshape(shape);
  const Tensor mean = e.fixed ? saved_mean.view(per_group) : rows.mean(dims, true);
  const Tensor rstd = e.fixed ? saved_rstd.view(per_group) : ((rows - mean).square().mean(dims, true) + e.eps).rsqrt();
  const Tensor h = (rows - mean) * rstd, scaled = w.defined() ? g * spread(w, s) : g;
  const Tensor gx = e.fixed ? scaled * rstd : rstd * (scaled - scaled.mean(dims, true) - h * (scaled * h).mean(dims, true));
  return {gx.reshape(x.sizes()), gather(g * h, s), gather(g, s)};
}

NormGradients run_backward(const Gradients& g, const Tensor& x, const Tensor& w, const Tensor& mean, const Tensor& rstd,
                           const NormExtra& e) {
  const ScalarType dtype = mean.scalar_type();
  const auto wanted = [&](int i, IntArrayRef sizes) { return g.wants(i) ? Tensor(empty_base(sizes, dtype, x.device())) : Tensor(); };
  NormGradients result{wanted(0, x.sizes()), wanted(1, e.shape.channels), wanted(2, e.shape.channels)};
  const Tensor gy = prepared(g.output(), dtype), rows = prepared(x, dtype), weight = prepared(w, dtype);
  launch(norm_backward_kernel, x.device(),
         NormBackwardArgs{{result.input, result.weight, result.bias, gy, rows, mean, rstd, weight}, dtype, e.fixed, e.shape});
  return result;
}

enum class NormKind { kBatch, kLayer, kGroup };

template <NormKind kind>
struct Norm {
  static constexpr OpInfo info = kind == NormKind::kBatch   ? make_info<Norm>("batch_norm", "NativeBatchNormBackward0")
                                 : kind == NormKind::kLayer ? make_info<Norm>("layer_norm", "NativeLayerNormBackward0")
                                                            : make_info<Norm>("group_norm", "NativeGroupNormBackward0");

  static Tensor forward(Context& ctx, const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& running_mean,
                        const Tensor& running_var, const NormExtra& e, double momentum) {
    const ScalarType dtype = compute_in(x.scalar_type());
    const Tensor rows = prepared(x, dtype), weight = prepared(w, dtype), bias = prepared(b, dtype);
    const Tensor y = empty_base(x.sizes(), dtype, x.device());
    const auto each_group = [&] { return Tensor(empty_base(e.shape.groups, dtype, x.device())); };
    const Tensor mean = e.fixed ? prepared(running_mean, dtype) : each_group();
    const Tensor rstd = e.fixed ? (prepared(running_var, dtype) + e.eps).rsqrt() : each_group();
    const Running new_mean(e.fixed ? Tensor() : running_mean, dtype), new_var(e.fixed ? Tensor() : running_var, dtype);
    if (y.numel() > 0) {
      launch(norm_kernel, x.device(), NormArgs{{y, mean, rstd, rows, weight, bias, new_mean.data(), new_var.data()}, dtype, e.fixed,
                                               e.eps, momentum, e.shape});
      new_mean.finish();
      new_var.finish();
    }
    if (ctx.recording()) {
      ctx.save(x, w, mean, rstd);
      ctx.save_extra(NormExtra(e));
    }
    return y.to(x.scalar_type());
  }

  static void backward(const Gradients& g) {
    const auto& e = g.extra<NormExtra>();
    const Tensor x = g.saved(0), w = g.has_saved(1) ? g.saved(1) : Tensor();
    if (x.numel() == 0) {
      g.set(0, zeros_like(x));
      for (int i : {1, 2}) {
        if (g.wants(i)) g.set(i, x.new_zeros(input_sizes(g, i)));
      }
      return;
    }
    NormGradients result = g.create_graph() ? compose(g.output(), x, w, g.saved(2), g.saved(3), e)
                                            : run_backward(g, x, w, g.saved(2), g.saved(3), e);
    if (g.wants(0)) g.set(0, std::move(result.input));
    for (int i : {1, 2}) {
      Tensor& gradient = i == 1 ? result.weight : result.bias;
      // A weight of layer norm has the shape of what it normalises.
      if (g.wants(i)) g.set(i, gradient.reshape(input_sizes(g, i)));
    }
  }
};

NormShape batch_shape(const Tensor& x) {
  NormShape s;
  s.outer = x.sizes()[0];
  s.groups = s.channels = x.sizes()[1];
  s.inner = 1;
  for (size_t d = 2; d < x.sizes().size(); ++d) s.inner *= x.sizes()[d];
  s.spatial = s.inner;
  return s;
}

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

Tensor batch_norm(const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean, const Tensor& running_var,
                  bool training, double momentum, double eps, bool) {
  WICK_CHECK(input.dim() >= 2, "batch_norm: expected an input of at least two dimensions, got ", input.sizes());
  const NormShape s = batch_shape(input);
  WICK_CHECK(training || (running_mean.defined() && running_var.defined()),
             "running_mean and running_var must be defined in evaluation mode\n  ", describe("batch_norm", {&input}));
  for (const auto& [x, name] :
       {std::pair(&running_mean, "running_mean"), {&running_var, "running_var"}, {&weight, "weight"}, {&bias, "bias"}}) {
    WICK_CHECK(!x->defined() || x->numel() == s.channels, name, " should contain ", s.channels, " elements not ", x->numel(),
               "\n  batch_norm: the input ", input.sizes(), " has its channels in dimension 1.");
    WICK_CHECK(*name != 'r' || !x->defined() || !x->requires_grad() || !t_state.grad_enabled,
               "The function 'native_batch_norm' is not differentiable with respect to argument '", name,
               "'. This input cannot have requires_grad True.");
  }
  check_floating("batch_norm", input);
  check_same_device("batch_norm", {&input, &weight, &bias, &running_mean, &running_var});
  return apply<Norm<NormKind::kBatch>>(input, weight, bias, running_mean, running_var, NormExtra(s, !training, eps), momentum);
}

Tensor instance_norm(const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean, const Tensor& running_var,
                     bool use_input_stats, double momentum, double eps, bool cudnn_enabled) {
  WICK_CHECK(use_input_stats || (running_mean.defined() && running_var.defined()),
             "Expected running_mean and running_var to be defined when use_input_stats is false");
  WICK_CHECK(input.dim() >= 2, "instance_norm: expected an input of at least two dimensions, got ", input.sizes());
  const int64_t batch = input.sizes()[0], channels = input.sizes()[1];
  // Each image's channels become channels of one image.
  Dims sizes(input.sizes());
  sizes[0] = 1;
  sizes[1] = batch * channels;
  const auto repeated = [batch](const Tensor& x) { return x.defined() ? x.repeat({batch}) : x; };
  const Tensor mean = repeated(running_mean.defined() ? running_mean.detach() : running_mean);
  const Tensor var = repeated(running_var.defined() ? running_var.detach() : running_var);
  const Tensor y = batch_norm(input.contiguous().view(sizes), repeated(weight), repeated(bias), mean, var, use_input_stats, momentum, eps,
                              cudnn_enabled);
  if (use_input_stats && batch > 0) {
    const NoGradGuard no_grad;
    if (mean.defined()) Tensor(running_mean).copy_(mean.view({batch, channels}).mean(0));
    if (var.defined()) Tensor(running_var).copy_(var.view({batch, channels}).mean(0));
  }
  return y.view(input.sizes());
}

Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, const Tensor& weight, const Tensor& bias, double eps, bool) {
  const size_t n = normalized_shape.size();
  WICK_CHECK(n >= 1,
             "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = ",
             normalized_shape);
  for (const auto& [x, name] : {std::pair(&weight, "weight"), {&bias, "bias"}}) {
    WICK_CHECK(!x->defined() || x->sizes() == normalized_shape, "Expected ", name, " to be of same shape as normalized_shape, but got ",
               name, " of shape ", x->sizes(), " and normalized_shape = ", normalized_shape);
  }
  const size_t dims = input.sizes().size();
  WICK_CHECK(dims >= n && input.sizes().slice(dims - n) == normalized_shape, "Given normalized_shape=", normalized_shape,
             ", expected input with shape [*, ", joined_text(normalized_shape, ", "), "], but got input of size", input.sizes());
  check_floating("LayerNormKernelImpl", input);
  check_same_device("layer_norm", {&input, &weight, &bias});
  NormShape s;
  s.outer = s.spatial = s.inner = s.groups = 1;
  for (size_t d = 0; d < dims; ++d) (d < dims - n ? s.groups : s.inner) *= input.sizes()[d];
  s.channels = s.inner;
  return apply<Norm<NormKind::kLayer>>(input, weight, bias, Tensor(), Tensor(), NormExtra(s, false, eps), 0.0);
}

Tensor group_norm(const Tensor& input, int64_t num_groups, const Tensor& weight, const Tensor& bias, double eps, bool) {
  WICK_CHECK(input.dim() >= 2, "Expected at least 2 dimensions for input tensor but received ", input.dim());
  WICK_CHECK(num_groups > 0, "Expected num groups to be greater than 0, got ", num_groups);
  const int64_t channels = input.sizes()[1], plane = checked_numel(input.sizes().slice(2));
  WICK_CHECK(channels > 0, "Expected number of channels to be greater than 0, got ", channels);
  WICK_CHECK(plane > 0, "Expected HxW to be greater than 0, got ", plane);
  WICK_CHECK(channels % num_groups == 0, "Expected number of channels in input to be divisible by num_groups, but got input of shape ",
             input.sizes(), " and num_groups=", num_groups);
  for (const auto& [x, name] : {std::pair(&weight, "weight"), {&bias, "bias"}}) {
    WICK_CHECK(!x->defined() || (x->dim() == 1 && x->numel() == channels), "Expected ", name,
               " to be a vector of size equal to the number of channels in input, but got ", name, " of shape ", x->sizes(),
               " and input of shape ", input.sizes());
  }
  check_floating("GroupNormKernelImpl", input);
  check_same_device("group_norm", {&input, &weight, &bias});
  NormShape s = batch_shape(input);
  s.inner = channels / num_groups * s.spatial;
  s.groups = s.outer * num_groups;
  s.outer = 1;
  return apply<Norm<NormKind::kGroup>>(input, weight, bias, Tensor(), Tensor(), NormExtra(s, false, eps), 0.0);
}

}  // namespace wick
