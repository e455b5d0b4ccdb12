// The rarer activations: options, functions and modules. The formulas are those of PyTorch's pages of the same names. `inplace`
// overwrites the input.
#pragma once

#include "wick/nn/activation.h"

namespace wick::nn {

struct HardtanhOptions {
  WICK_ARG(double, min_val) = -1.0;
  WICK_ARG(double, max_val) = 1.0;
  WICK_ARG(bool, inplace) = false;
};
struct ReLU6Options {
  ReLU6Options(bool inplace = false) : inplace_(inplace) {}
  WICK_ARG(bool, inplace);
};
struct SELUOptions {
  SELUOptions(bool inplace = false) : inplace_(inplace) {}
  WICK_ARG(bool, inplace);
};
struct CELUOptions {
  WICK_ARG(double, alpha) = 1.0;
  WICK_ARG(bool, inplace) = false;
};
struct PReLUOptions {
  WICK_ARG(int64_t, num_parameters) = 1;  // one slope for all, or one for each channel (dimension 1)
  WICK_ARG(double, init) = 0.25;
};
struct ThresholdOptions {
  ThresholdOptions(double threshold, double value) : threshold_(threshold), value_(value) {}
  WICK_ARG(double, threshold);
  WICK_ARG(double, value);  // of the elements that do not exceed the threshold
  WICK_ARG(bool, inplace) = false;
};
struct HardshrinkOptions {
  HardshrinkOptions(double lambda = 0.5) : lambda_(lambda) {}
  WICK_ARG(double, lambda);
};
struct SoftshrinkOptions {
  SoftshrinkOptions(double lambda = 0.5) : lambda_(lambda) {}
  WICK_ARG(double, lambda);
};
struct GLUOptions {
  GLUOptions(int64_t dim = -1) : dim_(dim) {}
  WICK_ARG(int64_t, dim);
};
struct SoftminOptions {
  SoftminOptions(int64_t dim) : dim_(dim) {}
  WICK_ARG(int64_t, dim);
};

namespace functional {

using HardtanhFuncOptions = HardtanhOptions;
using ReLU6FuncOptions = ReLU6Options;
using SELUFuncOptions = SELUOptions;
using CELUFuncOptions = CELUOptions;
using ThresholdFuncOptions = ThresholdOptions;
using HardshrinkFuncOptions = HardshrinkOptions;
using SoftshrinkFuncOptions = SoftshrinkOptions;
using GLUFuncOptions = GLUOptions;
struct SoftminFuncOptions {
  SoftminFuncOptions(int64_t dim) : dim_(dim) {}
  WICK_ARG(int64_t, dim);
  WICK_ARG(std::optional<ScalarType>, dtype) = std::nullopt;
};

namespace detail {
// f(input), written over the input where that is asked for; f's backward then needs a copy of what was there.
template <class F>
Tensor maybe_inplace(Tensor input, bool inplace, const F& f) {
  return inplace ? input.copy_(f(input.clone())) : f(input);
}
}  // namespace detail

inline Tensor hardtanh(Tensor input, const HardtanhFuncOptions& options = {}) {
  WICK_CHECK(options.min_val() <= options.max_val(), "min_val cannot be greater than max_val");
  return options.inplace() ? wick::hardtanh_(input, options.min_val(), options.max_val())
                           : wick::hardtanh(input, options.min_val(), options.max_val());
}
inline Tensor relu6(Tensor input, const ReLU6FuncOptions& options = {}) {
  return options.inplace() ? input.clamp_(0, 6) : wick::relu6(input);
}
inline Tensor selu(Tensor input, const SELUFuncOptions& options = {}) {
  return detail::maybe_inplace(std::move(input), options.inplace(), [](const Tensor& x) { return wick::selu(x); });
}
inline Tensor celu(Tensor input, const CELUFuncOptions& options = {}) {
  return detail::maybe_inplace(std::move(input), options.inplace(), [&](const Tensor& x) { return wick::celu(x, options.alpha()); });
}
inline Tensor threshold(Tensor input, const ThresholdFuncOptions& options) {
  return detail::maybe_inplace(std::move(input), options.inplace(),
                               [&](const Tensor& x) { return wick::threshold(x, options.threshold(), options.value()); });
}
inline Tensor prelu(const Tensor& input, const Tensor& weight) { return wick::prelu(input, weight); }
inline Tensor hardshrink(const Tensor& input, const HardshrinkFuncOptions& options = {}) {
  return wick::hardshrink(input, options.lambda());
}
inline Tensor softshrink(const Tensor& input, const SoftshrinkFuncOptions& options = {}) {
  return wick::softshrink(input, options.lambda());
}
inline Tensor glu(const Tensor& input, const GLUFuncOptions& options = {}) { return wick::glu(input, options.dim()); }
inline Tensor mish(const Tensor& input) { return wick::mish(input); }
inline Tensor softsign(const Tensor& input) { return input / (input.abs() + 1); }
inline Tensor tanhshrink(const Tensor& input) { return input - input.tanh(); }
inline Tensor softmin(const Tensor& input, const SoftminFuncOptions& options) {
  return wick::softmax(-input, options.dim(), options.dtype());
}

}  // namespace functional

// A layer that calls the function of its name with its options.
#define WICK_ACTIVATION(Name, Options, function)                               \
  class Name##Impl : public Cloneable<Name##Impl> {                                          \
   public:                                                                                   \
    explicit Name##Impl(const Options& options_ = {}) : options(options_) {}                 \
    void describe(Fields& fields) const override;                                            \
    Tensor forward(const Tensor& input) { return functional::function(input, options); }     \
                                                                                             \
    Options options;                                                                         \
  }
