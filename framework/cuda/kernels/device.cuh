// What kernels share: reductions within a warp and a block, loads and stores of 16 bytes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace wick::cuda {

inline constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;

// `N` elements that one instruction loads or stores, or two where they are more than 16 bytes.
template <class T, int N = 16 / sizeof(T)>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) Vec {
  T x[N];
};

// op(a, b) over the lanes of the warp, all of which must call; every lane gets the result. The tree is fixed, so the result is the same
// in each run.
template <class T, class Op>
__device__ inline T warp_reduce(T x, Op op) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) x = op(x, __shfl_xor_sync(kAllLanes, x, distance));
  return x;
}

// op over the threads of a block of whole warps (one-dimensional, up to 1,024 threads), all of which must call. Every thread gets the
// result. `identity` leaves its partner in op unchanged. May be called several times in a row.
template <class T, class Op>
__device__ inline T block_reduce(T x, Op op, T identity) {
  __shared__ T partial[kWarp];
  const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  x = warp_reduce(x, op);
  if (warps == 1) return x;
  __syncthreads();  // an earlier call may still be read
  if (lane == 0) partial[warp] = x;
  __syncthreads();
  return warp_reduce(lane < warps ? partial[lane] : identity, op);
}

}  // namespace wick::cuda
