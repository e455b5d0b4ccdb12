// Products with Jacobians and Hessians of functions of tensors, under the names of torch.autograd.functional.
//
// fn takes and returns lists; `inputs` are the point at which it is differentiated. They need not require a gradient, and what else fn
// uses is constant. The results are recorded, and can be differentiated with respect to the inputs, only with create_graph. A derivative
// of an output that does not depend on an input is zero.
#pragma once

#include <functional>
#include <utility>

#include "wick/framework/autograd/engine.h"

namespace wick::autograd::functional {

using TensorFunction = std::function<Tensor(const Tensor&)>;
using ListFunction = std::function<variable_list(const variable_list&)>;

// fn(inputs), and v^T J for each input, with its shape. v: for each output a tensor of its shape; may be empty for one output of one
// element, where it is 1.
std::pair<variable_list, variable_list> vjp(const ListFunction& fn, const variable_list& inputs, const variable_list& v = {},
                                            bool create_graph = false);

// fn(inputs), and J v for each output, with its shape. v: for each input a tensor of its shape; may be empty for one input of one element.
// Two backward passes: v^T J is linear in v, and its derivative with respect to v is J.
std::pair<variable_list, variable_list> jvp(const ListFunction& fn, const variable_list& inputs, const variable_list& v = {},
                                            bool create_graph = false);

// result[o][i] has the shape of output o followed by that of input i: d output / d input. One backward pass for each element of an output.
std::vector<variable_list> jacobian(const ListFunction& fn, const variable_list& inputs, bool create_graph = false);
Tensor jacobian(const TensorFunction& fn, const Tensor& input, bool create_graph = false);

// result[i][k] has the shape of input i followed by that of input k. fn returns one tensor of one element.
std::vector<variable_list> hessian(const ListFunction& fn, const variable_list& inputs, bool create_graph = false);
Tensor hessian(const TensorFunction& fn, const Tensor& input, bool create_graph = false);

}  // namespace wick::autograd::functional
