// The language of device code for the host compiler: what nvcc knows by itself and g++ has to be told.
//
// The build of the simulator includes this file before each .cu file (-include), as nvcc includes cuda_runtime.h. A kernel is then an
// ordinary function that is called once for each thread of the grid, on a fiber (fibers.h), and every function here that waits for other
// threads switches to the next of them. What a test can ask of the simulator is in control.h.
//
// __CUDACC__ stays undefined: without it CUDA's headers make __global__, __device__ and the like empty.
#pragma once

// Before anything else: without them abs(-0.5f) is the function for int.
#include <math.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

// Blocks run one after another, so that one copy of a block's variables will do.
#define __shared__ static
#define __launch_bounds__(...)

#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#include "wick/tests/cuda_sim/device_math.h"
#include "wick/tests/cuda_sim/hooks.h"

static_assert(CUDART_VERSION >= 13000, "the simulator defines the runtime functions with the signatures of CUDA 13");

// ---- Barriers and fences --------------------------------------------------------------------------------------------------------------

inline void __syncthreads(cuda_sim::Where where = cuda_sim::Where::current()) {
  cuda_sim::block_barrier(cuda_sim::BarrierKind::kPlain, 0, where);
}
inline int __syncthreads_count(int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::block_barrier(cuda_sim::BarrierKind::kCount, predicate, where);
}
inline int __syncthreads_and(int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::block_barrier(cuda_sim::BarrierKind::kAnd, predicate, where);
}
inline int __syncthreads_or(int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::block_barrier(cuda_sim::BarrierKind::kOr, predicate, where);
}
inline void __threadfence() { cuda_sim::thread_fence(); }
inline void __threadfence_block() {}
inline void __threadfence_system() { cuda_sim::thread_fence(); }
inline void __trap(cuda_sim::Where where = cuda_sim::Where::current()) { cuda_sim::trap(where); }

// ---- Warps ----------------------------------------------------------------------------------------------------------------------------

inline void __syncwarp(unsigned mask = 0xffffffffu, cuda_sim::Where where = cuda_sim::Where::current()) {
  cuda_sim::warp_call({cuda_sim::WarpOp::kSync, mask}, where);
}
inline unsigned __activemask() { return cuda_sim::active_mask(); }

namespace cuda_sim {

template <class T>
CUDA_SIM_UNCHECKED T shuffle(WarpOp op, unsigned mask, T value, unsigned lane, int width, const Where& where) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = warp_call({op, mask, bits, lane, width}, where);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace cuda_sim

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::shuffle(cuda_sim::WarpOp::kShuffle, mask, value, static_cast<unsigned>(lane), width, where);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::shuffle(cuda_sim::WarpOp::kShuffleUp, mask, value, delta, width, where);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::shuffle(cuda_sim::WarpOp::kShuffleDown, mask, value, delta, width, where);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::shuffle(cuda_sim::WarpOp::kShuffleXor, mask, value, static_cast<unsigned>(lane_mask), width, where);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  return static_cast<unsigned>(cuda_sim::warp_call({cuda_sim::WarpOp::kBallot, mask, predicate != 0}, where));
}
inline int __any_sync(unsigned mask, int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  return static_cast<int>(cuda_sim::warp_call({cuda_sim::WarpOp::kAny, mask, predicate != 0}, where));
}
inline int __all_sync(unsigned mask, int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  return static_cast<int>(cuda_sim::warp_call({cuda_sim::WarpOp::kAll, mask, predicate != 0}, where));
}
template <class T>
unsigned __match_any_sync(unsigned mask, T value, cuda_sim::Where where = cuda_sim::Where::current()) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return static_cast<unsigned>(cuda_sim::warp_call({cuda_sim::WarpOp::kMatchAny, mask, bits}, where));
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* all, cuda_sim::Where where = cuda_sim::Where::current()) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  const auto lanes = static_cast<unsigned>(cuda_sim::warp_call({cuda_sim::WarpOp::kMatchAll, mask, bits}, where));
  *all = lanes != 0;
  return lanes;
}

#define CUDA_SIM_REDUCE(NAME, OP, T, SIGNED)                                                                    \
  inline T __reduce_##NAME##_sync(unsigned mask, T value, cuda_sim::Where where = cuda_sim::Where::current()) { \
    const uint64_t bits = static_cast<uint64_t>(value);                                                         \
    return static_cast<T>(cuda_sim::warp_call({cuda_sim::WarpOp::OP, mask, bits, 0, 32, SIGNED}, where));       \
  }
