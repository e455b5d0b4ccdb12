#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>

#include "wick/framework/core/error.h"
#include "wick/framework/ops/autocast.h"
#include "wick/nn/type_name.h"

namespace c10 {

const char* toString(DispatchKey key) {
  static constexpr const char* kNames[] = {
      "Undefined", "CPU", "CUDA", "MPS", "Meta", "ADInplaceOrView", "AutogradOther", "AutogradCPU", "AutogradCUDA", "AutogradMPS",
      "AutogradMeta", "AutocastCPU", "AutocastCUDA", "Autograd", "CompositeImplicitAutograd", "CompositeExplicitAutograd"};
  return kNames[static_cast<int>(key)];
}

// ---- Choosing a kernel -------------------------------------------------------------------------------------------------------------

const KernelFunction& OperatorEntry::lookup(DispatchKeySet keys) const {
  const auto find = [](const auto& map, DispatchKey key) -> const KernelFunction* {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &found->second;
  };
  const DispatchKey backend = (keys & after_ADInplaceOrView_keyset).highestPriorityTypeId();
  const bool has_backend = kernels.contains(backend) || kernels.contains(DispatchKey::CompositeExplicitAutograd);
  const auto kernel_for = [&](DispatchKey key) -> const KernelFunction* {
    if (const KernelFunction* kernel = find(kernels, key)) return kernel;
    const bool is_autograd = autograd_dispatch_keyset.has(key);
    const bool is_backend = key == DispatchKey::Undefined || after_ADInplaceOrView_keyset.has(key);
    const KernelFunction* kernel = is_backend ? find(kernels, DispatchKey::CompositeExplicitAutograd) : nullptr;
    if (!kernel && (is_backend || (is_autograd && !has_backend))) {
      kernel = find(kernels, DispatchKey::CompositeImplicitAutograd);
    }
    if (!kernel && is_autograd) kernel = find(kernels, DispatchKey::Autograd);
    if (!kernel) kernel = find(Dispatcher::singleton().fallbacks_, key);
    return kernel;
  };
  for (DispatchKeySet left = keys;; left = left.remove(left.highestPriorityTypeId())) {
    const KernelFunction* kernel = kernel_for(left.highestPriorityTypeId());
    if (kernel && !kernel->isFallthrough()) return *kernel;
    if (left.empty()) break;
  }
  std::string known;
  for (const auto& [key, kernel] : kernels) (known += known.empty() ? "" : ", ") += toString(key);
  WICK_CHECK_NOT_IMPLEMENTED(backend != DispatchKey::Undefined,
                             "There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no fallback "
                             "function is registered for schema ", toString(name), ".\n  Kernels: [", known, "]");
  wick::detail::raise<wick::NotImplementedError>("Could not run '", toString(name), "' with arguments from the '", toString(backend),
                                           "' backend.\n  '", toString(name), "' is only available for these backends: [", known, "].");
}

namespace impl {

DispatchKeySet keys_of(const wick::Tensor& x) {
  if (!x.defined()) return {};
  DispatchKey backend = DispatchKey::CPU, autograd = DispatchKey::AutogradCPU;
  if (x.is_cuda()) backend = DispatchKey::CUDA, autograd = DispatchKey::AutogradCUDA;
  else if (x.is_meta()) backend = DispatchKey::Meta, autograd = DispatchKey::AutogradMeta;
  if (x.is_inference()) return DispatchKeySet(backend);
  return {backend, autograd, DispatchKey::ADInplaceOrView};
}

DispatchKeySet effective(DispatchKeySet keys) {
  if (wick::t_state.autocast) {
    if (keys.has(DispatchKey::CPU) && wick::amp::is_autocast_enabled(wick::kCPU)) keys = keys.add(DispatchKey::AutocastCPU);
    if (keys.has(DispatchKey::CUDA) && wick::amp::is_autocast_enabled(wick::kCUDA)) keys = keys.add(DispatchKey::AutocastCUDA);
  }
  if (wick::t_state.inference) keys = keys - autograd_dispatch_keyset - DispatchKeySet(DispatchKey::ADInplaceOrView);
  return keys - excluded_keys;
}

void wrong_signature(const OperatorEntry& op, const std::type_info& called_as, const std::type_info& is) {
  const auto text = [](const std::type_info& type) { return wick::nn::detail::type_name(type); };
  wick::detail::raise<wick::Error>("Tried to access or call an operator with a wrong signature.\n  operator: ", toString(op.name),
                                   "\n  correct signature:  ", text(is), "\n  accessed/called as: ", text(called_as));
}

}  // namespace impl

// ---- Handles -----------------------------------------------------------------------------------------------------------------------

const FunctionSchema& OperatorHandle::schema() const {
  WICK_CHECK(hasSchema(), "Tried to access the schema for ", toString(operator_name()), " which doesn't have a schema registered yet");
  return *entry_->schema;
}

void OperatorHandle::callBoxed(torch::jit::Stack* stack) const {
  const size_t count = std::min(stack->size(), schema().arguments().size());
  DispatchKeySet keys;
  for (size_t i = stack->size() - count; i < stack->size(); ++i) {
    const wick::IValue& x = (*stack)[i];
    if (x.isTensor()) keys = keys | impl::keys_of(x.toTensor());
    else if (x.isTensorList()) keys = keys | impl::keys_of(x.toTensorVector());
  }
  redispatchBoxed(impl::effective(keys), stack);
}

// ---- Registration ------------------------------------------------------------------------------------------------------------------

Dispatcher& Dispatcher::singleton() {
  static Dispatcher& dispatcher = *new Dispatcher;  // outlives what static libraries undo at the end
  return dispatcher;
}

OperatorEntry& Dispatcher::entry(const OperatorName& name) { return operators_.try_emplace(toString(name), name).first->second; }

std::optional<OperatorHandle> Dispatcher::findSchema(const OperatorName& name) {
  const std::lock_guard lock(mutex_);
  const auto found = operators_.find(toString(name));
  if (found == operators_.end() || !found->second.schema) return std::nullopt;
  return OperatorHandle(found->second);
}

OperatorHandle Dispatcher::findSchemaOrThrow(const char* name, const char* overload_name) {
  const std::optional<OperatorHandle> found = findSchema({name, overload_name});
  WICK_CHECK(found, "Could not find schema for ", name, ".", overload_name);
  return *found;
}

std::vector<OperatorName> Dispatcher::getAllOpNames() {
  const std::lock_guard lock(mutex_);
  std::vector<OperatorName> names;
  for (const auto& [text, op] : operators_) if (op.schema) names.push_back(op.name);
  return names;
}

Dispatcher::Undo Dispatcher::registerLibrary(const std::string& name) {
  const std::lock_guard lock(mutex_);
  WICK_CHECK(libraries_[name] == 0, "Only a single TORCH_LIBRARY can be used to register the namespace ", name,
             "; please put all of your definitions in a single TORCH_LIBRARY block.  If you were trying to specify implementations, "
             "consider using TORCH_LIBRARY_IMPL (which can be duplicated).  If you really intended to define operators for a single "
             "namespace in a distributed way, you can use TORCH_LIBRARY_FRAGMENT to explicitly indicate this.");
  libraries_[name] = 1;
  return [this, name] {
    const std::lock_guard guard(mutex_);
    libraries_[name] = 0;
  };
}

namespace {

// int[2] is a list of integers as int[] is; what ATen calls SymInt is an integer.
std::string plain_type(std::string type) {
  if (type.starts_with("SymInt")) type.replace(0, 6, "int");
  return type;
}

void check_types(const FunctionSchema& schema, const KernelFunction& kernel) {
  if (!kernel.types()) return;
  const auto compare = [&](const char* what, const std::vector<Argument>& declared, const std::vector<std::string>& inferred) {
    const auto fail = [&](const auto&... reason) {
      wick::detail::raise<wick::Error>("Inferred operator schema for a C++ kernel function doesn't match the expected function schema.\n",
                                       "  operator: ", toString(schema.operator_name()), "\n  expected schema: ", toString(schema),
                                       "\n  reason: ", reason...);
    };
    if (declared.size() != inferred.size()) {
      fail("The number of ", what, "s is different. ", declared.size(), " vs ", inferred.size(), ".");
    }
    for (size_t i = 0; i < declared.size(); ++i) {
      if (plain_type(declared[i].type()) != inferred[i]) {
        fail("Type mismatch in ", what, " ", i + 1, ": ", declared[i].type(), " vs ", inferred[i]);
      }
    }
  };
  compare("argument", schema.arguments(), kernel.types()->arguments);
  compare("return", schema.returns(), kernel.types()->returns);
}

}  // namespace

Dispatcher::Undo Dispatcher::registerDef(FunctionSchema schema) {
  const std::lock_guard lock(mutex_);
  OperatorEntry& op = entry(schema.operator_name());
  WICK_CHECK(!op.schema, "Tried to register an operator (", toString(schema), ") with the same name and overload name multiple times.");
  for (const auto& [key, kernel] : op.kernels) check_types(schema, kernel);
  op.schema = std::move(schema);
  return [this, &op] {
    const std::lock_guard guard(mutex_);
    op.schema.reset();
  };
}

Dispatcher::Undo Dispatcher::registerImpl(const OperatorName& name, DispatchKey key, KernelFunction kernel) {
  const std::lock_guard lock(mutex_);
  OperatorEntry& op = entry(name);
  if (key == DispatchKey::CatchAll) key = DispatchKey::CompositeImplicitAutograd;
  if (op.schema) check_types(*op.schema, kernel);
  for (const auto& [other_key, other] : op.kernels) {
    WICK_CHECK(!kernel.signature() || !other.signature() || *kernel.signature() == *other.signature(),
               "Mismatch in kernel C++ signatures\n  operator: ", toString(name), "\n  kernels: ", toString(other_key), ", ",
               toString(key));
  }
  WICK_CHECK(op.kernels.emplace(key, std::move(kernel)).second, "the operator ", toString(name), " has a kernel for ", toString(key),
             " already");
  return [this, &op, key] {
    const std::lock_guard guard(mutex_);
    op.kernels.erase(key);
  };
}

Dispatcher::Undo Dispatcher::registerFallback(DispatchKey key, KernelFunction kernel) {
  const std::lock_guard lock(mutex_);
  WICK_CHECK(fallbacks_.emplace(key, std::move(kernel)).second, "Tried to register multiple backend fallbacks for the same dispatch key ",
             toString(key));
  return [this, key] {
    const std::lock_guard guard(mutex_);
    fallbacks_.erase(key);
  };
}

}  // namespace c10
