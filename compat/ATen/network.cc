#include <ATen/network.h>
#include <c10/util/Exception.h>
#include <torch/nn/fractional_pooling.h>

#include <array>
#include <string>

namespace at {
namespace {

namespace nn = wick::nn;
namespace F = wick::nn::functional;

Tensor or_none(const std::optional<Tensor>& x) { return x.value_or(Tensor()); }

// The loss options' word for ATen's number.
template <class Options>
Options with_reduction(Options options, int64_t reduction) {
  if (reduction == Reduction::None) return options.reduction(wick::kNone);
  if (reduction == Reduction::Sum) return options.reduction(wick::kSum);
  TORCH_CHECK(reduction == Reduction::Mean, "reduction must be 0 (none), 1 (mean) or 2 (sum), got ", reduction);
  return options.reduction(wick::kMean);
}

}  // namespace

// ---- Look-ups, losses --------------------------------------------------------------------------------------------------------------

std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                                         bool scale_grad_by_freq, int64_t mode, bool sparse,
                                                         const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
                                                         std::optional<int64_t> padding_idx) {
  TORCH_CHECK(mode >= 0 && mode <= 2, "`mode` must be sum, mean, or max.\nembedding_bag: mode must be 0, 1 or 2, got ", mode);
  const bool in_rows = indices.dim() == 2;
  auto options = F::EmbeddingBagFuncOptions().offsets(in_rows ? Tensor() : offsets).scale_grad_by_freq(scale_grad_by_freq).sparse(sparse)
                     .per_sample_weights(or_none(per_sample_weights)).include_last_offset(include_last_offset && !in_rows)
                     .padding_idx(padding_idx);
  const Tensor bags = F::embedding_bag(indices, weight, mode == 0   ? options.mode(wick::kSum)
                                                        : mode == 1 ? options.mode(wick::kMean)
                                                                    : options.mode(wick::kMax));
  const NoGradGuard no_grad;
  const Tensor flat = indices.reshape({-1});
  const Tensor place = wick::arange(flat.numel(), indices.options().dtype(kLong));
  const Tensor bag =
      in_rows ? wick::floor_divide(place, indices.size(1)) : wick::bucketize(place, offsets.slice(0, 1, bags.size(0)), false, true);
  Tensor counts = wick::ones_like(place);
  if (padding_idx) counts = flat.ne(wick::wrap_dim(*padding_idx, weight.size(0))).to(kLong);
  const Tensor sizes = wick::zeros({bags.size(0)}, place.options()).index_add(0, bag, counts);
  if (mode != 2) return {bags, bag, sizes, wick::empty({0}, place.options())};
  const Tensor counted = weight.index_select(0, flat).eq(bags.index_select(0, bag)).logical_and(counts.unsqueeze(1).gt(0));
  const Tensor candidates = wick::where(counted, place.unsqueeze(1), flat.numel());
  const Tensor first = wick::full(bags.sizes(), flat.numel(), place.options())
                           .scatter_reduce(0, bag.unsqueeze(1).expand_as(candidates), candidates, "amin");
  return {bags, bag, sizes, wick::cat({flat.to(kLong), wick::zeros({1}, place.options())}).index({first})};
}
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                                         bool scale_grad_by_freq, int64_t mode, bool sparse,
                                                         const std::optional<Tensor>& per_sample_weights, bool include_last_offset) {
  return embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, std::nullopt);
}

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths, int64_t blank,
                int64_t reduction, bool zero_infinity) {
  const auto options = F::CTCLossFuncOptions().blank(blank).zero_infinity(zero_infinity);
  return F::ctc_loss(log_probs, targets, input_lengths, target_lengths, with_reduction(options, reduction));
}
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths, IntArrayRef target_lengths, int64_t blank,
                int64_t reduction, bool zero_infinity) {
  return ctc_loss(log_probs, targets, wick::tensor(input_lengths, kLong), wick::tensor(target_lengths, kLong), blank, reduction,
                  zero_infinity);
}
Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                         const std::optional<Tensor>& weight, int64_t reduction) {
  const auto options = F::MultiMarginLossFuncOptions().p(p.toLong()).margin(margin.toDouble()).weight(or_none(weight));
  return F::multi_margin_loss(self, target, with_reduction(options, reduction));
}
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  return F::multilabel_margin_loss(self, target, with_reduction(F::MultilabelMarginLossFuncOptions(), reduction));
}
Tensor nll_loss_nd(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index) {
  return wick::nll_loss(self, target, or_none(weight), reduction, ignore_index);
}

