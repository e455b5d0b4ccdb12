// Functional: a function from Tensor to Tensor as a module. Python's torch.nn has nothing like it.
//
//     nn::Sequential net(nn::Linear(4, 10), nn::Functional(relu), nn::Functional(softmax, 1, std::nullopt));
#pragma once

#include <functional>
#include <utility>

#include "wick/nn/cloneable.h"

namespace wick::nn {

class FunctionalImpl : public Cloneable<FunctionalImpl> {
 public:
  using Function = std::function<Tensor(Tensor)>;

  explicit FunctionalImpl(Function function) : function_(std::move(function)) {}
  // The function with arguments for all of its parameters but the first.
  template <class F, class... Args>
    requires(sizeof...(Args) > 0)
  explicit FunctionalImpl(F function, Args&&... args)
      : function_([function, ... args = std::forward<Args>(args)](Tensor input) { return function(std::move(input), args...); }) {}

  void reset() override {}
  void describe(Fields& fields) const override;
  Tensor forward(Tensor input) { return function_(std::move(input)); }

 private:
  Function function_;
};

WICK_LAYER(Functional);

}  // namespace wick::nn
