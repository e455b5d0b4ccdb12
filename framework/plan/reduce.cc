#include "wick/framework/plan/reduce.h"

#include <algorithm>

#include "wick/framework/core/parallel.h"

namespace wick {
namespace {

struct Dim {
  int64_t size, stride;
  bool reduced;
  int place;  // among the dimensions of x
};

// The dimensions larger than 1, outermost in memory first.
int collect_dims(const TensorBase& x, uint32_t reduced, Dim* dims) {
  int count = 0;
  for (size_t d = 0; d < x.sizes().size(); ++d) {
    if (x.sizes()[d] == 1) continue;
    const Dim dim{x.sizes()[d], x.strides()[d], (reduced >> d & 1) != 0, static_cast<int>(d)};
    int at = count++;
    for (; at > 0 && dims[at - 1].stride < dim.stride; --at) dims[at] = dims[at - 1];
    dims[at] = dim;
  }
  return count;
}

// The results are written in the order of x's dimensions, so those that stay must be met in that order.
bool kept_in_order(const Dim* dims, int count) {
  int last = -1;
  for (int i = 0; i < count; ++i) {
    if (dims[i].reduced) continue;
    if (dims[i].place < last) return false;
    last = dims[i].place;
  }
  return true;
}

// Joins neighbours of one kind that are one dimension in memory; returns how many are left.
int merge_dims(Dim* dims, int count) {
  int left = 0;
  for (int i = 0; i < count; ++i) {
    Dim* before = left ? &dims[left - 1] : nullptr;
    if (before && before->reduced == dims[i].reduced && before->stride == dims[i].stride * dims[i].size) {
      before->size *= dims[i].size;
      before->stride = dims[i].stride;
    } else {
      dims[left++] = dims[i];
    }
  }
  return left;
}

// [outer, n, inner] from what is left; false where there is more than that.
bool place_dims(ReducePlan& plan, const Dim* dims, int count) {
  plan.outer = plan.n = plan.inner = 1;
  plan.outer_stride = plan.n_stride = plan.inner_stride = 1;
  int i = 0;
  if (i < count && !dims[i].reduced) plan.outer = dims[i].size, plan.outer_stride = dims[i].stride, ++i;
  if (i < count && dims[i].reduced) plan.n = dims[i].size, plan.n_stride = dims[i].stride, ++i;
  if (i < count && !dims[i].reduced) plan.inner = dims[i].size, plan.inner_stride = dims[i].stride, ++i;
  return i == count;
}

// A contiguous x whose reduced dimensions stand together, as nearly always.
bool make_contiguous_plan(ReducePlan& plan, const TensorImpl& x, uint32_t reduced) {
  if (!x.has(TensorImpl::kContiguous)) return false;
  plan.outer = plan.n = plan.inner = 1;
  const int64_t* sizes = x.sizes();
  int d = 0;
  while (d < x.ndim && !(reduced >> d & 1)) plan.outer *= sizes[d++];
  while (d < x.ndim && reduced >> d & 1) plan.n *= sizes[d++];
  while (d < x.ndim && !(reduced >> d & 1)) plan.inner *= sizes[d++];
  if (d < x.ndim) return false;
  plan.inner_stride = 1;
  plan.n_stride = plan.inner;
  plan.outer_stride = plan.n * plan.inner;
  return true;
}

// Few results from many elements are worth several threads each; at most 64 pieces, of a size that suits the kernels' blocks. A GPU has
// more to do at once.
void choose_chunks(ReducePlan& plan, bool cuda) {
  constexpr int64_t kMultiple = 4096;
  const int64_t max_chunks = cuda ? 1024 : 64, grain = cuda ? kGrainSize / 4 : kGrainSize;
  plan.chunk = plan.n;
  plan.chunks = 1;
  const int64_t total = plan.results() * plan.n;
  if (total < 2 * grain || plan.results() > 4096 || plan.outer >= (cuda ? 256 : 16)) return;
  const int64_t pieces = std::min(std::min(total / grain, max_chunks), plan.n);
  const int64_t multiple = plan.inner == 1 ? kMultiple : 64;
  plan.chunk = ((plan.n + pieces - 1) / pieces + multiple - 1) / multiple * multiple;
  plan.chunks = (plan.n + plan.chunk - 1) / plan.chunk;
}

}  // namespace

ReducePlan make_reduce_plan(const TensorBase& x, uint32_t reduced) {
  ReducePlan plan;
  if (!make_contiguous_plan(plan, x.impl(), reduced)) {
    Dim dims[kMaxDims];
    const int count = collect_dims(x, reduced, dims);
    if (!kept_in_order(dims, count) || !place_dims(plan, dims, merge_dims(dims, count))) {
      plan.kind = ReduceCase::kGeneral;
      return plan;
    }
  }
  plan.kind = plan.inner > 1 ? ReduceCase::kColumn : plan.outer > 1 ? ReduceCase::kRow : ReduceCase::kAll;
  choose_chunks(plan, x.device().is_cuda());
  return plan;
}

}  // namespace wick
