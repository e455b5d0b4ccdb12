#include "wick/optim/optimizer.h"

#include <algorithm>
#include <array>
#include <typeinfo>
#include <unordered_set>


namespace wick::optim {

// ---- Options and state -------------------------------------------------------------------------------------------------------------

namespace {

[[noreturn]] void no_clone(const std::string& base, const char* cloneable, const char* what) {
  wick::detail::raise<NotImplementedError>("clone() has not been implemented for torch::optim::", base, ". Subclass torch::optim::",
                                           cloneable, " instead of torch::optim::", base, " to inherit the ability to clone ", what, ".");
}

[[noreturn]] void no_lr(const char* what) {
  wick::detail::raise<NotImplementedError>(what, " has not been overidden and implemented in subclass of torch::optim::OptimizerOptions, "
                                           "you must override it in your subclass.");
}

}  // namespace

std::unique_ptr<OptimizerOptions> OptimizerOptions::clone() const {
  no_clone("OptimizerOptions", "OptimizerCloneableOptions<YourOptimizerOptions>", "optimizer options");
}
double OptimizerOptions::get_lr() const { no_lr("double get_lr()"); }
void OptimizerOptions::set_lr(double) { no_lr("double set_lr()"); }
std::unique_ptr<OptimizerParamState> OptimizerParamState::clone() const {
  no_clone("OptimizerParamState", "OptimizerCloneableParamState<YourOptimizerParamState>", "optimizer param states");
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
  PastCapture at_once;
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
    WICK_CHECK_VALUE(
        param.is_leaf(),
        "can't optimize a non-leaf Tensor\n  Give it the tensor that requires a gradient itself, not what was computed from it.");
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

std::string group_prefix(size_t group) { return "param_groups." + std::to_string(group) + '.'; }

// f(rest of the key, value) for every key that begins with the prefix.
template <class F>
void for_keys(const StateDict& dict, const std::string& prefix, const F& f) {
  for (auto it = dict.lower_bound(prefix); it != dict.end() && it->first.compare(0, prefix.size(), prefix) == 0; ++it) {
    f(it->first.substr(prefix.size()), it->second);
  }
}

// A loaded value as a copy that suits the parameter. Others write the number of steps as a plain number, or as float32.
IValue fitted(const std::string& name, const IValue& value, const Tensor& param) {
  const auto copy = [&](const Tensor& x) {
    const bool casts = is_floating(x.scalar_type()) && is_floating(param.scalar_type());
    return x.detach().to(param.device(), name == "step" ? kLong : casts ? param.scalar_type() : x.scalar_type(), false, true);
  };
  if (name == "step" && value.isScalar()) return copy(full({}, value.toScalar(), TensorOptions(kLong)));
  if (value.isTensor()) return copy(value.toTensor());
  if (!value.isTensorList()) return value;
  std::vector<Tensor> list = value.toTensorVector();
  for (Tensor& x : list) x = copy(x);
  return list;
}

// Gives `state` the tensors of the one that it replaces, with the new values.
void keep_tensors(const OptimizerParamState& replaced, OptimizerParamState& state) {
  const NamedValues fresh = state.values(), old = replaced.values();
  for (size_t i = 0; i < fresh.size(); ++i) {
    if (!fresh[i].second.isTensor() || !fresh[i].second.toTensor().defined()) continue;
    const Tensor &from = fresh[i].second.toTensor(), &to = old[i].second.toTensor();
    if (to.defined() && to.sizes() == from.sizes() && to.device() == from.device()) state.set_value(fresh[i].first, to.copy_(from));
  }
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

void Optimizer::zero_grad(bool set_to_none) {
  NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_) {
    for (const Tensor& param : group.params()) {
      autograd::AutogradRecord* const record = autograd::record_or_null(param.impl());
      if (!record || !record->grad.defined()) continue;
      if (set_to_none) record->grad.reset();
      else Tensor(record->grad).detach_().zero_();
    }
  }
}

void Optimizer::refresh_options() {
  for (OptimizerParamGroup& group : param_groups_) group.numbers();
}

std::unique_ptr<OptimizerParamState> Optimizer::new_param_state() const {
  wick::detail::raise<NotImplementedError>("load_state_dict: this optimizer does not define new_param_state()");
}

StateDict Optimizer::state_dict() const {
  StateDict dict;
  int64_t number = 0;
  for (size_t g = 0; g < param_groups_.size(); ++g) {
    const OptimizerParamGroup& group = param_groups_[g];
    std::vector<int64_t> numbers;
    for (const Tensor& param : group.params()) {
      numbers.push_back(number++);
      const auto state = state_.find(param.unsafeGetTensorImpl());
      if (state == state_.end()) continue;
      for (auto& [name, value] : state->second->values()) {
        const bool missing = value.isNone() || (value.isTensor() && !value.toTensor().defined());
        if (!missing) dict[wick::detail::concat("state.", number - 1, ".", name)] = std::move(value);
      }
    }
    const std::string prefix = group_prefix(g);
    for (auto& [name, value] : group.options().values()) dict[prefix + name] = std::move(value);
    if (group.initial_lr) dict[prefix + "initial_lr"] = *group.initial_lr;
    dict[prefix + "params"] = std::move(numbers);
  }
  return dict;
}

void Optimizer::load_state_dict(const StateDict& dict) {
  size_t count = 0;
  while (dict.count(group_prefix(count) + "params")) ++count;
  WICK_CHECK_VALUE(count == param_groups_.size(), "loaded state dict has a different number of parameter groups");
  std::vector<std::unique_ptr<OptimizerOptions>> options;
  std::vector<std::pair<Tensor, std::unique_ptr<OptimizerParamState>>> states;
  for (size_t g = 0; g < count; ++g) {
    const std::vector<Tensor>& params = param_groups_[g].params();
    const std::vector<int64_t>& numbers = dict.at(group_prefix(g) + "params").toIntVector();
    WICK_CHECK_VALUE(numbers.size() == params.size(),
                     "loaded state dict contains a parameter group that doesn't match the size of optimizer's group");
    options.push_back(param_groups_[g].options().clone());
    for_keys(dict, group_prefix(g), [&](const std::string& name, const IValue& value) { options.back()->set_value(name, value); });
    options.back()->validate();
    for (size_t i = 0; i < params.size(); ++i) {
      std::unique_ptr<OptimizerParamState> state;
      for_keys(dict, wick::detail::concat("state.", numbers[i], "."), [&](const std::string& name, const IValue& value) {
        if (!state) state = new_param_state();
        WICK_CHECK_VALUE(state->set_value(name, fitted(name, value, params[i])) || !value.isTensor(), "loaded state dict has a state '",
                         name, "' of a parameter, which this optimizer does not keep\n  It was saved by an optimizer of another kind.");
      });
      if (state) states.emplace_back(params[i], std::move(state));
    }
  }
  NoGradGuard no_grad;
  OptimizerState before = std::exchange(state_, OptimizerState());
  for (auto& [param, state] : states) {
    const auto old = before.find(param.unsafeGetTensorImpl());
    if (old != before.end()) keep_tensors(*old->second, *state);
    state_[param.unsafeGetTensorImpl()] = std::move(state);
  }
  for (size_t g = 0; g < count; ++g) {
    param_groups_[g].set_options(std::move(options[g]));
    if (const auto at = dict.find(group_prefix(g) + "initial_lr"); at != dict.end()) param_groups_[g].initial_lr = at->second.toDouble();
  }
  refresh_options();
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
  WICK_CHECK_VALUE(!empty, "optimizer got an empty parameter list\n"
                   "  A module lists what was registered: fc = register_module(\"fc\", nn::Linear(4, 3)).");
  return loss;
}

}  // namespace wick::optim
