// Launches, memory, copies, streams and events, in eager and in deferred order.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "wick/tests/cuda_sim/control.h"
#include "wick/tests/cuda_sim/test_kernels.h"
#include "wick/tests/cuda_sim/test_memory.h"

extern "C" [[gnu::weak]] void __ubsan_handle_out_of_bounds(void*, void*);

namespace cuda_sim {
namespace {

using std::string;
using Floats = std::vector<float>;

Options deferred() {
  Options other = options();
  other.deferred = true;
  return other;
}
double microseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

// ---- Kernels ----------------------------------------------------------------------------------------------------------------------------

TEST(Kernel, ReducesByBarriersShufflesAndAtomics) {
  Floats numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  const DeviceArray<float> x(numbers), y(Floats{0});
  start_reduce(x, y, 1000, nullptr);
  EXPECT_EQ(y.values()[0], 500500.0f) << take_fault();
}

TEST(Kernel, WarpOperationsGiveWhatTheHardwareGives) {
  const DeviceArray<unsigned> results(kWarpResults * 32);
  start_warp(results, nullptr);
  const std::vector<unsigned> r = results.values();
  ASSERT_EQ(take_fault(), "");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto got = [&](unsigned op) { return r[op * 32 + lane]; };
    EXPECT_EQ(got(0), 5u);
    EXPECT_EQ(got(1), lane / 8 * 8 + 5);
    EXPECT_EQ(got(2), lane < 3 ? lane : lane - 3);
    EXPECT_EQ(got(3), lane % 16 + 3 < 16 ? lane + 3 : lane);
    EXPECT_EQ(got(4), lane ^ 9);
    EXPECT_EQ(got(5), 0x49249249u);
    EXPECT_EQ(got(6), 1u);
    EXPECT_EQ(got(7), 0xffu << lane / 8 * 8);
    EXPECT_EQ(got(8), 0u);  // all lanes, plus one
    EXPECT_EQ(got(9), 496u);
    EXPECT_EQ(got(10), static_cast<unsigned>(-4));
    EXPECT_EQ(got(11), 31u);
    EXPECT_EQ(got(12), 7u);
    if (lane < 12) {
      EXPECT_EQ(got(13), lane ^ 1);
    }
  }
}

TEST(Kernel, RefusesConfigurationsThatNoDeviceTakes) {
  EXPECT_EQ(start_with(dim3(1), dim3(1025), 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start_with(dim3(1), dim3(1, 1, 65), 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start_with(dim3(0), dim3(1), 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start_with(dim3(1, 65536), dim3(1), 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start_with(dim3(1), dim3(1), 50 << 10), cudaErrorInvalidValue);
  EXPECT_NE(string(cudaGetErrorString(cudaErrorInvalidValue)).find("cudaFuncSetAttribute"), string::npos);
  EXPECT_EQ(allow_shared(50 << 10), cudaSuccess);
  EXPECT_EQ(start_with(dim3(1), dim3(1), 50 << 10), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

// Behind an array in shared memory lie other variables: only UBSan, where the kernels are built with it, knows where it ends.
TEST(Kernel, UBSanNamesTheThread) {
  if (!&__ubsan_handle_out_of_bounds) GTEST_SKIP() << "built without UBSan";
  const auto failed = [](int status) { return status != 0; };
  const auto overrun = [] {
    start_static_overrun(1);
    std::_Exit(1);  // should UBSan have gone on
  };
  EXPECT_EXIT(overrun(), failed, "in thread \\(31,0,0\\) of block \\(0,0,0\\) in kernel static_overrun[^$]*index 32 out of bounds");
}

TEST(Kernel, TwoHostThreadsMayLaunch) {
  const auto work = [] {
    const TestStream stream;
    const DeviceArray<float> x(Floats(100, 1.0f)), y(Floats{0});
    for (int i = 0; i < 50; ++i) start_reduce(x, y, 100, stream);
    EXPECT_EQ(y.values()[0], 5000.0f);
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(take_fault(), "");
}

// ---- Memory and copies ------------------------------------------------------------------------------------------------------------------

TEST(Memory, NewMemoryIsNaN) {
  const DeviceArray<float> x(3);
  EXPECT_TRUE(std::isnan(x.values()[2]));
}

TEST(Memory, ReportsWhatIsLeftAndRunsOut) {
  Options small = options();
  small.memory_bytes = 1 << 20;
  size_t before = 0, after = 0, total = 0;
  const OptionsGuard guard(small);
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&first, 1000), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(total, size_t{1} << 20);
  EXPECT_EQ(before - after, 1000u);
  EXPECT_EQ(cudaMalloc(&second, 1 << 20), cudaErrorMemoryAllocation);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(cudaFree(first), cudaErrorInvalidValue);  // twice
  cudaGetLastError();
}

TEST(Memory, HostDiesWhenItReadsDeviceMemory) {
  const DeviceArray<float> x(Floats(10, 1.0f));
  const volatile float* const address = x + 3;
  EXPECT_DEATH(static_cast<void>(*address), "the host read or wrote device memory, byte 12 of the device block [0-9]+ \\(40 bytes\\)");
}

TEST(Copy, ChecksRangesAndDirections) {
  const DeviceArray<float> x(10);
  float host[20] = {};
  EXPECT_EQ(cudaMemcpy(x, host, 44, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_NE(string(cudaGetErrorString(cudaErrorInvalidValue)).find("does not hold 44 bytes"), string::npos);
  EXPECT_EQ(cudaMemcpy(x, host, 40, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, host, 40, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host, 0, 40), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(x, host, 40, cudaMemcpyDefault), cudaSuccess);
  cudaGetLastError();
}

TEST(Copy, PageableSourceIsReadAtTheCall) {
  const OptionsGuard guard(deferred());
  const TestStream stream;
  const DeviceArray<float> x(4);
  Floats source(4, 1.0f);
  cudaMemcpyAsync(x, source.data(), 16, cudaMemcpyHostToDevice, stream);
  source.assign(4, 2.0f);
  cudaStreamSynchronize(stream);
  EXPECT_EQ(x.values(), Floats(4, 1.0f));
}

TEST(Copy, PinnedSourceIsReadWhenTheStreamComesToIt) {
  const OptionsGuard guard(deferred());
  const TestStream stream;
  const DeviceArray<float> x(1);
  const PinnedArray<float> source(1, 1.0f);
  cudaMemcpyAsync(x, source, 4, cudaMemcpyHostToDevice, stream);
  source[0] = 2;
  cudaStreamSynchronize(stream);
  EXPECT_EQ(x.values()[0], 2.0f);
}

TEST(Copy, PinnedTargetReadBeforeTheWaitIsNaN) {
  const OptionsGuard guard(deferred());
  const TestStream stream;
  const DeviceArray<float> x(Floats{3});
  const PinnedArray<float> target(1, 0.0f);
  cudaMemcpyAsync(target, x, 4, cudaMemcpyDeviceToHost, stream);
  EXPECT_TRUE(std::isnan(target[0]));
  cudaStreamSynchronize(stream);
  EXPECT_EQ(target[0], 3.0f);
}

// ---- Streams and events -----------------------------------------------------------------------------------------------------------------

// y = 2 (x + 1) over two streams; `ordered`: with the event that says so.
float add_then_scale(bool ordered) {
  const TestStream adding, scaling;
  const TestEvent added;
  const DeviceArray<float> x(Floats{1}), y(1);
  start_add(x, 1, 1, adding);
  cudaEventRecord(added, adding);
  if (ordered) cudaStreamWaitEvent(scaling, added, 0);
  start_scale(x, y, 2, 1, scaling);
  cudaStreamSynchronize(scaling);
  return y.values()[0];
}

TEST(Stream, MissingEventShowsInDeferredOrder) {
  EXPECT_EQ(add_then_scale(false), 4.0f);  // by luck
  const OptionsGuard guard(deferred());
  EXPECT_EQ(add_then_scale(false), 2.0f);
  EXPECT_EQ(add_then_scale(true), 4.0f);
}

TEST(Stream, ZeroAndBlockingStreamsWaitForEachOther) {
  const OptionsGuard guard(deferred());
  const TestStream blocking(cudaStreamDefault);
  const DeviceArray<float> x(Floats{1}), y(1);
  start_add(x, 1, 1, blocking);
  start_scale(x, y, 2, 1, nullptr);
  start_add(y, 1, 1, blocking);
  cudaStreamSynchronize(blocking);
  EXPECT_EQ(y.values()[0], 5.0f);
}

TEST(Stream, QueriesComeToAnEnd) {
  const OptionsGuard guard(deferred());
  const TestStream stream;
  const TestEvent event;
  const DeviceArray<float> x(Floats{0});
  for (int i = 0; i < 5; ++i) start_add(x, 1, 1, stream);
  cudaEventRecord(event, stream);
  int queries = 0;
  while (cudaEventQuery(event) == cudaErrorNotReady) ++queries;
  EXPECT_EQ(queries, 6);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(x.values()[0], 5.0f);
  cudaGetLastError();
}

TEST(Stream, HostFunctionsRunInOrder) {
  const OptionsGuard guard(deferred());
  const TestStream stream;
  std::vector<int> calls;
  const auto note = [](void* list) { static_cast<std::vector<int>*>(list)->push_back(1); };
  cudaLaunchHostFunc(stream, note, &calls);
  EXPECT_TRUE(calls.empty());
  cudaStreamSynchronize(stream);
  EXPECT_EQ(calls.size(), 1u);
}

TEST(Stream, WorkOnADestroyedStreamIsDone) {
  const OptionsGuard guard(deferred());
  const DeviceArray<float> x(Floats{1});
  {
    const TestStream stream;
    start_add(x, 1, 1, stream);
  }
  cudaDeviceSynchronize();
  EXPECT_EQ(x.values()[0], 2.0f);
}

TEST(Stream, RefusesHandlesThatAreNoMore) {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaStreamCreate(&stream), cudaStreamDestroy(stream);
  cudaEventCreate(&event), cudaEventDestroy(event);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(event, nullptr), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST(Stream, FaultComesAtTheWaitAndStays) {
  const OptionsGuard guard(deferred());
  const TestStream stream;
  const DeviceArray<float> x(4);
  start_overrun(x, 4, stream);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
  void* p = nullptr;
  EXPECT_EQ(cudaMalloc(&p, 4), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_NE(string(cudaGetErrorString(cudaErrorIllegalAddress)).find("kernel overrun"), string::npos);
  EXPECT_NE(take_fault(), "");
  EXPECT_EQ(cudaMalloc(&p, 4), cudaSuccess);
  cudaFree(p);
}

TEST(Stream, CopyToMemoryFreedMeanwhileIsAFault) {
  // cudaFree waits for all work, so only a copy enqueued for a block that is no more can meet this.
  const OptionsGuard guard(deferred());
  void* p = nullptr;
  cudaMalloc(&p, 4);
  cudaFree(p);
  EXPECT_EQ(cudaMemsetAsync(p, 0, 4, nullptr), cudaErrorInvalidValue);
  EXPECT_NE(string(cudaGetErrorString(cudaErrorInvalidValue)).find("freed device block"), string::npos);
  cudaGetLastError();
}

TEST(Event, MeasuresTime) {
  const TestEvent start, end;
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  cudaEventRecord(start, nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  cudaEventRecord(end, nullptr);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 3.0f);
  EXPECT_LT(milliseconds, 3000.0f);
  cudaGetLastError();
}

// ---- Latencies --------------------------------------------------------------------------------------------------------------------------

TEST(Latency, LaunchesCostTheHostTime) {
  Options slow = options();
  slow.launch_us = 500;
  const OptionsGuard guard(slow);
  const DeviceArray<float> x(Floats{0});
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) start_add(x, 1, 1, nullptr);
  EXPECT_GE(microseconds_since(start), 5000);
}

TEST(Latency, CopiesArriveLaterAndOnlyAWaitCostsTheHostTime) {
  Options slow = options();
  slow.copy_us = 300'000;
  const OptionsGuard guard(slow);
  const TestStream stream;
  const TestEvent arrived;
  const DeviceArray<float> x(1);
  const PinnedArray<float> target(1);
  const auto start = std::chrono::steady_clock::now();
  cudaMemcpyAsync(target, x, 4, cudaMemcpyDeviceToHost, stream);
  cudaEventRecord(arrived, stream);
  const bool ready = cudaEventQuery(arrived) == cudaSuccess;
  if (microseconds_since(start) < 300'000) {
    EXPECT_FALSE(ready);
  }
  cudaEventSynchronize(arrived);
  EXPECT_GE(microseconds_since(start), 300'000);
  EXPECT_EQ(cudaEventQuery(arrived), cudaSuccess);
  cudaGetLastError();
}

// ---- The device -------------------------------------------------------------------------------------------------------------------------

TEST(Device, HasPropertiesAndAttributes) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_EQ(string(properties.name), "wick simulator");
  EXPECT_EQ(properties.major, 9);
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0), cudaSuccess);
  EXPECT_EQ(value, 32);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(string(cudaGetErrorName(cudaErrorInvalidDevice)), "cudaErrorInvalidDevice");
  cudaGetLastError();
}

TEST(Device, CountsWhatItIsAskedFor) {
  const Counters before = counters();
  const DeviceArray<float> x(Floats{1});
  start_add(x, 1, 1, nullptr);
  cudaDeviceSynchronize();
  const Counters after = counters();
  EXPECT_EQ(after.launches - before.launches, 1u);
  EXPECT_EQ(after.copies - before.copies, 1u);
  EXPECT_EQ(after.mallocs - before.mallocs, 1u);
  EXPECT_EQ(after.waits - before.waits, 2u);  // the copy's and ours
}

}  // namespace
}  // namespace cuda_sim
