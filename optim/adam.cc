#include "wick/optim/adam.h"

namespace wick::optim {
namespace {

template <class Options>
void validate_adam(const Options& options) {
  const auto [beta1, beta2] = options.betas();
  WICK_CHECK_VALUE(options.lr() >= 0, "Invalid learning rate: ", options.lr());
  WICK_CHECK_VALUE(options.eps() >= 0, "Invalid epsilon value: ", options.eps());
  WICK_CHECK_VALUE(beta1 >= 0 && beta1 < 1, "Invalid beta parameter at index 0: ", beta1);
  WICK_CHECK_VALUE(beta2 >= 0 && beta2 < 1, "Invalid beta parameter at index 1: ", beta2);
  WICK_CHECK_VALUE(options.weight_decay() >= 0, "Invalid weight_decay value: ", options.weight_decay());
}

template <class Options>
void write_adam(const Options& options, double* to) {
  to[AdamArgs::kLr] = options.lr();
  std::tie(to[AdamArgs::kBeta1], to[AdamArgs::kBeta2]) = options.betas();
  to[AdamArgs::kEps] = options.eps();
  to[AdamArgs::kWeightDecay] = options.weight_decay();
}

// The kernel's formula in operations, for any dtype and layout.
void update_by_operations(const Tensor& param, const Tensor& grad, const detail::AdamState& state, const AdamArgs& flags, bool decays,
                          const Tensor& numbers) {
  const Tensor lr = detail::number(numbers, AdamArgs::kLr), decay = detail::number(numbers, AdamArgs::kWeightDecay);
  const Tensor beta1 = detail::number(numbers, AdamArgs::kBeta1), beta2 = detail::number(numbers, AdamArgs::kBeta2);
  state.step_tensor().add_(1);
  Tensor g = flags.maximize ? -grad : grad;
  if (decays && flags.decoupled_decay) param.mul_(1 - lr * decay);
  if (decays && !flags.decoupled_decay) g = g + param * decay;
  state.exp_avg().mul_(beta1).add_(g * (1 - beta1));
  state.exp_avg_sq().mul_(beta2).add_(g * g * (1 - beta2));
  Tensor v = state.exp_avg_sq();
  if (state.max_exp_avg_sq().defined()) v = state.max_exp_avg_sq().copy_(maximum(state.max_exp_avg_sq(), v));
  const Tensor step_size = lr / (1 - beta1.pow(state.step_tensor())), second_root = (1 - beta2.pow(state.step_tensor())).sqrt();
  param.sub_(state.exp_avg() * step_size / (v.sqrt() / second_root + detail::number(numbers, AdamArgs::kEps)));
}

void prepare_state(detail::AdamState& state, const Tensor& param, bool amsgrad) {
  if (!state.exp_avg().defined()) state.exp_avg(detail::new_state(param));
  if (!state.exp_avg_sq().defined()) state.exp_avg_sq(detail::new_state(param));
  if (amsgrad && !state.max_exp_avg_sq().defined()) state.max_exp_avg_sq(detail::new_state(param));
  if (!state.step_tensor().defined()) state.step_tensor(detail::new_step(param, 0));
}

}  // namespace

void AdamOptions::validate() const { validate_adam(*this); }
void AdamOptions::write_numbers(double* to) const { write_adam(*this, to); }
void AdamWOptions::validate() const { validate_adam(*this); }
void AdamWOptions::write_numbers(double* to) const { write_adam(*this, to); }

namespace detail {

template <class Options, class State, bool decoupled_decay>
Tensor AdamOptimizer<Options, State, decoupled_decay>::step(LossClosure closure) {
  Tensor loss = begin_step(closure);
  NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_) update(group);
  return loss;
}

template <class Options, class State, bool decoupled_decay>
void AdamOptimizer<Options, State, decoupled_decay>::update(OptimizerParamGroup& group) {
  const auto& options = static_cast<const Options&>(group.options());
  const Tensor& numbers = group.numbers();
  batch_.begin(numbers);
  batch_.args().decoupled_decay = decoupled_decay;
  batch_.args().maximize = options.maximize();
  for (const Tensor& param : group.params()) {
    const Tensor* const grad = gradient_of(param);
    if (!grad) continue;
    State& state = state_of<State>(param);
    prepare_state(state, param, options.amsgrad());
    const Tensor largest = options.amsgrad() ? state.max_exp_avg_sq() : Tensor();
    if (!fits_kernel(param, *grad, state.exp_avg(), state.exp_avg_sq(), largest)) {
      update_by_operations(param, *grad, state, batch_.args(), options.weight_decay() != 0, numbers);
      continue;
    }
    Buffer* const tensor = batch_.add(param);
    tensor[AdamArgs::kGrad] = *grad;
    tensor[AdamArgs::kExpAvg] = state.exp_avg();
    tensor[AdamArgs::kExpAvgSq] = state.exp_avg_sq();
    if (options.amsgrad()) tensor[AdamArgs::kMaxExpAvgSq] = largest;
    tensor[AdamArgs::kStep] = state.step_tensor();
    param.impl().bump_version();
  }
  batch_.finish();
}

}  // namespace detail

template class detail::AdamOptimizer<AdamOptions, AdamParamState, false>;
template class detail::AdamOptimizer<AdamWOptions, AdamWParamState, true>;

}  // namespace wick::optim
