// What softmax and the losses on class indices share: where the elements of a problem lie, and the sum of their exponentials.
#pragma once

#include "wick/framework/cuda/kernels/groups.cuh"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/math/scalar.h"
#include "wick/framework/plan/softmax.h"

namespace wick::cuda {
namespace {

struct Plus {
  template <class T>
  __device__ T operator()(T x, T y) const { return x + y; }
};
struct Larger {
  template <class T>
  __device__ T operator()(T x, T y) const { return math::max(x, y); }
};

// Problem `index` of the shape: n elements, `stride` apart, from `offset` on. One beyond the last has no elements.
struct Problem {
  bool valid;
  int64_t n, stride, offset;

  __device__ Problem(int64_t index, const ClassShape& shape)
      : valid(index < shape.outer * shape.inner),
        n(valid ? shape.n : 0),
        stride(shape.inner),
        offset(valid ? index / shape.inner * shape.n * shape.inner + index % shape.inner : 0) {}
};

// The sum of exp(x - largest).
template <class T>
struct Total {
  T largest, sum;
};

template <class T, class Group>
__device__ inline Total<T> log_sum_exp(const Group& group, const Problem& problem, const T* x) {
  constexpr T kLowest = static_cast<T>(-__builtin_huge_val());
  Total<T> total{kLowest, T(0)};
  for (int64_t j = group.rank; j < problem.n; j += group.size) total.largest = math::max(total.largest, x[j * problem.stride]);
  total.largest = group.reduce(total.largest, Larger(), kLowest);
  for (int64_t j = group.rank; j < problem.n; j += group.size) total.sum += math::exp(x[j * problem.stride] - total.largest);
  total.sum = group.reduce(total.sum, Plus(), T(0));
  return total;
}

struct ProblemGrid {
  bool blocks;  // a block for each problem, else `width` lanes
  int width;
  Grid grid;
};

inline ProblemGrid problem_grid(const ClassShape& shape) {
  const int64_t problems = shape.problems();
  if (shape.inner == 1 && shape.n >= kLongRow) {
    return {true, 1, {dim3(static_cast<unsigned>(problems)), dim3(kGroupThreads), 0, current_stream()}};
  }
  const int width = shape.inner == 1 ? lanes_for(shape.n) : 1;
  return {false, width,
          {dim3(static_cast<unsigned>((problems * width + kGroupThreads - 1) / kGroupThreads)), dim3(kGroupThreads), 0, current_stream()}};
}

}  // namespace
}  // namespace wick::cuda
