#include "wick/framework/autograd/saved_tensor_hooks.h"

namespace wick::autograd {
namespace {

// The hooks' own work is neither recorded nor packed.
struct Apart {
  AutoGradMode mode{false};
  const SavedTensorHooks* const outer = t_state.saved_hooks;
  Apart() { t_state.saved_hooks = nullptr; }
  ~Apart() { t_state.saved_hooks = outer; }
};

}  // namespace

SavedTensorHooksGuard::SavedTensorHooksGuard(std::function<std::any(const Tensor&)> pack, std::function<Tensor(const std::any&)> unpack)
    : outer_(t_state.saved_hooks) {
  const auto hooks = std::make_shared<SavedTensorHooks>();
  hooks->pack = [pack = std::move(pack)](const TensorBase& x) {
    const Apart apart;
    return pack(Tensor(x));
  };
  hooks->unpack = [unpack = std::move(unpack)](const std::any& object) -> TensorBase {
    const Apart apart;
    return unpack(object);
  };
  hooks_ = hooks;
  t_state.saved_hooks = hooks.get();
}

}  // namespace wick::autograd
