#include "wick/nn/normalization.h"

#include "wick/nn/init.h"

namespace wick::nn {
namespace functional {
namespace {

int64_t values_per_channel(const Tensor& input, bool with_batch) {
  int64_t count = with_batch ? input.size(0) : 1;
  for (int64_t d = 2; d < input.dim(); ++d) count *= input.size(d);
  return count;
}

}  // namespace

Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var, const BatchNormFuncOptions& options) {
  WICK_CHECK_VALUE(!options.training() || input.dim() < 2 || values_per_channel(input, true) != 1,
                   "Expected more than 1 value per channel when training, got input size ", input.sizes(),
                   "\n  Train on more than one sample, or call eval() first.");
  return wick::batch_norm(input, options.weight(), options.bias(), running_mean, running_var, options.training(),
                          options.momentum().value_or(0), options.eps(), true);
}

Tensor instance_norm(const Tensor& input, const InstanceNormFuncOptions& options) {
  WICK_CHECK_VALUE(!options.use_input_stats() || input.dim() < 2 || values_per_channel(input, false) != 1,
                   "Expected more than 1 spatial element when training, got input size ", input.sizes());
  return wick::instance_norm(input, options.weight(), options.bias(), options.running_mean(), options.running_var(),
                             options.use_input_stats(), options.momentum(), options.eps(), true);
}

}  // namespace functional

template <class Options, class Derived>
void NormImplBase<Options, Derived>::reset() {
  const Dims features{options.num_features()};
  if (options.affine()) {
    weight = this->register_parameter("weight", empty(features));
    bias = this->register_parameter("bias", empty(features));
  } else {
    weight = this->register_parameter("weight", {}, /*requires_grad=*/false);
    bias = this->register_parameter("bias", {}, /*requires_grad=*/false);
  }
  if (options.track_running_stats()) {
    running_mean = this->register_buffer("running_mean", zeros(features));
    running_var = this->register_buffer("running_var", ones(features));
    num_batches_tracked = this->register_buffer("num_batches_tracked", zeros({}, kLong));
  } else {
    running_mean = this->register_buffer("running_mean", {});
    running_var = this->register_buffer("running_var", {});
    num_batches_tracked = this->register_buffer("num_batches_tracked", {});
  }
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
  if (!options.affine()) return;
  init::ones_(weight);
  init::zeros_(bias);
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

template <class Options>
void describe_norm(Fields& fields, const Options& o) {
  fields.add("", o.num_features()).add("eps", o.eps());
  if (o.momentum()) fields.add("momentum", *o.momentum());
  else fields.add_text("momentum", "None");
  fields.add("affine", o.affine()).add("track_running_stats", o.track_running_stats());
}

}  // namespace

template <class Derived>
Tensor BatchNormImplBase<Derived>::forward(const Tensor& input) {
  check_dims(input, Derived::kDims, false);
  const bool track = this->options.track_running_stats(), training = this->is_training();
  double momentum = this->options.momentum().value_or(0);
  const bool count = training && track && this->num_batches_tracked.defined();
  // The count goes up only once the batch has been accepted.
  if (count && !this->options.momentum()) momentum = 1 / (this->num_batches_tracked.template item<double>() + 1);
  const Tensor none;
  Tensor y = functional::batch_norm(input, track ? this->running_mean : none, track ? this->running_var : none,
                                    functional::BatchNormFuncOptions()
                                        .weight(this->weight)
                                        .bias(this->bias)
                                        .training(training || !track)
                                        .momentum(momentum)
                                        .eps(this->options.eps()));
  if (count) {
    const NoGradGuard no_grad;
    this->num_batches_tracked.add_(1);
  }
  return y;
}

template <class Derived>
void BatchNormImplBase<Derived>::describe(Fields& fields) const {
  static const std::string name = wick::detail::concat("BatchNorm", Derived::kDims, "d");
  describe_norm(fields.layer(name.c_str()), this->options);
}

