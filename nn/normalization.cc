#include "wick/nn/normalization.h"

#include "wick/nn/init.h"

namespace wick::nn {
namespace functional {

Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var, const BatchNormFuncOptions& options) {
  WICK_CHECK_VALUE(!options.training() || input.dim() < 2 || input.size(0) * checked_numel(input.sizes().slice(2)) != 1,
                   "Expected more than 1 value per channel when training, got input size ", input.sizes(),
                   "\n  Train on more than one sample, or call eval() first.");
  WICK_CHECK_VALUE(!options.training() || options.eps() > 0, "batch_norm eps must be positive during training, but got ", options.eps());
  return wick::batch_norm(input, options.weight(), options.bias(), running_mean, running_var, options.training(),
                          options.momentum().value_or(0), options.eps(), true);
}

Tensor instance_norm(const Tensor& input, const InstanceNormFuncOptions& options) {
  WICK_CHECK_VALUE(!options.use_input_stats() || input.dim() < 2 || checked_numel(input.sizes().slice(2)) != 1,
                   "Expected more than 1 spatial element when training, got input size ", input.sizes());
  return wick::instance_norm(input, options.weight(), options.bias(), options.running_mean(), options.running_var(),
                             options.use_input_stats(), options.momentum(), options.eps(), true);
}

Tensor local_response_norm(const Tensor& input, const LocalResponseNormFuncOptions& options) {
  const int64_t dim = input.dim(), size = options.size();
  WICK_CHECK(dim >= 3, "Expected 3D or higher dimensionality input (got ", dim, " dimensions)");
  WICK_CHECK(size > 0, "kernel size should be greater than zero, but got ", size);
  Dims both(2 * (dim - 1), 0);  // from the last dimension; the channels are the last pair
  both[2 * dim - 4] = size / 2, both[2 * dim - 3] = (size - 1) / 2;
  const Tensor squares = wick::constant_pad_nd(input * input, both);
  Tensor sum = squares.narrow(1, 0, input.size(1));
  for (int64_t i = 1; i < size; ++i) sum = sum + squares.narrow(1, i, input.size(1));
  return input / (sum * (options.alpha() / static_cast<double>(size)) + options.k()).pow(options.beta());
}

}  // namespace functional

// A weight of ones and a bias of zeros, or neither.
template <class Layer>
static void register_affine(Layer& layer, bool affine, IntArrayRef sizes) {
  layer.weight = layer.register_parameter("weight", affine ? wick::empty(sizes) : Tensor(), affine);
  layer.bias = layer.register_parameter("bias", affine ? wick::empty(sizes) : Tensor(), affine);
}
template <class Layer>
static void reset_affine(Layer& layer) {
  if (!layer.weight.defined()) return;
  init::ones_(layer.weight);
  init::zeros_(layer.bias);
}

template <class Options, class Derived>
void NormImplBase<Options, Derived>::reset() {
  const Dims features{options.num_features()};
  const bool track = options.track_running_stats();
  register_affine(*this, options.affine(), features);
  running_mean = this->register_buffer("running_mean", track ? zeros(features) : Tensor());
  running_var = this->register_buffer("running_var", track ? ones(features) : Tensor());
  num_batches_tracked = this->register_buffer("num_batches_tracked", track ? zeros({}, kLong) : Tensor());
  reset_parameters();
}

template <class Options, class Derived>
void NormImplBase<Options, Derived>::reset_running_stats() {
  if (!options.track_running_stats()) return;
  running_mean.zero_();
  running_var.fill_(1);
  num_batches_tracked.zero_();
}

template <class Options, class Derived>
void NormImplBase<Options, Derived>::reset_parameters() {
  reset_running_stats();
  reset_affine(*this);
}

