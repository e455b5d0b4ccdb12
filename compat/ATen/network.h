// LibTorch's functions below the layers of torch::nn and torch::nn::functional, under ATen's names and with its flat arguments.
// wick computes them where its layers do; what they compute is what PyTorch's pages of the layers say.
#pragma once

#include <ATen/names.h>

#include <optional>
#include <tuple>
#include <vector>

namespace at {

// ---- Look-ups, losses --------------------------------------------------------------------------------------------------------------

// The rows of weight [num, dim] that `indices` names, joined to one row for each bag; a bag begins at each of `offsets` where indices has
// one dimension, and is a row of indices where it has two. mode: 0 sum, 1 mean, 2 max. Results: the bags [B, dim]; the bag of each index;
// how many indices, those of padding_idx left out, are in each bag; and, of max, from which index of the bag each number is.
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                                         bool scale_grad_by_freq, int64_t mode, bool sparse,
                                                         const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
                                                         std::optional<int64_t> padding_idx);
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                                         bool scale_grad_by_freq = false, int64_t mode = 0, bool sparse = false,
                                                         const std::optional<Tensor>& per_sample_weights = {},
                                                         bool include_last_offset = false);

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths, IntArrayRef target_lengths, int64_t blank = 0,
                int64_t reduction = Reduction::Mean, bool zero_infinity = false);
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths,
                int64_t blank = 0, int64_t reduction = Reduction::Mean, bool zero_infinity = false);
Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p = 1, const Scalar& margin = 1,
                         const std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean);
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean);
Tensor nll_loss_nd(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean,
                   int64_t ignore_index = -100);

// ---- Recurrent layers --------------------------------------------------------------------------------------------------------------

// params: for each layer and direction w_ih, w_hh, with has_biases b_ih and b_hh, and an LSTM's w_hr if it projects. The forms with
// batch_sizes take the rows of a PackedSequence.
#define WICK_RECURRENT_FUNCTION(name)                                                                                                  \
  std::tuple<Tensor, Tensor> name(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases, int64_t num_layers,       \
                                  double dropout, bool train, bool bidirectional, bool batch_first);                                   \
  std::tuple<Tensor, Tensor> name(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params, bool has_biases, \
                                  int64_t num_layers, double dropout, bool train, bool bidirectional);                                 \
  Tensor name##_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,                                    \
                     const std::optional<Tensor>& b_ih = {}, const std::optional<Tensor>& b_hh = {});
WICK_RECURRENT_FUNCTION(gru)
WICK_RECURRENT_FUNCTION(rnn_tanh)
WICK_RECURRENT_FUNCTION(rnn_relu)
#undef WICK_RECURRENT_FUNCTION
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, TensorList hx, TensorList params, bool has_biases, int64_t num_layers,
                                        double dropout, bool train, bool bidirectional, bool batch_first);
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& data, const Tensor& batch_sizes, TensorList hx, TensorList params, bool has_biases,
                                        int64_t num_layers, double dropout, bool train, bool bidirectional);
std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh,
                                     const std::optional<Tensor>& b_ih = {}, const std::optional<Tensor>& b_hh = {});

// Sequences [length, ...] side by side: [T, B, ...], or [B, T, ...] with batch_first.
inline Tensor pad_sequence(TensorList sequences, bool batch_first = false, double padding_value = 0) {
  return wick::nn::utils::rnn::pad_sequence(sequences, batch_first, padding_value);
}
// input: [T, B, ...] or [B, T, ...], lengths: [B] on the CPU, from the longest down. Results: data and batch_sizes.
std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first);
std::tuple<Tensor, Tensor> _pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first,
                                                const Scalar& padding_value, int64_t total_length);

// ---- Dropout, activations ----------------------------------------------------------------------------------------------------------

#define WICK_DROPOUT_FUNCTION(name)                              \
  Tensor name(const Tensor& input, double p, bool train);        \
  Tensor& name##_(Tensor& self, double p, bool train);
WICK_DROPOUT_FUNCTION(feature_dropout)
WICK_DROPOUT_FUNCTION(alpha_dropout)
WICK_DROPOUT_FUNCTION(feature_alpha_dropout)
#undef WICK_DROPOUT_FUNCTION
// The result and, in training, which elements were kept.
std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train);

// Leaky, with slopes drawn from U(lower, upper) in training and their mean otherwise. `noise` takes the factor of each element.
Tensor rrelu(const Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333, bool training = false,
             std::optional<Generator> generator = std::nullopt);
Tensor& rrelu_(Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333, bool training = false,
               std::optional<Generator> generator = std::nullopt);
