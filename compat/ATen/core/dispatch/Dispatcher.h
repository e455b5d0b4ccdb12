// The operators that TORCH_LIBRARY has made known, by name, and the choice among their kernels: by the devices of the tensor arguments
// and by what this thread does about autograd. An operator with kernels for autograd and for a device is called through the former, which
// calls it again below autograd (at::AutoDispatchBelowAutograd).
//
// wick's own operations are plain functions and not among them. Many threads may call; what registers must not run beside them.
#pragma once

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/function_schema.h>

#include <array>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace c10 {

// An operator's schema and kernels. Lives as long as the program.
struct OperatorEntry {
  explicit OperatorEntry(OperatorName its_name) : name(std::move(its_name)) {}

  // The kernel for the first of the keys that has one; throws where no kernel is left.
  const KernelFunction& lookup(DispatchKeySet keys) const;

  OperatorName name;
  std::optional<FunctionSchema> schema;  // none before its def() has been seen
  std::map<DispatchKey, KernelFunction> kernels;
};

template <class F>
class TypedOperatorHandle;

class OperatorHandle {
 public:
  explicit OperatorHandle(OperatorEntry& entry) : entry_(&entry) {}

  const OperatorName& operator_name() const { return entry_->name; }
  bool hasSchema() const { return entry_->schema.has_value(); }
  const FunctionSchema& schema() const;
  bool hasKernelForDispatchKey(DispatchKey key) const { return entry_->kernels.contains(key); }

  // The handle to call it by: typed<Tensor(const Tensor&, int64_t)>(). Throws unless these are the types of its kernels.
  template <class F>
  TypedOperatorHandle<F> typed() const { return TypedOperatorHandle<F>(*entry_); }
  // Takes the arguments, all of them, from the stack and leaves the results there.
  void callBoxed(torch::jit::Stack* stack) const;
  void callBoxed(torch::jit::Stack& stack) const { callBoxed(&stack); }
  void redispatchBoxed(DispatchKeySet keys, torch::jit::Stack* stack) const { entry_->lookup(keys).callBoxed(*this, keys, stack); }

 protected:
  OperatorEntry* entry_;
};

namespace impl {

// The keys of a tensor: its device, and autograd unless it is an inference tensor.
DispatchKeySet keys_of(const wick::Tensor& x);
inline DispatchKeySet keys_of(const std::optional<wick::Tensor>& x) { return x ? keys_of(*x) : DispatchKeySet(); }
inline DispatchKeySet keys_of(wick::TensorList list) {
  DispatchKeySet keys;
  for (const wick::Tensor& x : list) keys = keys | keys_of(x);
  return keys;
}
inline DispatchKeySet keys_of(const std::vector<wick::Tensor>& list) { return keys_of(wick::TensorList(list)); }
template <class T>
DispatchKeySet keys_of(const T&) { return DispatchKeySet(); }
// Those that count in this thread.
DispatchKeySet effective(DispatchKeySet keys);

[[noreturn]] void wrong_signature(const OperatorEntry& op, const std::type_info& called_as, const std::type_info& is);

}  // namespace impl

template <class R, class... Args>
class TypedOperatorHandle<R(Args...)> : public OperatorHandle {
 public:
  explicit TypedOperatorHandle(OperatorEntry& entry) : OperatorHandle(entry) {
    for (const auto& [key, kernel] : entry.kernels) {
      if (!kernel.template accepts<R, Args...>()) impl::wrong_signature(entry, typeid(R(Args...)), *kernel.signature());
    }
  }
  R call(Args... args) const {
    const DispatchKeySet keys = (DispatchKeySet() | ... | impl::keys_of(args));
    return redispatch(impl::effective(keys), std::forward<Args>(args)...);
  }
  R redispatch(DispatchKeySet keys, Args... args) const {
    const KernelFunction& kernel = entry_->lookup(keys);
    if (WICK_UNLIKELY(!(kernel.template accepts<R, Args...>()))) impl::wrong_signature(*entry_, typeid(R(Args...)), *kernel.signature());
    return kernel.template call<R, Args...>(*this, keys, std::forward<Args>(args)...);
  }
  R callWithDispatchKey(DispatchKey key, Args... args) const { return redispatch(DispatchKeySet(key), std::forward<Args>(args)...); }
};

class Dispatcher {
 public:
  static Dispatcher& singleton();

  // An operator that has a schema.
  std::optional<OperatorHandle> findSchema(const OperatorName& name);
  OperatorHandle findSchemaOrThrow(const char* name, const char* overload_name);
  std::vector<OperatorName> getAllOpNames();

  // Each returns what undoes it.
  using Undo = std::function<void()>;
  Undo registerLibrary(const std::string& name);
  Undo registerDef(FunctionSchema schema);
  Undo registerImpl(const OperatorName& name, DispatchKey key, KernelFunction kernel);
  // For every operator without a kernel for the key.
  Undo registerFallback(DispatchKey key, KernelFunction kernel);

 private:
  friend struct OperatorEntry;
  OperatorEntry& entry(const OperatorName& name);

  std::mutex mutex_;
  std::map<std::string, OperatorEntry> operators_;
  std::map<std::string, int> libraries_;
  std::map<DispatchKey, KernelFunction> fallbacks_;
};

}  // namespace c10
