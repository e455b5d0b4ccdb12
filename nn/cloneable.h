// Cloneable: the base of a module that can be called by operator() and copied by clone().
//
//     struct MLP : nn::Cloneable<MLP> {
//       nn::Linear fc1 = register_module("fc1", nn::Linear(4, 10));
//       nn::Linear fc2 = register_module("fc2", nn::Linear(10, 3));
//       Tensor forward(const Tensor& x) { return fc2(relu(fc1(x))); }
//     };
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "wick/nn/module_holder.h"

namespace wick::nn {
namespace detail {

// Clones the children of a module, and gives the clones to the holders that are copied while it lives.
class CloneScope {
 public:
  CloneScope(const Module& original, const std::optional<Device>& device);
  ~CloneScope();
  // Registers the clones in the copy. Throws where the copy still refers to a child of the original: such a class needs a reset().
  void finish(Module& copy) const;
  std::shared_ptr<Module> find(const Module* child) const;

 private:
  struct Child {
    std::string name;
    std::shared_ptr<Module> original, clone;
    long use_count;  // of the original before the copy was made
  };
  std::vector<Child> children_;
  const CloneScope* outer_;
};

// Whether D leaves reset() as Cloneable<D> defines it.
template <class D, class Base>
concept InheritsReset = std::is_same_v<decltype(&D::reset), void (Base::*)()>;

}  // namespace detail

template <class Derived>
class Cloneable : public Module {
 public:
  using Module::Module;

  // Makes and registers the parameters, buffers and children. A class that does this in its constructor or in initialisers of its
  // members, and has no parameters and buffers of its own besides those of its children, need not override it.
  virtual void reset() {}

  // The copy is made by Derived's copy constructor. Then, if Derived has a reset(), that makes new parameters, buffers and children,
  // into which the original's are copied; if not, the holders in the copy hold clones of the children.
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;

  // Calls the module: its hooks and its forward().
  template <class... Args, class D = Derived>
  auto operator()(Args&&... args) -> detail::ForwardResult<D, Args...> {
    return detail::call_module(static_cast<D&>(*this), std::forward<Args>(args)...);
  }

 private:
  void assign_clone(const Module& original, const std::optional<Device>& device) final;
};

// Outside of the class, so that `extern template` spares whoever includes this the members of the layers that are there.

template <class Derived>
std::shared_ptr<Module> Cloneable<Derived>::clone(const std::optional<Device>& device) const {
  NoGradGuard no_grad;
  const auto& self = static_cast<const Derived&>(*this);
  if constexpr (detail::InheritsReset<Derived, Cloneable>) {
    const detail::CloneScope scope(*this, device);
    auto copy = std::make_shared<Derived>(self);
    scope.finish(*copy);
    return copy;
  } else {
    auto copy = std::make_shared<Derived>(self);
    Cloneable& base = *copy;
    base.clear_registered();
    base.reset();
    base.copy_registered(*this, device);
    return copy;
  }
}

template <class Derived>
void Cloneable<Derived>::assign_clone(const Module& original, const std::optional<Device>& device) {
  auto clone = std::dynamic_pointer_cast<Derived>(original.clone(device));
  WICK_CHECK(clone, "Attempted to clone submodule, but it is of a different type than the submodule it was to be cloned into");
  static_cast<Derived&>(*this) = *clone;
}

}  // namespace wick::nn

// begin(), end() and size() of a class that holds a container.
#define WICK_ITERATE(container)                              \
  Iterator begin() { return container.begin(); }             \
  ConstIterator begin() const { return container.begin(); }  \
  Iterator end() { return container.end(); }                 \
  ConstIterator end() const { return container.end(); }      \
  size_t size() const noexcept { return container.size(); }

// A layer of wick's own: its holder, and its templates, which are compiled once, where WICK_LAYER_DEFINITION stands.
#define WICK_LAYER(Name)                          \
  extern template class Cloneable<Name##Impl>;    \
  extern template class ModuleHolder<Name##Impl>; \
  WICK_MODULE(Name)
#define WICK_LAYER_DEFINITION(Name)     \
  template class Cloneable<Name##Impl>; \
  template class ModuleHolder<Name##Impl>

// A layer without tensors of its own: it has the options Name##Options, is made of them or of what they are made of, and forward() is
// one call in nn::functional:
//     WICK_FUNCTION_LAYER(Softmax, (const Tensor& input), softmax(input, options.dim()));
#define WICK_FUNCTION_LAYER(Name, parameters, ...) WICK_FUNCTION_LAYER_WITH(Name, , parameters, __VA_ARGS__)
// The same with more members.
#define WICK_FUNCTION_LAYER_WITH(Name, members, parameters, ...) \
  WICK_OPTION_LAYER(Name, members, parameters, { return functional::__VA_ARGS__; })
// The same with any body of forward(), or a semicolon where that is defined elsewhere.
#define WICK_OPTION_LAYER(Name, members, parameters, ...)                         \
  class Name##Impl : public Cloneable<Name##Impl> {                               \
   public:                                                                        \
    template <class... Args>                                                      \
      requires std::is_constructible_v<Name##Options, Args...>                    \
    explicit Name##Impl(Args&&... args) : options(std::forward<Args>(args)...) {} \
    void describe(Fields& fields) const override;                                 \
    Tensor forward parameters __VA_ARGS__                                         \
    members                                                                       \
                                                                                  \
    Name##Options options;                                                        \
  };                                                                              \
  WICK_LAYER(Name)
// One without options.
#define WICK_PLAIN_LAYER(Name, parameters, ...)         \
  class Name##Impl : public Cloneable<Name##Impl> {     \
   public:                                              \
    void describe(Fields& fields) const override;       \
    Tensor forward parameters { return __VA_ARGS__; }   \
  };                                                    \
  WICK_LAYER(Name)

// WICK_LAYER_DEFINITION and describe(), which shows these options: WICK_DEFINE_LAYER(Softplus, WICK_FIELD(beta) WICK_FIELD(threshold));
#define WICK_DEFINE_LAYER(Name, ...)                                                       \
  WICK_LAYER_DEFINITION(Name);                                                             \
  void Name##Impl::describe(Fields& fields) const { fields.layer(#Name) __VA_ARGS__; }     \
  static_assert(true)
#define WICK_FIELD(name) .add(#name, options.name())
#define WICK_FLAG(name) .add_flag(#name, options.name())   // shown where it is set
#define WICK_CPP_FIELD(name) .in_cpp_only().add(#name, options.name())
