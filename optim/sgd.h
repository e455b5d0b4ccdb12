// Stochastic gradient descent, with momentum or Nesterov's.
#pragma once

#include "wick/optim/detail/batch.h"
#include "wick/optim/optimizer.h"

namespace wick::optim {

struct SGDOptions : OptimizerCloneableOptions<SGDOptions> {
  SGDOptions(double lr = 1e-3) : lr_(lr) {}
  WICK_ARG(double, lr);
  WICK_ARG(double, momentum) = 0;
  WICK_ARG(double, dampening) = 0;
  WICK_ARG(double, weight_decay) = 0;
  WICK_ARG(bool, nesterov) = false;
  WICK_ARG(bool, maximize) = false;

 public:
  static auto fields() {
    return std::tuple(&SGDOptions::lr_, &SGDOptions::momentum_, &SGDOptions::dampening_, &SGDOptions::weight_decay_,
                      &SGDOptions::nesterov_, &SGDOptions::maximize_);
  }
  void validate() const override;
  void write_numbers(double* to) const override;
};

class SGDParamState : public OptimizerCloneableParamState<SGDParamState> {
  WICK_ARG(Tensor, momentum_buffer);
  // How many gradients have gone into momentum_buffer: int64, 0-dim. A buffer without it counts as one that has been used.
  WICK_ARG(Tensor, step);
};

// With g = gradient + weight_decay p (the gradient negated if maximize), for each parameter p that has a gradient:
//   b = momentum b + (1 - dampening) g, but b = g in the first step;  p -= lr b, with nesterov p -= lr (g + momentum b)
// Without momentum, p -= lr g. (Sutskever et al., On the importance of initialization and momentum in deep learning, 2013, in the form
// of torch.optim.SGD, which multiplies lr onto the velocity.)
//
// Parameters of float32 and float64 whose gradients have the same dtype are updated by one kernel call for up to 32 of them, others one
// by one by tensor operations.
class SGD : public Optimizer {
 public:
  explicit SGD(const std::vector<OptimizerParamGroup>& param_groups, SGDOptions defaults = {});
  explicit SGD(std::vector<Tensor> params, SGDOptions defaults = {})
      : SGD(std::vector<OptimizerParamGroup>{OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

  Tensor step(LossClosure closure = nullptr) override;

 private:
  void update(OptimizerParamGroup& group);
  SGDParamState& momentum_of(const Tensor& param);

  detail::Batch<SgdArgs> batch_;
};

}  // namespace wick::optim
