// FusedOptimizer: the optimisers whose step is one pass over all parameters of a group.
#pragma once

#include "wick/framework/plan/optim.h"
#include "wick/optim/optimizer.h"

namespace wick::optim::detail {

// Gathers the parameters that one kernel call updates. The arguments live here and not on the stack, because clearing them for every
// step would take as long as a small step.
template <class Args>
class Batch {
 public:
  // Starts a group. The caller sets the other options in args().
  void begin(const Tensor& numbers) {
    args_.buffers[0] = numbers;
    args_.count = 0;
  }
  Args& args() { return args_; }
  // The buffers of one more parameter, of which the first is set and the others are null.
  Buffer* add(const Tensor& param);
  void finish() {
    if (args_.count > 0) run();
  }

 private:
  void run();

  Device device_{kCPU};
  int used_ = 0;  // buffers that the last call left behind
  Args args_{};
};

// The state of a parameter; a derived class lists its tensors in the order of the kernel's roles, step_ last.
template <class Derived>
class FusedParamState : public OptimizerCloneableParamState<Derived> {
 public:
  // The steps that the parameter has seen. The host waits for them where the device is another.
  int64_t step() const { return step_.defined() ? step_.template item<int64_t>() : 0; }
  Derived& step(int64_t steps) {
    step_ = full({}, steps, step_.defined() ? step_.options() : TensorOptions(kLong));
    return this->self();
  }

 protected:
  Tensor step_;  // int64, 0-dim: kernels count it up. A state without it that has tensors counts as one step old
};

// Parameters of float32 and float64 whose gradients and state have the same dtype and order of elements are updated by one kernel call
// for up to 32 of them; others one by one, through dense copies of float32 or float64.
template <class Args, class Options, class State>
class FusedOptimizer : public Optimizer {
 public:
  explicit FusedOptimizer(const std::vector<OptimizerParamGroup>& param_groups, Options defaults = {});
  explicit FusedOptimizer(std::vector<Tensor> params, Options defaults = {})
      : FusedOptimizer(std::vector<OptimizerParamGroup>{OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

  Tensor step(LossClosure closure = nullptr) override;

 private:
  std::unique_ptr<OptimizerParamState> new_param_state() const override { return std::make_unique<State>(); }

  Batch<Args> batch_;
};

}  // namespace wick::optim::detail
