// What all optimisers share: parameter groups with options, the state kept for each parameter, gradients set back.
//
//   optim::SGD optimizer(model->parameters(), optim::SGDOptions(0.01).momentum(0.9));
//   optimizer.zero_grad();
//   loss.backward();
//   optimizer.step();
//
// A step reads the options of a group through a buffer, OptimizerParamGroup::numbers(), as kernels must that are captured once and
// replayed: step() writes the options there first, and whoever replays a captured step after changing options calls refresh_options(),
// which LRScheduler::step() does by itself. Which options are on or off (nesterov, amsgrad, maximize, momentum at all) is part of the
// captured call.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>

#include "wick/framework/core/arg.h"
#include "wick/framework/tensor.h"
#include "wick/optim/detail/fields.h"

namespace wick::optim {

// ---- Options -----------------------------------------------------------------------------------------------------------------------

class OptimizerOptions : public NamedStruct {
 public:
  // How many numbers write_numbers() may write.
  static constexpr int kMaxNumbers = 8;

  virtual std::unique_ptr<OptimizerOptions> clone() const;
  virtual double get_lr() const;
  virtual void set_lr(double lr);
  // Throws ValueError with PyTorch's sentence for an option out of its range.
  virtual void validate() const {}
  // Takes from `defaults`, which must be of the same type, every option that still has the value it was constructed with.
  virtual void inherit(const OptimizerOptions& /*defaults*/) {}
  // The options that a kernel reads, in the order that it expects.
  virtual void write_numbers(double* /*to*/) const {}
};

// The base of Derived = XOptions, which lists its options with WICK_FIELDS; those of type double are the kernel's numbers, in that order.
template <class Derived>
class OptimizerCloneableOptions : public WithFields<Derived, OptimizerOptions> {
 public:
  double get_lr() const override;
  void set_lr(double lr) override;
  void inherit(const OptimizerOptions& defaults) override;
  void write_numbers(double* to) const override;
};

template <class Derived>
double OptimizerCloneableOptions<Derived>::get_lr() const {
  if constexpr (requires(const Derived& d) { d.lr(); }) return this->self().lr();
  else return OptimizerOptions::get_lr();
}
template <class Derived>
void OptimizerCloneableOptions<Derived>::set_lr(double lr) {
  if constexpr (requires(Derived& d) { d.lr(lr); }) this->self().lr(lr);
  else OptimizerOptions::set_lr(lr);
}
template <class Derived>
void OptimizerCloneableOptions<Derived>::inherit(const OptimizerOptions& defaults) {
  if constexpr (requires { Derived::kFields; }) {
    const Derived fresh;
    const auto take = [](auto& x, const auto& before, const auto& from) { if (x == before) x = from; };
    this->self().with_fields([&](auto&... mine) {
      fresh.with_fields([&](const auto&... initial) {
        static_cast<const Derived&>(defaults).with_fields([&](const auto&... theirs) { (take(mine, initial, theirs), ...); });
      });
    });
  }
}
template <class Derived>
void OptimizerCloneableOptions<Derived>::write_numbers(double* to) const {
  const auto write = [&]<class T>(const T& x) {
    if constexpr (std::is_same_v<T, double>) *to++ = x;
    else if constexpr (std::is_same_v<T, std::tuple<double, double>>) std::tie(to[0], to[1]) = x, to += 2;
  };
  if constexpr (requires { Derived::kFields; }) this->self().with_fields([&](const auto&... x) { (write(x), ...); });
}

// ---- State -------------------------------------------------------------------------------------------------------------------------

// What an optimiser remembers of one parameter.
class OptimizerParamState : public NamedStruct {
 public:
  virtual std::unique_ptr<OptimizerParamState> clone() const;
};
template <class Derived>
using OptimizerCloneableParamState = WithFields<Derived, OptimizerParamState>;

// What XOptions and XParamState inherit is compiled in one place: `extern` in the header, nothing in the source.
#define WICK_OPTIMIZER_STRUCTS(linkage, X)                            \
  linkage template class WithFields<X##Options, OptimizerOptions>;    \
  linkage template class OptimizerCloneableOptions<X##Options>;       \
  linkage template class WithFields<X##ParamState, OptimizerParamState>;

// By TensorImpl, unsafeGetTensorImpl() of the parameter.
using OptimizerState = std::unordered_map<void*, std::unique_ptr<OptimizerParamState>>;

// ---- Parameter groups --------------------------------------------------------------------------------------------------------------

// Parameters that are updated with the same options. Without options of its own a group takes the optimiser's defaults.
class OptimizerParamGroup {
 public:
  OptimizerParamGroup(std::vector<Tensor> params) : params_(std::move(params)) {}
  OptimizerParamGroup(std::vector<Tensor> params, std::unique_ptr<OptimizerOptions> options)
      : params_(std::move(params)), options_(std::move(options)) {}
  OptimizerParamGroup(const OptimizerParamGroup& other)
      : initial_lr(other.initial_lr), params_(other.params_), options_(other.options_ ? other.options_->clone() : nullptr) {}
  OptimizerParamGroup(OptimizerParamGroup&&) = default;
  OptimizerParamGroup& operator=(const OptimizerParamGroup&) = delete;
  OptimizerParamGroup& operator=(OptimizerParamGroup&&) noexcept = default;

