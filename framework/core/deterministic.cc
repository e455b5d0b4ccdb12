#include "wick/framework/core/deterministic.h"

#include "wick/framework/core/warning.h"

namespace wick {
namespace {

std::atomic<bool> g_on{false}, g_warn_only{false};

}  // namespace

void set_deterministic(bool on, bool warn_only) {
  g_warn_only.store(warn_only, std::memory_order_relaxed);
  g_on.store(on, std::memory_order_relaxed);
}

bool is_deterministic() noexcept { return g_on.load(std::memory_order_relaxed); }
bool is_deterministic_warn_only() noexcept { return g_warn_only.load(std::memory_order_relaxed); }

void alert_not_deterministic(std::string_view caller) {
  if (!is_deterministic()) return;
  if (is_deterministic_warn_only()) {
    return WICK_WARN(caller, " does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True, "
                     "warn_only=True)'. You can file an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding "
                     "deterministic support for this operation.");
  }
  wick::detail::raise<Error>(caller, " does not have a deterministic implementation, but you set "
                             "'torch.use_deterministic_algorithms(True)'. You can turn off determinism just for this operation, or you can "
                             "use the 'warn_only=True' option, if that's acceptable for your application. You can also file an issue at "
                             "https://github.com/pytorch/pytorch/issues to help us prioritize adding deterministic support for this "
                             "operation.");
}

}  // namespace wick