Tensor rrelu_with_noise(const Tensor& self, const Tensor& noise, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333,
                        bool training = false, std::optional<Generator> generator = std::nullopt);
Tensor& rrelu_with_noise_(Tensor& self, const Tensor& noise, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333,
                          bool training = false, std::optional<Generator> generator = std::nullopt);

// ---- Images, convolutions, pools ---------------------------------------------------------------------------------------------------

// theta: [N, 2, 3] and size [N, C, H, W], or [N, 3, 4] and [N, C, D, H, W].
Tensor affine_grid_generator(const Tensor& theta, IntArrayRef size, bool align_corners);
// interpolation_mode: 0 bilinear, 1 nearest; padding_mode: 0 zeros, 1 border, 2 reflection.
Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners);
inline Tensor grid_sampler_2d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                              bool align_corners) {
  return grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners);
}
inline Tensor grid_sampler_3d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                              bool align_corners) {
  return grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners);
}
// [N, g k, ...]: channel (i, j) of g groups of k becomes (j, i).
Tensor channel_shuffle(const Tensor& self, int64_t groups);
Tensor col2im(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
              IntArrayRef stride);
Tensor im2col(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride);
// self: [T, B, C_in], weight: [k, C_in, C_out], bias: [C_out]
Tensor conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad = 0);

#define WICK_SLOW_CONV(name)                                                                                                        \
  Tensor name(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const std::optional<Tensor>& bias = {},            \
              IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1);
#define WICK_SLOW_CONV_TRANSPOSE(name)                                                                                              \
  Tensor name(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const std::optional<Tensor>& bias = {},            \
              IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0, IntArrayRef dilation = 1);
WICK_SLOW_CONV(slow_conv_dilated2d)
WICK_SLOW_CONV(slow_conv_dilated3d)
WICK_SLOW_CONV_TRANSPOSE(slow_conv_transpose2d)
WICK_SLOW_CONV_TRANSPOSE(slow_conv_transpose3d)
#undef WICK_SLOW_CONV_TRANSPOSE
#undef WICK_SLOW_CONV
Tensor slow_conv3d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const std::optional<Tensor>& bias = {},
                   IntArrayRef stride = 1, IntArrayRef padding = 0);

// random_samples: [N, C, d], where the windows begin.
std::tuple<Tensor, Tensor> fractional_max_pool2d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef output_size,
                                                 const Tensor& random_samples);
std::tuple<Tensor, Tensor> fractional_max_pool3d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef output_size,
                                                 const Tensor& random_samples);
Tensor max_unpool2d(const Tensor& self, const Tensor& indices, IntArrayRef output_size);
Tensor max_unpool3d(const Tensor& self, const Tensor& indices, IntArrayRef output_size, IntArrayRef stride, IntArrayRef padding);

// ---- Normalisation -----------------------------------------------------------------------------------------------------------------

// The result, the mean, and one over the standard deviation.
std::tuple<Tensor, Tensor, Tensor> native_layer_norm(const Tensor& input, IntArrayRef normalized_shape, const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias, double eps);
std::tuple<Tensor, Tensor, Tensor> native_group_norm(const Tensor& input, const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias, int64_t N, int64_t C, int64_t HxW, int64_t group,
                                                     double eps);
// Without training the mean and the deviation are empty.
std::tuple<Tensor, Tensor, Tensor> native_batch_norm(const Tensor& input, const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias, const std::optional<Tensor>& running_mean,
                                                     const std::optional<Tensor>& running_var, bool training, double momentum, double eps);
// The norms of the parts of v along `dim`, the first or the last; of all of it for -1.
Tensor norm_except_dim(const Tensor& v, int64_t pow = 2, int64_t dim = 0);

}  // namespace at

namespace wick::nn::functional::detail {
#define WICK_DROPOUT_OF_ARGUMENTS(name, Options)                                            \
  inline Tensor name(Tensor input, double p, bool training, bool inplace) {                 \
    return functional::name(std::move(input), Options().p(p).training(training).inplace(inplace)); \
  }
WICK_DROPOUT_OF_ARGUMENTS(dropout, DropoutFuncOptions)
WICK_DROPOUT_OF_ARGUMENTS(alpha_dropout, AlphaDropoutFuncOptions)
WICK_DROPOUT_OF_ARGUMENTS(feature_alpha_dropout, FeatureAlphaDropoutFuncOptions)
#undef WICK_DROPOUT_OF_ARGUMENTS
}  // namespace wick::nn::functional::detail