  bool has_options() const { return options_ != nullptr; }
  OptimizerOptions& options();
  const OptimizerOptions& options() const;
  void set_options(std::unique_ptr<OptimizerOptions> options) { options_ = std::move(options); }
  std::vector<Tensor>& params() { return params_; }
  const std::vector<Tensor>& params() const { return params_; }

  // The learning rate that schedules begin with: the one that the group had when the first of them was made.
  std::optional<double> initial_lr;

  // The options as kernels read them, brought up to date: float64 [OptimizerOptions::kMaxNumbers] on the device of the parameters, and
  // there always the same tensor.
  const Tensor& numbers();

 private:
  std::vector<Tensor> params_;
  std::unique_ptr<OptimizerOptions> options_;
  Tensor numbers_, on_device_;  // on the CPU; its copy where the parameters are, if that is another device
};

using StateDict = std::map<std::string, IValue>;

// ---- Optimizer ---------------------------------------------------------------------------------------------------------------------

class Optimizer {
 public:
  using LossClosure = std::function<Tensor()>;

  // An optimiser without parameters may be made, to add_param_group() later, but makes no step.
  Optimizer(const std::vector<OptimizerParamGroup>& param_groups, std::unique_ptr<OptimizerOptions> defaults);
  Optimizer(std::vector<Tensor> parameters, std::unique_ptr<OptimizerOptions> defaults)
      : Optimizer(std::vector<OptimizerParamGroup>{OptimizerParamGroup(std::move(parameters))}, std::move(defaults)) {}
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer(Optimizer&&) = default;
  Optimizer& operator=(const Optimizer&) = delete;
  Optimizer& operator=(Optimizer&&) = default;

  // Updates every parameter that has a gradient; the others stay as they are, and so does their state. The closure, where there is
  // one, computes the loss and its gradients first, and its result is returned.
  virtual Tensor step(LossClosure closure = nullptr) = 0;

  // Forgets the gradients, or fills them with zeros. A parameter with a gradient of zeros is updated (by momentum, weight decay).
  void zero_grad(bool set_to_none = true);

  // Options that the group leaves as they are constructed come from the defaults. Throws ValueError, before anything is changed, for a
  // tensor that is no leaf or that is in a group already, and for options out of their range.
  void add_param_group(const OptimizerParamGroup& param_group);
  // What LibTorch keeps from before there were groups: for programs that include compat/torch/detail/first_group.h, which defines it.
  auto add_parameters(const std::vector<Tensor>& parameters);
  decltype(auto) parameters() const noexcept;
  decltype(auto) parameters() noexcept;
  auto size() const noexcept;
  OptimizerOptions& defaults() noexcept { return *defaults_; }
  const OptimizerOptions& defaults() const noexcept { return *defaults_; }
  std::vector<OptimizerParamGroup>& param_groups() noexcept { return param_groups_; }
  const std::vector<OptimizerParamGroup>& param_groups() const noexcept { return param_groups_; }
  OptimizerState& state() noexcept { return state_; }
  const OptimizerState& state() const noexcept { return state_; }

  // Writes the options to where captured steps read them. step() does it itself.
  void refresh_options();

  // Everything that a later step depends on, under Python's keys, joined by dots: "state.0.exp_avg", where 0 is the number of the
  // parameter counted over all groups; "param_groups.0.lr", "param_groups.0.params" (numbers of parameters). Tensors are not copied.
  StateDict state_dict() const;
  // Takes the state of an optimiser of the same class whose groups have as many parameters each. Values are copied, into the tensors
  // that captured steps use where these exist. Throws ValueError with PyTorch's sentences before anything is changed.
  void load_state_dict(const StateDict& dict);
  // To and from LibTorch's archives: compat/torch/serialize/archive.h defines them.
  template <class Archive>
  void save(Archive& archive) const;
  template <class Archive>
  void load(Archive& archive);

 protected:
  // Calls the closure with gradients enabled and returns its result. Throws where there is no parameter, or where a gradient does not
  // fit its parameter.
  Tensor begin_step(const LossClosure& closure) const;

  // The gradient of a parameter, or null where it has none.
  static const Tensor* gradient_of(const Tensor& param) {
    const autograd::AutogradRecord* record = autograd::record_or_null(*param.unsafeGetTensorImpl());
    return record && record->grad.defined() ? static_cast<const Tensor*>(&record->grad) : nullptr;
  }

  // The state of a parameter, made when first asked for.
  template <class State>
  State& state_of(const Tensor& param) {
    std::unique_ptr<OptimizerParamState>& entry = state_[param.unsafeGetTensorImpl()];
    if (!entry) entry = std::make_unique<State>();
    return static_cast<State&>(*entry);
  }

  // An empty state of the class that the optimiser uses.
  virtual std::unique_ptr<OptimizerParamState> new_param_state() const;

  std::vector<OptimizerParamGroup> param_groups_;
  OptimizerState state_;
  std::unique_ptr<OptimizerOptions> defaults_;
};

}  // namespace wick::optim
