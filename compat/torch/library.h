// Operators of one's own, by name, with a kernel for each kind of device and for autograd:
//
//     TORCH_LIBRARY(my, m) { m.def("scale(Tensor x, float by) -> Tensor"); }
//     TORCH_LIBRARY_IMPL(my, CPU, m) { m.impl("scale", scale_cpu); }
//     TORCH_LIBRARY_IMPL(my, Autograd, m) { m.impl("scale", scale_autograd); }
//
//     auto scale = c10::Dispatcher::singleton().findSchemaOrThrow("my::scale", "").typed<Tensor(const Tensor&, double)>();
//     Tensor y = scale.call(x, 2.0);
//
// A function given to def() itself serves every device and is recorded by autograd operation by operation. Classes (class_<T>) belong
// to TorchScript, which wick does not run.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torch {

// A kernel on its way into a Library.
class CppFunction {
 public:
  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, CppFunction>)
  explicit CppFunction(F&& f) : kernel_(c10::KernelFunction::make(std::forward<F>(f))) {}
  CppFunction(CppFunction&&) = default;
  CppFunction& operator=(CppFunction&&) = default;

  // The kernel that is none: the next key is asked.
  static CppFunction makeFallthrough() { return CppFunction(c10::KernelFunction::makeFallthrough()); }
  // From void(const OperatorHandle&, Stack*), or the same with a DispatchKeySet in between.
  template <auto* f>
  static CppFunction makeFromBoxedFunction() {
    return CppFunction(c10::KernelFunction::makeFromBoxed(
        [](const c10::OperatorHandle& op, [[maybe_unused]] c10::DispatchKeySet keys, jit::Stack* stack) {
          if constexpr (std::invocable<decltype(f), const c10::OperatorHandle&, jit::Stack*>) f(op, stack);
          else f(op, keys, stack);
        }));
  }
  template <class F>
  static CppFunction makeFromUnboxedFunction(F&& f) { return CppFunction(std::forward<F>(f)); }
  CppFunction&& debug(const std::string&) && { return std::move(*this); }

 private:
  friend class Library;
  template <class F>
  friend CppFunction dispatch(c10::DispatchKey key, F&& f);
  explicit CppFunction(c10::KernelFunction kernel) : kernel_(std::move(kernel)) {}

  std::optional<c10::DispatchKey> key_;
  c10::KernelFunction kernel_;
};

// The kernel for a key, or for the key of a device.
template <class F>
CppFunction dispatch(c10::DispatchKey key, F&& f) {
  CppFunction function(std::forward<F>(f));
  function.key_ = key;
  return function;
}
template <class F>
CppFunction dispatch(wick::DeviceType device, F&& f) {
  const bool cuda = device == wick::kCUDA, meta = device == wick::kMeta;
  WICK_CHECK(cuda || meta || device == wick::kCPU, "Device type ", device, " cannot be overloaded at dispatch time.");
  return dispatch(cuda ? c10::DispatchKey::CUDA : meta ? c10::DispatchKey::Meta : c10::DispatchKey::CPU, std::forward<F>(f));
}

inline c10::FunctionSchema schema(const char* text) { return jit::parseSchema(text); }

// What a TORCH_LIBRARY block registers; taken back when the library is destroyed.
class Library {
 public:
  enum Kind { DEF, IMPL, FRAGMENT };

  Library(Kind kind, std::string ns, std::optional<c10::DispatchKey> key, const char* file, uint32_t line);
  Library(Library&&) = default;
  Library& operator=(Library&& other) {
    reset();
    kind_ = other.kind_, ns_ = std::move(other.ns_), key_ = other.key_, undo_ = std::move(other.undo_);
    return *this;
  }
  ~Library() { reset(); }

  // A schema; with a kernel, which serves every device; or a name, whose schema is that of the kernel.
  Library& def(const char* schema_text) & { return def(schema(schema_text)); }
  Library& def(c10::FunctionSchema&& schema) &;
  template <class F>
  Library& def(const char* name_or_schema, F&& f) & { return define(name_or_schema, CppFunction(std::forward<F>(f))); }
  template <class F>
  Library& def(c10::FunctionSchema&& schema, F&& f) & {
    const c10::OperatorName name = schema.operator_name();
    return def(std::move(schema)).implement(name, CppFunction(std::forward<F>(f)));
  }
  // A kernel for the library's key, or for one of its own.
  template <class F>
  Library& impl(const char* name, F&& f) & { return implement(jit::parseName(name), CppFunction(std::forward<F>(f))); }
  template <class Key, class F>
  Library& impl(const char* name, Key&& key, F&& f) & { return impl(name, dispatch(std::forward<Key>(key), std::forward<F>(f))); }
  // The kernel of every operator that has none for the library's key. In the namespace "_".
  template <class F>
  Library& fallback(F&& f) & { return fall_back(CppFunction(std::forward<F>(f))); }
  void reset();