// ---- Recurrent layers --------------------------------------------------------------------------------------------------------------

namespace {

// A layer without weights of its own (one of no layers draws none) that is lent those given.
template <class Layer>
struct Lent : Layer {
  using Options = typename Layer::Options;

  static Options empty(TensorList params, int64_t hidden) {
    TORCH_CHECK(!params.empty(), "params: expected the weights of at least one layer");
    return Options(params[0].size(-1), hidden).num_layers(0);
  }
  Lent(TensorList params, int64_t hidden, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional,
       bool batch_first)
      : Layer(empty(params, hidden)) {
    Options& o = this->options;
    o.num_layers(num_layers).bias(has_biases).dropout(dropout).bidirectional(bidirectional).batch_first(batch_first);
    const size_t directions = static_cast<size_t>(num_layers) * (bidirectional ? 2 : 1), each = has_biases ? 4 : 2;
    TORCH_CHECK(params.size() == directions * each || params.size() == directions * (each + 1),
                "got an incorrect number of RNN parameters");
    if (params.size() > directions * each) o.proj_size(params[1].size(-1));
    for (size_t i = 0; i < params.size(); ++i) this->register_parameter(std::to_string(i), params[i], params[i].requires_grad());
    this->train(train);
  }
  using Layer::run;
};

int64_t hidden_of(TensorList params, int64_t gates) { return params.empty() ? 0 : params[0].size(0) / gates; }
nn::PackedSequence packed(const Tensor& data, const Tensor& batch_sizes) { return nn::PackedSequence(data, batch_sizes); }

template <class Layer>
void set_kind(Layer&, std::monostate) {}
template <class Layer, class Nonlinearity>
void set_kind(Layer& layer, Nonlinearity kind) { layer.options.nonlinearity(kind); }

// A cell is a layer over one step, with or without a batch.
struct Step {
  Tensor input;
  std::vector<Tensor> states, weights;
  bool alone;

  Step(const Tensor& x, TensorList hx, int64_t gates, std::initializer_list<Tensor> given) : alone(x.dim() == 1) {
    for (const Tensor& w : given) {
      if (w.defined()) weights.push_back(w);
    }
    const int64_t hidden = weights[0].size(0) / gates;
    TORCH_CHECK(x.dim() == 1 || x.dim() == 2, "Expected input to be 1D or 2D, got ", x.dim(), "D instead");
    TORCH_CHECK(x.size(-1) == weights[0].size(1), "input has inconsistent input_size: got ", x.size(-1), " expected ", weights[0].size(1));
    for (size_t i = 0; i < hx.size(); ++i) {
      TORCH_CHECK(hx[i].size(-1) == hidden, "hidden", i, " has inconsistent hidden_size: got ", hx[i].size(-1), ", expected ", hidden);
      states.push_back((alone ? hx[i].unsqueeze(0) : hx[i]).unsqueeze(0));
    }
    input = (alone ? x.unsqueeze(0) : x).unsqueeze(0);
  }
  bool has_biases() const { return weights.size() == 4; }
  Tensor result(const Tensor& state) const { return alone ? state.squeeze(0).squeeze(0) : state.squeeze(0); }
};

}  // namespace

#define WICK_RECURRENT_FUNCTION(name, Layer, gates, kind)                                                                              \
  std::tuple<Tensor, Tensor> name(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases, int64_t num_layers,       \
                                  double dropout, bool train, bool bidirectional, bool batch_first) {                                  \
    Lent<nn::Layer##Impl> layer(params, hidden_of(params, gates), has_biases, num_layers, dropout, train, bidirectional, batch_first); \
    set_kind(layer, kind);                                                                                                             \
    return layer.forward(input, hx);                                                                                                   \
  }                                                                                                                                    \
  std::tuple<Tensor, Tensor> name(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params, bool has_biases, \
                                  int64_t num_layers, double dropout, bool train, bool bidirectional) {                                \
    Lent<nn::Layer##Impl> layer(params, hidden_of(params, gates), has_biases, num_layers, dropout, train, bidirectional, false);       \
    set_kind(layer, kind);                                                                                                             \
    const auto [output, state] = layer.forward_with_packed_input(packed(data, batch_sizes), hx);                                       \
    return {output.data(), state};                                                                                                     \
  }                                                                                                                                    \
  Tensor name##_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const std::optional<Tensor>& b_ih, \
                     const std::optional<Tensor>& b_hh) {                                                                              \
    const Step step(input, hx, gates, {w_ih, w_hh, or_none(b_ih), or_none(b_hh)});                                                     \
    return step.result(std::get<1>(name(step.input, step.states[0], step.weights, step.has_biases(), 1, 0.0, false, false, false)));   \
  }
