// Adam, with weight decay as part of the gradient (Adam) or apart from it (AdamW).
#pragma once

#include "wick/optim/detail/batch.h"
#include "wick/optim/optimizer.h"

namespace wick::optim {

struct AdamOptions : OptimizerCloneableOptions<AdamOptions> {
  using betas_t = std::tuple<double, double>;

  AdamOptions(double lr = 1e-3) : lr_(lr) {}
  WICK_ARG(double, lr);
  WICK_ARG(betas_t, betas) = {0.9, 0.999};
  WICK_ARG(double, eps) = 1e-8;
  WICK_ARG(double, weight_decay) = 0;
  WICK_ARG(bool, amsgrad) = false;
  WICK_ARG(bool, maximize) = false;

 public:
  static auto fields() {
    return std::tuple(&AdamOptions::lr_, &AdamOptions::betas_, &AdamOptions::eps_, &AdamOptions::weight_decay_, &AdamOptions::amsgrad_,
                      &AdamOptions::maximize_);
  }
  void validate() const override;
  void write_numbers(double* to) const override;
};

struct AdamWOptions : OptimizerCloneableOptions<AdamWOptions> {
  using betas_t = std::tuple<double, double>;

  AdamWOptions(double lr = 1e-3) : lr_(lr) {}
  WICK_ARG(double, lr);
  WICK_ARG(betas_t, betas) = {0.9, 0.999};
  WICK_ARG(double, eps) = 1e-8;
  WICK_ARG(double, weight_decay) = 1e-2;
  WICK_ARG(bool, amsgrad) = false;
  WICK_ARG(bool, maximize) = false;

 public:
  static auto fields() {
    return std::tuple(&AdamWOptions::lr_, &AdamWOptions::betas_, &AdamWOptions::eps_, &AdamWOptions::weight_decay_,
                      &AdamWOptions::amsgrad_, &AdamWOptions::maximize_);
  }
  void validate() const override;
  void write_numbers(double* to) const override;
};

namespace detail {

// The state of a parameter, without what makes it clonable.
class AdamState : public OptimizerParamState {
  WICK_ARG(Tensor, exp_avg);
  WICK_ARG(Tensor, exp_avg_sq);
  WICK_ARG(Tensor, max_exp_avg_sq);  // undefined without amsgrad
  WICK_ARG(Tensor, step_tensor);     // int64, 0-dim: kernels count it up

 public:
  // The steps that the parameter has seen. The host waits for them where the device is another.
  int64_t step() const { return step_tensor_.defined() ? step_tensor_.item<int64_t>() : 0; }
};

// Both optimisers: State is theirs, Options too, and they differ in where the weight decay goes.
template <class Options, class State, bool decoupled_decay>
class AdamOptimizer : public Optimizer {
 public:
  explicit AdamOptimizer(const std::vector<OptimizerParamGroup>& param_groups, Options defaults = {})
      : Optimizer(param_groups, std::make_unique<Options>(std::move(defaults))), batch_(adam_kernel) {}
  explicit AdamOptimizer(std::vector<Tensor> params, Options defaults = {})
      : AdamOptimizer(std::vector<OptimizerParamGroup>{OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

  Tensor step(LossClosure closure = nullptr) override;

 private:
  void update(OptimizerParamGroup& group);

  Batch<AdamArgs> batch_;
};

}  // namespace detail

struct AdamParamState : detail::AdamState {
  std::unique_ptr<OptimizerParamState> clone() const override { return std::make_unique<AdamParamState>(*this); }
};
struct AdamWParamState : detail::AdamState {
  std::unique_ptr<OptimizerParamState> clone() const override { return std::make_unique<AdamWParamState>(*this); }
};

extern template class detail::AdamOptimizer<AdamOptions, AdamParamState, false>;
extern template class detail::AdamOptimizer<AdamWOptions, AdamWParamState, true>;

// Kingma and Ba, Adam: a method for stochastic optimization, 2015. With g = gradient + weight_decay p (the gradient negated if
// maximize), for each parameter p that has a gradient, in its t-th step:
//   m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2;  p -= lr m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + eps)
// With amsgrad the largest v so far takes the place of v in the last formula (Reddi et al., On the convergence of Adam and beyond, 2018).
class Adam : public detail::AdamOptimizer<AdamOptions, AdamParamState, false> {
 public:
  using AdamOptimizer::AdamOptimizer;
};

// Loshchilov and Hutter, Decoupled weight decay regularization, 2019: as Adam, but the decay is no part of g; each step begins with
// p *= 1 - lr weight_decay.
class AdamW : public detail::AdamOptimizer<AdamWOptions, AdamWParamState, true> {
 public:
  using AdamOptimizer::AdamOptimizer;
};

}  // namespace wick::optim