template <class Derived>
Tensor InstanceNormImplBase<Derived>::forward(const Tensor& input) {
  check_dims(input, Derived::kDims, true);
  const bool alone = input.dim() == Derived::kDims + 1, track = this->options.track_running_stats();
  const Tensor y = functional::instance_norm(alone ? input.unsqueeze(0) : input, functional::InstanceNormFuncOptions()
                                                                                    .running_mean(this->running_mean)
                                                                                    .running_var(this->running_var)
                                                                                    .weight(this->weight)
                                                                                    .bias(this->bias)
                                                                                    .use_input_stats(this->is_training() || !track)
                                                                                    .momentum(this->options.momentum().value_or(0))
                                                                                    .eps(this->options.eps()));
  return alone ? y.squeeze(0) : y;
}

template <class Derived>
void InstanceNormImplBase<Derived>::describe(Fields& fields) const {
  static const std::string name = wick::detail::concat("InstanceNorm", Derived::kDims, "d");
  describe_norm(fields.layer(name.c_str()), this->options);
}

#define WICK_NORM_LAYER(n)                                                   \
  template class NormImplBase<BatchNormOptions, BatchNorm##n##dImpl>;        \
  template class NormImplBase<InstanceNormOptions, InstanceNorm##n##dImpl>;  \
  template class BatchNormImplBase<BatchNorm##n##dImpl>;                     \
  template class InstanceNormImplBase<InstanceNorm##n##dImpl>;               \
  WICK_LAYER_DEFINITION(BatchNorm##n##d);                                    \
  WICK_LAYER_DEFINITION(InstanceNorm##n##d);
WICK_NORM_LAYER(1)
WICK_NORM_LAYER(2)
WICK_NORM_LAYER(3)
#undef WICK_NORM_LAYER
WICK_LAYER_DEFINITION(LayerNorm);
WICK_LAYER_DEFINITION(GroupNorm);

LayerNormImpl::LayerNormImpl(LayerNormOptions options_) : options(std::move(options_)) { LayerNormImpl::reset(); }

void LayerNormImpl::reset() {
  const bool affine = options.elementwise_affine();
  weight = register_parameter("weight", affine ? wick::empty(IntArrayRef(options.normalized_shape())) : Tensor(), affine);
  bias = register_parameter("bias", affine ? wick::empty(IntArrayRef(options.normalized_shape())) : Tensor(), affine);
  reset_parameters();
}

void LayerNormImpl::reset_parameters() {
  if (!options.elementwise_affine()) return;
  init::ones_(weight);
  init::zeros_(bias);
}

void LayerNormImpl::describe(Fields& fields) const {
  fields.layer("LayerNorm");
  const IntArrayRef shape = options.normalized_shape();
  if (shape.size() == 1 && fields.is_python()) fields.add_text("", "(" + std::to_string(shape[0]) + ",)");
  else fields.add_list("", shape);
  fields.add("eps", options.eps()).add("elementwise_affine", options.elementwise_affine());
}

GroupNormImpl::GroupNormImpl(const GroupNormOptions& options_) : options(options_) {
  WICK_CHECK_VALUE(options.num_groups() > 0 && options.num_channels() % options.num_groups() == 0, "num_channels (", options.num_channels(),
                   ") must be divisible by num_groups (", options.num_groups(), ")");
  GroupNormImpl::reset();
}

void GroupNormImpl::reset() {
  const bool affine = options.affine();
  weight = register_parameter("weight", affine ? empty({options.num_channels()}) : Tensor(), affine);
  bias = register_parameter("bias", affine ? empty({options.num_channels()}) : Tensor(), affine);
  reset_parameters();
}

void GroupNormImpl::reset_parameters() {
  if (!options.affine()) return;
  init::ones_(weight);
  init::zeros_(bias);
}

void GroupNormImpl::describe(Fields& fields) const {
  fields.layer("GroupNorm")
      .add("", options.num_groups())
      .add("", options.num_channels())
      .add("eps", options.eps())
      .add("affine", options.affine());
}

}  // namespace wick::nn
