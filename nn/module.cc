#include "wick/nn/module.h"

#include <ostream>
#include <unordered_set>

#include "wick/framework/core/warning.h"
#include "wick/nn/any_module.h"
#include "wick/nn/type_name.h"

namespace wick::nn {
namespace {

std::string join(const std::string& prefix, const std::string& name) { return prefix.empty() ? name : prefix + '.' + name; }

void check_name(const char* kind, const std::string& name) {
  WICK_CHECK(!name.empty(), kind, " name must not be empty");
  WICK_CHECK(name.find('.') == std::string::npos, kind, " name must not contain a dot (got '", name, "')");
}

// The other kinds of what a module has; what has the same kind and name is refused by its list.
template <class A, class B>
void check_unused(const std::string& name, const A& a, const B& b) {
  WICK_CHECK(!a.contains(name) && !b.contains(name), "attribute '", name,
             "' already exists\n  Parameters, buffers and submodules of a module share their names, under which they are saved.");
}

void check_child(const std::string& name, const std::shared_ptr<Module>& module, const Module& parent) {
  WICK_CHECK(module, "Submodule '", name, "' must not be null");
  WICK_CHECK(module.get() != &parent, "Submodule '", name, "' must not be the module itself");
}

using TensorDict = OrderedDict<std::string, Tensor>;

// Adds the defined tensors of `from` that are not in `to` yet.
void add_distinct(TensorDict& to, std::unordered_set<const TensorImpl*>& seen, const std::string& prefix, const TensorDict& from) {
  for (const auto& item : from) {
    if (item->defined() && seen.insert(item->unsafeGetTensorImpl()).second) to.insert(join(prefix, item.key()), *item);
  }
}

}  // namespace

Module::~Module() = default;

const std::string& Module::name() const { return name_ ? *name_ : detail::type_name(typeid(*this)); }

// ---- The tree ----------------------------------------------------------------------------------------------------------------------

template <class Function>
void Module::visit_below(const std::string& name_prefix, const Function& function) const {
  for (const auto& child : children_) {
    const std::string path = join(name_prefix, child.key());
    function(path, child.value());
    child.value()->visit_below(path, function);
  }
}

void Module::apply(const ModuleApplyFunction& function) {
  function(*this);
  visit_below("", [&](const std::string&, const std::shared_ptr<Module>& module) { function(*module); });
}
void Module::apply(const ConstModuleApplyFunction& function) const {
  function(*this);
  visit_below("", [&](const std::string&, const std::shared_ptr<Module>& module) { function(*module); });
}
void Module::apply(const NamedModuleApplyFunction& function, const std::string& name_prefix) {
  function(name_prefix, *this);
  visit_below(name_prefix, [&](const std::string& path, const std::shared_ptr<Module>& module) { function(path, *module); });
}
void Module::apply(const ConstNamedModuleApplyFunction& function, const std::string& name_prefix) const {
  function(name_prefix, *this);
  visit_below(name_prefix, [&](const std::string& path, const std::shared_ptr<Module>& module) { function(path, *module); });
}
void Module::apply(const ModulePointerApplyFunction& function) const {
  function(shared_from_this_checked());
  visit_below("", [&](const std::string&, const std::shared_ptr<Module>& module) { function(module); });
}
void Module::apply(const NamedModulePointerApplyFunction& function, const std::string& name_prefix) const {
  function(name_prefix, shared_from_this_checked());
  visit_below(name_prefix, function);
}

std::vector<Tensor> Module::parameters(bool recurse) const { return named_parameters(recurse).values(); }
std::vector<Tensor> Module::buffers(bool recurse) const { return named_buffers(recurse).values(); }

OrderedDict<std::string, Tensor> Module::named_tensors(TensorDict Module::*list, bool recurse) const {
  TensorDict result;
  std::unordered_set<const TensorImpl*> seen;
  add_distinct(result, seen, "", this->*list);
  if (!recurse) return result;
  visit_below("", [&](const std::string& path, const std::shared_ptr<Module>& below) { add_distinct(result, seen, path, (*below).*list); });
  return result;
}
OrderedDict<std::string, Tensor> Module::named_parameters(bool recurse) const { return named_tensors(&Module::parameters_, recurse); }
OrderedDict<std::string, Tensor> Module::named_buffers(bool recurse) const { return named_tensors(&Module::buffers_, recurse); }

std::vector<std::shared_ptr<Module>> Module::modules(bool include_self) const { return named_modules("", include_self).values(); }

OrderedDict<std::string, std::shared_ptr<Module>> Module::named_modules(const std::string& name_prefix, bool include_self) const {
  OrderedDict<std::string, std::shared_ptr<Module>> result;
  if (include_self) result.insert(name_prefix, shared_from_this_checked());
  visit_below(name_prefix, [&](const std::string& path, const std::shared_ptr<Module>& module) { result.insert(path, module); });
  return result;
}

std::shared_ptr<Module> Module::shared_from_this_checked() const {
  std::shared_ptr<const Module> self = weak_from_this().lock();
  WICK_CHECK(self,
             "It looks like you attempted to retrieve your top-level module as a shared_ptr, but it is not stored in a shared_ptr. Use "
             "std::make_shared<", name(), "> instead of creating your module on the stack, or alternatively do not try to access your "
             "top-level module at all by passing /*include_self=*/false to modules() or named_modules()");
  return std::const_pointer_cast<Module>(self);
}

// ---- Registration ------------------------------------------------------------------------------------------------------------------

Tensor& Module::register_parameter(std::string name, Tensor tensor, bool requires_grad) {
  check_name("Parameter", name);
  check_unused(name, buffers_, children_);
  if (tensor.defined()) {
    tensor.set_requires_grad(requires_grad);
  } else if (requires_grad) {
    WICK_WARN("An undefined tensor cannot require grad. Ignoring the `requires_grad=true` function parameter.\n  in "
              "register_parameter(\"", name, "\", ...)");
  }
  return parameters_.insert(std::move(name), std::move(tensor));
}

Tensor& Module::register_buffer(std::string name, Tensor tensor) {
  check_name("Buffer", name);
  check_unused(name, parameters_, children_);
  return buffers_.insert(std::move(name), std::move(tensor));
}

void Module::add_child(std::string name, std::shared_ptr<Module> module) {
  check_name("Submodule", name);
  check_unused(name, parameters_, buffers_);
  check_child(name, module, *this);
  children_.insert(name, module);
  module->name_in_parent_ = std::move(name);
}

void Module::replace_child(const std::string& name, std::shared_ptr<Module> module) {
  check_child(name, module, *this);
  children_[name] = module;
  module->name_in_parent_ = name;
}

void Module::unregister_module(const std::string& name) {
  WICK_CHECK(children_.contains(name), "No Module with name `", name, "` is registered");
  children_.erase(name);
}

// ---- State -------------------------------------------------------------------------------------------------------------------------

void Module::train(bool on) {
  for (const auto& child : children_) child.value()->train(on);
  is_training_ = on;
}

void Module::to(Device device, ScalarType dtype, bool non_blocking) {
  for (const auto& child : children_) child.value()->to(device, dtype, non_blocking);
  convert_tensors(TensorOptions(dtype).device(device), non_blocking);
}
void Module::to(ScalarType dtype, bool non_blocking) {
  for (const auto& child : children_) child.value()->to(dtype, non_blocking);
  convert_tensors(TensorOptions(dtype), non_blocking);
}
void Module::to(Device device, bool non_blocking) {
  for (const auto& child : children_) child.value()->to(device, non_blocking);
  convert_tensors(TensorOptions(device), non_blocking);
}

void Module::convert_tensors(const TensorOptions& options, bool non_blocking) {
  NoGradGuard no_grad;
  const auto convert = [&](Tensor& x, const TensorOptions& as) {
    const Tensor converted = x.to(as, non_blocking);
    if (converted.is_same(x)) return;
    const Tensor grad = x.grad();
    x.mutable_grad().reset();
    x.set_data(converted);
    if (grad.defined()) x.mutable_grad() = grad.to(as, non_blocking);
  };
  for (auto& parameter : named_parameters(/*recurse=*/false)) convert(*parameter, options);
  // A counter or an index stays what it is, as in Python; a half would stop counting at 2048.
  const bool floating = options.has_dtype() && is_floating(options.dtype());
  for (auto& buffer : named_buffers(/*recurse=*/false)) {
    const bool counts = floating && is_integral(buffer->scalar_type(), true);
    convert(*buffer, counts ? options.dtype(buffer->scalar_type()) : options);
  }
}

void Module::zero_grad(bool set_to_none) {
  for (const auto& child : children_) child.value()->zero_grad(set_to_none);
  for (auto& parameter : parameters_) {
    if (!parameter->defined() || !parameter->grad().defined()) continue;
    Tensor& grad = parameter->mutable_grad();
    if (set_to_none) grad.reset();
    else (grad = grad.detach()).zero_();
  }
}

// ---- Cloning -----------------------------------------------------------------------------------------------------------------------

std::shared_ptr<Module> Module::clone(const std::optional<Device>&) const {
  wick::detail::raise<Error>("clone() has not been implemented for ", name(), ". Subclass torch::nn::Cloneable<", name(),
                       "> instead of torch::nn::Module to inherit the ability to clone.");
}

// ---- Printing ----------------------------------------------------------------------------------------------------------------------

void Module::pretty_print(std::ostream& stream) const {
  Fields fields(Fields::Style::kCpp);
  describe(fields);
  if (fields.layer().empty()) stream << name();
  else stream << "torch::nn::" << fields.layer() << '(' << fields.text() << ')';
}

std::string Module::extra_repr() const {
  Fields fields(Fields::Style::kPython);
  describe(fields);
  return fields.text();
}

void Module::describe(Fields&) const {}

ForwardDefaults Module::forward_default_args() const { return {}; }

}  // namespace wick::nn
