#include "wick/framework/plan/index.h"

namespace wick {

void TableDims::append(int64_t size, int64_t stride) {
  if (size == 1) return;
  numel *= size;
  if (ndim > 0 && strides[ndim - 1] == size * stride) {
    sizes[ndim - 1] *= size;
    strides[ndim - 1] = stride;
    return;
  }
  sizes[ndim] = size;
  strides[ndim] = stride;
  ++ndim;
}

void index_error(IndexCheck check, int64_t index, int64_t dim, int64_t size) {
  const std::string text = detail::concat("index ", index, " is out of bounds for dimension ", dim, " with size ", size);
  if (check == IndexCheck::kDimension) throw Error(text);
  if (check == IndexCheck::kWrap) throw IndexError(text);
  throw IndexError("index out of range in self\n  " + text);
}

}  // namespace wick
