// Searching in sorted rows, as other operations use it.
#pragma once

#include "wick/framework/ops/op.h"

namespace wick::ops {

// For each of `values` its place in its row of `sorted`, which has `rows` rows: plan/sort.h. All three contiguous.
void launch_search(const Tensor& places, const Tensor& sorted, const Tensor& values, int64_t rows, bool right);

}  // namespace wick::ops
