#include <torch/library.h>

#include "wick/framework/core/error.h"

namespace torch {

Library::Library(Kind kind, std::string ns, std::optional<c10::DispatchKey> key, const char*, uint32_t)
    : kind_(kind), ns_(std::move(ns)), key_(key) {
  if (key_ == c10::DispatchKey::CatchAll) key_.reset();
  if (kind_ == DEF) undo_.push_back(c10::Dispatcher::singleton().registerLibrary(ns_));
}

void Library::reset() {
  while (!undo_.empty()) {
    undo_.back()();
    undo_.pop_back();
  }
}

c10::OperatorName Library::qualified(c10::OperatorName name) const {
  const size_t colons = name.name.find("::");
  if (colons == name.name.npos) return {ns_ + "::" + name.name, name.overload_name};
  const std::string given = name.name.substr(0, colons);
  WICK_CHECK(given == ns_, "Explicitly provided namespace (", given, ") in operator name does not match namespace of enclosing "
             "TORCH_LIBRARY block (", ns_, ").");
  return name;
}

Library& Library::def(c10::FunctionSchema&& schema) & {
  WICK_CHECK(kind_ != IMPL, "def(\"", c10::toString(schema), "\"): Cannot define an operator inside of a TORCH_LIBRARY_IMPL block.  All "
             "def()s should be placed in the (unique) TORCH_LIBRARY block for their namespace.");
  undo_.push_back(c10::Dispatcher::singleton().registerDef({qualified(schema.operator_name()), schema.arguments(), schema.returns()}));
  return *this;
}

Library& Library::define(const char* name_or_schema, CppFunction f) {
  const std::string text = name_or_schema;
  if (text.find('(') != text.npos) return def(schema(name_or_schema), std::move(f));
  const c10::KernelFunction::Types* types = f.kernel_.types();
  WICK_CHECK(types, "def(\"", text, "\"): the schema of a boxed kernel must be written out");
  std::vector<c10::Argument> arguments, returns;
  for (size_t i = 0; i < types->arguments.size(); ++i) arguments.emplace_back("_" + std::to_string(i), types->arguments[i]);
  for (const std::string& type : types->returns) returns.emplace_back("", type);
  return def(c10::FunctionSchema(jit::parseName(text), std::move(arguments), std::move(returns)), std::move(f));
}

Library& Library::implement(c10::OperatorName name, CppFunction f) {
  WICK_CHECK(!f.key_ || !key_ || *f.key_ == *key_, "impl(\"", c10::toString(name), "\", ...): Explicitly provided dispatch key (",
             c10::toString(*f.key_), ") is inconsistent with the dispatch key of the enclosing TORCH_LIBRARY_IMPL block (",
             c10::toString(*key_), ").");
  const c10::DispatchKey key = f.key_ ? *f.key_ : key_.value_or(c10::DispatchKey::CatchAll);
  undo_.push_back(c10::Dispatcher::singleton().registerImpl(qualified(std::move(name)), key, std::move(f.kernel_)));
  return *this;
}

Library& Library::fall_back(CppFunction f) {
  WICK_CHECK(kind_ == IMPL && ns_ == "_" && key_, "fallback(...): Cannot define a fallback for anything but one key of all operators: "
             "TORCH_LIBRARY_IMPL(_, key, m).");
  undo_.push_back(c10::Dispatcher::singleton().registerFallback(*key_, std::move(f.kernel_)));
  return *this;
}

}  // namespace torch