WICK_RECURRENT_FUNCTION(gru, GRU, 3, std::monostate())
WICK_RECURRENT_FUNCTION(rnn_tanh, RNN, 1, wick::kTanh)
WICK_RECURRENT_FUNCTION(rnn_relu, RNN, 1, wick::kReLU)
#undef WICK_RECURRENT_FUNCTION

std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, TensorList hx, TensorList params, bool has_biases, int64_t num_layers,
                                        double dropout, bool train, bool bidirectional, bool batch_first) {
  TORCH_CHECK(hx.size() == 2, "lstm expects two hidden states");
  Lent<nn::LSTMImpl> layer(params, hidden_of(params, 4), has_biases, num_layers, dropout, train, bidirectional, batch_first);
  const auto [output, state] = layer.forward(input, std::tuple(hx[0], hx[1]));
  return {output, std::get<0>(state), std::get<1>(state)};
}
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& data, const Tensor& batch_sizes, TensorList hx, TensorList params, bool has_biases,
                                        int64_t num_layers, double dropout, bool train, bool bidirectional) {
  TORCH_CHECK(hx.size() == 2, "lstm expects two hidden states");
  Lent<nn::LSTMImpl> layer(params, hidden_of(params, 4), has_biases, num_layers, dropout, train, bidirectional, false);
  const auto [output, state] = layer.forward_with_packed_input(packed(data, batch_sizes), std::tuple(hx[0], hx[1]));
  return {output.data(), std::get<0>(state), std::get<1>(state)};
}
std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh,
                                     const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh) {
  TORCH_CHECK(hx.size() == 2, "lstm_cell expects two hidden states");
  const Step step(input, hx, 4, {w_ih, w_hh, or_none(b_ih), or_none(b_hh)});
  const auto [output, h, c] = lstm(step.input, step.states, step.weights, step.has_biases(), 1, 0.0, false, false, false);
  return {step.result(h), step.result(c)};
}

std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first) {
  const auto sequence = nn::utils::rnn::pack_padded_sequence(input, lengths, batch_first);
  return {sequence.data(), sequence.batch_sizes()};
}
std::tuple<Tensor, Tensor> _pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first,
                                                const Scalar& padding_value, int64_t total_length) {
  const auto longest = total_length > 0 ? std::optional(total_length) : std::nullopt;
  return nn::utils::rnn::pad_packed_sequence(packed(data, batch_sizes), batch_first, padding_value.toDouble(), longest);
}

// ---- Dropout, activations ----------------------------------------------------------------------------------------------------------

#define WICK_DROPOUT_FUNCTION(name, of, Options)                                                                                \
  Tensor name(const Tensor& input, double p, bool train) { return F::of(input, F::Options().p(p).training(train)); }            \
  Tensor& name##_(Tensor& self, double p, bool train) {                                                                         \
    F::of(self, F::Options().p(p).training(train).inplace(true));                                                               \
    return self;                                                                                                                \
  }
WICK_DROPOUT_FUNCTION(feature_dropout, dropout2d, Dropout2dFuncOptions)
WICK_DROPOUT_FUNCTION(alpha_dropout, alpha_dropout, AlphaDropoutFuncOptions)
WICK_DROPOUT_FUNCTION(feature_alpha_dropout, feature_alpha_dropout, FeatureAlphaDropoutFuncOptions)
#undef WICK_DROPOUT_FUNCTION

std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train) {
  if (!train.value_or(true) || p == 0) return {input.clone(), wick::ones_like(input, kBool)};
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  const Tensor kept = wick::empty(input.sizes(), input.options().requires_grad(false)).bernoulli_(1 - p);
  return {p == 1 ? input * kept : input * (kept / (1 - p)), kept.to(kBool)};
}

