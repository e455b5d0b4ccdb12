// Adam, with weight decay as part of the gradient (Adam) or apart from it (AdamW).
#pragma once

#include "wick/optim/detail/fused.h"

namespace wick::optim {
namespace detail {

template <bool decoupled_decay>
struct AdamOptions : OptimizerCloneableOptions<AdamOptions<decoupled_decay>> {
  using betas_t = std::tuple<double, double>;

  AdamOptions(double lr = 1e-3) : lr_(lr) {}
  WICK_ARG(double, lr);
  WICK_ARG(betas_t, betas) = {0.9, 0.999};
  WICK_ARG(double, eps) = 1e-8;
  WICK_ARG(double, weight_decay) = decoupled_decay ? 1e-2 : 0;
  WICK_ARG(bool, amsgrad) = false;
  WICK_ARG(bool, maximize) = false;
  WICK_FIELDS(lr_, betas_, eps_, weight_decay_, amsgrad_, maximize_)

  void validate() const override;
};

template <bool decoupled_decay>
class AdamParamState : public FusedParamState<AdamParamState<decoupled_decay>> {
  WICK_ARG(Tensor, exp_avg);
  WICK_ARG(Tensor, exp_avg_sq);
  WICK_ARG(Tensor, max_exp_avg_sq);  // undefined without amsgrad
  using FusedParamState<AdamParamState>::step_;
  WICK_FIELDS(exp_avg_, exp_avg_sq_, max_exp_avg_sq_, step_)
};

}  // namespace detail

using AdamOptions = detail::AdamOptions<false>;
using AdamWOptions = detail::AdamOptions<true>;
using AdamParamState = detail::AdamParamState<false>;
using AdamWParamState = detail::AdamParamState<true>;
WICK_OPTIMIZER_STRUCTS(extern, Adam)
WICK_OPTIMIZER_STRUCTS(extern, AdamW)
extern template class detail::FusedOptimizer<AdamArgs, AdamOptions, AdamParamState>;
extern template class detail::FusedOptimizer<AdamArgs, AdamWOptions, AdamWParamState>;

// Kingma and Ba, Adam: a method for stochastic optimization, 2015. With g = gradient + weight_decay p (the gradient negated if
// maximize), for each parameter p that has a gradient, in its t-th step:
//   m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2;  p -= lr m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + eps)
// With amsgrad the largest v so far takes the place of v in the last formula (Reddi et al., On the convergence of Adam and beyond, 2018).
using Adam = detail::FusedOptimizer<AdamArgs, AdamOptions, AdamParamState>;

// Loshchilov and Hutter, Decoupled weight decay regularization, 2019: as Adam, but the decay is no part of g; each step begins with
// p *= 1 - lr weight_decay.
using AdamW = detail::FusedOptimizer<AdamArgs, AdamWOptions, AdamWParamState>;

}  // namespace wick::optim
