// Adagrad: each element's rate falls with the gradients that it has seen.
#pragma once

#include "wick/optim/detail/fused.h"

namespace wick::optim {

struct AdagradOptions : OptimizerCloneableOptions<AdagradOptions> {
  AdagradOptions(double lr = 1e-2) : lr_(lr) {}
  WICK_ARG(double, lr);
  WICK_ARG(double, lr_decay) = 0;
  WICK_ARG(double, weight_decay) = 0;
  WICK_ARG(double, initial_accumulator_value) = 0;
  WICK_ARG(double, eps) = 1e-10;
  WICK_ARG(bool, maximize) = false;
  WICK_FIELDS(lr_, lr_decay_, weight_decay_, initial_accumulator_value_, eps_, maximize_)

  void validate() const override;
};

class AdagradParamState : public detail::FusedParamState<AdagradParamState> {
  WICK_ARG(Tensor, sum);
  WICK_FIELDS(sum_, step_)
};

// Duchi, Hazan and Singer, Adaptive subgradient methods, 2011. With g = gradient + weight_decay p (the gradient negated if maximize),
// for each parameter p that has a gradient, in its t-th step:
//   s += g^2;  p -= lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps)
// s begins with initial_accumulator_value; the parameters that the optimiser is made with have their state from the start.
WICK_OPTIMIZER_STRUCTS(extern, Adagrad)
extern template class detail::FusedOptimizer<AdagradArgs, AdagradOptions, AdagradParamState>;
using Adagrad = detail::FusedOptimizer<AdagradArgs, AdagradOptions, AdagradParamState>;

}  // namespace wick::optim
