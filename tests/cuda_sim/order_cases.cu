// Faults of order: barriers, warps, races. Each faulty kernel is followed by what it should have been.
#include "wick/tests/cuda_sim/cases.h"
#include "wick/tests/cuda_sim/test_launch.h"

namespace cuda_sim {
namespace {

constexpr unsigned kAll = 0xffffffffu;

// ---- Shared memory ----------------------------------------------------------------------------------------------------------------------

template <bool Correct>
__global__ void reverse(float* x) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  if (Correct) __syncthreads();
  x[threadIdx.x] = tile[63 - threadIdx.x];  // <- missing_barrier
}

template <bool Correct>
__global__ void shift_twice(float* x) {
  __shared__ float tile[64];
  for (int step = 0; step < 2; ++step) {
    tile[threadIdx.x] = x[threadIdx.x];  // <- missing_second_barrier
    __syncthreads();
    x[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
    if (Correct) __syncthreads();
  }
}

template <bool Correct>
__global__ void sum_of_warp(const float* x, float* y) {
  __shared__ volatile float part[32];
  const unsigned lane = threadIdx.x;
  part[lane] = x[lane];
  __syncwarp();
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const float other = lane < distance ? part[lane + distance] : 0;  // <- warp_synchronous_habit
    if (Correct) __syncwarp();
    if (lane < distance) part[lane] = part[lane] + other;
    if (Correct) __syncwarp();
  }
  if (lane == 0) y[0] = part[0];
}

template <bool Correct>
__global__ void neighbour(const float* x, float* y) {
  __shared__ float part[32];
  part[threadIdx.x] = x[threadIdx.x];
  if (Correct) __syncwarp();
  y[threadIdx.x] = part[(threadIdx.x + 1) % 32];  // <- missing_syncwarp
}

template <bool Correct>
__global__ void count(int* y) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  if (Correct) __syncthreads();
  atomicAdd(&total, 1);  // <- atomic_against_plain
  __syncthreads();
  if (threadIdx.x == 0) *y = total;
}

template <bool Correct>
__global__ void sum_some(const float* x, float* y, unsigned n) {
  __shared__ float part[32];
  if (Correct || threadIdx.x < n) part[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int i = 0; i < 32; ++i) sum += part[i];  // <- unwritten_shared_memory
  *y = sum;
}

// ---- Barriers ---------------------------------------------------------------------------------------------------------------------------

template <bool Correct>
__global__ void early_return(float* x, unsigned n) {
  if (!Correct && threadIdx.x >= n) return;
  if (threadIdx.x < n) x[threadIdx.x] += 1;
  __syncthreads();  // <- barrier_after_return
  if (threadIdx.x < n) x[threadIdx.x] += 1;
}

template <bool Correct>
__global__ void two_barriers(float* x) {
  if (Correct) {
    __syncthreads();
  } else if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads();  // <- divergent_barrier
  }
  x[threadIdx.x] += 1;
}

template <bool Correct>
__global__ void shuffle_in_branch(float* x) {
  float own = x[threadIdx.x];
  if (Correct || threadIdx.x < 16) own += __shfl_xor_sync(kAll, own, 1);  // <- shuffle_without_all
  __syncthreads();
  x[threadIdx.x] = own;
}

// ---- Warps ------------------------------------------------------------------------------------------------------------------------------

template <bool Correct>
__global__ void absent_lane(float* x) {
  const unsigned lane = threadIdx.x;
  if (lane < 16) x[lane] = __shfl_sync(0xffffu, x[lane], Correct ? 3 : 20);  // <- absent_lane
}

template <bool Correct>
__global__ void outside_mask(float* x) {
  x[threadIdx.x] = __shfl_sync(Correct ? kAll : 0xffffu, x[threadIdx.x], 0);  // <- lane_outside_mask
}

template <bool Correct>
__global__ void divergent_warp(float* x) {
  const unsigned lane = threadIdx.x;
  const unsigned low = Correct ? 0xffffu : kAll, high = Correct ? 0xffff0000u : kAll;
  if (lane < 16) {
    x[lane] = __shfl_sync(low, x[lane], 3);
  } else {
    x[lane] = __shfl_sync(high, x[lane], 19);  // <- divergent_warp
  }
}

