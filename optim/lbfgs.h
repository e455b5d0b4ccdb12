// L-BFGS: Newton's direction from the last gradients and steps, with or without a line search.
#pragma once

#include "wick/optim/optimizer.h"

namespace wick::optim {

struct LBFGSOptions : OptimizerCloneableOptions<LBFGSOptions> {
  LBFGSOptions(double lr = 1) : lr_(lr) {}
  WICK_ARG(double, lr);
  WICK_ARG(int64_t, max_iter) = 20;                  // iterations in one step()
  WICK_ARG(std::optional<int64_t>, max_eval);        // calls of the closure in one step(); default: 5 max_iter / 4
  WICK_ARG(double, tolerance_grad) = 1e-7;           // a step ends where no element of the gradient is larger,
  WICK_ARG(double, tolerance_change) = 1e-9;         // or neither the parameters nor the loss change by more
  WICK_ARG(int64_t, history_size) = 100;
  WICK_ARG(std::optional<std::string>, line_search_fn);  // "strong_wolfe"; default: each iteration goes as far as lr says
  WICK_ARG(bool, maximize) = false;
  WICK_FIELDS(lr_, max_iter_, max_eval_, tolerance_grad_, tolerance_change_, history_size_, line_search_fn_, maximize_)

  void validate() const override;
};

// Kept with the first parameter, for all of them as one long vector.
class LBFGSParamState : public OptimizerCloneableParamState<LBFGSParamState> {
  WICK_ARG(int64_t, func_evals) = 0;
  WICK_ARG(int64_t, n_iter) = 0;
  WICK_ARG(double, t) = 0;
  WICK_ARG(double, prev_loss) = 0;
  WICK_ARG(Tensor, d);
  WICK_ARG(Tensor, H_diag);
  WICK_ARG(Tensor, prev_flat_grad);
  WICK_ARG(std::deque<Tensor>, old_dirs);
  WICK_ARG(std::deque<Tensor>, old_stps);
  WICK_ARG(std::deque<Tensor>, ro);
  WICK_ARG(std::optional<std::vector<Tensor>>, al);  // what the last direction was made with
  WICK_FIELDS(func_evals_, n_iter_, t_, prev_loss_, d_, H_diag_, prev_flat_grad_, old_dirs_, old_stps_, ro_)
};

WICK_OPTIMIZER_STRUCTS(extern, LBFGS)

// Nocedal and Wright, Numerical optimization, 2006, algorithms 7.4 and 3.5, as in minFunc and torch.optim.LBFGS. The closure, which a
// step needs, is called several times; each time it must set the gradients back, compute the loss and its gradients. The host waits for
// the loss: a step cannot be captured. One parameter group only.
class LBFGS : public Optimizer {
 public:
  explicit LBFGS(const std::vector<OptimizerParamGroup>& param_groups, LBFGSOptions defaults = {});
  explicit LBFGS(std::vector<Tensor> params, LBFGSOptions defaults = {})
      : LBFGS(std::vector<OptimizerParamGroup>{OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

  Tensor step(LossClosure closure) override;

 private:
  std::unique_ptr<OptimizerParamState> new_param_state() const override;
  Tensor flat_gradient(bool negated) const;
};

}  // namespace wick::optim
