#include "wick/framework/plan/elementwise.h"

#include <algorithm>

namespace wick {
namespace {

// Every operand a single number or without gaps and as large as the output: one dimension.
bool make_flat_plan(ElementwisePlan& plan, const TensorBase* const* operands, int n) {
  const TensorImpl& out = operands[0]->impl();
  if (!out.has(TensorImpl::kContiguous)) return false;
  bool flat = true;
  for (int k = 0; k < n; ++k) {
    int64_t stride = 0;
    if (operands[k]) {
      const TensorImpl& x = operands[k]->impl();
      plan.dtype[k] = x.dtype;
      flat &= x.dtype == out.dtype;
      if (x.numel == out.numel && x.has(TensorImpl::kContiguous)) stride = 1;
      else if (x.numel != 1) return false;
    }
    plan.strides[k][0] = stride;
  }
  plan.numel = plan.sizes[0] = out.numel;
  plan.ndim = 1;
  plan.flat = flat;
  return true;
}

// Strides of every operand along the output's dimensions, innermost first, without dimensions of size 1.
void collect_dims(ElementwisePlan& plan, const TensorBase* const* operands, int n) {
  const IntArrayRef out_sizes = operands[0]->sizes();
  int ndim = 0;
  for (size_t i = 0; i < out_sizes.size(); ++i) {  // i counts from the last dimension
    const int64_t size = out_sizes[out_sizes.size() - 1 - i];
    if (size == 1) continue;
    plan.sizes[ndim] = size;
    for (int k = 0; k < n; ++k) {
      int64_t stride = 0;
      if (operands[k]) {
        const IntArrayRef sizes = operands[k]->sizes();
        const bool present = i < sizes.size() && sizes[sizes.size() - 1 - i] != 1;
        if (present) stride = operands[k]->strides()[sizes.size() - 1 - i];
      }
      plan.strides[k][ndim] = stride;
    }
    ++ndim;
  }
  plan.ndim = ndim;
}

// Whether dimension a should be walked inside dimension b: the output decides, then each input that does not broadcast.
bool belongs_inside(const ElementwisePlan& plan, int a, int b, int n) {
  for (int k = 0; k < n; ++k) {
    const int64_t sa = plan.strides[k][a], sb = plan.strides[k][b];
    if (sa == 0 || sb == 0 || sa == sb) continue;
    return sa < sb;
  }
  return false;
}

void swap_dims(ElementwisePlan& plan, int a, int b, int n) {
  std::swap(plan.sizes[a], plan.sizes[b]);
  for (int k = 0; k < n; ++k) std::swap(plan.strides[k][a], plan.strides[k][b]);
}

// Insertion sort: there are few dimensions, and mostly they are in order.
void sort_dims(ElementwisePlan& plan, int n) {
  for (int i = 1; i < plan.ndim; ++i) {
    for (int j = i; j > 0 && belongs_inside(plan, j, j - 1, n); --j) swap_dims(plan, j, j - 1, n);
  }
}

// Joins neighbours along which every operand moves as if they were one dimension.
void merge_dims(ElementwisePlan& plan, int n) {
  int last = 0;
  for (int i = 1; i < plan.ndim; ++i) {
    bool fits = true;
    for (int k = 0; k < n && fits; ++k) fits = plan.strides[k][i] == plan.strides[k][last] * plan.sizes[last];
    if (fits) {
      plan.sizes[last] *= plan.sizes[i];
      continue;
    }
    ++last;
    plan.sizes[last] = plan.sizes[i];
    for (int k = 0; k < n; ++k) plan.strides[k][last] = plan.strides[k][i];
  }
  plan.ndim = last + 1;
}

}  // namespace

void make_plan(ElementwisePlan& plan, const TensorBase* const* operands, int n) {
  if (WICK_LIKELY(make_flat_plan(plan, operands, n))) return;
  for (int k = 0; k < n; ++k) {
    if (operands[k]) plan.dtype[k] = operands[k]->scalar_type();
  }
  plan.numel = operands[0]->numel();
  plan.flat = false;
  collect_dims(plan, operands, n);
  if (plan.ndim == 0) {  // one element
    plan.sizes[0] = 1;
    for (int k = 0; k < n; ++k) plan.strides[k][0] = operands[k] ? 1 : 0;
    plan.ndim = 1;
    return;
  }
  sort_dims(plan, n);
  merge_dims(plan, n);
}

void check_no_overlap(const TensorBase& output, const TensorBase* const* inputs, int num_inputs, bool may_be_same) {
  const TensorImpl& out = output.impl();
  if (out.numel <= 1 && may_be_same) return;
  if (!out.has(TensorImpl::kContiguous)) {
    for (size_t d = 0; d < output.sizes().size(); ++d) {
      WICK_CHECK(output.sizes()[d] <= 1 || output.strides()[d] != 0,
                 "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
                 "Please clone() the tensor before performing the operation.");
    }
  }
  for (int k = 0; k < num_inputs; ++k) {
    if (!inputs[k] || !inputs[k]->defined()) continue;
    const TensorImpl& in = inputs[k]->impl();
    if (in.storage.get() != out.storage.get() || in.numel == 0) continue;
    const bool same = in.data == out.data && output.sizes() == inputs[k]->sizes() && output.strides() == inputs[k]->strides();
    if (same && may_be_same) continue;
    // Apart when one ends before the other begins.
    const auto last = [](const TensorBase& x) {
      int64_t reach = 0;
      for (size_t d = 0; d < x.sizes().size(); ++d) reach += (x.sizes()[d] - 1) * x.strides()[d];
      return static_cast<const char*>(x.data_ptr()) + (reach + 1) * x.element_size();
    };
    const bool apart = last(*inputs[k]) <= static_cast<const char*>(out.data) || last(output) <= static_cast<const char*>(in.data);
    WICK_CHECK(apart || !output.is_non_overlapping_and_dense() || !inputs[k]->is_non_overlapping_and_dense(),
               "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. "
               "Please clone() the tensor before performing the operation.");
  }
}

}  // namespace wick