 private:
  Library& define(const char* name_or_schema, CppFunction f);
  Library& implement(c10::OperatorName name, CppFunction f);
  Library& fall_back(CppFunction f);
  c10::OperatorName qualified(c10::OperatorName name) const;

  Kind kind_;
  std::string ns_;
  std::optional<c10::DispatchKey> key_;
  std::vector<c10::Dispatcher::Undo> undo_;  // in order of registration
};

namespace detail {
struct TorchLibraryInit {
  TorchLibraryInit(Library::Kind kind, void (*fill)(Library&), const char* ns, std::optional<c10::DispatchKey> key, const char* file,
                   uint32_t line)
      : library(kind, ns, key, file, line) {
    fill(library);
  }
  Library library;
};
}  // namespace detail

// The older way: static auto registry = torch::RegisterOperators("my::scale", &scale).op("my::shift", &shift);
class RegisterOperators {
 public:
  RegisterOperators() = default;
  template <class F>
  RegisterOperators(const std::string& name_or_schema, F&& f) { op(name_or_schema, std::forward<F>(f)); }
  template <class F>
  RegisterOperators&& op(const std::string& name_or_schema, F&& f) && { return add(name_or_schema, std::forward<F>(f)), std::move(*this); }
  template <class F>
  RegisterOperators& op(const std::string& name_or_schema, F&& f) & { return add(name_or_schema, std::forward<F>(f)), *this; }

 private:
  template <class F>
  void add(const std::string& name_or_schema, F&& f) {
    const size_t colons = name_or_schema.find("::");
    WICK_CHECK(colons != name_or_schema.npos, "RegisterOperators: the name needs a namespace, as in my::", name_or_schema);
    libraries_.emplace_back(Library::FRAGMENT, name_or_schema.substr(0, colons), std::nullopt, "", 0)
        .def(name_or_schema.c_str(), std::forward<F>(f));
  }
  std::vector<Library> libraries_;
};

}  // namespace torch

#define WICK_TORCH_PASTE_INNER(a, b) a##b
#define WICK_TORCH_PASTE(a, b) WICK_TORCH_PASTE_INNER(a, b)
#define WICK_TORCH_LIBRARY(kind, ns, key, m, function)                                                       \
  static void function(::torch::Library&);                                                                   \
  static const ::torch::detail::TorchLibraryInit WICK_TORCH_PASTE(function, _registered)(                    \
      ::torch::Library::kind, &function, #ns, key, __FILE__, static_cast<uint32_t>(__LINE__));               \
  void function(::torch::Library& m)
#define TORCH_LIBRARY(ns, m) WICK_TORCH_LIBRARY(DEF, ns, std::nullopt, m, TORCH_LIBRARY_##ns)
#define TORCH_LIBRARY_FRAGMENT(ns, m) \
  WICK_TORCH_LIBRARY(FRAGMENT, ns, std::nullopt, m, WICK_TORCH_PASTE(TORCH_LIBRARY_FRAGMENT_##ns##_, __COUNTER__))
#define TORCH_LIBRARY_IMPL(ns, key, m) \
  WICK_TORCH_LIBRARY(IMPL, ns, ::c10::DispatchKey::key, m, WICK_TORCH_PASTE(TORCH_LIBRARY_IMPL_##ns##_##key##_, __COUNTER__))
#define MAKE_TORCH_LIBRARY(ns) ::torch::Library(::torch::Library::DEF, #ns, std::nullopt, __FILE__, static_cast<uint32_t>(__LINE__))
#define MAKE_TORCH_LIBRARY_IMPL(ns, key) \
  ::torch::Library(::torch::Library::IMPL, #ns, ::c10::DispatchKey::key, __FILE__, static_cast<uint32_t>(__LINE__))
