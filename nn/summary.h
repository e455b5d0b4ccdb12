// nn::summary: a model as a table of its layers, with their outputs, parameters and multiplications.
//
//     std::cout << nn::summary(model, {1, 1, 28, 28});
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "wick/nn/module_holder.h"

namespace wick::nn {
namespace detail {
std::string summary(Module& model, IntArrayRef input_size, const std::function<void(const Tensor&)>& call);
}  // namespace detail

// Calls the model once with zeros of this shape, in evaluation and without gradients, and leaves it as it was. A module that stands in
// two places is listed once, and tied parameters count once. MACs are the multiply-accumulates of matrix products and convolutions in
// one forward pass; memory is that of the parameters and of all layers' outputs.
template <class M>
  requires std::is_base_of_v<Module, M>
std::string summary(M& model, IntArrayRef input_size) {
  return detail::summary(model, input_size, [&](const Tensor& input) { call(model, input); });
}
template <class M>
std::string summary(const std::shared_ptr<M>& model, IntArrayRef input_size) { return summary(*model, input_size); }
template <class M>
std::string summary(const ModuleHolder<M>& model, IntArrayRef input_size) { return summary(*model.ptr(), input_size); }

}  // namespace wick::nn