namespace {

Tensor rrelu_factors(const Tensor& self, const Scalar& lower, const Scalar& upper, bool training,
                     const std::optional<Generator>& generator) {
  const NoGradGuard no_grad;
  if (!training) return wick::full({}, (lower.toDouble() + upper.toDouble()) / 2, self.options());
  const Tensor drawn = wick::empty_like(self).uniform_(lower.toDouble(), upper.toDouble(), generator);
  return wick::where(self.detach().gt(0), 1, drawn).to(self.scalar_type());
}

}  // namespace

Tensor rrelu_with_noise(const Tensor& self, const Tensor& noise, const Scalar& lower, const Scalar& upper, bool training,
                        std::optional<Generator> generator) {
  TORCH_CHECK(lower.toDouble() <= upper.toDouble(), "Lower bound should be less than or equal to the upper bound");
  const Tensor factors = rrelu_factors(self, lower, upper, training, generator);
  if (training && noise.defined()) noise.copy_(factors);
  return wick::where(self.gt(0), self, self * factors);
}
Tensor rrelu(const Tensor& self, const Scalar& lower, const Scalar& upper, bool training, std::optional<Generator> generator) {
  return rrelu_with_noise(self, {}, lower, upper, training, generator);
}
Tensor& rrelu_with_noise_(Tensor& self, const Tensor& noise, const Scalar& lower, const Scalar& upper, bool training,
                          std::optional<Generator> generator) {
  wick::method::overwrite("rrelu", self, rrelu_with_noise(wick::method::source(self), noise, lower, upper, training, generator));
  return self;
}
Tensor& rrelu_(Tensor& self, const Scalar& lower, const Scalar& upper, bool training, std::optional<Generator> generator) {
  return rrelu_with_noise_(self, {}, lower, upper, training, generator);
}

// ---- Images, convolutions, pools ---------------------------------------------------------------------------------------------------

Tensor affine_grid_generator(const Tensor& theta, IntArrayRef size, bool align_corners) {
  return F::affine_grid(theta, size, align_corners);
}

Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
  TORCH_CHECK(interpolation_mode == 0 || interpolation_mode == 1, "grid_sampler(): expected mode to be bilinear (0) or nearest (1), got ",
              interpolation_mode);
  TORCH_CHECK(padding_mode >= 0 && padding_mode <= 2,
              "grid_sampler(): expected padding to be zeros (0), border (1) or reflection (2), got ", padding_mode);
  auto options = F::GridSampleFuncOptions().align_corners(align_corners);
  if (interpolation_mode == 1) options.mode(wick::kNearest);
  if (padding_mode == 1) options.padding_mode(wick::kBorder);
  if (padding_mode == 2) options.padding_mode(wick::kReflection);
  return F::grid_sample(input, grid, options);
}

Tensor channel_shuffle(const Tensor& self, int64_t groups) {
  TORCH_CHECK(self.dim() > 2, "channel_shuffle expects input with > 2 dims, but got input with sizes ", self.sizes());
  TORCH_CHECK(groups > 0, "Number of groups to divide channels in must be positive.", " Value of groups:", groups);
  TORCH_CHECK(self.size(1) % groups == 0, "Number of channels must be divisible by groups. Got ", self.size(1), " channels and ", groups,
              " groups.");
  return self.unflatten(1, {groups, self.size(1) / groups}).transpose(1, 2).flatten(1, 2);
}

Tensor col2im(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
              IntArrayRef stride) {
  return F::fold(self, F::FoldFuncOptions(output_size, kernel_size).dilation(dilation).padding(padding).stride(stride));
}
Tensor im2col(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride) {
  return F::unfold(self, F::UnfoldFuncOptions(kernel_size).dilation(dilation).padding(padding).stride(stride));
}

Tensor conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad) {
  TORCH_CHECK(self.dim() == 3, "Input must have 3 dims: time, batch, in_channel");
  TORCH_CHECK(weight.dim() == 3, "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.");
  TORCH_CHECK(bias.dim() == 1, "Bias must be 1-D");
  return wick::conv1d(self.permute({1, 2, 0}), weight.permute({2, 1, 0}), bias, 1, pad).permute({2, 0, 1});
}

