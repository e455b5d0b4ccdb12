#include "wick/nn/any_module.h"

namespace wick::nn::detail {

void complete_arguments(const Module& module, size_t wanted, AnyValues& arguments) {
  if (WICK_LIKELY(arguments.size() == wanted)) return;
  const auto defaults = AnyModuleAccess::default_args(module);
  const std::string& name = type_name(typeid(module));
  if (defaults.empty()) {
    const std::string hint = arguments.size() > wanted ? "" :
        " If " + name + "'s forward() method has default arguments, please make sure the forward() method is declared with a "
        "corresponding `FORWARD_HAS_DEFAULT_ARGS` macro.";
    wick::detail::raise<Error>(name, "'s forward() method expects ", wanted, " argument(s), but received ", arguments.size(), ".", hint);
  }
  const unsigned required = defaults.front().first;
  WICK_CHECK(arguments.size() >= required && arguments.size() < wanted, name, "'s forward() method expects at least ", required,
             " argument(s) and at most ", wanted, " argument(s), but received ", arguments.size(), ".");
  for (const auto& [index, value] : defaults) {
    if (index >= arguments.size()) arguments.push_back(value);
  }
}

void argument_error(size_t index, const std::type_info& wanted, const AnyValue& got) {
  wick::detail::raise<Error>("Expected argument #", index, " to be of type ", type_name(wanted), ", but received value of type ",
                             type_name(got.type_info()));
}

}  // namespace wick::nn::detail
