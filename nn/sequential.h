// Sequential: modules that are called one after the other, each with the result of the one before.
//
//     nn::Sequential model(nn::Linear(4, 10), nn::ReLU(), nn::Linear(10, 3));
//     nn::Sequential named({{"fc1", nn::Linear(4, 10)}, {"act", nn::ReLU()}});
//     Tensor y = model(x);
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "wick/nn/any_module.h"
#include "wick/nn/cloneable.h"

namespace wick::nn {

class SequentialImpl : public Cloneable<SequentialImpl> {
 public:
  using Iterator = std::vector<AnyModule>::iterator;
  using ConstIterator = std::vector<AnyModule>::const_iterator;

  SequentialImpl() = default;
  // Modules, holders, shared_ptrs to modules or AnyModules, named "0", "1", ...
  template <class... Modules>
    requires(!(sizeof...(Modules) == 1 && (... && std::is_base_of_v<SequentialImpl, std::decay_t<Modules>>)))
  explicit SequentialImpl(Modules&&... modules) {
    modules_.reserve(sizeof...(Modules));
    (push_back(std::forward<Modules>(modules)), ...);
  }
  explicit SequentialImpl(OrderedDict<std::string, AnyModule>&& modules) {
    for (auto& item : modules) push_back(item.key(), std::move(item.value()));
  }
  explicit SequentialImpl(std::initializer_list<NamedAnyModule> modules) {
    for (const NamedAnyModule& item : modules) push_back(item.name(), item.module());
  }

  // Keeps the names.
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void pretty_print(std::ostream& stream) const override;

  // Calls the modules, with their hooks. The first takes `inputs`, and the last returns an R; the types must be exactly those of
  // their forward(). Modules from Tensor to Tensor are called directly, without boxing.
  template <class R = Tensor, class... Inputs>
  R forward(Inputs&&... inputs) {
    WICK_CHECK(!is_empty(), "Cannot call forward() on an empty Sequential");
    if constexpr (std::is_same_v<void(std::decay_t<Inputs>...), void(Tensor)>) {
      Tensor x(std::forward<Inputs>(inputs)...);
      const size_t done = run_tensor(x);
      if constexpr (std::is_same_v<R, Tensor>) {
        if (WICK_LIKELY(done == size())) return x;
      }
      return result<R>(run_any(done, AnyValue(std::move(x))));
    } else {
      return result<R>(run_any(1, modules_[0].run_any(true, std::forward<Inputs>(inputs)...)));
    }
  }

  template <class M>
  void push_back(std::shared_ptr<M> module) { push_back(AnyModule(std::move(module))); }
  template <class M>
  void push_back(std::string name, std::shared_ptr<M> module) { push_back(std::move(name), AnyModule(std::move(module))); }
  template <detail::IsModule M>
  void push_back(M&& module) { push_back(AnyModule(std::forward<M>(module))); }
  template <detail::IsModule M>
  void push_back(std::string name, M&& module) { push_back(std::move(name), AnyModule(std::forward<M>(module))); }
  template <class M>
  void push_back(const ModuleHolder<M>& holder) { push_back(AnyModule(holder)); }
  template <class M>
  void push_back(std::string name, const ModuleHolder<M>& holder) { push_back(std::move(name), AnyModule(holder)); }
  void push_back(AnyModule module) { push_back(std::to_string(size()), std::move(module)); }
  void push_back(std::string name, AnyModule module);

  // Adds the modules of another Sequential, or of a container of modules.
  template <class Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }

  WICK_ITERATE(modules_)
  bool is_empty() const noexcept { return modules_.empty(); }

  template <class M>
  M& at(size_t index) {
    static_assert(detail::IsModule<M>, "Can only call Sequential::at with an nn::Module type");
    return const_cast<AnyModule&>(checked(index)).get<M>();
  }
  template <class M>
  const M& at(size_t index) const {
    static_assert(detail::IsModule<M>, "Can only call Sequential::at with an nn::Module type");
    return checked(index).get<M>();
  }
  std::shared_ptr<Module> ptr(size_t index) const { return checked(index).ptr(); }
  template <class M>
  std::shared_ptr<M> ptr(size_t index) const {
    static_assert(detail::IsModule<M>, "Can only call Sequential::ptr with an nn::Module type");
    return checked(index).ptr<M>();
  }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }

 private:
  const AnyModule& checked(size_t index) const {
    WICK_CHECK(index < size(), "Index out of range\n  index ", index, " of a Sequential of ", size(), " modules");
    return modules_[index];
  }
  // Takes x through the modules up to the first that is not from Tensor to Tensor; returns its position.
  size_t run_tensor(Tensor& x);
  // Takes a value through the modules from `first` on.
  AnyValue run_any(size_t first, AnyValue value);
  template <class R>
  static R result(AnyValue value) {
    R* typed = value.try_get<R>();
    WICK_CHECK(typed, "The type of the return value is ", detail::type_name(value.type_info()), ", but you asked for type ",
               detail::type_name(typeid(R)));
    return std::move(*typed);
  }

  std::vector<AnyModule> modules_;
};

extern template class Cloneable<SequentialImpl>;
extern template class ModuleHolder<SequentialImpl>;

class Sequential : public ModuleHolder<SequentialImpl> {
 public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  using Impl = SequentialImpl;

  Sequential() = default;
  Sequential(std::initializer_list<NamedAnyModule> modules) : ModuleHolder(std::make_shared<SequentialImpl>(modules)) {}
};

}  // namespace wick::nn
