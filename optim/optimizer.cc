#include "wick/optim/optimizer.h"

#include <algorithm>
#include <array>
#include <typeinfo>
#include <unordered_set>

#include "wick/optim/detail/batch.h"

namespace wick::optim {

// ---- Options and state -------------------------------------------------------------------------------------------------------------

std::unique_ptr<OptimizerOptions> OptimizerOptions::clone() const {
  wick::detail::raise<NotImplementedError>(
      "clone() has not been implemented for torch::optim::OptimizerOptions. Subclass "
      "torch::optim::OptimizerCloneableOptions<YourOptimizerOptions> instead of torch::optim::OptimizerOptions to inherit the ability to "
      "clone optimizer options.");
}

double OptimizerOptions::get_lr() const {
  wick::detail::raise<NotImplementedError>(
      "double get_lr() has not been overidden and implemented in subclass of torch::optim::OptimizerOptions, you must override it in your "
      "subclass.");
}

void OptimizerOptions::set_lr(double) {
  wick::detail::raise<NotImplementedError>(
      "double set_lr() has not been overidden and implemented in subclass of torch::optim::OptimizerOptions, you must override it in your "
      "subclass.");
}

std::unique_ptr<OptimizerParamState> OptimizerParamState::clone() const {
  wick::detail::raise<NotImplementedError>(
      "clone() has not been implemented for torch::optim::OptimizerParamState. Subclass "
      "torch::optim::OptimizerCloneableParamState<YourOptimizerParamState> instead of torch::optim::OptimizerParamState to inherit the "
      "ability to clone optimizer param states.");
}

// ---- Parameter groups --------------------------------------------------------------------------------------------------------------

OptimizerOptions& OptimizerParamGroup::options() {
  WICK_CHECK(options_ != nullptr, "this parameter group has no options yet; an optimizer gives it its defaults");
  return *options_;
}

const OptimizerOptions& OptimizerParamGroup::options() const { return const_cast<OptimizerParamGroup*>(this)->options(); }

const Tensor& OptimizerParamGroup::numbers() {
  if (WICK_UNLIKELY(!numbers_.defined())) {
    numbers_ = empty({OptimizerOptions::kMaxNumbers}, kDouble);
    std::fill_n(numbers_.data_ptr<double>(), OptimizerOptions::kMaxNumbers, 0.0);
  }
  // The host writes, outside of any kernel: a capture must not record the values of the moment.
  double* const now = static_cast<double*>(numbers_.data_ptr());
  const bool on_cpu = params_.empty() || params_.front().is_cpu();
  if (WICK_LIKELY(on_cpu)) return options().write_numbers(now), numbers_;
  std::array<double, OptimizerOptions::kMaxNumbers> before;
  std::copy_n(now, before.size(), before.begin());
  options().write_numbers(now);
  detail::PastCapture at_once;
  NoGradGuard no_grad;
  if (!on_device_.defined() || !(on_device_.device() == params_.front().device())) on_device_ = numbers_.to(params_.front().device());
  else if (!std::equal(before.begin(), before.end(), now)) on_device_.copy_(numbers_, true);
  return on_device_;
}

// ---- Optimizer ---------------------------------------------------------------------------------------------------------------------

namespace {

using Parameters = std::unordered_set<const TensorImpl*>;

void check_new(const std::vector<OptimizerParamGroup>& groups, const std::vector<Tensor>& params) {
  Parameters known, added;
  for (const OptimizerParamGroup& group : groups) {
    for (const Tensor& param : group.params()) known.insert(param.unsafeGetTensorImpl());
  }
  for (const Tensor& param : params) {
    WICK_CHECK_TYPE(param.defined(), "optimizer can only optimize Tensors, but one of the params is an undefined tensor");
    WICK_CHECK_VALUE(param.is_leaf(), "can't optimize a non-leaf Tensor");
    WICK_CHECK_VALUE(!known.count(&param.impl()), "some parameters appear in more than one parameter group");
    WICK_CHECK_VALUE(added.insert(&param.impl()).second, "optimizer contains a parameter group with duplicate parameters\n"
                     "  A parameter of shape ", param.sizes(), " would be updated twice in each step; list it once.");
  }
}

void check_gradient(const Tensor& param, const Tensor& grad) {
  WICK_CHECK(grad.sizes() == param.sizes(), "attempting to assign a gradient of size '", grad.sizes(), "' to a tensor of size '",
             param.sizes(), "'. Please ensure that the gradient and the tensor are the same size\n  step: no parameter was changed.");
  WICK_CHECK(grad.device() == param.device(), "attempting to assign a gradient with device type '", grad.device(),
             "' to a tensor with device type '", param.device(),
             "'. Please ensure that the gradient and the tensor are on the same device\n  step: no parameter was changed.");
}

}  // namespace

Optimizer::Optimizer(const std::vector<OptimizerParamGroup>& param_groups, std::unique_ptr<OptimizerOptions> defaults)
    : defaults_(std::move(defaults)) {
  defaults_->validate();
  for (const OptimizerParamGroup& group : param_groups) add_param_group(group);
}

void Optimizer::add_param_group(const OptimizerParamGroup& param_group) {
  check_new(param_groups_, param_group.params());
  OptimizerParamGroup group(param_group);
  if (group.has_options()) {
    const OptimizerOptions &own = group.options(), &defaults = *defaults_;
    WICK_CHECK_TYPE(typeid(own) == typeid(defaults), "add_param_group: the options of the group are those of another optimizer");
    group.options().inherit(defaults);
    group.options().validate();
  } else {
    group.set_options(defaults_->clone());
  }
  param_groups_.push_back(std::move(group));
}

void Optimizer::add_parameters(const std::vector<Tensor>& parameters) {
  if (param_groups_.empty()) return add_param_group(OptimizerParamGroup(parameters));
  check_new(param_groups_, parameters);
  std::vector<Tensor>& first = param_groups_[0].params();
  first.insert(first.end(), parameters.begin(), parameters.end());
}

size_t Optimizer::size() const noexcept {
  size_t count = 0;
  for (const OptimizerParamGroup& group : param_groups_) count += group.params().size();
  return count;
}

void Optimizer::zero_grad(bool set_to_none) {
  for (OptimizerParamGroup& group : param_groups_) {
    for (const Tensor& param : group.params()) {
      autograd::AutogradRecord* const record = autograd::record_or_null(param.impl());
      if (!record || !record->grad.defined()) continue;
      if (set_to_none) {
        record->grad.reset();
      } else {
        NoGradGuard no_grad;
        Tensor(record->grad).detach_().zero_();
      }
    }
  }
}

void Optimizer::refresh_options() {
  for (OptimizerParamGroup& group : param_groups_) group.numbers();
}

Tensor Optimizer::begin_step(const LossClosure& closure) const {
  Tensor loss;
  if (closure) {
    AutoGradMode grad(true);
    loss = closure();
  }
  bool empty = true;
  for (const OptimizerParamGroup& group : param_groups_) {
    empty &= group.params().empty();
    for (const Tensor& param : group.params()) {
      if (const Tensor* grad = gradient_of(param)) check_gradient(param, *grad);
    }
  }
  WICK_CHECK_VALUE(!empty, "optimizer got an empty parameter list");
  return loss;
}

}  // namespace wick::optim
