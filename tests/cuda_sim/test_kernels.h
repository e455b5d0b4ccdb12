// Kernels for the tests of streams, graphs and launches. Each starts on the stream; all are correct.
#pragma once

#include <cuda_runtime_api.h>

namespace cuda_sim {

void start_fill(float* x, float value, int n, cudaStream_t stream);                    // x[i] = value
void start_add(float* x, float value, int n, cudaStream_t stream);                     // x[i] += value
void start_scale(const float* x, float* y, float f, int n, cudaStream_t stream);       // y[i] = f x[i]
void start_sum(const float* x, const float* y, float* z, int n, cudaStream_t stream);  // z[i] = x[i] + y[i]
// The sum of n numbers by a tree in shared memory, shuffles and atomics between the blocks; *y must be 0.
void start_reduce(const float* x, float* y, int n, cudaStream_t stream);
// What votes, matches, reductions and the various shuffles give in one warp: results[op][lane].
inline constexpr int kWarpResults = 14;
void start_warp(unsigned* results, cudaStream_t stream);
// Writes one element past the end of n numbers.
void start_overrun(float* x, int n, cudaStream_t stream);
// Writes one element past the end of an array of 32 in shared memory, by thread 31.
void start_static_overrun(int one);
// With a configuration that no device takes; the error.
cudaError_t start_with(dim3 grid, dim3 block, size_t shared);
// Lets start_with() have more dynamic shared memory.
cudaError_t allow_shared(int bytes);

}  // namespace cuda_sim