namespace {

Tensor slow_conv(const Tensor& x, const Tensor& weight, IntArrayRef kernel_size, const std::optional<Tensor>& bias, IntArrayRef stride,
                 IntArrayRef padding, IntArrayRef dilation, std::optional<IntArrayRef> output_padding = std::nullopt) {
  TORCH_CHECK(weight.sizes().slice(2) == kernel_size, "kernel_size ", kernel_size, " is not that of the weight, ", weight.sizes());
  const bool alone = x.dim() == weight.dim() - 1;
  const IntArrayRef extra = output_padding.value_or(IntArrayRef(0));
  const Tensor y =
      wick::convolution(alone ? x.unsqueeze(0) : x, weight, or_none(bias), stride, padding, dilation, output_padding.has_value(), extra, 1);
  return alone ? y.squeeze(0) : y;
}

}  // namespace

#define WICK_SLOW_CONV(name)                                                                                                        \
  Tensor name(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const std::optional<Tensor>& bias,                 \
              IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation) {                                                      \
    return slow_conv(self, weight, kernel_size, bias, stride, padding, dilation);                                                   \
  }
#define WICK_SLOW_CONV_TRANSPOSE(name)                                                                                              \
  Tensor name(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const std::optional<Tensor>& bias,                 \
              IntArrayRef stride, IntArrayRef padding, IntArrayRef output_padding, IntArrayRef dilation) {                          \
    return slow_conv(self, weight, kernel_size, bias, stride, padding, dilation, output_padding);                                   \
  }
WICK_SLOW_CONV(slow_conv_dilated2d)
WICK_SLOW_CONV(slow_conv_dilated3d)
WICK_SLOW_CONV_TRANSPOSE(slow_conv_transpose2d)
WICK_SLOW_CONV_TRANSPOSE(slow_conv_transpose3d)
#undef WICK_SLOW_CONV_TRANSPOSE
#undef WICK_SLOW_CONV
Tensor slow_conv3d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const std::optional<Tensor>& bias, IntArrayRef stride,
                   IntArrayRef padding) {
  return slow_conv(self, weight, kernel_size, bias, stride, padding, 1);
}

#define WICK_FRACTIONAL(n)                                                                                                          \
  std::tuple<Tensor, Tensor> fractional_max_pool##n##d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef output_size,        \
                                                       const Tensor& random_samples) {                                             \
    const auto options = F::FractionalMaxPool##n##dFuncOptions(kernel_size)                                                         \
                             .output_size(wick::ExpandingArray<n>(output_size))                                                     \
                             ._random_samples(random_samples);                                                                      \
    return F::fractional_max_pool##n##d_with_indices(self, options);                                                                \
  }
WICK_FRACTIONAL(2)
WICK_FRACTIONAL(3)
#undef WICK_FRACTIONAL

namespace {

// Where a plane of output_size has the elements that pooling took, and zeros elsewhere.
Tensor max_unpool(const Tensor& self, const Tensor& indices, IntArrayRef output_size, int64_t dims) {
  TORCH_CHECK(indices.scalar_type() == kLong, "elements in indices should be type int64 but got: ", indices.scalar_type());
  TORCH_CHECK(static_cast<int64_t>(output_size.size()) == dims, "There should be exactly ", dims == 2 ? "two" : "three", " elements (",
              dims == 2 ? "height, width" : "depth, height, width", ") in output_size, but got ", output_size.size(), " elements.");
  TORCH_CHECK(self.dim() == dims + 1 || self.dim() == dims + 2, "Input to max_unpooling", dims, "d should be a ", dims + 1, "d or ",
              dims + 2, "d Tensor, but got a tensor with ", self.dim(), " dimensions");
  TORCH_CHECK(self.sizes() == indices.sizes(), "Expected shape of indices to be same as that of the input tensor (", self.sizes(),
              ") but got indices tensor with shape: ", indices.sizes());
  const int64_t planes = self.dim() - dims;
  std::vector<int64_t> shape = self.sizes().slice(0, static_cast<size_t>(planes)).vec(), flat = shape;
  flat.push_back(1);
  for (int64_t size : output_size) {
    shape.push_back(size);
    flat.back() *= size;
  }
  if (indices.numel() > 0) {
    const auto [least, most] = wick::aminmax(indices);
    const int64_t bad = least.item<int64_t>() < 0 ? least.item<int64_t>() : most.item<int64_t>();
    TORCH_CHECK(bad >= 0 && bad < flat.back(), "Found an invalid max index: ", bad, " (output volumes are of size ",
                dims == 2 ? "" : c10::str(output_size[0], "x"), output_size[output_size.size() - 2], "x",
                output_size[output_size.size() - 1], ")");
  }
  return wick::zeros(flat, self.options().requires_grad(false)).scatter(planes, indices.flatten(planes), self.flatten(planes)).view(shape);
}

}  // namespace