namespace {

void check_dims(const Tensor& input, int64_t dims, bool may_lack_batch) {
  const int64_t n = input.dim();
  if (dims == 1 || may_lack_batch) {
    WICK_CHECK_VALUE(n == dims + 1 || n == dims + 2, "expected ", dims + 1, "D or ", dims + 2, "D input (got ", n, "D input)");
  } else {
    WICK_CHECK_VALUE(n == dims + 2, "expected ", dims + 2, "D input (got ", n, "D input)");
  }
}

template <class Derived>
Tensor forward_norm(NormImplBase<BatchNormOptions, Derived>& self, const Tensor& input, int64_t dims) {
  check_dims(input, dims, false);
  const bool track = self.options.track_running_stats(), training = self.is_training();
  double momentum = self.options.momentum().value_or(0);
  const bool count = training && track && self.num_batches_tracked.defined();
  // The count goes up only once the batch has been accepted.
  if (count && !self.options.momentum()) momentum = 1 / (self.num_batches_tracked.template item<double>() + 1);
  const Tensor none;
  const auto options = functional::BatchNormFuncOptions().weight(self.weight).bias(self.bias).training(training || !track)
                           .momentum(momentum).eps(self.options.eps());
  Tensor y = functional::batch_norm(input, track ? self.running_mean : none, track ? self.running_var : none, options);
  if (count) {
    const NoGradGuard no_grad;
    self.num_batches_tracked.add_(1);
  }
  return y;
}

template <class Derived>
Tensor forward_norm(NormImplBase<InstanceNormOptions, Derived>& self, const Tensor& input, int64_t dims) {
  check_dims(input, dims, true);
  const bool alone = input.dim() == dims + 1, track = self.options.track_running_stats();
  const auto options = functional::InstanceNormFuncOptions().running_mean(self.running_mean).running_var(self.running_var)
                           .weight(self.weight).bias(self.bias).use_input_stats(self.is_training() || !track)
                           .momentum(self.options.momentum().value_or(0)).eps(self.options.eps());
  const Tensor y = functional::instance_norm(alone ? input.unsqueeze(0) : input, options);
  return alone ? y.squeeze(0) : y;
}

}  // namespace

#define WICK_NORM_LAYER(Kind, n)                                                                                \
  template class NormImplBase<Kind##Options, Kind##n##dImpl>;                                                   \
  Tensor Kind##n##dImpl::forward(const Tensor& input) { return forward_norm(*this, input, n); }                 \
  WICK_DEFINE_LAYER(Kind##n##d, .add("", options.num_features()) WICK_FIELD(eps) WICK_FIELD(momentum)           \
                    WICK_FIELD(affine) WICK_FIELD(track_running_stats));
WICK_NORM_LAYER(BatchNorm, 1)
WICK_NORM_LAYER(BatchNorm, 2)
WICK_NORM_LAYER(BatchNorm, 3)
WICK_NORM_LAYER(InstanceNorm, 1)
WICK_NORM_LAYER(InstanceNorm, 2)
WICK_NORM_LAYER(InstanceNorm, 3)
WICK_DEFINE_LAYER(LayerNorm, .add_list("", options.normalized_shape()) WICK_FIELD(eps) WICK_FIELD(elementwise_affine));
WICK_DEFINE_LAYER(GroupNorm, .add("", options.num_groups()).add("", options.num_channels()) WICK_FIELD(eps) WICK_FIELD(affine));
WICK_DEFINE_LAYER(LocalResponseNorm, .add("", options.size()) WICK_FIELD(alpha) WICK_FIELD(beta) WICK_FIELD(k));
WICK_DEFINE_LAYER(CrossMapLRN2d, .add("", options.size()) WICK_FIELD(alpha) WICK_FIELD(beta) WICK_FIELD(k));

void LayerNormImpl::reset() {
  register_affine(*this, options.elementwise_affine(), options.normalized_shape());
  reset_parameters();
}
void LayerNormImpl::reset_parameters() { reset_affine(*this); }

GroupNormImpl::GroupNormImpl(const GroupNormOptions& options_) : options(options_) {
  WICK_CHECK_VALUE(options.num_groups() > 0 && options.num_channels() % options.num_groups() == 0, "num_channels (", options.num_channels(),
                   ") must be divisible by num_groups (", options.num_groups(), ")");
  GroupNormImpl::reset();
}

void GroupNormImpl::reset() {
  register_affine(*this, options.affine(), options.num_channels());
  reset_parameters();
}
void GroupNormImpl::reset_parameters() { reset_affine(*this); }

}  // namespace wick::nn
