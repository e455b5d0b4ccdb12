#include <array>

#include "wick/optim/adagrad.h"
#include "wick/optim/adam.h"
#include "wick/optim/rmsprop.h"
#include "wick/optim/sgd.h"

namespace wick::optim {

// ---- Options -----------------------------------------------------------------------------------------------------------------------

static void check_not_negative(std::initializer_list<std::pair<const char*, double>> options) {
  for (const auto& [name, value] : options) WICK_CHECK_VALUE(value >= 0, "Invalid ", name, ": ", value);
}

void SGDOptions::validate() const {
  check_not_negative({{"learning rate", lr_}, {"momentum value", momentum_}, {"weight_decay value", weight_decay_}});
  WICK_CHECK_VALUE(!nesterov_ || (momentum_ > 0 && dampening_ == 0), "Nesterov momentum requires a momentum and zero dampening");
}

template <bool decoupled_decay>
void detail::AdamOptions<decoupled_decay>::validate() const {
  check_not_negative({{"learning rate", lr_}, {"epsilon value", eps_}, {"weight_decay value", weight_decay_}});
  const double betas[] = {std::get<0>(betas_), std::get<1>(betas_)};
  for (int i : {0, 1}) WICK_CHECK_VALUE(betas[i] >= 0 && betas[i] < 1, "Invalid beta parameter at index ", i, ": ", betas[i]);
}
template struct detail::AdamOptions<false>;
template struct detail::AdamOptions<true>;

void AdagradOptions::validate() const {
  check_not_negative({{"learning rate", lr_}, {"lr_decay value", lr_decay_}, {"weight_decay value", weight_decay_},
                      {"initial_accumulator_value value", initial_accumulator_value_}, {"epsilon value", eps_}});
}

void RMSpropOptions::validate() const {
  check_not_negative({{"learning rate", lr_}, {"epsilon value", eps_}, {"momentum value", momentum_},
                      {"weight_decay value", weight_decay_}, {"alpha value", alpha_}});
}

namespace {

// ---- What distinguishes the optimisers ---------------------------------------------------------------------------------------------

const KernelInfo& kernel_of(const SgdArgs&) { return sgd_kernel; }
const KernelInfo& kernel_of(const AdamArgs&) { return adam_kernel; }
const KernelInfo& kernel_of(const AdagradArgs&) { return adagrad_kernel; }
const KernelInfo& kernel_of(const RmspropArgs&) { return rmsprop_kernel; }

// Each sets the flags of a call, and returns which tensors of the state it needs: bit i for the i-th of the state's list.
unsigned prepare_call(SgdArgs& args, const SGDOptions& options) {
  args.nesterov = options.nesterov();
  return options.momentum() != 0 ? 0b11 : 0;
}
template <bool decoupled_decay>
unsigned prepare_call(AdamArgs& args, const detail::AdamOptions<decoupled_decay>& options) {
  args.decoupled_decay = decoupled_decay;
  return options.amsgrad() ? 0b1111 : 0b1011;
}
unsigned prepare_call(AdagradArgs&, const AdagradOptions&) { return 0b11; }
unsigned prepare_call(RmspropArgs&, const RMSpropOptions& options) {
  return 0b1001 | (options.centered() ? 0b10 : 0) | (options.momentum() > 0 ? 0b100 : 0);
}

template <class Options>
double initial_value(const Options&) { return 0; }
double initial_value(const AdagradOptions& options) { return options.initial_accumulator_value(); }

// ---- State -------------------------------------------------------------------------------------------------------------------------

template <class State>
auto tensors_of(State& state) {
  return state.with_fields([](auto&... x) { return std::array{&x...}; });
}

// Makes the tensors that are needed and not there yet.
template <size_t n>
void make_state(const std::array<Tensor*, n>& tensors, unsigned needed, const Tensor& param, double value) {
  const bool is_new = !tensors[0]->defined();
  for (size_t i = 0; i < n; ++i) {
    if (WICK_LIKELY(tensors[i]->defined()) || !(needed >> i & 1)) continue;
    PastCapture at_once;
    if (i + 1 < n) *tensors[i] = full_like(param, value);
    else *tensors[i] = full({}, is_new ? 0 : 1, TensorOptions(kLong).device(param.device()));
  }
}

bool same_dense_layout(const TensorBase& a, const TensorBase& b) {
  return a.sizes() == b.sizes() && a.strides() == b.strides() && a.is_non_overlapping_and_dense();
}

// Whether x has the dtype, the device and the order of elements of the parameter.
WICK_INLINE bool matches(const TensorBase& param, const TensorBase& x) {
  const TensorImpl &a = param.impl(), &b = x.impl();
  if (a.dtype != b.dtype || a.device != b.device || a.numel != b.numel) return false;
  return WICK_LIKELY(a.has(TensorImpl::kContiguous) && b.has(TensorImpl::kContiguous)) || same_dense_layout(param, x);
}

}  // namespace

// ---- The step ----------------------------------------------------------------------------------------------------------------------

namespace detail {

template <class Args>
Buffer* Batch<Args>::add(const Tensor& param) {
  const TensorImpl& impl = param.impl();
  if (WICK_UNLIKELY(args_.count > 0 && (args_.count == kTensorsPerCall || impl.dtype != args_.dtype || impl.device != device_))) run();
  args_.dtype = impl.dtype;
  device_ = impl.device;
  args_.numel[args_.count] = impl.numel;
  Buffer* const tensor = args_.tensor(args_.count++);
  tensor[0] = param;
  for (int role = 1; role < Args::kNumRoles; ++role) tensor[role] = nullptr;
  return tensor;
}

template <class Args>
void Batch<Args>::run() {
  for (int t = args_.count; t < used_; ++t) {
    for (int role = 0; role < Args::kNumRoles; ++role) args_.tensor(t)[role] = nullptr;
  }
  used_ = args_.count;
  WICK_CHECK(args_.buffers[0].storage->device == device_, "the parameters of one group must be on one device");
  launch(kernel_of(args_), device_, args_);
  args_.count = 0;
}

// Updates a parameter that does not fit the kernel through copies that do.
template <class Args, size_t n>
void update_copies(Batch<Args>& batch, const Tensor& param, const Tensor& grad, const std::array<Tensor*, n>& state, unsigned needed) {
  const ScalarType dtype = param.scalar_type() == kDouble ? kDouble : kFloat;
  WICK_CHECK_NOT_IMPLEMENTED(is_floating(param.scalar_type()), "optimizer: no update for parameters of dtype ",
                             dtype_name(param.scalar_type()));
  const auto dense = [&](const Tensor& x) {
    WICK_CHECK(x.sizes() == param.sizes(), "optimizer: the state of a parameter of shape ", param.sizes(), " has shape ", x.sizes());
    return x.to(dtype).contiguous();
  };
  const Tensor p = dense(param), g = dense(grad);
  std::array<Tensor, n> copies;
  for (size_t i = 0; i < n; ++i) {
    if (needed >> i & 1) copies[i] = i + 1 < n ? dense(*state[i]) : *state[i];
  }
  Buffer* const tensor = batch.add(p);
  tensor[1] = g;
  for (size_t i = 0; i < n; ++i) {
    if (needed >> i & 1) tensor[2 + i] = copies[i];
  }
  batch.finish();
  param.copy_(p);
  for (size_t i = 0; i + 1 < n; ++i) {
    if (needed >> i & 1) state[i]->copy_(copies[i]);
  }
}

template <class Args, class Options, class State>
FusedOptimizer<Args, Options, State>::FusedOptimizer(const std::vector<OptimizerParamGroup>& param_groups, Options defaults)
    : Optimizer(param_groups, std::make_unique<Options>(std::move(defaults))) {
  if constexpr (std::is_same_v<Options, AdagradOptions>) {
    for (const OptimizerParamGroup& group : param_groups_) {
      const double value = initial_value(static_cast<const Options&>(group.options()));
      for (const Tensor& param : group.params()) make_state(tensors_of(state_of<State>(param)), 0b11, param, value);
    }
  }
}

template <class Args, class Options, class State>
Tensor FusedOptimizer<Args, Options, State>::step(LossClosure closure) {
  Tensor loss = begin_step(closure);
  NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_) {
    const auto& options = static_cast<const Options&>(group.options());
    batch_.begin(group.numbers());
    batch_.args().maximize = options.maximize();
    const unsigned needed = prepare_call(batch_.args(), options);
    for (const Tensor& param : group.params()) {
      const Tensor* const grad = gradient_of(param);
      if (!grad) continue;
      decltype(tensors_of(std::declval<State&>())) state{};
      if (needed) {
        state = tensors_of(state_of<State>(param));
        make_state(state, needed, param, initial_value(options));
      }
      bool fits = (param.scalar_type() == kFloat || param.scalar_type() == kDouble) && matches(param, *grad);
      for (size_t i = 0; i + 1 < state.size(); ++i) fits = fits && (!(needed >> i & 1) || matches(param, *state[i]));
      if (WICK_UNLIKELY(!fits)) {
        update_copies(batch_, param, *grad, state, needed);
        continue;
      }
      Buffer* const tensor = batch_.add(param);
      tensor[1] = *grad;
      for (size_t i = 0; i < state.size(); ++i) {
        if (needed >> i & 1) tensor[2 + i] = *state[i];
      }
      param.impl().bump_version();
    }
    batch_.finish();
  }
  return loss;
}

template class FusedOptimizer<SgdArgs, SGDOptions, SGDParamState>;
template class FusedOptimizer<AdamArgs, optim::AdamOptions, optim::AdamParamState>;
template class FusedOptimizer<AdamArgs, AdamWOptions, AdamWParamState>;
template class FusedOptimizer<AdagradArgs, AdagradOptions, AdagradParamState>;
template class FusedOptimizer<RmspropArgs, RMSpropOptions, RMSpropParamState>;

}  // namespace detail

WICK_OPTIMIZER_STRUCTS(, SGD)
WICK_OPTIMIZER_STRUCTS(, Adam)
WICK_OPTIMIZER_STRUCTS(, AdamW)
WICK_OPTIMIZER_STRUCTS(, Adagrad)
WICK_OPTIMIZER_STRUCTS(, RMSprop)

}  // namespace wick::optim