Tensor max_unpool2d(const Tensor& self, const Tensor& indices, IntArrayRef output_size) {
  return max_unpool(self, indices, output_size, 2);
}
Tensor max_unpool3d(const Tensor& self, const Tensor& indices, IntArrayRef output_size, IntArrayRef stride, IntArrayRef padding) {
  TORCH_CHECK(stride.size() == 3, "There should be exactly three elements (depth, height, width) in stride");
  TORCH_CHECK(padding.size() == 3, "There should be exactly three elements (depth, height, width) in padding");
  return max_unpool(self, indices, output_size, 3);
}

// ---- Normalisation -----------------------------------------------------------------------------------------------------------------

namespace {

// The mean and 1 / deviation of x over dims. (LibTorch has gradients for those of native_group_norm alone.)
std::tuple<Tensor, Tensor> moments(const Tensor& x, IntArrayRef dims, bool keepdim, double eps) {
  const auto [variance, mean] = wick::var_mean(x, dims, false, keepdim);
  return {mean, (variance + eps).rsqrt()};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> native_layer_norm(const Tensor& input, IntArrayRef normalized_shape, const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias, double eps) {
  const Tensor y = wick::layer_norm(input, normalized_shape, or_none(weight), or_none(bias), eps);
  std::vector<int64_t> dims;
  for (size_t d = 1; d <= normalized_shape.size(); ++d) dims.push_back(-static_cast<int64_t>(d));
  const auto [mean, rstd] = moments(input.detach(), dims, true, eps);
  return {y, mean, rstd};
}

std::tuple<Tensor, Tensor, Tensor> native_group_norm(const Tensor& input, const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias, int64_t N, int64_t C, int64_t HxW, int64_t group,
                                                     double eps) {
  TORCH_CHECK(input.numel() == N * C * HxW, "native_group_norm: input ", input.sizes(), " has not N C HxW = ", N, " ", C, " ", HxW,
              " elements");
  const Tensor y = wick::group_norm(input, group, or_none(weight), or_none(bias), eps);
  const auto [mean, rstd] = moments(input.reshape({N, group, C / group * HxW}), 2, false, eps);
  return {y, mean, rstd};
}

std::tuple<Tensor, Tensor, Tensor> native_batch_norm(const Tensor& input, const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias, const std::optional<Tensor>& running_mean,
                                                     const std::optional<Tensor>& running_var, bool training, double momentum, double eps) {
  Tensor mean = wick::empty({0}, input.options().requires_grad(false)), rstd = mean;
  if (training) {
    std::vector<int64_t> dims = {0};
    for (int64_t d = 2; d < input.dim(); ++d) dims.push_back(d);
    std::tie(mean, rstd) = moments(input.detach(), dims, false, eps);
  }
  const Tensor y = wick::batch_norm(input, or_none(weight), or_none(bias), or_none(running_mean), or_none(running_var), training, momentum,
                                    eps, true);
  return {y, mean, rstd};
}

Tensor norm_except_dim(const Tensor& v, int64_t pow, int64_t dim) {
  if (dim == -1) return v.norm(pow);
  const int64_t last = v.dim() - 1;
  TORCH_CHECK(dim == 0 || dim == last, "norm_except_dim: dim must be -1, 0 or the last dimension, got ", dim);
  std::vector<int64_t> shape(static_cast<size_t>(v.dim()), 1);
  shape[static_cast<size_t>(dim)] = v.size(dim);
  return v.transpose(0, dim).reshape({v.size(dim), -1}).norm(pow, 1).view(shape);
}

}  // namespace at
