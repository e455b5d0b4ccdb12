// Module::state_dict and load_state_dict.
#include "wick/nn/module.h"
#include "wick/nn/type_name.h"

namespace wick::nn {
namespace {

std::string quoted(const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) text += (text.empty() ? "\"" : ", \"") + key + '"';
  return text;
}

std::string size_of(const Tensor& x) { return wick::detail::concat("torch.Size(", x.sizes(), ")"); }

}  // namespace

void Module::visit_state(const std::string& prefix, const std::function<void(const std::string&, const Tensor&)>& function) const {
  for (const auto* tensors : {&parameters_, &buffers_}) {
    for (const auto& item : *tensors) {
      if (item->defined()) function(prefix + item.key(), *item);
    }
  }
  for (const auto& child : children_) child.value()->visit_state(prefix + child.key() + '.', function);
}

OrderedDict<std::string, Tensor> Module::state_dict(const std::string& prefix) const {
  OrderedDict<std::string, Tensor> state;
  visit_state(prefix, [&](const std::string& key, const Tensor& x) { state.insert(key, x.detach()); });
  return state;
}

void Module::run_load_hooks(const std::string& prefix, OrderedDict<std::string, Tensor>& state) {
  if (const auto lists = hooks_.lists()) {
    for (const auto& hook : lists->load_pre) hook.call(*this, state, prefix);
  }
  for (const auto& child : children_) child.value()->run_load_hooks(prefix + child.key() + '.', state);
}

IncompatibleKeys Module::load_state_dict(const OrderedDict<std::string, Tensor>& state_dict, bool strict) {
  OrderedDict<std::string, Tensor> state = state_dict;
  run_load_hooks("", state);
  IncompatibleKeys keys;
  OrderedDict<std::string, Tensor> own;
  std::string mismatches;
  visit_state("", [&](const std::string& key, const Tensor& x) {
    own.insert(key, x);
    const Tensor* given = state.find(key);
    if (!given) keys.missing_keys.push_back(key);
    else if (given->sizes() != x.sizes()) {
      mismatches += wick::detail::concat("\n\tsize mismatch for ", key, ": copying a param with shape ", size_of(*given),
                                         " from checkpoint, the shape in current model is ", size_of(x), '.');
    }
  });
  for (const auto& item : state) {
    if (!own.contains(item.key())) keys.unexpected_keys.push_back(item.key());
  }
  apply([&](Module& module) {
    if (const auto lists = module.hooks_.lists()) {
      for (const auto& hook : lists->load_post) hook.call(module, keys);
    }
  });
  std::string errors;
  if (strict && !keys.missing_keys.empty()) errors += "\n\tMissing key(s) in state_dict: " + quoted(keys.missing_keys) + ". ";
  if (strict && !keys.unexpected_keys.empty()) errors += "\n\tUnexpected key(s) in state_dict: " + quoted(keys.unexpected_keys) + ". ";
  errors += mismatches;
  WICK_CHECK(errors.empty(), "Error(s) in loading state_dict for ", detail::short_type_name(typeid(*this)), ':', errors,
             "\n  Nothing was loaded.");
  NoGradGuard no_grad;
  for (const auto& item : own) {
    if (const Tensor* given = state.find(item.key())) Tensor(*item).copy_(*given);
  }
  return keys;
}

}  // namespace wick::nn
