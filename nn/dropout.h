// Dropout: options, function and module.
#pragma once

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"

namespace wick::nn {

struct DropoutOptions {
  DropoutOptions(double p = 0.5) : p_(p) {}
  WICK_ARG(double, p);
  WICK_ARG(bool, inplace) = false;
};

namespace functional {

struct DropoutFuncOptions {
  WICK_ARG(double, p) = 0.5;
  WICK_ARG(bool, training) = true;
  WICK_ARG(bool, inplace) = false;
};

// In training, sets each element to zero with probability p and multiplies the others by 1 / (1 - p), so that the mean stays; else the
// identity. Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting", 2014.
inline Tensor dropout(Tensor input, const DropoutFuncOptions& options = {}) {
  const double p = options.p();
  WICK_CHECK_VALUE(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  Tensor y = wick::dropout(input, p, options.training());
  return options.inplace() && options.training() ? input.copy_(y) : y;
}

}  // namespace functional

class DropoutImpl : public Cloneable<DropoutImpl> {
 public:
  explicit DropoutImpl(double p) : DropoutImpl(DropoutOptions(p)) {}
  explicit DropoutImpl(const DropoutOptions& options_ = {});
  void describe(Fields& fields) const override;
  Tensor forward(Tensor input);

  DropoutOptions options;
};

WICK_LAYER(Dropout);

}  // namespace wick::nn
