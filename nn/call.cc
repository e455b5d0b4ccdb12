#include "wick/nn/call.h"

#include "wick/nn/type_name.h"

namespace wick::nn::detail {

void add_call_context(Error& error, const Module& module) {
  const std::string type = short_type_name(typeid(module));
  const std::string& name = module.name_in_parent();
  error.add_context(name.empty() ? "  in module " + type : "  in module " + name + " (" + type + ")");
}

}  // namespace wick::nn::detail
