// Faults of memory: where a kernel reads and writes. Each faulty kernel is followed by what it should have been.
#include "wick/tests/cuda_sim/cases.h"
#include "wick/tests/cuda_sim/test_launch.h"

// Of some faults UBSan knows, too, and ends the program.
#define NO_UBSAN [[gnu::no_sanitize("undefined")]]

namespace cuda_sim {
namespace {

template <bool Correct>
__global__ void double_all(float* x, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (Correct ? i < n : i <= n) x[i] *= 2;  // <- past_the_end
}

template <bool Correct>
__global__ void differences(const float* x, float* y, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < n) y[i] = x[i] - (Correct && i == 0 ? 0 : x[i - 1]);  // <- before_the_beginning
}

NO_UBSAN __global__ void fill(float* x, int n) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
    x[i] = 1;  // <- use_after_free null_pointer host_pointer
}

struct Operands {
  const float* from[2];
  float* to;
};
__global__ void add(Operands operands, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < n) operands.to[i] = operands.from[0][i] + operands.from[1][i];  // <- host_pointer_in_struct
}

NO_UBSAN __global__ void copy_vectors(const float* x, float4* y) {
  y[threadIdx.x] = reinterpret_cast<const float4*>(x)[threadIdx.x];  // <- misaligned
}

__global__ void stage(const float* x, float* y) {
  float* const tile = static_cast<float*>(dynamic_shared());
  tile[threadIdx.x] = x[threadIdx.x];  // <- dynamic_shared_memory
  __syncthreads();
  y[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

// The pixel of an n pixels wide picture that a pixel of the enlarged one comes from.
template <bool Correct>
__global__ void enlarge(const float* x, float* y, unsigned n, unsigned factor) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * factor) return;
  const int64_t from = Correct ? int64_t{i} * n / (n * factor) : static_cast<int>(i * n) / static_cast<int>(n * factor);
  y[i] = x[from];  // <- overflow_of_32_bits
}

NO_UBSAN __global__ void copy_bytes(void* to, const void* from, size_t n) { std::memcpy(to, from, n); }

template <int Bytes>
__global__ void deep(float* y) {
  volatile char local[Bytes];
  for (int i = Bytes - 1; i >= 0; --i) local[i] = static_cast<char>(i);
  *y = local[Bytes / 2];
}

template <class F>
void with_numbers(F f) {
  const DeviceArray<float> x(std::vector<float>(128, 1.0f)), y(128);
  f(static_cast<float*>(x), static_cast<float*>(y));
}

template <bool Correct>
void run_double_all() {
  const DeviceArray<float> x(std::vector<float>(100, 1.0f));
  LAUNCH(double_all<Correct>, Shape{2, 64}, static_cast<float*>(x), 100);
}
template <bool Correct>
void run_differences() {
  with_numbers([](float* x, float* y) { LAUNCH(differences<Correct>, Shape{1, 128}, x, y, 128); });
}
template <bool Freed>
void run_fill() {
  float* x = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&x), 400);
  if (Freed) cudaFree(x);
  LAUNCH(fill, Shape{1, 32}, x, 100);
  if (!Freed) cudaFree(x);
}
void run_fill_of_null() { LAUNCH(fill, Shape{1, 32}, static_cast<float*>(nullptr), 100); }
void run_fill_of_host() {
  std::vector<float> x(100);
  LAUNCH(fill, Shape{1, 32}, x.data(), 100);
  cudaDeviceSynchronize();
}
void run_fill_of_pinned() {
  float* x = nullptr;
  cudaMallocHost(reinterpret_cast<void**>(&x), 400);
  LAUNCH(fill, Shape{1, 32}, x, 100);
  cudaFreeHost(x);
}
template <bool Correct>
void run_add() {
  std::vector<float> host(128);
  with_numbers([&](float* x, float* y) {
    LAUNCH(add, Shape{1, 128}, Operands{{x, Correct ? x : host.data()}, y}, 128);
    cudaDeviceSynchronize();
  });
}
template <bool Correct>
void run_copy_vectors() {
  with_numbers([](float* x, float* y) { LAUNCH(copy_vectors, Shape{1, 16}, x + (Correct ? 4 : 1), reinterpret_cast<float4*>(y)); });
}
template <bool Correct>
void run_stage() {
  with_numbers([](float* x, float* y) { LAUNCH(stage, Shape{1, 64, (Correct ? 64 : 63) * sizeof(float)}, x, y); });
}
template <bool Correct>
void run_enlarge() {
  const DeviceArray<float> x(std::vector<float>(50'000, 1.0f)), y(100'000);
  LAUNCH(enlarge<Correct>, Shape{1563, 64}, static_cast<float*>(x), static_cast<float*>(y), 50'000u, 2u);
}
void run_copy_bytes() { LAUNCH(copy_bytes, Shape{1, 1}, static_cast<void*>(nullptr), static_cast<const void*>("x"), size_t{1}); }
template <int Bytes>
void run_deep() {
  with_numbers([](float*, float* y) { LAUNCH(deep<Bytes>, Shape{1, 1}, y); });
}

}  // namespace

const std::vector<Case>& memory_cases() {
  constexpr cudaError_t kIllegal = cudaErrorIllegalAddress;
  static const std::vector<Case> cases = {
      {"past_the_end",
       run_double_all<false>,
       kIllegal,
       {"read of 4 bytes", "byte 400 of the device block", "(400 bytes)", "by thread (36,0,0) of block (1,0,0) in kernel double_all"},
       __FILE__},
      {"up_to_the_end", run_double_all<true>},
      {"before_the_beginning",
       run_differences<false>,
       kIllegal,
       {"read of 4 bytes", "4 bytes before the device block", "by thread (0,0,0)"},
       __FILE__},
      {"from_the_beginning", run_differences<true>},
      {"use_after_free", run_fill<true>, kIllegal, {"write of 4 bytes", "byte 0 of the freed device block"}, __FILE__},
      {"use_before_free", run_fill<false>},
      {"null_pointer", run_fill_of_null, kIllegal, {"write of 4 bytes", "null pointer"}, __FILE__},
      {"host_pointer", run_fill_of_host, kIllegal, {"write of 4 bytes", "pointer to memory of the host"}, __FILE__},
      {"pinned_memory", run_fill_of_pinned},
      {"host_pointer_in_struct", run_add<false>, kIllegal, {"read of 4 bytes", "pointer to memory of the host", "in kernel add"}, __FILE__},
      {"device_pointers_in_struct", run_add<true>},
      {"misaligned", run_copy_vectors<false>, cudaErrorMisalignedAddress, {"misaligned", "byte 4 of the device block"}, __FILE__},
      {"aligned", run_copy_vectors<true>},
      {"dynamic_shared_memory",
       run_stage<false>,
       kIllegal,
       {"write of 4 bytes", "byte 252 of the dynamic shared memory", "asked for 252 bytes", "by thread (63,0,0)"},
       __FILE__},
      {"dynamic_shared_memory_enough", run_stage<true>},
      {"overflow_of_32_bits", run_enlarge<false>, kIllegal, {"read of 4 bytes", "in kernel enlarge"}, __FILE__},
      {"index_of_64_bits", run_enlarge<true>},
      {"memcpy_to_null", run_copy_bytes, kIllegal, {"segmentation fault", "in kernel copy_bytes"}, nullptr},
      {"stack_overflow", run_deep<(512 << 10)>, cudaErrorLaunchFailure, {"overflow of the thread's stack", "in kernel deep"}, nullptr},
      {"stack_enough", run_deep<(64 << 10)>},
  };
  return cases;
}

}  // namespace cuda_sim
