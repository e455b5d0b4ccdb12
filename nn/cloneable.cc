#include "wick/nn/cloneable.h"

#include <algorithm>

namespace wick::nn {
namespace {

thread_local const detail::CloneScope* t_scope = nullptr;

void check_cloned(bool same, const char* what, const char* function) {
  WICK_CHECK(same, "The cloned module does not have the same number of ", what, " as the original module after calling reset(). Are you "
             "sure you called ", function, "() inside reset() and not the constructor?");
}

void assign(Tensor& to, const Tensor& from, const std::optional<Device>& device) {
  if (!from.defined()) {
    to = Tensor();
    return;
  }
  to.set_data(device && from.device() != *device ? from.to(*device) : from.clone());
  to.set_requires_grad(from.requires_grad());
}

// The keys of the other, with tensors of its own for those that are new.
void adopt_keys(OrderedDict<std::string, Tensor>& own, const OrderedDict<std::string, Tensor>& other) {
  OrderedDict<std::string, Tensor> all;
  for (const auto& item : other) all.insert(item.key(), own.contains(item.key()) ? own[item.key()] : empty_like(*item));
  own = std::move(all);
}

}  // namespace

namespace detail {

CloneScope::CloneScope(const Module& original, const std::optional<Device>& device) {
  for (const auto& item : original.children_) {
    const std::shared_ptr<Module>& child = item.value();
    std::shared_ptr<Module> clone = find(child.get());  // of a child that has two names
    if (!clone) clone = child->clone(device);
    children_.push_back({item.key(), child, std::move(clone), 0});
  }
  for (Child& child : children_) child.use_count = child.original.use_count();
  outer_ = std::exchange(t_scope, this);
}

CloneScope::~CloneScope() { t_scope = outer_; }

std::shared_ptr<Module> CloneScope::find(const Module* child) const {
  for (const Child& c : children_) {
    if (c.original.get() == child) return c.clone;
  }
  return nullptr;
}

void CloneScope::finish(Module& copy) const {
  copy.children_.clear();
  check_cloned(copy.parameters_.is_empty(), "parameters", "register_parameter");
  check_cloned(copy.buffers_.is_empty(), "buffers", "register_buffer");
  for (const Child& child : children_) {
    check_cloned(child.original.use_count() <= child.use_count, "child modules", "register_module");
    copy.add_child(child.name, child.clone);
  }
}

std::shared_ptr<Module> clone_in_progress(const Module* child) { return t_scope ? t_scope->find(child) : nullptr; }

}  // namespace detail

void Module::clear_registered() {
  parameters_.clear();
  buffers_.clear();
  children_.clear();
}

void Module::copy_registered(const Module& original, const std::optional<Device>& device) {
  // nn::utils::weight_norm puts others in a parameter's place, and a hook, of which reset() does not know.
  const auto replaced = [&](const auto& p) { return !original.parameters_.contains(p.key()); };
  if (original.hooks_.any() && std::any_of(parameters_.begin(), parameters_.end(), replaced)) {
    adopt_keys(parameters_, original.parameters_);
    adopt_keys(buffers_, original.buffers_);
  }
  check_cloned(parameters_.size() == original.parameters_.size(), "parameters", "register_parameter");
  check_cloned(buffers_.size() == original.buffers_.size(), "buffers", "register_buffer");
  check_cloned(children_.size() == original.children_.size(), "child modules", "register_module");
  for (const auto& parameter : original.parameters_) assign(parameters_[parameter.key()], *parameter, device);
  for (const auto& buffer : original.buffers_) assign(buffers_[buffer.key()], *buffer, device);
  for (const auto& child : original.children_) children_[child.key()]->assign_clone(*child.value(), device);
}

void Module::assign_clone(const Module& original, const std::optional<Device>& device) {
  // Throws, unless there is nothing to lose: a module without tensors may stay as reset() made it.
  if (!original.parameters().empty() || !original.buffers().empty()) original.clone(device);
}

}  // namespace wick::nn
