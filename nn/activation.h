// Activations: options, functions and modules. All work element by element (x is an element of the input), but softmax and its kin, and
// glu, along a dimension. `inplace` overwrites the input.
#pragma once

#include <optional>
#include <string>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/enum.h"

namespace wick::nn {

struct InplaceOptions {
  InplaceOptions(bool inplace = false) : inplace_(inplace) {}
  WICK_ARG(bool, inplace);
};
struct DimOptions {
  DimOptions(int64_t dim) : dim_(dim) {}
  WICK_ARG(int64_t, dim);
};
struct LambdaOptions {
  LambdaOptions(double lambda = 0.5) : lambda_(lambda) {}
  WICK_ARG(double, lambda);
};
struct AlphaOptions {
  WICK_ARG(double, alpha) = 1.0;
  WICK_ARG(bool, inplace) = false;
};
using ReLUOptions = InplaceOptions;
using ReLU6Options = InplaceOptions;
using SELUOptions = InplaceOptions;
using SoftmaxOptions = DimOptions;
using LogSoftmaxOptions = DimOptions;
using SoftminOptions = DimOptions;
using HardshrinkOptions = LambdaOptions;
using SoftshrinkOptions = LambdaOptions;
using ELUOptions = AlphaOptions;
using CELUOptions = AlphaOptions;
struct LeakyReLUOptions {
  WICK_ARG(double, negative_slope) = 1e-2;
  WICK_ARG(bool, inplace) = false;
};
struct GELUOptions {
  WICK_ARG(std::string, approximate) = "none";  // or "tanh"
};
struct SoftplusOptions {
  WICK_ARG(double, beta) = 1.0;
  WICK_ARG(double, threshold) = 20.0;  // the identity where beta x is above
};
struct HardtanhOptions {
  WICK_ARG(double, min_val) = -1.0;
  WICK_ARG(double, max_val) = 1.0;
  WICK_ARG(bool, inplace) = false;
};
struct RReLUOptions {
  WICK_ARG(double, lower) = 1.0 / 8;
  WICK_ARG(double, upper) = 1.0 / 3;
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
struct GLUOptions {
  GLUOptions(int64_t dim = -1) : dim_(dim) {}
  WICK_ARG(int64_t, dim);
};

namespace functional {

#define WICK_SAME(Name) using Name##FuncOptions = Name##Options;
WICK_SAME(ReLU) WICK_SAME(ReLU6) WICK_SAME(SELU) WICK_SAME(ELU) WICK_SAME(CELU) WICK_SAME(LeakyReLU) WICK_SAME(GELU)
WICK_SAME(Softplus) WICK_SAME(Hardtanh) WICK_SAME(Threshold) WICK_SAME(Hardshrink) WICK_SAME(Softshrink) WICK_SAME(GLU)
#undef WICK_SAME
struct SoftmaxFuncOptions {
  SoftmaxFuncOptions(int64_t dim) : dim_(dim) {}
  WICK_ARG(int64_t, dim);
  WICK_ARG(std::optional<ScalarType>, dtype) = std::nullopt;  // to which the input is converted first
};
using LogSoftmaxFuncOptions = SoftmaxFuncOptions;
using SoftminFuncOptions = SoftmaxFuncOptions;
struct RReLUFuncOptions {
  WICK_ARG(double, lower) = 1.0 / 8;
  WICK_ARG(double, upper) = 1.0 / 3;
  WICK_ARG(bool, training) = false;
  WICK_ARG(bool, inplace) = false;
};
struct GumbelSoftmaxFuncOptions {
  WICK_ARG(double, tau) = 1.0;   // the temperature
  WICK_ARG(bool, hard) = false;  // one-hot, with the gradient of the soft sample
  WICK_ARG(int, dim) = -1;
};

// max(0, x)
Tensor relu(Tensor input, const ReLUFuncOptions& options = {});
// min(max(0, x), 6)
Tensor relu6(Tensor input, const ReLU6FuncOptions& options = {});
// x where it is positive, negative_slope x elsewhere
Tensor leaky_relu(Tensor input, const LeakyReLUFuncOptions& options = {});
// x where it is positive, alpha (exp(x) - 1) elsewhere. Clevert, Unterthiner and Hochreiter, 2015.
Tensor elu(Tensor input, const ELUFuncOptions& options = {});
// 1.0507 elu(x) with alpha = 1.6733, which keeps mean 0 and variance 1. Klambauer et al., "Self-normalizing neural networks", 2017.
Tensor selu(Tensor input, const SELUFuncOptions& options = {});
// max(0, x) + min(0, alpha (exp(x / alpha) - 1)). Barron, 2017.
Tensor celu(Tensor input, const CELUFuncOptions& options = {});
// x, but min_val at least and max_val at most
Tensor hardtanh(Tensor input, const HardtanhFuncOptions& options = {});
// x where it is above threshold, value elsewhere
Tensor threshold(Tensor input, const ThresholdFuncOptions& options);
// leaky_relu with a slope for each element, U(lower, upper) in training, else their mean.
Tensor rrelu(Tensor input, const RReLUFuncOptions& options = {});
// softmax((logits + Gumbel noise) / tau): a sample of a class that can be trained through. Jang, Gu and Poole, 2017.
Tensor gumbel_softmax(const Tensor& logits, const GumbelSoftmaxFuncOptions& options = {});

// x sigmoid(x)
inline Tensor silu(const Tensor& input) { return wick::silu(input); }
// x tanh(softplus(x)). Misra, 2019.
inline Tensor mish(const Tensor& input) { return wick::mish(input); }
// -log(1 + exp(-x))
inline Tensor logsigmoid(const Tensor& input) { return log_sigmoid(input); }
// x / (1 + |x|)
inline Tensor softsign(const Tensor& input) { return input / (input.abs() + 1); }
// x - tanh(x)
inline Tensor tanhshrink(const Tensor& input) { return input - input.tanh(); }
// x Phi(x), Phi the distribution function of the normal distribution; "tanh": x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x³))). Hendrycks
// and Gimpel, 2016.
inline Tensor gelu(const Tensor& input, const GELUFuncOptions& options = {}) { return wick::gelu(input, options.approximate()); }
// log(1 + exp(beta x)) / beta, and x where beta x is above threshold
inline Tensor softplus(const Tensor& input, const SoftplusFuncOptions& options = {}) {
  return wick::softplus(input, options.beta(), options.threshold());
}
// x where |x| is above lambda, 0 elsewhere
inline Tensor hardshrink(const Tensor& input, const HardshrinkFuncOptions& o = {}) { return wick::hardshrink(input, o.lambda()); }
// x moved towards 0 by lambda, 0 where |x| is not above it
inline Tensor softshrink(const Tensor& input, const SoftshrinkFuncOptions& o = {}) { return wick::softshrink(input, o.lambda()); }
// a sigmoid(b), a and b the halves of the input along dim. Dauphin et al., 2017.
inline Tensor glu(const Tensor& input, const GLUFuncOptions& options = {}) { return wick::glu(input, options.dim()); }
// x where it is positive, weight x elsewhere; one weight, or one for each channel (dimension 1)
inline Tensor prelu(const Tensor& input, const Tensor& weight) { return wick::prelu(input, weight); }
// exp(x) / sum of exp(x) along dim; softmin the same of -x, log_softmax the logarithm
inline Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& o) { return wick::softmax(input, o.dim(), o.dtype()); }
inline Tensor softmin(const Tensor& input, const SoftminFuncOptions& o) { return wick::softmax(-input, o.dim(), o.dtype()); }
inline Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& o) { return wick::log_softmax(input, o.dim(), o.dtype()); }

}  // namespace functional