CUDA_SIM_REDUCE(add, kAdd, int, true)
CUDA_SIM_REDUCE(add, kAdd, unsigned, false)
CUDA_SIM_REDUCE(min, kMin, int, true)
CUDA_SIM_REDUCE(min, kMin, unsigned, false)
CUDA_SIM_REDUCE(max, kMax, int, true)
CUDA_SIM_REDUCE(max, kMax, unsigned, false)
CUDA_SIM_REDUCE(and, kAnd, unsigned, false)
CUDA_SIM_REDUCE(or, kOr, unsigned, false)
CUDA_SIM_REDUCE(xor, kXor, unsigned, false)
#undef CUDA_SIM_REDUCE

// ---- Atomics --------------------------------------------------------------------------------------------------------------------------
// Threads run one at a time, so a plain read and write is atomic. An overload for each type and no template: atomicAdd(float*, double)
// converts, as under nvcc.

#define CUDA_SIM_ATOMIC(NAME, T, NEW)                                                                                                    \
  CUDA_SIM_UNCHECKED inline T NAME(T* address, T value, cuda_sim::Where where = cuda_sim::Where::current()) {                            \
    cuda_sim::atomic_access(address, sizeof(T), where);                                                                                  \
    const T old = *address;                                                                                                              \
    *address = static_cast<T>(NEW);                                                                                                      \
    return old;                                                                                                                          \
  }                                                                                                                                      \
  inline T NAME##_block(T* address, T value, cuda_sim::Where where = cuda_sim::Where::current()) { return NAME(address, value, where); } \
  inline T NAME##_system(T* address, T value, cuda_sim::Where where = cuda_sim::Where::current()) { return NAME(address, value, where); }
#define CUDA_SIM_ATOMIC_INTEGERS(NAME, NEW) \
  CUDA_SIM_ATOMIC(NAME, int, NEW)           \
  CUDA_SIM_ATOMIC(NAME, unsigned, NEW)      \
  CUDA_SIM_ATOMIC(NAME, unsigned long long, NEW)

CUDA_SIM_ATOMIC_INTEGERS(atomicAdd, static_cast<unsigned long long>(old) + static_cast<unsigned long long>(value))
CUDA_SIM_ATOMIC(atomicAdd, float, old + value)
CUDA_SIM_ATOMIC(atomicAdd, double, old + value)
CUDA_SIM_ATOMIC(atomicSub, int, static_cast<unsigned>(old) - static_cast<unsigned>(value))
CUDA_SIM_ATOMIC(atomicSub, unsigned, old - value)
CUDA_SIM_ATOMIC_INTEGERS(atomicExch, value)
CUDA_SIM_ATOMIC(atomicExch, float, value)
CUDA_SIM_ATOMIC_INTEGERS(atomicMin, old < value ? old : value)
CUDA_SIM_ATOMIC(atomicMin, long long, old < value ? old : value)
CUDA_SIM_ATOMIC_INTEGERS(atomicMax, old < value ? value : old)
CUDA_SIM_ATOMIC(atomicMax, long long, old < value ? value : old)
CUDA_SIM_ATOMIC_INTEGERS(atomicAnd, old& value)
CUDA_SIM_ATOMIC_INTEGERS(atomicOr, old | value)
CUDA_SIM_ATOMIC_INTEGERS(atomicXor, old ^ value)
CUDA_SIM_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
CUDA_SIM_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
#undef CUDA_SIM_ATOMIC_INTEGERS
#undef CUDA_SIM_ATOMIC

#define CUDA_SIM_ATOMIC_CAS(T)                                                                                                 \
  CUDA_SIM_UNCHECKED inline T atomicCAS(T* address, T expected, T value, cuda_sim::Where where = cuda_sim::Where::current()) { \
    cuda_sim::atomic_access(address, sizeof(T), where);                                                                        \
    const T old = *address;                                                                                                    \
    if (old == expected) *address = value;                                                                                     \
    return old;                                                                                                                \
  }
CUDA_SIM_ATOMIC_CAS(int)
CUDA_SIM_ATOMIC_CAS(unsigned)
CUDA_SIM_ATOMIC_CAS(unsigned long long)
CUDA_SIM_ATOMIC_CAS(unsigned short)
#undef CUDA_SIM_ATOMIC_CAS
