// ModuleList and ModuleDict: modules under numbers or names, which are registered but not called by the container.
//
//     nn::ModuleList layers(nn::Linear(4, 10), nn::ReLU());
//     for (const auto& layer : *layers) x = ...;
//     nn::ModuleDict heads(OrderedDict<std::string, std::shared_ptr<nn::Module>>{...});
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wick/nn/cloneable.h"
#include "wick/nn/ordered_dict.h"

namespace wick::nn {

class ModuleListImpl : public Cloneable<ModuleListImpl> {
 public:
  using Iterator = std::vector<std::shared_ptr<Module>>::iterator;
  using ConstIterator = std::vector<std::shared_ptr<Module>>::const_iterator;

  ModuleListImpl() = default;
  template <class... Modules>
    requires(sizeof...(Modules) > 0 && !(sizeof...(Modules) == 1 && (... && std::is_base_of_v<ModuleListImpl, std::decay_t<Modules>>)))
  explicit ModuleListImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  void push_back(std::shared_ptr<Module> module);
  template <detail::IsModule M>
  void push_back(M&& module) { push_back(std::make_shared<std::decay_t<M>>(std::forward<M>(module))); }
  template <class M>
  void push_back(const ModuleHolder<M>& holder) { push_back(std::shared_ptr<Module>(holder.ptr())); }
  template <class Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }
  // Before the module that is at `index` now; those behind it move up.
  void insert(size_t index, std::shared_ptr<Module> module);
  template <class M>
  void insert(size_t index, const ModuleHolder<M>& holder) { insert(index, std::shared_ptr<Module>(holder.ptr())); }

  WICK_ITERATE(modules_)
  bool is_empty() const noexcept { return modules_.empty(); }

  std::shared_ptr<Module> ptr(size_t index) const;
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }
  // Throws where the module is no T.
  template <class T>
  std::shared_ptr<T> ptr(size_t index) const {
    static_assert(detail::IsModule<T>, "Can only call ModuleList::ptr with an nn::Module type");
    auto typed = std::dynamic_pointer_cast<T>(ptr(index));
    WICK_CHECK(typed, "Unable to cast module[", index, "] to the type asked for");
    return typed;
  }
  template <class T>
  T& at(size_t index) const { return *ptr<T>(index); }

 private:
  std::vector<std::shared_ptr<Module>> modules_;
};

class ModuleDictImpl : public Cloneable<ModuleDictImpl> {
 public:
  using Dict = OrderedDict<std::string, std::shared_ptr<Module>>;
  using Iterator = Dict::Iterator;
  using ConstIterator = Dict::ConstIterator;

  ModuleDictImpl() = default;
  explicit ModuleDictImpl(const std::vector<std::pair<std::string, std::shared_ptr<Module>>>& modules) { update(modules); }
  explicit ModuleDictImpl(const Dict& modules) { update(modules); }
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  std::vector<std::pair<std::string, std::shared_ptr<Module>>> items() const { return modules_.pairs(); }
  std::vector<std::string> keys() const { return modules_.keys(); }
  std::vector<std::shared_ptr<Module>> values() const { return modules_.values(); }
  WICK_ITERATE(modules_)
  bool empty() const noexcept { return modules_.is_empty(); }
  bool contains(const std::string& key) const noexcept { return modules_.contains(key); }
  void clear();
  std::shared_ptr<Module> pop(const std::string& key);

  // Adds modules, or puts them in the place of those with the same names.
  void update(const std::vector<std::pair<std::string, std::shared_ptr<Module>>>& modules);
  template <class Container>  // a Dict, or another ModuleDict
  void update(const Container& other) { if constexpr (requires { other.pairs(); }) update(other.pairs()); else update(other.items()); }

  // Throws where there is none.
  std::shared_ptr<Module> operator[](const std::string& key) const { return modules_[key]; }
  template <class T>
  T& at(const std::string& key) const {
    static_assert(detail::IsModule<T>, "Can only call ModuleDict::at with an nn::Module type");
    auto* typed = dynamic_cast<T*>(modules_[key].get());
    WICK_CHECK(typed, "Unable to cast module[", key, "] to the type asked for");
    return *typed;
  }

 private:
  void add(const std::string& key, std::shared_ptr<Module> module) { modules_.insert(key, register_module(key, std::move(module))); }

  Dict modules_{"Module"};
};

WICK_LAYER(ModuleList);
WICK_LAYER(ModuleDict);

}  // namespace wick::nn
