#include "wick/framework/core/dims.h"

namespace wick {

int64_t checked_numel(IntArrayRef sizes) {
  // A zero anywhere makes the count 0, however large the other sizes are; so the overflow is judged at the end.
  int64_t numel = 1;
  bool overflow = false, zero = false;
  for (int64_t size : sizes) {
    WICK_CHECK(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
    zero |= size == 0;
    overflow |= __builtin_mul_overflow(numel, size, &numel);
  }
  if (zero) return 0;
  WICK_CHECK(!overflow, "Storage size calculation overflowed with sizes=", sizes);
  return numel;
}

int64_t checked_nbytes(int64_t numel, int64_t element_size) {
  int64_t nbytes;
  WICK_CHECK(!__builtin_mul_overflow(numel, element_size, &nbytes), "Storage size calculation overflowed: ", numel,
             " elements of ", element_size, " bytes each");
  return nbytes;
}

Dims contiguous_strides(IntArrayRef sizes) {
  Dims strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    // Unsigned, since the strides of an empty tensor with huge sizes may wrap without harm.
    stride = static_cast<int64_t>(static_cast<uint64_t>(stride) * static_cast<uint64_t>(std::max<int64_t>(sizes[i], 1)));
  }
  return strides;
}

Dims joined_dims(std::initializer_list<IntArrayRef> lists) {
  Dims all;
  for (IntArrayRef list : lists) {
    for (int64_t value : list) all.push_back(value);
  }
  return all;
}

std::string joined_text(IntArrayRef list, std::string_view separator) {
  std::string text;
  for (int64_t value : list) {
    if (!text.empty()) text += separator;
    text += std::to_string(value);
  }
  return text;
}

int64_t wrap_dim(int64_t dim, int64_t ndim) {
  const int64_t range = std::max<int64_t>(ndim, 1);
  WICK_CHECK_INDEX(dim >= -range && dim < range, "Dimension out of range (expected to be in range of [", -range, ", ", range - 1,
                   "], but got ", dim, ")");
  return dim < 0 ? dim + range : dim;
}

Dims broadcast_shapes(IntArrayRef a, IntArrayRef b) {
  const size_t ndim = std::max(a.size(), b.size());
  Dims out(ndim);
  for (size_t i = 0; i < ndim; ++i) {  // i counts from the end
    const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    WICK_CHECK(x == y || x == 1 || y == 1, "The size of tensor a (", x, ") must match the size of tensor b (", y,
               ") at non-singleton dimension ", ndim - 1 - i, "\n  shapes: ", a, " and ", b,
               "\n  Compared from the last dimension on, sizes must be equal or one of them 1; unsqueeze() adds a 1.");
    out[ndim - 1 - i] = x == 1 ? y : x;
  }
  return out;
}

}  // namespace wick
