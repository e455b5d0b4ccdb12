#include "wick/tests/cuda_sim/test_kernels.h"

#include "wick/tests/cuda_sim/test_launch.h"

namespace cuda_sim {
namespace {

constexpr unsigned kAll = 0xffffffffu;
constexpr int kThreads = 64;

__device__ int index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void fill(float* x, float value, int n) {
  if (index() < n) x[index()] = value;
}
__global__ void add(float* x, float value, int n) {
  if (index() < n) x[index()] += value;
}
__global__ void scale(const float* x, float* y, float f, int n) {
  if (index() < n) y[index()] = f * x[index()];
}
__global__ void sum(const float* x, const float* y, float* z, int n) {
  if (index() < n) z[index()] = x[index()] + y[index()];
}

__global__ void reduce(const float* x, float* y, int n) {
  __shared__ float part[kThreads];
  const unsigned t = threadIdx.x;
  part[t] = index() < n ? x[index()] : 0;
  __syncthreads();
  for (unsigned distance = kThreads / 2; distance >= 32; distance /= 2) {
    if (t < distance) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t >= 32) return;
  float total = part[t];
  for (unsigned distance = 16; distance > 0; distance /= 2) total += __shfl_down_sync(kAll, total, distance);
  if (t == 0) atomicAdd(y, total);
}

__global__ void warp(unsigned* results) {
  const unsigned lane = threadIdx.x;
  const auto put = [&](int op, unsigned value) { results[op * 32 + lane] = value; };
  int all;
  put(0, __shfl_sync(kAll, lane, 5));
  put(1, __shfl_sync(kAll, lane, 5, 8));
  put(2, __shfl_up_sync(kAll, lane, 3));
  put(3, __shfl_down_sync(kAll, lane, 3, 16));
  put(4, __shfl_xor_sync(kAll, lane, 9));
  put(5, __ballot_sync(kAll, lane % 3 == 0));
  put(6, static_cast<unsigned>(__any_sync(kAll, lane == 31)) + 2 * static_cast<unsigned>(__all_sync(kAll, lane < 31)));
  put(7, __match_any_sync(kAll, lane / 8));
  put(8, __match_all_sync(kAll, 7u, &all) + static_cast<unsigned>(all));
  put(9, __reduce_add_sync(kAll, lane));
  put(10, static_cast<unsigned>(__reduce_min_sync(kAll, static_cast<int>(lane) - 4)));
  put(11, __reduce_max_sync(kAll, lane));
  put(12, static_cast<unsigned>(__syncthreads_count(lane < 7)) + 100 * static_cast<unsigned>(__syncthreads_or(lane == 40)));
  if (lane < 12) put(13, __shfl_xor_sync(0xfffu, lane, 1));  // the others have gone on
}

__global__ void overrun(float* x, int n) { x[n] = 0; }

__global__ void static_overrun(float* x, int one) {
  __shared__ float part[32];
  part[threadIdx.x + one] = 1;
  if (threadIdx.x == 0) *x = part[1];
}

__global__ void with_shared(int) {}

Shape shape(int n, cudaStream_t stream) { return {static_cast<unsigned>((n + kThreads - 1) / kThreads), kThreads, 0, stream}; }

}  // namespace

void start_fill(float* x, float value, int n, cudaStream_t stream) { LAUNCH(fill, shape(n, stream), x, value, n); }
void start_add(float* x, float value, int n, cudaStream_t stream) { LAUNCH(add, shape(n, stream), x, value, n); }
void start_scale(const float* x, float* y, float f, int n, cudaStream_t stream) { LAUNCH(scale, shape(n, stream), x, y, f, n); }
void start_sum(const float* x, const float* y, float* z, int n, cudaStream_t stream) { LAUNCH(sum, shape(n, stream), x, y, z, n); }
void start_reduce(const float* x, float* y, int n, cudaStream_t stream) { LAUNCH(reduce, shape(n, stream), x, y, n); }
void start_warp(unsigned* results, cudaStream_t stream) { LAUNCH(warp, Shape{1, 32, 0, stream}, results); }
void start_overrun(float* x, int n, cudaStream_t stream) { LAUNCH(overrun, Shape{1, 1, 0, stream}, x, n); }
void start_static_overrun(int one) {
  const DeviceArray<float> x(1);
  LAUNCH(static_overrun, Shape{1, 32}, static_cast<float*>(x), one);
}

cudaError_t start_with(dim3 grid, dim3 block, size_t shared) {
  register_kernel("with_shared", &with_shared);
  int argument = 0;
  void* arguments[] = {&argument};
  return cudaLaunchKernel(reinterpret_cast<const void*>(&with_shared), grid, block, arguments, shared, nullptr);
}
cudaError_t allow_shared(int bytes) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(&with_shared), cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

}  // namespace cuda_sim
