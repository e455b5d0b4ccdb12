// Stochastic gradient descent, with momentum or Nesterov's.
#pragma once

#include "wick/optim/detail/fused.h"

namespace wick::optim {

struct SGDOptions : OptimizerCloneableOptions<SGDOptions> {
  SGDOptions(double lr = 1e-3) : lr_(lr) {}
  WICK_ARG(double, lr);
  WICK_ARG(double, momentum) = 0;
  WICK_ARG(double, dampening) = 0;
  WICK_ARG(double, weight_decay) = 0;
  WICK_ARG(bool, nesterov) = false;
  WICK_ARG(bool, maximize) = false;
  WICK_FIELDS(lr_, momentum_, dampening_, weight_decay_, nesterov_, maximize_)

  void validate() const override;
};

class SGDParamState : public detail::FusedParamState<SGDParamState> {
  WICK_ARG(Tensor, momentum_buffer);
  WICK_FIELDS(momentum_buffer_, step_)
};

// With g = gradient + weight_decay p (the gradient negated if maximize), for each parameter p that has a gradient:
//   b = momentum b + (1 - dampening) g, but b = g in the first step;  p -= lr b, with nesterov p -= lr (g + momentum b)
// Without momentum, p -= lr g. (Sutskever et al., On the importance of initialization and momentum in deep learning, 2013, in the form
// of torch.optim.SGD, which multiplies lr onto the velocity.)
WICK_OPTIMIZER_STRUCTS(extern, SGD)
extern template class detail::FusedOptimizer<SgdArgs, SGDOptions, SGDParamState>;
using SGD = detail::FusedOptimizer<SgdArgs, SGDOptions, SGDParamState>;

}  // namespace wick::optim
