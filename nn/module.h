// nn::Module: the base of everything that has parameters, as LibTorch's torch::nn::Module.
//
//     struct Net : nn::Module {
//       Net() { fc1 = register_module("fc1", nn::Linear(4, 10)); }
//       Tensor forward(Tensor x) { return fc1(x); }
//       nn::Linear fc1{nullptr};
//     };
//     auto net = std::make_shared<Net>();
//     Tensor y = nn::call(net, x);
//
// A module is a tree: it owns parameters (tensors that are trained), buffers (tensors that are not) and children (modules), each under
// a name. forward() is no part of Module and no virtual function: it takes and returns what it likes. Calling a module, by
// operator() where there is one and by nn::call, runs its hooks and forward(); see call.h and hooks.h.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wick/framework/tensor.h"
#include "wick/nn/hooks.h"
#include "wick/nn/ordered_dict.h"
#include "wick/nn/repr.h"

namespace wick::nn {

class AnyValue;
// Arguments of a forward() that may be left out: their positions, from 0, and what they are then.
using ForwardDefaults = std::vector<std::pair<unsigned, AnyValue>>;
template <class Derived>
class Cloneable;
namespace detail {
struct AnyModuleAccess;
class CloneScope;
}  // namespace detail

class Module : public std::enable_shared_from_this<Module> {
 public:
  using ModuleApplyFunction = std::function<void(Module&)>;
  using ConstModuleApplyFunction = std::function<void(const Module&)>;
  using NamedModuleApplyFunction = std::function<void(const std::string&, Module&)>;
  using ConstNamedModuleApplyFunction = std::function<void(const std::string&, const Module&)>;
  using ModulePointerApplyFunction = std::function<void(const std::shared_ptr<Module>&)>;
  using NamedModulePointerApplyFunction = std::function<void(const std::string&, const std::shared_ptr<Module>&)>;

  // The name is that of the class unless one is given.
  Module() = default;
  explicit Module(std::string name) : name_(std::move(name)) {}
  // A copy shares parameters, buffers and children with the original; clone() does not.
  Module(const Module&) = default;
  Module& operator=(const Module&) = default;
  Module(Module&&) noexcept = default;
  Module& operator=(Module&&) noexcept = default;
  virtual ~Module();

  const std::string& name() const;

  // A module with the same options and hooks, and with copies of all tensors, on `device` if one is given. Cloneable implements it;
  // here it throws.
  virtual std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const;

  // Calls `function` for this module and then for all below it, depth first. Names are paths, "encoder.fc1".
  void apply(const ModuleApplyFunction& function);
  void apply(const ConstModuleApplyFunction& function) const;
  void apply(const NamedModuleApplyFunction& function, const std::string& name_prefix = std::string());
  void apply(const ConstNamedModuleApplyFunction& function, const std::string& name_prefix = std::string()) const;
  void apply(const ModulePointerApplyFunction& function) const;
  void apply(const NamedModulePointerApplyFunction& function, const std::string& name_prefix = std::string()) const;