// ---- Global memory ----------------------------------------------------------------------------------------------------------------------

template <bool Correct>
__global__ void sum_of_blocks(const float* x, float* y) {
  if (threadIdx.x != 0) return;
  if (Correct) {
    atomicAdd(y, x[blockIdx.x]);
  } else {
    *y += x[blockIdx.x];  // <- blocks_on_one_element
  }
}

template <bool Correct>
__global__ void shift(float* x) {
  const float next = x[(threadIdx.x + 1) % 64];
  if (Correct) __syncthreads();
  x[threadIdx.x] = next;  // <- race_in_global_memory
}

template <bool Correct>
__global__ void last_block_sums(const float* x, float* part, unsigned* done, float* y) {
  part[blockIdx.x] = 2 * x[blockIdx.x];
  if (Correct) __threadfence();
  if (atomicAdd(done, 1u) != gridDim.x - 1) return;
  float sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += part[i];  // <- missing_threadfence
  *y = sum;
  *done = 0;
}

// ---- Launches ---------------------------------------------------------------------------------------------------------------------------

const std::vector<float> kNumbers(64, 1.0f);

template <auto Kernel>
void run_on_numbers(const char* name, unsigned threads) {
  const DeviceArray<float> x(kNumbers);
  launch_named(name, Kernel, {1, threads}, static_cast<float*>(x));
}
template <auto Kernel>
void run_to_result(const char* name, unsigned threads) {
  const DeviceArray<float> x(kNumbers), y(kNumbers);
  launch_named(name, Kernel, {1, threads}, static_cast<const float*>(x), static_cast<float*>(y));
}

template <bool Correct>
void run_count() {
  const DeviceArray<int> y(1);
  LAUNCH(count<Correct>, Shape{1, 64}, static_cast<int*>(y));
}
template <bool Correct>
void run_sum_some() {
  const DeviceArray<float> x(kNumbers), y(kNumbers);
  LAUNCH(sum_some<Correct>, Shape{1, 32}, static_cast<float*>(x), static_cast<float*>(y), 30u);
}
template <bool Correct>
void run_early_return() {
  const DeviceArray<float> x(kNumbers);
  LAUNCH(early_return<Correct>, Shape{1, 64}, static_cast<float*>(x), 40u);
}
template <bool Correct>
void run_sum_of_blocks() {
  const DeviceArray<float> x(kNumbers), y(std::vector<float>{0});
  LAUNCH(sum_of_blocks<Correct>, Shape{8, 32}, static_cast<float*>(x), static_cast<float*>(y));
}
template <bool Correct>
void run_last_block_sums() {
  const DeviceArray<float> x(kNumbers), part(8), y(1);
  const DeviceArray<unsigned> done(std::vector<unsigned>{0});
  LAUNCH(last_block_sums<Correct>, Shape{8, 1}, static_cast<float*>(x), static_cast<float*>(part), static_cast<unsigned*>(done),
         static_cast<float*>(y));
}

}  // namespace

