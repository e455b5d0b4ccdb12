// AnyModule: a module of any class that has a forward(). AnyValue: a value of any type that can be copied.
//
//     nn::AnyModule any(nn::Linear(3, 4));
//     Tensor y = any(x);                            // its hooks and its forward()
//     double z = another.forward<double>(1, 2.0f);  // its forward() alone; the types must be exactly those of forward()
#pragma once

#include <any>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "wick/nn/module_holder.h"
#include "wick/nn/type_name.h"

namespace wick::nn {

class AnyValue {
 public:
  template <class T>
    requires(!std::is_same_v<std::decay_t<T>, AnyValue>)
  explicit AnyValue(T&& value) : value_(std::forward<T>(value)) {}

  // Null where the value is of another type.
  template <class T>
  T* try_get() {
    static_assert(!std::is_reference_v<T>, "AnyValue stores decayed types, you cannot cast it to a reference type");
    static_assert(!std::is_array_v<T>, "AnyValue stores decayed types, you must cast it to T* instead of T[]");
    return std::any_cast<T>(&value_);
  }
  template <class T>
  T get() {
    T* value = try_get<T>();
    WICK_CHECK(value, "Attempted to cast AnyValue to ", detail::type_name(typeid(T)), ", but its actual type is ",
               detail::type_name(type_info()));
    return *value;
  }
  const std::type_info& type_info() const noexcept { return value_.type(); }

 private:
  std::any value_;
};

namespace detail {

using AnyValues = std::vector<AnyValue>;

// What AnyModule knows of a class: one constant for each.
struct AnyModuleType {
  const std::type_info* info;
  // With or without hooks. The first is null unless forward() takes one Tensor and returns one; it spares the boxing.
  Tensor (*call_tensor)(Module&, Tensor&&, bool hooks);
  AnyValue (*call_any)(Module&, AnyValues&, bool hooks);
};

struct AnyModuleAccess {
  static ForwardDefaults default_args(const Module& module) { return module.forward_default_args(); }
};

// Brings the arguments to the number that forward() of the class has, with its defaults, or throws.
void complete_arguments(const Module& module, size_t wanted, AnyValues& arguments);
[[noreturn]] WICK_COLD void argument_error(size_t index, const std::type_info& wanted, const AnyValue& got);

template <class Arg>
std::decay_t<Arg>&& take_argument(AnyValues& arguments, size_t index) {
  auto* value = arguments[index].try_get<std::decay_t<Arg>>();
  if (WICK_UNLIKELY(!value)) argument_error(index, typeid(Arg), arguments[index]);
  return std::move(*value);
}

template <class M, class... Args>
decltype(auto) call_either(M& module, bool hooks, Args&&... args) {
  return hooks ? call_module(module, std::forward<Args>(args)...) : module.forward(std::forward<Args>(args)...);
}

// The signature of a forward().
template <class R, class... Args>
struct Signature {
  static_assert(((!std::is_lvalue_reference_v<Args> || std::is_const_v<std::remove_reference_t<Args>>) && ...),
                "Modules stored inside AnyModule must not take references. Use pointers instead.");
  static_assert(!std::is_void_v<R>, "AnyModule cannot store modules that return void (you can return a dummy value).");

  template <class M>
  static AnyValue call_any(Module& base, AnyValues& arguments, bool hooks) {
    complete_arguments(base, sizeof...(Args), arguments);
    return [&]<size_t... i>(std::index_sequence<i...>) {
      return AnyValue(call_either(static_cast<M&>(base), hooks, take_argument<Args>(arguments, i)...));
    }(std::index_sequence_for<Args...>{});
  }
  template <class M>
  static Tensor call_tensor(Module& base, Tensor&& input, bool hooks) {
    return call_either(static_cast<M&>(base), hooks, std::move(input));
  }
  template <class M>
  static constexpr AnyModuleType type() {
    if constexpr (std::is_same_v<Signature<std::decay_t<R>, std::decay_t<Args>...>, Signature<Tensor, Tensor>>) {
      return {&typeid(M), &call_tensor<M>, &call_any<M>};
    } else {
      return {&typeid(M), nullptr, &call_any<M>};
    }
  }
};
template <class M, class C, class R, class... Args>
Signature<R, Args...> signature_of(R (C::*)(Args...));
template <class M, class C, class R, class... Args>
Signature<R, Args...> signature_of(R (C::*)(Args...) const);

template <class M>
concept HasForward = requires { &M::forward; };
// A template, as in Sequential, that takes a Tensor to a Tensor.
template <class M>
concept MapsTensor = requires(M& module, Tensor x) {
  { module.forward(std::move(x)) } -> std::same_as<Tensor>;
};

template <class M>
constexpr AnyModuleType make_any_module_type() {
  static_assert(HasForward<M> || MapsTensor<M>,
                "Can only store a module in AnyModule that has a forward() which is no template, or which takes a Tensor and returns one");
  if constexpr (HasForward<M>) return decltype(signature_of<M>(&M::forward))::template type<M>();
  else return Signature<Tensor, Tensor>::template type<M>();
}
template <class M>
inline constexpr AnyModuleType kAnyModuleType = make_any_module_type<M>();

}  // namespace detail

// Copies refer to the same module.
class AnyModule {
 public:
  AnyModule() = default;
  template <class M>
  explicit AnyModule(std::shared_ptr<M> module) : module_(std::move(module)), type_(&detail::kAnyModuleType<M>) {
    static_assert(detail::IsModule<M>, "Can only store object derived from nn::Module into AnyModule");
  }
  template <detail::IsModule M>
  explicit AnyModule(M&& module) : AnyModule(std::make_shared<std::decay_t<M>>(std::forward<M>(module))) {}
  template <class Contained>
  explicit AnyModule(const ModuleHolder<Contained>& holder) : AnyModule(holder.ptr()) {}

