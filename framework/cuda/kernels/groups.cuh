// Threads that work on one row, or on one problem, together: a few lanes of a warp, or a block. Kernels are templates over the two.
#pragma once

#include "wick/framework/cuda/kernels/device.cuh"

namespace wick::cuda {

// `width` (a power of two up to 32) neighbouring lanes of a warp. All lanes of the warp must call reduce(), those without work as well.
struct LaneGroup {
  int64_t index;  // of the group in the grid
  int rank, size;

  __device__ explicit LaneGroup(int width) {
    const int64_t thread = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    index = thread / width;
    rank = static_cast<int>(threadIdx.x) & (width - 1);
    size = width;
  }
  // op over the group; every thread gets the result, the same in each run.
  template <class T, class Op>
  __device__ T reduce(T x, Op op, T) const {
    for (int distance = size / 2; distance > 0; distance /= 2) x = op(x, __shfl_xor_sync(kAllLanes, x, distance));
    return x;
  }
};

// A block of whole warps.
struct BlockGroup {
  int64_t index;
  int rank, size;

  __device__ explicit BlockGroup(int) : index(blockIdx.x), rank(static_cast<int>(threadIdx.x)), size(static_cast<int>(blockDim.x)) {}
  template <class T, class Op>
  __device__ T reduce(T x, Op op, T identity) const { return block_reduce(x, op, identity); }
};

// How many lanes suit n elements.
inline int lanes_for(int64_t n) {
  int width = 1;
  while (width < kWarp && width < n) width *= 2;
  return width;
}

inline constexpr int kGroupThreads = 256;
inline constexpr int64_t kLongRow = 2048;  // from here on a block is worth its while

}  // namespace wick::cuda
