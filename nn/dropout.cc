#include "wick/nn/dropout.h"

#include <cmath>

namespace wick::nn {
namespace {

double checked(double p) {
  WICK_CHECK_VALUE(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  return p;
}

// What selu tends to for very negative numbers is -kSaturation.
constexpr double kSaturation = 1.7580993408473766;

template <class Options>
Tensor drop(Tensor& input, const Options& options, bool channels, bool alpha, int64_t first_joined = 2) {
  const double p = checked(options.p());
  if (p == 0 || !options.training() || input.numel() == 0) return input;
  WICK_CHECK(!channels || input.dim() >= 2, "Feature dropout requires at least 2 dimensions in the input");
  Dims sizes(input.sizes());
  for (int64_t d = first_joined; channels && d < input.dim(); ++d) sizes[d] = 1;
  const Tensor kept = empty(sizes, input.options().requires_grad(false)).bernoulli_(1 - p);
  Tensor y;
  if (p == 1) {
    y = input * zeros({}, input.options().requires_grad(false));
  } else if (alpha) {
    const double a = 1 / std::sqrt((kSaturation * kSaturation * p + 1) * (1 - p));
    y = input * (kept * a) + ((kept - 1) * (kSaturation * a) + kSaturation * a * p);
  } else {
    y = input * (kept / (1 - p));
  }
  return options.inplace() ? input.copy_(y) : y;
}

}  // namespace

namespace functional {

Tensor dropout(Tensor input, const DropoutFuncOptions& options) {
  const Tensor y = wick::dropout(input, checked(options.p()), options.training());
  return options.inplace() && options.training() ? input.copy_(y) : y;
}
Tensor dropout2d(Tensor input, const Dropout2dFuncOptions& options) { return drop(input, options, true, false); }
Tensor dropout3d(Tensor x, const Dropout3dFuncOptions& options) { return drop(x, options, true, false, x.dim() == 5 ? 2 : 1); }
Tensor alpha_dropout(Tensor input, const AlphaDropoutFuncOptions& options) { return drop(input, options, false, true); }
Tensor feature_alpha_dropout(Tensor input, const FeatureAlphaDropoutFuncOptions& options) { return drop(input, options, true, true); }

}  // namespace functional

#define WICK_DROPOUT_LAYER(Name)                                                                       \
  Name##Impl::Name##Impl(const DropoutOptions& options_) : options(options_) { checked(options.p()); } \
  WICK_DEFINE_LAYER(Name, WICK_FIELD(p) WICK_FIELD(inplace))
WICK_DROPOUT_LAYER(Dropout);
WICK_DROPOUT_LAYER(Dropout2d);
WICK_DROPOUT_LAYER(Dropout3d);
WICK_DROPOUT_LAYER(AlphaDropout);
WICK_DROPOUT_LAYER(FeatureAlphaDropout);

}  // namespace wick::nn