const std::vector<Case>& order_cases() {
  constexpr cudaError_t kFailure = cudaErrorLaunchFailure;
  static const std::vector<Case> cases = {
      {"missing_barrier",
       [] { run_on_numbers<&reverse<false>>("reverse", 64); },
       kFailure,
       {"read of 4 bytes", "shared memory that the block has not written so far", "kernel reverse"},
       __FILE__},
      {"barrier", [] { run_on_numbers<&reverse<true>>("reverse", 64); }},
      {"missing_second_barrier",
       [] { run_on_numbers<&shift_twice<false>>("shift_twice", 64); },
       kFailure,
       {"race in shared memory: write", "after the read", "kernel shift_twice"},
       __FILE__},
      {"second_barrier", [] { run_on_numbers<&shift_twice<true>>("shift_twice", 64); }},
      {"warp_synchronous_habit",
       [] { run_to_result<&sum_of_warp<false>>("sum_of_warp", 32); },
       kFailure,
       {"race in shared memory", "kernel sum_of_warp"},
       __FILE__},
      {"warp_synchronous_right", [] { run_to_result<&sum_of_warp<true>>("sum_of_warp", 32); }},
      {"missing_syncwarp",
       [] { run_to_result<&neighbour<false>>("neighbour", 32); },
       kFailure,
       {"read of 4 bytes", "has not written so far", "by thread (0,0,0) of block (0,0,0) in kernel neighbour"},
       __FILE__},
      {"syncwarp", [] { run_to_result<&neighbour<true>>("neighbour", 32); }},
      {"atomic_against_plain",
       run_count<false>,
       kFailure,
       {"race in shared memory: atomic operation", "after the write", "thread 0 of the same block"},
       __FILE__},
      {"atomic_after_barrier", run_count<true>},
      {"unwritten_shared_memory", run_sum_some<false>, kFailure, {"read of 4 bytes", "has not written", "by thread (0,0,0)"}, __FILE__},
      {"written_shared_memory", run_sum_some<true>},
      {"barrier_after_return",
       run_early_return<false>,
       kFailure,
       {"wait for each other for ever", "threads 0-39 wait at the barrier", "threads 40-63 have returned"},
       __FILE__},
      {"barrier_of_all", run_early_return<true>},
      {"divergent_barrier",
       [] { run_on_numbers<&two_barriers<false>>("two_barriers", 64); },
       kFailure,
       {"divergent barrier", "by thread (32,0,0)"},
       __FILE__},
      {"one_barrier", [] { run_on_numbers<&two_barriers<true>>("two_barriers", 64); }},
      {"shuffle_without_all",
       [] { run_on_numbers<&shuffle_in_branch<false>>("shuffle_in_branch", 32); },
       kFailure,
       {"threads 0-15 wait in the warp operation", "threads 16-31 wait at the barrier"},
       __FILE__},
      {"shuffle_of_all", [] { run_on_numbers<&shuffle_in_branch<true>>("shuffle_in_branch", 32); }},
      {"absent_lane",
       [] { run_on_numbers<&absent_lane<false>>("absent_lane", 32); },
       kFailure,
       {"reads lane 20, which does not take part; lanes 0-15 do"},
       __FILE__},
      {"present_lane", [] { run_on_numbers<&absent_lane<true>>("absent_lane", 32); }},
      {"lane_outside_mask",
       [] { run_on_numbers<&outside_mask<false>>("outside_mask", 32); },
       kFailure,
       {"lane 16 is not in the mask", "names lanes 0-15"},
       __FILE__},
      {"lane_in_mask", [] { run_on_numbers<&outside_mask<true>>("outside_mask", 32); }},
      {"divergent_warp",
       [] { run_on_numbers<&divergent_warp<false>>("divergent_warp", 32); },
       kFailure,
       {"divergent warp", "lanes 0-15 with the same mask"},
       __FILE__},
      {"warp_in_two_parts", [] { run_on_numbers<&divergent_warp<true>>("divergent_warp", 32); }},
      {"blocks_on_one_element",
       run_sum_of_blocks<false>,
       kFailure,
       {"race in global memory", "of block (0,0,0), and blocks have no order", "of block (1,0,0) in kernel sum_of_blocks"},
       __FILE__},
      {"blocks_by_atomics", run_sum_of_blocks<true>},
      {"race_in_global_memory",
       [] { run_on_numbers<&shift<false>>("shift", 64); },
       kFailure,
       {"race in global memory: write", "after the read"},
       __FILE__},
      {"order_in_global_memory", [] { run_on_numbers<&shift<true>>("shift", 64); }},
      {"missing_threadfence",
       run_last_block_sums<false>,
       kFailure,
       {"race in global memory: read", "after the write", "by thread (0,0,0) of block (7,0,0)"},
       __FILE__},
      {"threadfence", run_last_block_sums<true>},
  };
  return cases;
}

}  // namespace cuda_sim
