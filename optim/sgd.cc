#include "wick/optim/sgd.h"

namespace wick::optim {

void SGDOptions::validate() const {
  WICK_CHECK_VALUE(lr_ >= 0, "Invalid learning rate: ", lr_);
  WICK_CHECK_VALUE(momentum_ >= 0, "Invalid momentum value: ", momentum_);
  WICK_CHECK_VALUE(weight_decay_ >= 0, "Invalid weight_decay value: ", weight_decay_);
  WICK_CHECK_VALUE(!nesterov_ || (momentum_ > 0 && dampening_ == 0), "Nesterov momentum requires a momentum and zero dampening");
}

void SGDOptions::write_numbers(double* to) const {
  to[SgdArgs::kLr] = lr_;
  to[SgdArgs::kMomentum] = momentum_;
  to[SgdArgs::kDampening] = dampening_;
  to[SgdArgs::kWeightDecay] = weight_decay_;
}

namespace {

// The kernel's formula in operations, for any dtype and layout.
void update_by_operations(const Tensor& param, const Tensor& grad, const SGDParamState* state, const SGDOptions& options,
                          const Tensor& numbers) {
  Tensor g = options.maximize() ? -grad : grad;
  if (options.weight_decay() != 0) g = g + param * detail::number(numbers, SgdArgs::kWeightDecay);
  if (state) {
    const Tensor momentum = detail::number(numbers, SgdArgs::kMomentum), &buffer = state->momentum_buffer();
    const Tensor dampening = detail::number(numbers, SgdArgs::kDampening) * (state->step() > 0);
    buffer.mul_(momentum).add_(g * (1 - dampening));
    state->step().add_(1);
    g = options.nesterov() ? g + buffer * momentum : buffer;
  }
  param.sub_(g * detail::number(numbers, SgdArgs::kLr));
}

}  // namespace

SGD::SGD(const std::vector<OptimizerParamGroup>& param_groups, SGDOptions defaults)
    : Optimizer(param_groups, std::make_unique<SGDOptions>(std::move(defaults))), batch_(sgd_kernel) {}

Tensor SGD::step(LossClosure closure) {
  Tensor loss = begin_step(closure);
  NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_) update(group);
  return loss;
}

SGDParamState& SGD::momentum_of(const Tensor& param) {
  auto& state = state_of<SGDParamState>(param);
  const bool is_new = !state.momentum_buffer().defined();
  if (is_new) state.momentum_buffer(detail::new_state(param));
  if (is_new || !state.step().defined()) state.step(detail::new_step(param, is_new ? 0 : 1));
  return state;
}

void SGD::update(OptimizerParamGroup& group) {
  const auto& options = static_cast<const SGDOptions&>(group.options());
  const Tensor& numbers = group.numbers();
  batch_.begin(numbers);
  batch_.args().nesterov = options.nesterov();
  batch_.args().maximize = options.maximize();
  for (const Tensor& param : group.params()) {
    const Tensor* const grad = gradient_of(param);
    if (!grad) continue;
    const SGDParamState* const state = options.momentum() != 0 ? &momentum_of(param) : nullptr;
    if (!detail::fits_kernel(param, *grad) || (state && !detail::fits_kernel(param, state->momentum_buffer()))) {
      update_by_operations(param, *grad, state, options, numbers);
      continue;
    }
    Buffer* const tensor = batch_.add(param);
    tensor[SgdArgs::kGrad] = *grad;
    if (state) {
      tensor[SgdArgs::kMomentumBuffer] = state->momentum_buffer();
      tensor[SgdArgs::kStep] = state->step();
    }
    param.impl().bump_version();
  }
  batch_.finish();
}

}  // namespace wick::optim
