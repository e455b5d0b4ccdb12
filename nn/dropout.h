// Dropout and its kin: options, functions and modules. In training each sets elements, or whole channels, to zero (alpha dropout: to the
// least value of selu) with probability p, and scales the others so that mean (and variance) stay; else it is the identity.
#pragma once

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"

namespace wick::nn {

struct DropoutOptions {
  DropoutOptions(double p = 0.5) : p_(p) {}
  WICK_ARG(double, p);
  WICK_ARG(bool, inplace) = false;
};
using Dropout2dOptions = DropoutOptions;
using Dropout3dOptions = DropoutOptions;
using AlphaDropoutOptions = DropoutOptions;
using FeatureAlphaDropoutOptions = DropoutOptions;

namespace functional {

struct DropoutFuncOptions {
  WICK_ARG(double, p) = 0.5;
  WICK_ARG(bool, training) = true;
  WICK_ARG(bool, inplace) = false;
};
using Dropout2dFuncOptions = DropoutFuncOptions;
using Dropout3dFuncOptions = DropoutFuncOptions;
struct AlphaDropoutFuncOptions {
  WICK_ARG(double, p) = 0.5;
  WICK_ARG(bool, training) = false;
  WICK_ARG(bool, inplace) = false;
};
using FeatureAlphaDropoutFuncOptions = AlphaDropoutFuncOptions;

// Elements. Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting", 2014.
Tensor dropout(Tensor input, const DropoutFuncOptions& options = {});
// Channels: the planes behind the first two dimensions; in dropout3d, unless there are five, behind the first.
Tensor dropout2d(Tensor input, const Dropout2dFuncOptions& options = {});
Tensor dropout3d(Tensor input, const Dropout3dFuncOptions& options = {});
// Elements, or channels, for networks of selu. Klambauer et al., "Self-normalizing neural networks", 2017.
Tensor alpha_dropout(Tensor input, const AlphaDropoutFuncOptions& options = {});
Tensor feature_alpha_dropout(Tensor input, const FeatureAlphaDropoutFuncOptions& options = {});

}  // namespace functional

#define WICK_DROPOUT_LAYER(Name, function)                                                                                     \
  class Name##Impl : public Cloneable<Name##Impl> {                                                                            \
   public:                                                                                                                     \
    explicit Name##Impl(double p) : Name##Impl(DropoutOptions(p)) {}                                                           \
    explicit Name##Impl(const DropoutOptions& options_ = {});                                                                  \
    void describe(Fields& fields) const override;                                                                              \
    Tensor forward(Tensor input) {                                                                                             \
      return functional::function(std::move(input), functional::Name##FuncOptions().p(options.p()).training(is_training())     \
                                                        .inplace(options.inplace()));                                          \
    }                                                                                                                          \
                                                                                                                               \
    DropoutOptions options;                                                                                                    \
  };                                                                                                                           \
  WICK_LAYER(Name)
WICK_DROPOUT_LAYER(Dropout, dropout);
WICK_DROPOUT_LAYER(Dropout2d, dropout2d);
WICK_DROPOUT_LAYER(Dropout3d, dropout3d);
WICK_DROPOUT_LAYER(AlphaDropout, alpha_dropout);
WICK_DROPOUT_LAYER(FeatureAlphaDropout, feature_alpha_dropout);
#undef WICK_DROPOUT_LAYER

}  // namespace wick::nn
