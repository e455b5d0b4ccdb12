#include "wick/nn/cloneable.h"

namespace wick::nn::detail {
namespace {

thread_local CloneScope* t_scope = nullptr;

}  // namespace

CloneScope::CloneScope(const Module& original, const std::optional<Device>& device) {
  for (const auto& child : original.children_) children_.push_back({child.value(), child.value()->clone(device), 0});
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
  const auto check = [](bool ok, const char* what, const char* function) {
    WICK_CHECK(ok, "The cloned module does not have the same number of ", what,
               " as the original module after calling reset(). Are you sure you called ", function,
               "() inside reset() and not the constructor?");
  };
  check(copy.parameters_.is_empty(), "parameters", "register_parameter");
  check(copy.buffers_.is_empty(), "buffers", "register_buffer");
  for (const Child& child : children_) {
    check(child.original.use_count() <= child.use_count, "child modules", "register_module");
    copy.children_.insert(child.original->name_in_parent(), child.clone);
  }
}

std::shared_ptr<Module> clone_in_progress(const Module* child) { return t_scope ? t_scope->find(child) : nullptr; }

}  // namespace wick::nn::detail
