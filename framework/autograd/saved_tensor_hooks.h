// What operations save for backward, kept in another form: on disk, on the CPU, at a lower precision, or not at all.
//
//     autograd::SavedTensorHooksGuard guard([](const Tensor& x) { return std::any(x.to(kHalf)); },
//                                           [](const std::any& packed) { return std::any_cast<const Tensor&>(packed).to(kFloat); });
//     Tensor y = model(x);   // keeps its intermediate values as float16
#pragma once

#include <any>
#include <functional>
#include <memory>

#include "wick/framework/tensor.h"

namespace wick::autograd {

// While it lives, every tensor that an operation of this thread saves is given to `pack`, without its history, and what pack returns is
// kept; backward gets what `unpack` makes of that, which must have the shape and the dtype of the tensor. pack must not change the
// tensor in place. Of nested guards the innermost counts. That a packed tensor is changed in place before backward is not noticed.
class SavedTensorHooksGuard {
 public:
  SavedTensorHooksGuard(std::function<std::any(const Tensor&)> pack, std::function<Tensor(const std::any&)> unpack);
  ~SavedTensorHooksGuard() { t_state.saved_hooks = outer_; }
  SavedTensorHooksGuard(const SavedTensorHooksGuard&) = delete;
  SavedTensorHooksGuard& operator=(const SavedTensorHooksGuard&) = delete;

 private:
  std::shared_ptr<const SavedTensorHooks> hooks_;
  const SavedTensorHooks* outer_;
};

}  // namespace wick::autograd
