// The device: one, of a kind that might be sold.
#include <cuda_runtime_api.h>

#include <cstring>

#include "wick/tests/cuda_sim/fibers.h"
#include "wick/tests/cuda_sim/graphs.h"
#include "wick/tests/cuda_sim/memory.h"
#include "wick/tests/cuda_sim/runtime.h"
#include "wick/tests/cuda_sim/streams.h"

namespace cuda_sim {
namespace {

cudaError_t check_device(int device) { return device == 0 ? cudaSuccess : refuse(cudaErrorInvalidDevice, "there is device 0 alone"); }

cudaDeviceProp make_properties() {
  cudaDeviceProp p{};
  std::strcpy(p.name, "wick simulator");
  p.totalGlobalMem = options().memory_bytes;
  p.major = 9, p.minor = 0;
  p.sharedMemPerBlock = 48 << 10;
  p.sharedMemPerBlockOptin = kMaxDynamicShared;
  p.sharedMemPerMultiprocessor = 228 << 10;
  p.reservedSharedMemPerBlock = 1 << 10;
  p.regsPerBlock = p.regsPerMultiprocessor = 64 << 10;
  p.warpSize = kWarpSize;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = kMaxThreads;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024, p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff, p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = 64 << 10;
  p.textureAlignment = 512;
  // Few, so that kernels sized after the device stay small where one block runs at a time.
  p.multiProcessorCount = 4;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.canMapHostMemory = p.unifiedAddressing = p.concurrentKernels = p.hostRegisterSupported = 1;
  p.asyncEngineCount = 2;
  p.memoryBusWidth = 5120;
  p.l2CacheSize = 4 << 20;
  p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  return p;
}

int attribute_of(const cudaDeviceProp& p, cudaDeviceAttr attribute, bool& known) {
  known = true;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX: return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY: return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ: return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX: return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY: return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ: return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock: return static_cast<int>(p.sharedMemPerBlock);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return static_cast<int>(p.sharedMemPerBlockOptin);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return static_cast<int>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrWarpSize: return p.warpSize;
    case cudaDevAttrMaxRegistersPerBlock: return p.regsPerBlock;
    case cudaDevAttrMultiProcessorCount: return p.multiProcessorCount;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrComputeCapabilityMajor: return p.major;
    case cudaDevAttrComputeCapabilityMinor: return p.minor;
    case cudaDevAttrL2CacheSize: return p.l2CacheSize;
    case cudaDevAttrClockRate: return 1'500'000;
    case cudaDevAttrMemoryClockRate: return 2'600'000;
    case cudaDevAttrGlobalMemoryBusWidth: return p.memoryBusWidth;
    case cudaDevAttrConcurrentKernels: return p.concurrentKernels;
    case cudaDevAttrCanMapHostMemory: return p.canMapHostMemory;
    case cudaDevAttrUnifiedAddressing: return p.unifiedAddressing;
    case cudaDevAttrAsyncEngineCount: return p.asyncEngineCount;
    case cudaDevAttrMemoryPoolsSupported: return p.memoryPoolsSupported;
    case cudaDevAttrManagedMemory: return p.managedMemory;
    case cudaDevAttrCooperativeLaunch: return p.cooperativeLaunch;
    default: known = false; return 0;
  }
}

}  // namespace
}  // namespace cuda_sim

using namespace cuda_sim;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return api([&] {
    *count = 1;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int* device) {
  return api([&] {
    *device = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int device) {
  return api([&] { return check_device(device); });
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return api([&]() -> cudaError_t {
    CUDA_SIM_TRY(check_device(device));
    *properties = make_properties();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api([&]() -> cudaError_t {
    CUDA_SIM_TRY(check_device(device));
    bool known;
    *value = attribute_of(make_properties(), attribute, known);
    return known ? cudaSuccess
                 : refuse(cudaErrorInvalidValue, "the simulator does not know the device attribute " + std::to_string(attribute));
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api([&] {
    *least = 0, *greatest = -5;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return api([&]() -> cudaError_t {
    CUDA_SIM_TRY(check_device(device));
    CUDA_SIM_TRY(check_device(peer));
    *can = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return api([&] { return check_device(peer); });
}

cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }

// Streams and events keep their handles, as the only way to go on after a fault needs no more than that.
cudaError_t cudaDeviceReset() {
  std::lock_guard lock(runtime_lock());
  drop_all_work();
  free_all_memory();
  clear_fault();
  return cudaSuccess;
}

}  // extern "C"
