#include "wick/nn/activation.h"

#include "wick/nn/init.h"

namespace wick::nn {
namespace functional {

// f(input), written over the input where that is asked for; f's backward then needs a copy of what was there.
template <class F>
static Tensor maybe_inplace(Tensor& input, bool inplace, const F& f) { return inplace ? input.copy_(f(input.clone())) : f(input); }

Tensor relu(Tensor input, const ReLUFuncOptions& options) { return options.inplace() ? relu_(input) : wick::relu(input); }
Tensor relu6(Tensor input, const ReLU6FuncOptions& options) { return options.inplace() ? input.clamp_(0, 6) : wick::relu6(input); }
Tensor leaky_relu(Tensor input, const LeakyReLUFuncOptions& options) {
  return options.inplace() ? leaky_relu_(input, options.negative_slope()) : wick::leaky_relu(input, options.negative_slope());
}
Tensor elu(Tensor input, const ELUFuncOptions& options) {
  return maybe_inplace(input, options.inplace(), [&](const Tensor& x) { return wick::elu(x, options.alpha()); });
}
Tensor selu(Tensor input, const SELUFuncOptions& options) {
  return maybe_inplace(input, options.inplace(), [](const Tensor& x) { return wick::selu(x); });
}
Tensor celu(Tensor input, const CELUFuncOptions& options) {
  return maybe_inplace(input, options.inplace(), [&](const Tensor& x) { return wick::celu(x, options.alpha()); });
}
Tensor hardtanh(Tensor input, const HardtanhFuncOptions& options) {
  WICK_CHECK(options.min_val() <= options.max_val(), "min_val cannot be greater than max_val");
  return options.inplace() ? wick::hardtanh_(input, options.min_val(), options.max_val())
                           : wick::hardtanh(input, options.min_val(), options.max_val());
}
Tensor threshold(Tensor input, const ThresholdFuncOptions& options) {
  return maybe_inplace(input, options.inplace(),
                       [&](const Tensor& x) { return wick::threshold(x, options.threshold(), options.value()); });
}
Tensor rrelu(Tensor input, const RReLUFuncOptions& options) {
  WICK_CHECK(options.lower() <= options.upper(), "Lower bound should be less than or equal to the upper bound");
  return maybe_inplace(input, options.inplace(), [&](const Tensor& x) {
    if (!options.training()) return wick::leaky_relu(x, (options.lower() + options.upper()) / 2);
    const Tensor falls = x.detach().le(0);
    if (!x.is_cpu()) return where(falls, x * empty_like(x.detach()).uniform_(options.lower(), options.upper()), x);
    // As PyTorch draws there: in double, and for these elements alone.
    const Tensor slopes = empty({falls.sum().item<int64_t>()}, kDouble).uniform_(options.lower(), options.upper());
    return x * ones_like(x.detach()).masked_scatter(falls, slopes.to(x.scalar_type()));
  });
}
Tensor gumbel_softmax(const Tensor& logits, const GumbelSoftmaxFuncOptions& options) {
  const Tensor gumbels = -empty_like(logits.detach()).exponential_().log();
  const Tensor soft = ((logits + gumbels) / options.tau()).softmax(options.dim());
  if (!options.hard()) return soft;
  const Tensor index = std::get<1>(soft.max(options.dim(), /*keepdim=*/true));
  return zeros_like(soft.detach()).scatter_(options.dim(), index, 1.0) - soft.detach() + soft;
}

}  // namespace functional

WICK_DEFINE_LAYER(ReLU, WICK_FLAG(inplace));
WICK_DEFINE_LAYER(ReLU6, WICK_FLAG(inplace));
WICK_DEFINE_LAYER(LeakyReLU, WICK_FIELD(negative_slope) WICK_FLAG(inplace));
WICK_DEFINE_LAYER(ELU, WICK_FIELD(alpha) WICK_FLAG(inplace));
WICK_DEFINE_LAYER(SELU, WICK_FLAG(inplace));
WICK_DEFINE_LAYER(CELU, WICK_FIELD(alpha) WICK_FLAG(inplace));
WICK_DEFINE_LAYER(Hardtanh, WICK_FIELD(min_val) WICK_FIELD(max_val) WICK_FLAG(inplace));
WICK_DEFINE_LAYER(Threshold, WICK_FIELD(threshold) WICK_FIELD(value) WICK_FLAG(inplace));
WICK_DEFINE_LAYER(Softplus, WICK_FIELD(beta) WICK_FIELD(threshold));
WICK_DEFINE_LAYER(Hardshrink, .add("", options.lambda()));
WICK_DEFINE_LAYER(Softshrink, .add("", options.lambda()));
WICK_DEFINE_LAYER(GLU, WICK_FIELD(dim));
WICK_DEFINE_LAYER(Softmax, WICK_FIELD(dim));
WICK_DEFINE_LAYER(Softmin, WICK_FIELD(dim));
WICK_DEFINE_LAYER(LogSoftmax, WICK_FIELD(dim));
WICK_DEFINE_LAYER(RReLU, WICK_FIELD(lower) WICK_FIELD(upper) WICK_FLAG(inplace));
WICK_DEFINE_LAYER(PReLU, WICK_FIELD(num_parameters));
WICK_DEFINE_LAYER(Sigmoid); WICK_DEFINE_LAYER(Tanh); WICK_DEFINE_LAYER(SiLU); WICK_DEFINE_LAYER(Mish); WICK_DEFINE_LAYER(LogSigmoid);
WICK_DEFINE_LAYER(Softsign); WICK_DEFINE_LAYER(Tanhshrink); WICK_DEFINE_LAYER(Softmax2d);
WICK_LAYER_DEFINITION(GELU);

void GELUImpl::describe(Fields& fields) const {
  fields.layer("GELU");
  if (fields.is_python()) fields.add("approximate", options.approximate());
}

Tensor Softmax2dImpl::forward(const Tensor& input) {
  WICK_CHECK(input.dim() == 4 || input.dim() == 3, "Softmax2d requires a 3D or 4D tensor as input");
  return functional::softmax(input, -3);
}

void HardtanhImpl::reset() { WICK_CHECK(options.max_val() > options.min_val(), "max_val must be greater than min_val"); }

void PReLUImpl::reset() {
  weight = register_parameter("weight", empty({options.num_parameters()}));
  init::constant_(weight, options.init());
}

}  // namespace wick::nn
