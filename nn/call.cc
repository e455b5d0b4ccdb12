#include "wick/nn/call.h"

#include "wick/nn/type_name.h"

namespace wick::nn::detail {

std::string call_frame(const Module& module) {
  const std::string type = short_type_name(typeid(module));
  const std::string& name = module.name_in_parent();
  return name.empty() ? "in module " + type : "in module " + name + " (" + type + ")";
}

void add_call_context(Error& error, const Module& module) { error.add_context("  " + call_frame(module)); }

}  // namespace wick::nn::detail
