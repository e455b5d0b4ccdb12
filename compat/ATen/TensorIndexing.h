// How indices print, as LibTorch does it.
#pragma once

#include <ATen/names.h>

#include <ostream>
#include <vector>

namespace wick::indexing {

inline std::ostream& operator<<(std::ostream& out, const Slice& slice) {
  return out << slice.start() << ':' << slice.stop() << ':' << slice.step();
}

inline std::ostream& operator<<(std::ostream& out, const TensorIndex& index) {
  if (index.is_none()) return out << "None";
  if (index.is_ellipsis()) return out << "...";
  if (index.is_integer()) return out << index.integer();
  if (index.is_boolean()) return out << (index.boolean() ? "true" : "false");
  if (index.is_slice()) return out << index.slice();
  return out << Tensor(index.tensor());
}

inline std::ostream& operator<<(std::ostream& out, const std::vector<TensorIndex>& indices) {
  const char* before = "(";
  for (const TensorIndex& index : indices) {
    out << before << index;
    before = ", ";
  }
  return out << ')';
}

}  // namespace wick::indexing

namespace at {
inline Tensor& index_put_(Tensor& self, ArrayRef<std::optional<Tensor>> indices, const Tensor& values, bool accumulate = false) {
  return self.index_put_(indices, values, accumulate);
}
}  // namespace at