WICK_FUNCTION_LAYER(ReLU, (Tensor input), relu(std::move(input), options));
WICK_FUNCTION_LAYER(ReLU6, (Tensor input), relu6(std::move(input), options));
WICK_FUNCTION_LAYER(LeakyReLU, (Tensor input), leaky_relu(std::move(input), options));
WICK_FUNCTION_LAYER(ELU, (Tensor input), elu(std::move(input), options));
WICK_FUNCTION_LAYER(SELU, (Tensor input), selu(std::move(input), options));
WICK_FUNCTION_LAYER(CELU, (Tensor input), celu(std::move(input), options));
WICK_FUNCTION_LAYER(Threshold, (Tensor input), threshold(std::move(input), options));
WICK_FUNCTION_LAYER(GELU, (const Tensor& input), gelu(input, options));
WICK_FUNCTION_LAYER(Softplus, (const Tensor& input), softplus(input, options));
WICK_FUNCTION_LAYER(Hardshrink, (const Tensor& input), hardshrink(input, options));
WICK_FUNCTION_LAYER(Softshrink, (const Tensor& input), softshrink(input, options));
WICK_FUNCTION_LAYER(GLU, (const Tensor& input), glu(input, options));
WICK_FUNCTION_LAYER(Softmax, (const Tensor& input), softmax(input, options.dim()));
WICK_FUNCTION_LAYER(Softmin, (const Tensor& input), softmin(input, options.dim()));
WICK_FUNCTION_LAYER(LogSoftmax, (const Tensor& input), log_softmax(input, options.dim()));
WICK_FUNCTION_LAYER(RReLU, (Tensor input), rrelu(std::move(input), functional::RReLUFuncOptions().lower(options.lower())
    .upper(options.upper()).training(is_training()).inplace(options.inplace())));
WICK_PLAIN_LAYER(Sigmoid, (const Tensor& input), sigmoid(input));
WICK_PLAIN_LAYER(Tanh, (const Tensor& input), tanh(input));
WICK_PLAIN_LAYER(SiLU, (const Tensor& input), functional::silu(input));
WICK_PLAIN_LAYER(Mish, (const Tensor& input), functional::mish(input));
WICK_PLAIN_LAYER(LogSigmoid, (const Tensor& input), functional::logsigmoid(input));
WICK_PLAIN_LAYER(Softsign, (const Tensor& input), functional::softsign(input));
WICK_PLAIN_LAYER(Tanhshrink, (const Tensor& input), functional::tanhshrink(input));

// softmax over the channels of [N, C, H, W] or [C, H, W].
class Softmax2dImpl : public Cloneable<Softmax2dImpl> {
 public:
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input);
};
WICK_LAYER(Softmax2d);

class HardtanhImpl : public Cloneable<HardtanhImpl> {
 public:
  explicit HardtanhImpl(const HardtanhOptions& options_ = {}) : options(options_) { HardtanhImpl::reset(); }
  void reset() override;  // throws unless max_val is greater than min_val
  void describe(Fields& fields) const override;
  Tensor forward(Tensor input) { return functional::hardtanh(std::move(input), options); }

  HardtanhOptions options;
};
WICK_LAYER(Hardtanh);

class PReLUImpl : public Cloneable<PReLUImpl> {
 public:
  explicit PReLUImpl(const PReLUOptions& options_ = {}) : options(options_) { PReLUImpl::reset(); }
  void reset() override;
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::prelu(input, weight); }

  PReLUOptions options;
  Tensor weight;  // [num_parameters]
};
WICK_LAYER(PReLU);

}  // namespace wick::nn
