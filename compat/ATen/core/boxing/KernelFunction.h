// A kernel of an operator, callable with its C++ arguments or with IValues on a stack. Both forms follow from the function.
#pragma once

#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/string_view.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <vector>

#include "wick/framework/autograd/ivalue.h"

namespace torch::jit {
using Stack = std::vector<wick::IValue>;  // the arguments, then the results in their place
}

namespace c10 {

class OperatorHandle;

namespace impl {

// What an argument or a result is called in a schema, and what an IValue keeps of it.
template <class T>
struct Boxed {
  static_assert(sizeof(T) == 0, "an operator takes and returns Tensor, int64_t, double, bool, Scalar, ScalarType, std::string, "
                                "std::vector, ArrayRef, std::optional and std::tuple of these; for other integers use int64_t, for float "
                                "use double");
};
#define WICK_BOXED(T, HeldType, text, unboxed)             \
  template <>                                              \
  struct Boxed<T> {                                        \
    using Held = HeldType;                                 \
    static std::string name() { return text; }             \
    static Held unbox(const wick::IValue& x) { return unboxed; } \
  };
WICK_BOXED(wick::Tensor, wick::Tensor, "Tensor", x.toTensor())
WICK_BOXED(int64_t, int64_t, "int", x.toInt())
WICK_BOXED(double, double, "float", x.toScalar().to<double>())
WICK_BOXED(bool, bool, "bool", x.toBool())
WICK_BOXED(std::string, std::string, "str", x.toStringRef())
WICK_BOXED(std::string_view, std::string, "str", x.toStringRef())
WICK_BOXED(wick::Scalar, wick::Scalar, "Scalar", x.toScalar())
WICK_BOXED(wick::ScalarType, wick::ScalarType, "ScalarType", static_cast<wick::ScalarType>(x.toInt()))
#undef WICK_BOXED
template <class T>
struct Boxed<std::vector<T>> {
  using Held = std::vector<T>;
  static std::string name() { return Boxed<T>::name() + "[]"; }
  static Held unbox(const wick::IValue& x) {
    Held values;
    for (const wick::IValue& item : x.toList()) values.push_back(Boxed<T>::unbox(item));
    return values;
  }
};
template <class T>
struct Boxed<wick::ArrayRef<T>> : Boxed<std::vector<T>> {};
template <class T>
struct Boxed<std::optional<T>> {
  using Held = std::optional<typename Boxed<T>::Held>;
  static std::string name() { return Boxed<T>::name() + '?'; }
  static Held unbox(const wick::IValue& x) { return x.isNone() ? Held() : Held(Boxed<T>::unbox(x)); }
};

template <class T>
wick::IValue box(const T& x) {
  if constexpr (std::is_same_v<T, wick::ScalarType>) return static_cast<int64_t>(x);
  else if constexpr (requires { x.has_value(); }) return x ? box(*x) : wick::IValue();
  else if constexpr (std::is_convertible_v<const T&, std::string>) return std::string(x);
  else if constexpr (requires { typename T::value_type; x.begin(); } && !std::is_same_v<T, std::string>) {
    wick::IValue::List list;
    for (const auto& item : x) list.push_back(box<std::remove_cvref_t<decltype(item)>>(item));
    return list;
  } else return x;
}
template <>
inline wick::IValue box(const std::string_view& x) { return std::string(x); }

template <class T>
constexpr bool is_tuple = false;
template <class... T>
constexpr bool is_tuple<std::tuple<T...>> = true;

template <class R>
void push_result(torch::jit::Stack& stack, R&& result) {
  using T = std::remove_cvref_t<R>;
  if constexpr (is_tuple<T>) std::apply([&](auto&... x) { (push_result(stack, x), ...); }, result);
  else stack.push_back(box<T>(result));
}

// The results from `at` on as an R. A reference is one to the argument that the operator wrote to.
template <class R, class... Args>
R pop_result(torch::jit::Stack& stack, const Args&... args) {
  if constexpr (std::is_void_v<R>) {
    stack.clear();
  } else if constexpr (is_tuple<R>) {
    WICK_CHECK(stack.size() == std::tuple_size_v<R>, "the kernel has left ", stack.size(), " results, expected ", std::tuple_size_v<R>);
    return [&]<size_t... i>(std::index_sequence<i...>) {
      return R(Boxed<std::remove_cvref_t<std::tuple_element_t<i, R>>>::unbox(stack[i])...);
    }(std::make_index_sequence<std::tuple_size_v<R>>());
  } else {
    WICK_CHECK(stack.size() == 1, "the kernel has left ", stack.size(), " results, expected 1");
    if constexpr (std::is_reference_v<R>) {
      wick::Tensor* written = nullptr;
      const auto look = [&]<class T>(const T& x) {
        if constexpr (std::is_same_v<T, wick::Tensor>) {
          if (x.is_same(stack[0].toTensor())) written = const_cast<wick::Tensor*>(&x);
        }
      };
      (look(args), ...);
      WICK_CHECK(written, "the kernel has returned another tensor than one of its arguments");
      return *written;
    } else {
      return Boxed<R>::unbox(stack[0]);
    }
  }
}

template <class R>
std::vector<std::string> result_types() {
  if constexpr (std::is_void_v<R>) return {};
  else if constexpr (is_tuple<std::remove_cvref_t<R>>) {
    return []<class... T>(const std::tuple<T...>*) {
      return std::vector<std::string>{Boxed<std::remove_cvref_t<T>>::name()...};
    }(static_cast<const std::remove_cvref_t<R>*>(nullptr));
  } else return {Boxed<std::remove_cvref_t<R>>::name()};
}

}  // namespace impl

// A function known at compile time: TORCH_FN(f).
template <class F, F* function>
struct CompileTimeFunctionPointer {
  static constexpr F* func_ptr() { return function; }
};

class KernelFunction {
 public:
  using BoxedKernel = std::function<void(const OperatorHandle&, DispatchKeySet, torch::jit::Stack*)>;

