#include "wick/nn/module_list.h"

#include <ostream>

namespace wick::nn {

WICK_LAYER_DEFINITION(ModuleList);
WICK_LAYER_DEFINITION(ModuleDict);

std::shared_ptr<Module> ModuleListImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<ModuleListImpl>(*this);
  copy->clear_registered();
  const detail::CloneScope scope(*this, device);
  for (size_t i = 0; i < size(); ++i) copy->register_module(std::to_string(i), copy->modules_[i] = scope.find(modules_[i].get()));
  return copy;
}

void ModuleListImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::ModuleList"; }

void ModuleListImpl::push_back(std::shared_ptr<Module> module) {
  register_module(std::to_string(size()), module);
  modules_.push_back(std::move(module));
}

void ModuleListImpl::insert(size_t index, std::shared_ptr<Module> module) {
  WICK_CHECK(index <= size(), "Index out of range\n  insert: index ", index, " into a list of ", size(), " modules");
  if (index == size()) return push_back(std::move(module));
  modules_.insert(modules_.begin() + static_cast<std::ptrdiff_t>(index), std::move(module));
  for (size_t i = index; i + 1 < size(); ++i) replace_module(std::to_string(i), modules_[i]);
  register_module(std::to_string(size() - 1), modules_.back());
}

std::shared_ptr<Module> ModuleListImpl::ptr(size_t index) const {
  WICK_CHECK(index < size(), "Index out of range\n  index ", index, " of a list of ", size(), " modules");
  return modules_[index];
}

std::shared_ptr<Module> ModuleDictImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<ModuleDictImpl>(*this);
  copy->clear_registered();
  const detail::CloneScope scope(*this, device);
  for (auto& item : copy->modules_) copy->register_module(item.key(), item.value() = scope.find(item.value().get()));
  return copy;
}

void ModuleDictImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::ModuleDict"; }

void ModuleDictImpl::clear() {
  for (const std::string& key : keys()) pop(key);
}

std::shared_ptr<Module> ModuleDictImpl::pop(const std::string& key) {
  std::shared_ptr<Module> module = modules_[key];
  modules_.erase(key);
  unregister_module(key);
  return module;
}

void ModuleDictImpl::update(const std::vector<std::pair<std::string, std::shared_ptr<Module>>>& modules) {
  for (const auto& [key, module] : modules) {
    if (contains(key)) {
      modules_[key] = replace_module(key, module);
    } else {
      add(key, module);
    }
  }
}

}  // namespace wick::nn
