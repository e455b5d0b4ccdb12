// The recorded computation as a picture.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wick/framework/tensor.h"

namespace wick::autograd {

// The graph behind y as text for Graphviz, data flowing downwards: an oval for each leaf that requires a gradient, with its name, dtype
// and shape; a box for each operation, with the name of its node and the shape of its result; y at the end. Tensors that need no
// gradient are no part of the graph. `names`: what to call leaves, for which model->named_parameters().pairs() fits, and y.
//
//     autograd::draw(loss, "graph.svg", model->named_parameters().pairs());
// The second form writes a file: text for Graphviz (.dot or .gv), or a picture (.svg, .png, .pdf), for which the program dot must be in
// PATH; where it is not, the text is written beside it as .dot. Returns the path of what was written.
std::string draw(const Tensor& y, const std::vector<std::pair<std::string, Tensor>>& names = {});
std::string draw(const Tensor& y, const std::string& path, const std::vector<std::pair<std::string, Tensor>>& names = {});

}  // namespace wick::autograd