  KernelFunction() = default;
  static KernelFunction makeFromBoxed(BoxedKernel kernel) {
    KernelFunction result;
    result.boxed_ = std::move(kernel);
    return result;
  }
  static KernelFunction makeFallthrough() {
    KernelFunction result;
    result.fallthrough_ = true;
    return result;
  }
  // From a function, a function object with one operator(), or TORCH_FN(f). A first argument of type DispatchKeySet is none of the
  // schema's.
  template <class F>
  static KernelFunction make(F&& f) {
    if constexpr (requires { std::remove_cvref_t<F>::func_ptr(); }) return make_from(std::function(std::remove_cvref_t<F>::func_ptr()));
    else return make_from(std::function(std::forward<F>(f)));
  }

  bool isValid() const { return fallthrough_ || boxed_; }
  bool isFallthrough() const { return fallthrough_; }
  // Of a function: the types of its arguments and results in a schema. Null for boxed kernels, which take any.
  struct Types {
    std::vector<std::string> arguments, returns;
  };
  const Types* types() const { return types_.get(); }
  // Whether call<R, Args...> reaches the function without IValues; a boxed kernel takes any types.
  template <class R, class... Args>
  bool accepts() const { return !unboxed_ || *signature_ == typeid(R(Args...)); }
  const std::type_info* signature() const { return signature_; }

  void callBoxed(const OperatorHandle& op, DispatchKeySet keys, torch::jit::Stack* stack) const { boxed_(op, keys, stack); }
  template <class R, class... Args>
  R call(const OperatorHandle& op, DispatchKeySet keys, Args... args) const {
    if (unboxed_) {
      return (*static_cast<const std::function<R(DispatchKeySet, Args...)>*>(unboxed_.get()))(keys, std::forward<Args>(args)...);
    }
    torch::jit::Stack stack{impl::box<std::remove_cvref_t<Args>>(args)...};
    boxed_(op, keys, &stack);
    return impl::pop_result<R>(stack, args...);
  }

 private:
  template <class R, class... Args>
  static KernelFunction make_from(std::function<R(Args...)> f) {
    return make_with_keys(std::function<R(DispatchKeySet, Args...)>(
        [f = std::move(f)](DispatchKeySet, Args... args) -> R { return f(std::forward<Args>(args)...); }));
  }
  template <class R, class... Args>
  static KernelFunction make_from(std::function<R(DispatchKeySet, Args...)> f) {
    return make_with_keys(std::move(f));
  }
  template <class R, class... Args>
  static KernelFunction make_with_keys(std::function<R(DispatchKeySet, Args...)> f) {
    KernelFunction result;
    auto function = std::make_shared<std::function<R(DispatchKeySet, Args...)>>(std::move(f));
    result.unboxed_ = function;
    result.signature_ = &typeid(R(Args...));
    result.types_ = std::make_shared<Types>(Types{{impl::Boxed<std::remove_cvref_t<Args>>::name()...}, impl::result_types<R>()});
    result.boxed_ = [function](const OperatorHandle&, DispatchKeySet keys, torch::jit::Stack* stack) {
      constexpr size_t n = sizeof...(Args);
      WICK_CHECK(stack->size() >= n, "the stack holds ", stack->size(), " arguments, expected ", n);
      const auto first = stack->end() - static_cast<std::ptrdiff_t>(n);
      auto held = [&]<size_t... i>(std::index_sequence<i...>) {
        return std::tuple<typename impl::Boxed<std::remove_cvref_t<Args>>::Held...>(
            impl::Boxed<std::remove_cvref_t<Args>>::unbox(first[static_cast<std::ptrdiff_t>(i)])...);
      }(std::make_index_sequence<n>());
      stack->erase(first, stack->end());
      std::apply([&](auto&... x) {
        if constexpr (std::is_void_v<R>) (*function)(keys, static_cast<Args>(x)...);
        else impl::push_result(*stack, (*function)(keys, static_cast<Args>(x)...));
      }, held);
    };
    return result;
  }

  bool fallthrough_ = false;
  std::shared_ptr<const void> unboxed_;
  const std::type_info* signature_ = nullptr;
  std::shared_ptr<const Types> types_;
  BoxedKernel boxed_;
};

}  // namespace c10

#define TORCH_FN(f) ::c10::CompileTimeFunctionPointer<std::remove_pointer_t<std::remove_reference_t<decltype(f)>>, f>()