#define WICK_PLAIN_ACTIVATION(Name, function)                                                \
  class Name##Impl : public Cloneable<Name##Impl> {                                          \
   public:                                                                                   \
    void describe(Fields& fields) const override;                                            \
    Tensor forward(const Tensor& input) { return functional::function(input); }              \
  }

WICK_ACTIVATION(Hardtanh, HardtanhOptions, hardtanh);
WICK_ACTIVATION(ReLU6, ReLU6Options, relu6);
WICK_ACTIVATION(SELU, SELUOptions, selu);
WICK_ACTIVATION(CELU, CELUOptions, celu);
WICK_ACTIVATION(Hardshrink, HardshrinkOptions, hardshrink);
WICK_ACTIVATION(Softshrink, SoftshrinkOptions, softshrink);
WICK_ACTIVATION(GLU, GLUOptions, glu);
WICK_PLAIN_ACTIVATION(Mish, mish);
WICK_PLAIN_ACTIVATION(Softsign, softsign);
WICK_PLAIN_ACTIVATION(Tanhshrink, tanhshrink);

#undef WICK_ACTIVATION
#undef WICK_PLAIN_ACTIVATION

class ThresholdImpl : public Cloneable<ThresholdImpl> {
 public:
  ThresholdImpl(double threshold, double value) : ThresholdImpl(ThresholdOptions(threshold, value)) {}
  explicit ThresholdImpl(const ThresholdOptions& options_) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::threshold(input, options); }

  ThresholdOptions options;
};

class SoftminImpl : public Cloneable<SoftminImpl> {
 public:
  explicit SoftminImpl(int64_t dim) : SoftminImpl(SoftminOptions(dim)) {}
  explicit SoftminImpl(const SoftminOptions& options_) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::softmin(input, options.dim()); }

  SoftminOptions options;
};

// softmax over the channels of [N, C, H, W] or [C, H, W].
class Softmax2dImpl : public Cloneable<Softmax2dImpl> {
 public:
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input);
};

class PReLUImpl : public Cloneable<PReLUImpl> {
 public:
  explicit PReLUImpl(const PReLUOptions& options_ = {});
  void reset() override;
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::prelu(input, weight); }

  PReLUOptions options;
  Tensor weight;  // [num_parameters]
};

WICK_LAYER(Hardtanh);
WICK_LAYER(ReLU6);
WICK_LAYER(SELU);
WICK_LAYER(CELU);
WICK_LAYER(Threshold);
WICK_LAYER(Hardshrink);
WICK_LAYER(Softshrink);
WICK_LAYER(GLU);
WICK_LAYER(Mish);
WICK_LAYER(Softsign);
WICK_LAYER(Tanhshrink);
WICK_LAYER(Softmin);
WICK_LAYER(Softmax2d);
WICK_LAYER(PReLU);

}  // namespace wick::nn
