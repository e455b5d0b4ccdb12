// RMSprop: gradients divided by a running root mean square.
#pragma once

#include "wick/optim/detail/fused.h"

namespace wick::optim {

struct RMSpropOptions : OptimizerCloneableOptions<RMSpropOptions> {
  RMSpropOptions(double lr = 1e-2) : lr_(lr) {}
  WICK_ARG(double, lr);
  WICK_ARG(double, alpha) = 0.99;
  WICK_ARG(double, eps) = 1e-8;
  WICK_ARG(double, weight_decay) = 0;
  WICK_ARG(double, momentum) = 0;
  WICK_ARG(bool, centered) = false;
  WICK_ARG(bool, maximize) = false;
  WICK_FIELDS(lr_, alpha_, eps_, weight_decay_, momentum_, centered_, maximize_)

  void validate() const override;
};

class RMSpropParamState : public detail::FusedParamState<RMSpropParamState> {
  WICK_ARG(Tensor, square_avg);
  WICK_ARG(Tensor, grad_avg);         // undefined unless centered
  WICK_ARG(Tensor, momentum_buffer);  // undefined without momentum
  WICK_FIELDS(square_avg_, grad_avg_, momentum_buffer_, step_)
};

// Hinton, Neural networks for machine learning, lecture 6. With g = gradient + weight_decay p (the gradient negated if maximize), for
// each parameter p that has a gradient:
//   v = alpha v + (1 - alpha) g^2;  d = g / (sqrt(v) + eps);  p -= lr d, with momentum b = momentum b + d;  p -= lr b
// If centered, v less the square of the running mean of g takes the place of v in d (Graves, Generating sequences with recurrent neural
// networks, 2013).
WICK_OPTIMIZER_STRUCTS(extern, RMSprop)
extern template class detail::FusedOptimizer<RmspropArgs, RMSpropOptions, RMSpropParamState>;
using RMSprop = detail::FusedOptimizer<RmspropArgs, RMSpropOptions, RMSpropParamState>;

}  // namespace wick::optim
