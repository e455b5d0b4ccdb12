// The recorded computation as a picture.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wick/framework/tensor.h"

namespace wick::autograd {

// The graph behind y as text for Graphviz, data flowing downwards: an oval for each leaf that requires a gradient, with its name, dtype
// and shape; a box for each operation, with the name of its node and the shape of its result; y at the end. Tensors that need no
// gradient are no part of the graph. `names`: what to call leaves; model->named_parameters().pairs() fits.
//
//     std::ofstream("graph.dot") << autograd::draw(loss, model->named_parameters().pairs());   // dot -Tsvg graph.dot -o graph.svg
std::string draw(const Tensor& y, const std::vector<std::pair<std::string, Tensor>>& names = {});

}  // namespace wick::autograd
