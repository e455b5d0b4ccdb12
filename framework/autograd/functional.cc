#include "wick/framework/autograd/functional.h"

namespace wick::autograd::functional {
namespace {

// The inputs as the leaves of a graph of their own; with create_graph as a part of theirs.
variable_list prepare(const variable_list& inputs, bool create_graph) {
  variable_list prepared;
  for (const Tensor& x : inputs) {
    prepared.push_back(create_graph && x.requires_grad() ? x.view_as(x) : x.detach().requires_grad_());
  }
  return prepared;
}

variable_list finish(variable_list results, bool create_graph) {
  if (create_graph) return results;
  for (Tensor& x : results) x = x.detach();
  return results;
}

variable_list weights(const char* only_if, const variable_list& v, const variable_list& like) {
  if (v.empty()) {
    WICK_CHECK(like.size() == 1 && like[0].numel() == 1, "The vector v can only be None if ", only_if,
               " a single Tensor with a single element.");
    return {ones_like(like[0])};
  }
  WICK_CHECK(v.size() == like.size(), "v is a tuple of invalid length: should be ", like.size(), " but got ", v.size(), ".");
  for (size_t i = 0; i < v.size(); ++i) {
    WICK_CHECK(v[i].sizes() == like[i].sizes(), "Entry ", i, " in v has invalid size: should be ", like[i].sizes(), " but got ",
               v[i].sizes(), ".");
  }
  return v;
}

// The gradients of those outputs that have any; zeros where there are none.
variable_list gradients(const variable_list& outputs, const variable_list& inputs, const variable_list& v, bool create_graph) {
  variable_list ys, gs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].requires_grad()) continue;
    ys.push_back(outputs[i]);
    gs.push_back(v[i]);
  }
  variable_list gx(inputs.size());
  if (!ys.empty()) gx = grad(ys, inputs, gs, true, create_graph, true);
  for (size_t i = 0; i < gx.size(); ++i) {
    if (!gx[i].defined()) gx[i] = zeros_like(inputs[i]);
  }
  return gx;
}

ListFunction as_list(const TensorFunction& fn) {
  return [fn](const variable_list& x) { return variable_list{fn(x[0])}; };
}

}  // namespace

std::pair<variable_list, variable_list> vjp(const ListFunction& fn, const variable_list& inputs, const variable_list& v,
                                            bool create_graph) {
  const AutoGradMode recording(true);
  const variable_list x = prepare(inputs, create_graph);
  const variable_list y = fn(x);
  variable_list gx = gradients(y, x, weights("the user-provided function returns", v, y), create_graph);
  return {finish(y, create_graph), finish(std::move(gx), create_graph)};
}

std::pair<variable_list, variable_list> jvp(const ListFunction& fn, const variable_list& inputs, const variable_list& v,
                                            bool create_graph) {
  const AutoGradMode recording(true);
  const variable_list x = prepare(inputs, create_graph);
  const variable_list tangents = weights("the input to the user-provided function is", v, x);
  const variable_list y = fn(x);
  variable_list u;  // v^T J is taken at any v, since it is linear in it
  for (const Tensor& output : y) u.push_back(zeros_like(output).requires_grad_());
  const variable_list gx = gradients(y, x, u, true);
  variable_list result = gradients(gx, u, tangents, create_graph);
  return {finish(y, create_graph), finish(std::move(result), create_graph)};
}

std::vector<variable_list> jacobian(const ListFunction& fn, const variable_list& inputs, bool create_graph) {
  const AutoGradMode recording(true);
  const variable_list x = prepare(inputs, create_graph);
  std::vector<variable_list> result;
  for (const Tensor& y : fn(x)) {
    std::vector<variable_list> rows(x.size());
    const Tensor flat = y.reshape({-1});
    for (int64_t i = 0; i < flat.numel(); ++i) {
      const Tensor element = flat.select(0, i);
      const variable_list gx = gradients({element}, x, {ones_like(element)}, create_graph);
      for (size_t k = 0; k < x.size(); ++k) rows[k].push_back(gx[k]);
    }
    variable_list of_output;
    for (size_t k = 0; k < x.size(); ++k) {
      const Dims shape = joined_dims({y.sizes(), x[k].sizes()});
      of_output.push_back(rows[k].empty() ? zeros(shape, x[k].options()) : stack(rows[k]).reshape(shape));
    }
    result.push_back(finish(std::move(of_output), create_graph));
  }
  return result;
}

Tensor jacobian(const TensorFunction& fn, const Tensor& input, bool create_graph) {
  return jacobian(as_list(fn), {input}, create_graph)[0][0];
}

std::vector<variable_list> hessian(const ListFunction& fn, const variable_list& inputs, bool create_graph) {
  const auto gradient = [&](const variable_list& x) {
    const variable_list y = fn(x);
    WICK_CHECK(y.size() == 1 && y[0].numel() == 1, "The Tensor returned by the function given to hessian should contain a single element");
    return gradients(y, x, {ones_like(y[0])}, true);
  };
  return jacobian(gradient, inputs, create_graph);
}

Tensor hessian(const TensorFunction& fn, const Tensor& input, bool create_graph) {
  return hessian(as_list(fn), {input}, create_graph)[0][0];
}

}  // namespace wick::autograd::functional
