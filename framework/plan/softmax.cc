#include "wick/framework/plan/softmax.h"

namespace wick {

ClassShape class_shape(const TensorBase& x, int64_t dim) {
  ClassShape shape{1, 1, 1};
  for (int64_t d = 0; d < x.dim(); ++d) {
    (d < dim ? shape.outer : d == dim ? shape.n : shape.inner) *= x.sizes()[static_cast<size_t>(d)];
  }
  return shape;
}

void target_error(int64_t target, int64_t classes) {
  detail::raise<IndexError>("Target ", target, " is out of bounds.\n  There are ", classes, " classes, so a target is from 0 to ",
                            classes - 1, ", or ignore_index.");
}

}  // namespace wick
