// ModuleHolder: a module with reference semantics. nn::Linear is a shared_ptr to an nn::LinearImpl that is called like a function.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <type_traits>
#include <utility>

#include "wick/nn/call.h"

namespace wick::nn {
namespace detail {

struct ModuleHolderIndicator {};
template <class T>
inline constexpr bool kIsModuleHolder = std::is_base_of_v<ModuleHolderIndicator, std::decay_t<T>>;
template <class T>
concept IsModule = std::is_base_of_v<Module, std::decay_t<T>>;

template <class T, class Contained>
inline constexpr bool kHolds = false;
template <class T, class Contained>
  requires kIsModuleHolder<T>
inline constexpr bool kHolds<T, Contained> = std::is_same_v<typename std::decay_t<T>::ContainedType, Contained>;

// While a module is being cloned (cloneable.h): the clone of its child, which the copy of a holder takes. Null otherwise.
std::shared_ptr<Module> clone_in_progress(const Module* child);

}  // namespace detail

template <class Contained>
class ModuleHolder : detail::ModuleHolderIndicator {
 public:
  using ContainedType = Contained;

  // The module, made by default. ModuleHolder(nullptr) makes none.
  template <class M = Contained>
  ModuleHolder() : impl_(std::make_shared<M>()) {
    static_assert(std::is_default_constructible_v<M>,
                  "You are trying to default construct a module which has no default constructor. Use = nullptr to give it the empty "
                  "state (e.g. `Linear linear = nullptr;` instead of `Linear linear;`).");
  }
  ModuleHolder(std::nullptr_t) {}
  // The module, made with these arguments: Linear(4, 10) holds a LinearImpl(4, 10).
  template <class Head, class... Tail>
    requires(!(detail::kHolds<Head, Contained> && sizeof...(Tail) == 0))
  explicit ModuleHolder(Head&& head, Tail&&... tail)
      : impl_(std::make_shared<Contained>(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}
  ModuleHolder(std::shared_ptr<Contained> module) : impl_(std::move(module)) {}

  // A copy holds the same module.
  ModuleHolder(const ModuleHolder& other) : impl_(other.impl_) {
    if constexpr (std::is_base_of_v<Module, Contained>) {
      const auto clone = detail::clone_in_progress(static_cast<const Contained*>(impl_.get()));
      if (clone) impl_ = std::static_pointer_cast<Contained>(clone);
    }
  }
  ModuleHolder(ModuleHolder&&) noexcept = default;
  ModuleHolder& operator=(const ModuleHolder&) = default;
  ModuleHolder& operator=(ModuleHolder&&) noexcept = default;

  bool is_empty() const noexcept { return !impl_; }
  explicit operator bool() const noexcept { return !is_empty(); }

  // Access throws for an empty holder.
  Contained* get() { return &checked(); }
  const Contained* get() const { return &checked(); }
  Contained* operator->() { return &checked(); }
  const Contained* operator->() const { return &checked(); }
  Contained& operator*() { return checked(); }
  const Contained& operator*() const { return checked(); }
  std::shared_ptr<Contained> ptr() const { return checked(), std::static_pointer_cast<Contained>(impl_); }

  // Calls the module: its hooks and its forward().
  template <class... Args, class M = Contained>
  auto operator()(Args&&... args) const -> detail::ForwardResult<M, Args...> {
    return detail::call_module(checked(), std::forward<Args>(args)...);
  }
  template <class Arg>
  decltype(auto) operator[](Arg&& arg) const { return checked()[std::forward<Arg>(arg)]; }

 protected:
  // To a Contained. As shared_ptr<Contained> it would cost every program the compilation of one more class template for each layer.
  std::shared_ptr<void> impl_;

 private:
  Contained& checked() const {
    WICK_CHECK(impl_, "Accessing empty ModuleHolder\n  It was made of nullptr: assign a layer to it, "
               "fc = register_module(\"fc\", nn::Linear(4, 3)).");
    return *static_cast<Contained*>(impl_.get());
  }
};

template <class Contained>
std::ostream& operator<<(std::ostream& stream, const ModuleHolder<Contained>& module) { return stream << *module; }

}  // namespace wick::nn

// After `struct NetImpl : nn::Module {...};`, WICK_MODULE(Net); declares its holder Net.
#define WICK_MODULE(Name) WICK_MODULE_IMPL(Name, Name##Impl)
#define WICK_MODULE_IMPL(Name, ImplType)                    \
  class Name : public ::wick::nn::ModuleHolder<ImplType> {  \
   public:                                                  \
    using ::wick::nn::ModuleHolder<ImplType>::ModuleHolder; \
    using Impl [[maybe_unused]] = ImplType;                 \
  }
