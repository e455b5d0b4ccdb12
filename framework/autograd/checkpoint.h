// Checkpointing: memory for time. What a part of the model saves for backward is not kept; the part runs once more when backward needs it.
//
//     Tensor h = utils::checkpoint([&](const Tensor& x) { return block(x); }, x);
//
// Chen et al., "Training deep nets with sublinear memory cost", 2016.
#pragma once

#include <functional>
#include <memory>
#include <tuple>

#include "wick/framework/autograd/saved_tensor_hooks.h"

namespace wick::utils {
namespace detail {

// Swaps what operations save for numbers while it lives; `again` repeats the computation, with the random numbers of the first time.
class CheckpointScope {
 public:
  explicit CheckpointScope(std::function<void()> again);
  ~CheckpointScope();

 private:
  struct Part;
  std::shared_ptr<Part> part_;
  std::unique_ptr<autograd::SavedTensorHooksGuard> guard_;
};

// Arguments of the second run: tensors end their history here.
inline Tensor without_history(const Tensor& x) { return x.defined() ? x.detach().requires_grad_(x.requires_grad()) : x; }
inline std::vector<Tensor> without_history(const std::vector<Tensor>& list) {
  std::vector<Tensor> result;
  for (const Tensor& x : list) result.push_back(without_history(x));
  return result;
}
template <class T>
const T& without_history(const T& x) { return x; }

}  // namespace detail

// fn(args...), which runs a second time, on the same arguments, when backward first needs a value that it saved; the values of that
// run are kept until the graph is freed. The default CPU generator then goes through the same states as the first time (dropout
// repeats itself) and is put back. fn must do the same both times, and must not write to its arguments. fn and args are copied.
//
// Works with autograd::grad, create_graph, and nested. Throws PyTorch's sentence where the second run saves another number of tensors.
template <class F, class... Args>
auto checkpoint(const F& fn, const Args&... args) {
  const detail::CheckpointScope scope([fn, kept = std::tuple<Args...>(args...)] {
    std::apply([&](const Args&... arg) { fn(detail::without_history(arg)...); }, kept);
  });
  return fn(args...);
}

}  // namespace wick::utils
