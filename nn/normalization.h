// Normalisation: options, functions and modules. y = (x - mean) / sqrt(variance + eps) * weight + bias, with the mean and the variance
//   of each channel over the batch                       BatchNorm     Ioffe and Szegedy, 2015
//   of the last dimensions of each sample                LayerNorm     Ba, Kiros and Hinton, 2016
//   of each channel of each sample                       InstanceNorm  Ulyanov, Vedaldi and Lempitsky, 2016
//   of each group of channels of each sample             GroupNorm     Wu and He, 2018
#pragma once

#include <optional>
#include <vector>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"

namespace wick::nn {

template <bool kOn>
struct NormOptions {
  NormOptions(int64_t num_features) : num_features_(num_features) {}
  WICK_ARG(int64_t, num_features);
  WICK_ARG(double, eps) = 1e-5;
  // The share of the new batch in the running statistics; nullopt: they are the mean over all batches.
  WICK_ARG(std::optional<double>, momentum) = 0.1;
  WICK_ARG(bool, affine) = kOn;
  WICK_ARG(bool, track_running_stats) = kOn;  // else the batch's own statistics count in evaluation, too
};
using BatchNormOptions = NormOptions<true>;
using BatchNorm1dOptions = BatchNormOptions;
using BatchNorm2dOptions = BatchNormOptions;
using BatchNorm3dOptions = BatchNormOptions;
using InstanceNormOptions = NormOptions<false>;
using InstanceNorm1dOptions = InstanceNormOptions;
using InstanceNorm2dOptions = InstanceNormOptions;
using InstanceNorm3dOptions = InstanceNormOptions;

struct LayerNormOptions {
  LayerNormOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  WICK_ARG(std::vector<int64_t>, normalized_shape);
  WICK_ARG(double, eps) = 1e-5;
  WICK_ARG(bool, elementwise_affine) = true;
};

struct GroupNormOptions {
  GroupNormOptions(int64_t num_groups, int64_t num_channels) : num_groups_(num_groups), num_channels_(num_channels) {}
  WICK_ARG(int64_t, num_groups);
  WICK_ARG(int64_t, num_channels);
  WICK_ARG(double, eps) = 1e-5;
  WICK_ARG(bool, affine) = true;
};

struct LocalResponseNormOptions {
  LocalResponseNormOptions(int64_t size) : size_(size) {}
  WICK_ARG(int64_t, size);  // how many neighbouring channels count
  WICK_ARG(double, alpha) = 1e-4;
  WICK_ARG(double, beta) = 0.75;
  WICK_ARG(double, k) = 1.0;
};
using CrossMapLRN2dOptions = LocalResponseNormOptions;

namespace functional {

using LocalResponseNormFuncOptions = LocalResponseNormOptions;
struct BatchNormFuncOptions {
  WICK_ARG(Tensor, weight) = Tensor();
  WICK_ARG(Tensor, bias) = Tensor();
  WICK_ARG(bool, training) = false;
  WICK_ARG(std::optional<double>, momentum) = 0.1;
  WICK_ARG(double, eps) = 1e-5;
};
struct InstanceNormFuncOptions {
  WICK_ARG(Tensor, running_mean) = Tensor();
  WICK_ARG(Tensor, running_var) = Tensor();
  WICK_ARG(Tensor, weight) = Tensor();
  WICK_ARG(Tensor, bias) = Tensor();
  WICK_ARG(bool, use_input_stats) = true;
  WICK_ARG(double, momentum) = 0.1;
  WICK_ARG(double, eps) = 1e-5;
};
struct LayerNormFuncOptions {
  LayerNormFuncOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  WICK_ARG(std::vector<int64_t>, normalized_shape);
  WICK_ARG(Tensor, weight) = Tensor();
  WICK_ARG(Tensor, bias) = Tensor();
  WICK_ARG(double, eps) = 1e-5;
};
struct GroupNormFuncOptions {
  GroupNormFuncOptions(int64_t num_groups) : num_groups_(num_groups) {}
  WICK_ARG(int64_t, num_groups);
  WICK_ARG(Tensor, weight) = Tensor();
  WICK_ARG(Tensor, bias) = Tensor();
  WICK_ARG(double, eps) = 1e-5;
};

// Training needs more than one value in each channel: with one, the variance says nothing. Then ValueError, and nothing is changed.
Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var, const BatchNormFuncOptions& options = {});
Tensor instance_norm(const Tensor& input, const InstanceNormFuncOptions& options = {});
inline Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& options) {
  return wick::layer_norm(input, options.normalized_shape(), options.weight(), options.bias(), options.eps());
}
inline Tensor group_norm(const Tensor& input, const GroupNormFuncOptions& options) {
  return wick::group_norm(input, options.num_groups(), options.weight(), options.bias(), options.eps());
}
// x / (k + alpha * mean of x² over `size` neighbouring channels)^beta. Krizhevsky, Sutskever and Hinton, 2012.
Tensor local_response_norm(const Tensor& input, const LocalResponseNormFuncOptions& options);

}  // namespace functional