  template <class M>
  AnyModule& operator=(std::shared_ptr<M> module) { return *this = AnyModule(std::move(module)); }

  AnyModule clone(std::optional<Device> device = std::nullopt) const {
    AnyModule copy = *this;
    if (module_) copy.module_ = module_->clone(device);
    return copy;
  }

  // Calls the module: its hooks and its forward().
  template <class R = Tensor, class... Args>
  R operator()(Args&&... args) { return run<R>(true, std::forward<Args>(args)...); }
  // Calls its forward() alone.
  template <class R = Tensor, class... Args>
  R forward(Args&&... args) { return run<R>(false, std::forward<Args>(args)...); }
  template <class... Args>
  AnyValue any_forward(Args&&... args) { return run_any(false, std::forward<Args>(args)...); }

  // The module as what it is; throws where it is of another class.
  template <detail::IsModule M>
  M& get() { return checked<M>(); }
  template <detail::IsModule M>
  const M& get() const { return checked<M>(); }
  template <class Holder>
    requires detail::kIsModuleHolder<Holder>
  Holder get() const { return Holder(ptr<typename Holder::ContainedType>()); }
  std::shared_ptr<Module> ptr() const {
    check_not_empty("ptr");
    return module_;
  }
  template <detail::IsModule M>
  std::shared_ptr<M> ptr() const {
    check_not_empty("ptr");
    checked<M>();
    return std::static_pointer_cast<M>(module_);
  }

  const std::type_info& type_info() const {
    check_not_empty("type_info");
    return *type_->info;
  }
  bool is_empty() const noexcept { return !module_; }

 private:
  friend class SequentialImpl;

  void check_not_empty(const char* method) const { WICK_CHECK(module_, "Cannot call ", method, "() on an empty AnyModule"); }

  template <class M>
  M& checked() const {
    check_not_empty("get");
    WICK_CHECK(typeid(M) == type_info(), "Attempted to cast module of type ", detail::type_name(type_info()), " to type ",
               detail::type_name(typeid(M)));
    return static_cast<M&>(*module_);
  }

  bool maps_tensor() const { return type_ && type_->call_tensor; }
  Tensor run_tensor(bool hooks, Tensor input) { return type_->call_tensor(*module_, std::move(input), hooks); }

  template <class... Args>
  AnyValue run_any(bool hooks, Args&&... args) {
    check_not_empty("forward");
    detail::AnyValues values;
    values.reserve(sizeof...(Args));
    [[maybe_unused]] const auto add = [&](auto&& arg) {
      if constexpr (std::is_same_v<std::decay_t<decltype(arg)>, AnyValue>) values.push_back(std::forward<decltype(arg)>(arg));
      else values.emplace_back(std::forward<decltype(arg)>(arg));
    };
    (add(std::forward<Args>(args)), ...);
    return type_->call_any(*module_, values, hooks);
  }

  template <class R, class... Args>
  R run(bool hooks, Args&&... args) {
    if constexpr (std::is_same_v<R, Tensor> && std::is_same_v<void(std::decay_t<Args>...), void(Tensor)>) {
      if (WICK_LIKELY(maps_tensor())) return run_tensor(hooks, std::forward<Args>(args)...);
    }
    return run_any(hooks, std::forward<Args>(args)...).template get<R>();
  }

  std::shared_ptr<Module> module_;
  const detail::AnyModuleType* type_ = nullptr;
};

// A module and the name under which a container registers it.
class NamedAnyModule {
 public:
  NamedAnyModule(std::string name, AnyModule module) : name_(std::move(name)), module_(std::move(module)) {}
  template <class M>
    requires(!std::is_same_v<std::decay_t<M>, AnyModule>)
  NamedAnyModule(std::string name, M&& module) : NamedAnyModule(std::move(name), AnyModule(std::forward<M>(module))) {}

  const std::string& name() const noexcept { return name_; }
  AnyModule& module() noexcept { return module_; }
  const AnyModule& module() const noexcept { return module_; }

 private:
  std::string name_;
  AnyModule module_;
};

}  // namespace wick::nn

// In a module whose forward() has default arguments: FORWARD_HAS_DEFAULT_ARGS({1, nn::AnyValue(2)}, {2, nn::AnyValue(3.0)}) tells
// AnyModule and Sequential that arguments 1 and 2 may be left out, and what they are then.
#define WICK_FORWARD_HAS_DEFAULT_ARGS(...) \
  ::wick::nn::ForwardDefaults forward_default_args() const override { return {__VA_ARGS__}; }
