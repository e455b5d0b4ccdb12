// Where a tensor's elements lie in its memory, and what views have in common with the operations that copy from or to them.
#pragma once

#include "wick/framework/ops/op.h"

namespace wick::ops {

// Sizes and strides, and the offset of the first element, all in elements.
struct Geometry {
  Dims sizes, strides;
  int64_t offset = 0;

  Geometry() = default;
  explicit Geometry(const TensorBase& x) : sizes(x.sizes()), strides(x.strides()), offset(x.storage_offset()) {}
  // Row-major from the beginning.
  explicit Geometry(IntArrayRef shape) : sizes(shape), strides(contiguous_strides(shape)) {}

  // Restricts it to the elements start + i * step along dim, for i in [0, length).
  Geometry& slice(int64_t dim, int64_t start, int64_t length, int64_t step) {
    offset += start * strides[dim];
    sizes[dim] = length;
    WICK_CHECK(!__builtin_mul_overflow(strides[dim], step, &strides[dim]),
               "as_strided: Negative strides are not supported at the moment, got strides: ", strides);
    return *this;
  }
  // Restricts it to those at `index` along dim, which is dropped.
  Geometry& select(int64_t dim, int64_t index) {
    offset += index * strides[dim];
    drop(dim);
    return *this;
  }
  void drop(int64_t dim) {
    sizes.erase(dim);
    strides.erase(dim);
  }
  Geometry permuted(const Dims& order) const {
    Geometry to;
    to.offset = offset;
    for (int64_t d : order) {
      to.sizes.push_back(sizes[d]);
      to.strides.push_back(strides[d]);
    }
    return to;
  }

  // How many elements memory has at least: one past the last element, 0 where there is none.
  int64_t end() const;
  // Whether every element has a place of its own; says no in a few cases where it is so.
  bool is_disjoint() const;
};

// x's memory under another geometry; joins no graph.
inline Tensor alias(const Tensor& x, const Geometry& to) { return alias_base(x, to.sizes, to.strides, to.offset); }

// The parts of a complex tensor as a dimension of size 2 behind the others, and the reverse. They join no graph.
Tensor parts_of(const TensorBase& z);
Tensor joined_parts(const TensorBase& x);

// A dense tensor of the given shape with g at `part` of it and 0 elsewhere: the gradient of an operation that picked that part, whose
// elements lie at different places.
Tensor embed(const Tensor& g, IntArrayRef sizes, const Geometry& part);

// For each element of the geometry its place in memory of that many elements, as a list.
Tensor places(const Geometry& at, int64_t memory, const TensorOptions& like);

// The shape of tensor argument i of a recorded operation; only for one whose gradient is wanted.
inline IntArrayRef input_sizes(const Gradients& g, int i = 0) {
  const Edge& edge = g.node().edge(i);
  return edge.function->result(static_cast<int>(edge.input_nr)).sizes();
}

// The shape with -1 replaced by what numel elements leave for it. Throws PyTorch's sentences.
Dims infer_shape(IntArrayRef shape, int64_t numel);

// The strides that let the memory be read as new_sizes without copying, where there are any.
std::optional<Dims> strides_for_view(IntArrayRef sizes, IntArrayRef strides, IntArrayRef new_sizes);

// start and end of a slice of a dimension of this size, as Python reads them: negative numbers count from the end, and both are
// brought into the range. Returns start and the number of elements.
std::pair<int64_t, int64_t> slice_range(int64_t size, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step);

}  // namespace wick::ops