  // The defined tensors of this module and, with recurse, of those below. A tensor that is registered more than once counts once,
  // under its first name.
  std::vector<Tensor> parameters(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_buffers(bool recurse = true) const;

  // This module, which must then be owned by a shared_ptr, and those below it; the children alone.
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;
  OrderedDict<std::string, std::shared_ptr<Module>> named_modules(const std::string& name_prefix = std::string(),
                                                                 bool include_self = true) const;
  std::vector<std::shared_ptr<Module>> children() const { return children_.values(); }
  OrderedDict<std::string, std::shared_ptr<Module>> named_children() const { return children_; }

  // Whether layers such as Dropout behave as in training; for this module and those below.
  virtual void train(bool on = true);
  void eval() { train(false); }
  virtual bool is_training() const noexcept { return is_training_; }

  // Converts all parameters, their gradients and all buffers in place: handles to them stay valid. A buffer of integers is not made
  // floating point.
  virtual void to(Device device, ScalarType dtype, bool non_blocking = false);
  virtual void to(ScalarType dtype, bool non_blocking = false);
  virtual void to(Device device, bool non_blocking = false);

  // Makes all gradients undefined, or zero.
  virtual void zero_grad(bool set_to_none = true);

  // All parameters and buffers under their paths, sharing their memory; one that is registered twice has two entries.
  OrderedDict<std::string, Tensor> state_dict(const std::string& prefix = std::string()) const;
  // Copies the values into this module's tensors. With `strict`, throws for keys that are missing or unexpected, and in any case for
  // tensors of other shapes; the message lists them all, and nothing is changed. Returns what did not match.
  IncompatibleKeys load_state_dict(const OrderedDict<std::string, Tensor>& state_dict, bool strict = true);
  // Whether torch::save of a module above this one takes its tensors along.
  virtual bool is_serializable() const { return true; }
  // To and from LibTorch's archives: compat/torch/serialize/archive.h defines them. load() throws for a tensor that the archive lacks.
  template <class Archive>
  void save(Archive& archive) const;
  template <class Archive>
  void load(Archive& archive);

  // This module as a LinearImpl, also under the name of its holder: as<nn::Linear>(). Null if it is another.
  template <class M>
  auto* as() noexcept { return dynamic_cast<typename Unheld<M>::type*>(this); }
  template <class M>
  const auto* as() const noexcept { return dynamic_cast<const typename Unheld<M>::type*>(this); }

  // What operator<< prints of this module, without its children.
  virtual void pretty_print(std::ostream& stream) const;
  // What nn::repr prints between the parentheses, as in Python; several lines are indented like children.
  virtual std::string extra_repr() const;
  // The options that both printings show by default.
  virtual void describe(Fields& fields) const;

  // ---- Registration. Names are not empty, contain no dot, and are used once. ----
  // An undefined tensor stands for a parameter that is left out, as the bias in LinearOptions(4, 10).bias(false).
  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor& register_buffer(std::string name, Tensor tensor);
  template <class M>
  std::shared_ptr<M> register_module(std::string name, std::shared_ptr<M> module) {
    add_child(std::move(name), module);
    return module;
  }
  template <class M>
  std::shared_ptr<M> register_module(std::string name, ModuleHolder<M> holder) {
    return register_module(std::move(name), holder.ptr());
  }
  template <class M>
  std::shared_ptr<M> replace_module(const std::string& name, std::shared_ptr<M> module) {
    replace_child(name, module);
    return module;
  }
  template <class M>
  std::shared_ptr<M> replace_module(const std::string& name, ModuleHolder<M> holder) {
    return replace_module(name, holder.ptr());
  }
  void unregister_module(const std::string& name);

  // ---- Hooks (hooks.h): any callable with the parameters of the hook's type, which may also return the replacement ----
  template <class Hook>
  RemovableHandle register_forward_pre_hook(Hook hook, bool prepend = false) {
    return add_tensor_hook(&detail::HookLists::forward_pre, prepend, std::move(hook));
  }
  template <class Hook>
  RemovableHandle register_forward_hook(Hook hook, bool prepend = false) {
    return add_tensor_hook(&detail::HookLists::forward, prepend, std::move(hook));
  }
  template <class Hook>
  RemovableHandle register_full_backward_pre_hook(Hook hook, bool prepend = false) {
    return add_tensor_hook(&detail::HookLists::backward_pre, prepend, std::move(hook));
  }
  template <class Hook>
  RemovableHandle register_full_backward_hook(Hook hook, bool prepend = false) {
    return add_tensor_hook(&detail::HookLists::backward, prepend, std::move(hook));
  }
  // Before load_state_dict looks at the state: may change it. After it has compared: may change what counts as missing and unexpected.
  RemovableHandle register_load_state_dict_pre_hook(LoadPreHook hook) {
    return add_hook(&detail::HookLists::load_pre, false, std::move(hook));
  }
  RemovableHandle register_load_state_dict_post_hook(LoadPostHook hook) {
    return add_hook(&detail::HookLists::load_post, false, std::move(hook));
  }
  const detail::HookOwner& hooks() const { return hooks_; }

  // The name under which this module was last registered as a child; empty for the root of a tree.
  const std::string& name_in_parent() const { return name_in_parent_; }

 protected:
  // The default values of forward's last parameters; the macro FORWARD_HAS_DEFAULT_ARGS (any_module.h) overrides it.
  virtual ForwardDefaults forward_default_args() const;

  // For clone(): forgets all registrations, in a copy that still shares them with the original.
  void clear_registered();

  OrderedDict<std::string, Tensor> parameters_{"Parameter"};

 private:
  template <class Derived>
  friend class Cloneable;
  friend class detail::CloneScope;
  friend struct detail::AnyModuleAccess;

  template <class T>
  struct Unheld {
    using type = T;
  };
  template <class T>
    requires requires { typename T::ContainedType; }
  struct Unheld<T> {
    using type = typename T::ContainedType;
  };

  template <class Function, class Call>
  RemovableHandle add_hook(std::vector<detail::Hook<Function>> detail::HookLists::*list, bool prepend, Call call) {
    const std::shared_ptr<detail::HookTable>& table = hooks_.table();
    return RemovableHandle(table, table->add(list, Function(std::move(call)), prepend));
  }

  template <class Function, class Hook>
  RemovableHandle add_tensor_hook(std::vector<detail::Hook<Function>> detail::HookLists::*list, bool prepend, Hook hook) {
    return add_hook(list, prepend, [hook = std::move(hook)](Module& module, auto&... lists) mutable {
      detail::run_hook(hook, module, lists...);
    });
  }

  void add_child(std::string name, std::shared_ptr<Module> module);
  void replace_child(const std::string& name, std::shared_ptr<Module> module);
  void visit_state(const std::string& prefix, const std::function<void(const std::string&, const Tensor&)>& function) const;
  void run_load_hooks(const std::string& prefix, OrderedDict<std::string, Tensor>& state);
  void convert_tensors(const TensorOptions& options, bool non_blocking);
  OrderedDict<std::string, Tensor> named_tensors(OrderedDict<std::string, Tensor> Module::*list, bool recurse) const;
  std::shared_ptr<Module> shared_from_this_checked() const;
  template <class Function>
  void visit_below(const std::string& name_prefix, const Function& function) const;

  // Copies the original's registered tensors and children into this module's, which reset() made.
  void copy_registered(const Module& original, const std::optional<Device>& device);
  // Assigns a clone of `original` to this module, which is of the same class.
  virtual void assign_clone(const Module& original, const std::optional<Device>& device);

  OrderedDict<std::string, Tensor> buffers_{"Buffer"};
  OrderedDict<std::string, std::shared_ptr<Module>> children_{"Submodule"};
  detail::HookOwner hooks_;
  std::optional<std::string> name_;
  std::string name_in_parent_;
  bool is_training_ = true;
};

// Net(
//   (fc1): torch::nn::Linear(in_features=4, out_features=10, bias=true)
// )
std::ostream& operator<<(std::ostream& stream, const Module& module);

}  // namespace wick::nn