// What batch and instance norm have in common: weight (1) and bias (0), if affine, and running_mean (0), running_var (1) and
// num_batches_tracked, if they are tracked.
template <class Options, class Derived>
class NormImplBase : public Cloneable<Derived> {
 public:
  explicit NormImplBase(const Options& options_) : options(options_) { NormImplBase::reset(); }
  void reset() override;
  void reset_running_stats();
  void reset_parameters();

  Options options;
  Tensor weight, bias;                // [num_features], or undefined
  Tensor running_mean, running_var;   // the same
  Tensor num_batches_tracked;         // int64, 0-dim
};

#define WICK_NORM_LAYER(Kind, n)                                                  \
  class Kind##n##dImpl;                                                           \
  extern template class NormImplBase<Kind##Options, Kind##n##dImpl>;              \
  class Kind##n##dImpl : public NormImplBase<Kind##Options, Kind##n##dImpl> {     \
   public:                                                                        \
    using NormImplBase::NormImplBase;                                             \
    void describe(Fields& fields) const override;                                 \
    Tensor forward(const Tensor& input);                                          \
  };                                                                              \
  WICK_LAYER(Kind##n##d);
WICK_NORM_LAYER(BatchNorm, 1)
WICK_NORM_LAYER(BatchNorm, 2)
WICK_NORM_LAYER(BatchNorm, 3)
WICK_NORM_LAYER(InstanceNorm, 1)
WICK_NORM_LAYER(InstanceNorm, 2)
WICK_NORM_LAYER(InstanceNorm, 3)
#undef WICK_NORM_LAYER

class LayerNormImpl : public Cloneable<LayerNormImpl> {
 public:
  LayerNormImpl(std::vector<int64_t> normalized_shape) : LayerNormImpl(LayerNormOptions(std::move(normalized_shape))) {}
  explicit LayerNormImpl(LayerNormOptions options_) : options(std::move(options_)) { LayerNormImpl::reset(); }
  void reset() override;
  void reset_parameters();
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return wick::layer_norm(input, options.normalized_shape(), weight, bias, options.eps()); }

  LayerNormOptions options;
  Tensor weight, bias;  // normalized_shape, or undefined
};

class GroupNormImpl : public Cloneable<GroupNormImpl> {
 public:
  GroupNormImpl(int64_t num_groups, int64_t num_channels) : GroupNormImpl(GroupNormOptions(num_groups, num_channels)) {}
  explicit GroupNormImpl(const GroupNormOptions& options_);
  void reset() override;
  void reset_parameters();
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return wick::group_norm(input, options.num_groups(), weight, bias, options.eps()); }

  GroupNormOptions options;
  Tensor weight, bias;  // [num_channels], or undefined
};

WICK_LAYER(LayerNorm);
WICK_LAYER(GroupNorm);
WICK_FUNCTION_LAYER(LocalResponseNorm, (const Tensor& input), local_response_norm(input, options));
WICK_FUNCTION_LAYER(CrossMapLRN2d, (const Tensor& input), local_response_norm(input, options));

}  // namespace wick::nn
