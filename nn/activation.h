// Activations: options, functions and modules. The formulas are those of PyTorch's pages of the same names; all work element by
// element, softmax and log_softmax along a dimension. `inplace` overwrites the input.
#pragma once

#include <optional>
#include <string>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/enum.h"

namespace wick::nn {

struct ReLUOptions {
  ReLUOptions(bool inplace = false) : inplace_(inplace) {}
  WICK_ARG(bool, inplace);
};
struct LeakyReLUOptions {
  WICK_ARG(double, negative_slope) = 1e-2;
  WICK_ARG(bool, inplace) = false;
};
struct ELUOptions {
  WICK_ARG(double, alpha) = 1.0;
  WICK_ARG(bool, inplace) = false;
};
struct GELUOptions {
  WICK_ARG(std::string, approximate) = "none";  // or "tanh"
};
struct SoftplusOptions {
  WICK_ARG(double, beta) = 1.0;
  WICK_ARG(double, threshold) = 20.0;  // the identity where beta x is above
};
struct SoftmaxOptions {
  SoftmaxOptions(int64_t dim) : dim_(dim) {}
  WICK_ARG(int64_t, dim);
};
struct LogSoftmaxOptions {
  LogSoftmaxOptions(int64_t dim) : dim_(dim) {}
  WICK_ARG(int64_t, dim);
};

namespace functional {

using ReLUFuncOptions = ReLUOptions;
using LeakyReLUFuncOptions = LeakyReLUOptions;
using ELUFuncOptions = ELUOptions;
using GELUFuncOptions = GELUOptions;
using SoftplusFuncOptions = SoftplusOptions;
struct SoftmaxFuncOptions {
  SoftmaxFuncOptions(int64_t dim) : dim_(dim) {}
  WICK_ARG(int64_t, dim);
  WICK_ARG(std::optional<ScalarType>, dtype) = std::nullopt;  // to which the input is converted first
};
struct LogSoftmaxFuncOptions {
  LogSoftmaxFuncOptions(int64_t dim) : dim_(dim) {}
  WICK_ARG(int64_t, dim);
  WICK_ARG(std::optional<ScalarType>, dtype) = std::nullopt;
};

inline Tensor relu(Tensor input, const ReLUFuncOptions& options = {}) { return options.inplace() ? relu_(input) : wick::relu(input); }
inline Tensor leaky_relu(Tensor input, const LeakyReLUFuncOptions& options = {}) {
  return options.inplace() ? leaky_relu_(input, options.negative_slope()) : wick::leaky_relu(input, options.negative_slope());
}
inline Tensor elu(Tensor input, const ELUFuncOptions& options = {}) {
  // Backward needs the input, which copy_ overwrites.
  return options.inplace() ? input.copy_(wick::elu(input.clone(), options.alpha())) : wick::elu(input, options.alpha());
}
inline Tensor silu(const Tensor& input) { return wick::silu(input); }
inline Tensor gelu(const Tensor& input, const GELUFuncOptions& options = {}) { return wick::gelu(input, options.approximate()); }
inline Tensor softplus(const Tensor& input, const SoftplusFuncOptions& options = {}) {
  return wick::softplus(input, options.beta(), options.threshold());
}
inline Tensor logsigmoid(const Tensor& input) { return log_sigmoid(input); }
inline Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& options) {
  return wick::softmax(input, options.dim(), options.dtype());
}
inline Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& options) {
  return wick::log_softmax(input, options.dim(), options.dtype());
}

}  // namespace functional

class ReLUImpl : public Cloneable<ReLUImpl> {
 public:
  explicit ReLUImpl(const ReLUOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(Tensor input) { return functional::relu(std::move(input), options); }

  ReLUOptions options;
};

class LeakyReLUImpl : public Cloneable<LeakyReLUImpl> {
 public:
  explicit LeakyReLUImpl(const LeakyReLUOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(Tensor input) { return functional::leaky_relu(std::move(input), options); }

  LeakyReLUOptions options;
};

class ELUImpl : public Cloneable<ELUImpl> {
 public:
  explicit ELUImpl(const ELUOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(Tensor input) { return functional::elu(std::move(input), options); }

  ELUOptions options;
};

class GELUImpl : public Cloneable<GELUImpl> {
 public:
  explicit GELUImpl(GELUOptions options_ = {}) : options(std::move(options_)) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::gelu(input, options); }

  GELUOptions options;
};

class SoftplusImpl : public Cloneable<SoftplusImpl> {
 public:
  explicit SoftplusImpl(const SoftplusOptions& options_ = {}) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::softplus(input, options); }

  SoftplusOptions options;
};

class SoftmaxImpl : public Cloneable<SoftmaxImpl> {
 public:
  explicit SoftmaxImpl(int64_t dim) : SoftmaxImpl(SoftmaxOptions(dim)) {}
  explicit SoftmaxImpl(const SoftmaxOptions& options_) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::softmax(input, options.dim()); }

  SoftmaxOptions options;
};

class LogSoftmaxImpl : public Cloneable<LogSoftmaxImpl> {
 public:
  explicit LogSoftmaxImpl(int64_t dim) : LogSoftmaxImpl(LogSoftmaxOptions(dim)) {}
  explicit LogSoftmaxImpl(const LogSoftmaxOptions& options_) : options(options_) {}
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::log_softmax(input, options.dim()); }

  LogSoftmaxOptions options;
};

class SigmoidImpl : public Cloneable<SigmoidImpl> {
 public:
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return sigmoid(input); }
};

class TanhImpl : public Cloneable<TanhImpl> {
 public:
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return tanh(input); }
};

class SiLUImpl : public Cloneable<SiLUImpl> {
 public:
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::silu(input); }
};

class LogSigmoidImpl : public Cloneable<LogSigmoidImpl> {
 public:
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input) { return functional::logsigmoid(input); }
};

WICK_LAYER(ReLU);
WICK_LAYER(LeakyReLU);
WICK_LAYER(ELU);
WICK_LAYER(GELU);
WICK_LAYER(Softplus);
WICK_LAYER(Softmax);
WICK_LAYER(LogSoftmax);
WICK_LAYER(Sigmoid);
WICK_LAYER(Tanh);
WICK_LAYER(SiLU);
WICK_LAYER(LogSigmoid);

}  // namespace wick::nn
