// Running the recorded computation backwards.
#pragma once

#include <optional>
#include <vector>

#include "wick/framework/tensor.h"

namespace wick::autograd {

using Variable = Tensor;
using variable_list = std::vector<Tensor>;

// Hooks of a node, for Node::add_pre_hook and add_post_hook. What one returns, as many gradients as it got first, takes their place; of a
// node that accumulates into a leaf, `inputs` is empty.
struct FunctionPreHook {
  virtual ~FunctionPreHook() = default;
  virtual variable_list operator()(const variable_list& grads) = 0;
};
struct FunctionPostHook {
  virtual ~FunctionPostHook() = default;
  virtual variable_list operator()(const variable_list& inputs, const variable_list& grads) = 0;
};

// Adds to grad() of every leaf (or of `inputs` only) the gradient of the sum of the tensors, each weighted by its grad_tensor. A grad
// tensor may be left out, or be undefined, for a tensor of one element, where it is 1.
//   retain_graph: keep what the graph saved, so that it can be run again; default: create_graph.
//   create_graph: record the backward pass, so that the gradients can be differentiated.
void backward(const variable_list& tensors, const variable_list& grad_tensors = {}, std::optional<bool> retain_graph = std::nullopt,
              bool create_graph = false, const variable_list& inputs = {});

// The gradients of the outputs with respect to `inputs`; grad() of no tensor changes. An input that the outputs do not depend on is an
// error, or has an undefined gradient where allow_unused is set.
variable_list grad(const variable_list& outputs, const variable_list& inputs, const variable_list& grad_outputs = {},
                   std::optional<bool> retain_graph = std::nullopt, bool create_graph = false, bool allow_unused = false);

}  // namespace wick::autograd
