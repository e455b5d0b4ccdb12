// What the operations that take their places from tensors share; plan/index.h has the picture.
#pragma once

#include "wick/framework/ops/copy.h"
#include "wick/framework/ops/view.h"
#include "wick/framework/plan/index.h"

namespace wick::ops {

// The places of a block of elements in a table.
struct Places {
  Tensor offsets;
  IndexPlan plan;
};

// Completes a plan whose dimensions before and behind the index are known: the innermost one becomes the run.
void finish(IndexPlan& plan, int64_t count);

// The dimension that an index tensor belongs to; `dim` is its number in an error's text.
struct IndexedDim {
  int64_t size, stride;
  int64_t dim;
  IndexCheck check;
};

// offsets = (add ? offsets : 0) + index * stride, and the places of index's own positions in `positions`, where these matter. Throws
// where an index is out of bounds.
void launch_offsets(const Tensor& offsets, const Tensor& index, const IndexedDim& indexed, bool add, const Geometry* positions = nullptr);

// block = table at the places; block has no gaps.
void launch_take(const Tensor& table, const Places& places, const Tensor& block);
// table at the places = block, or += block. A block of one element is a value for all places.
void launch_put(Kernel<PutArgs>& kernel, const Tensor& table, const Places& places, const Tensor& block);

// A number as a 0-dim tensor of x's dtype, which must be able to hold it.
Tensor number_like(const Scalar& value, const Tensor& x);

// An in-place operation on a copy of its first argument.
template <class Op>
struct OutOfPlace {
  static constexpr OpInfo info = Op::info;

  template <class... Args>
  static Tensor forward(Context& ctx, const Tensor& self, const Args&... args) {
    Tensor y = allocate_like(self, self.scalar_type(), self.device());
    copy_data(y, self);
    Op::forward(ctx, y, args...);
    return y;
  }
};

}  // namespace wick::ops
