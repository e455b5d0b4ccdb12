#include "wick/framework/cuda/device.h"

#include <cuda_runtime_api.h>

#include "wick/framework/cuda.h"
#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/runtime/generator.h"
#include "wick/framework/cuda/runtime/wait.h"

namespace wick::cuda {
namespace {

int checked(int device) {
  WICK_CHECK(device_count() > 0, "No CUDA GPUs are available");
  if (device < 0) return current_device();
  WICK_CHECK(device < device_count(), "CUDA error: invalid device ordinal\n  cuda:", device, ": this machine has ", device_count(),
             " CUDA devices.");
  return device;
}

}  // namespace

DeviceProperties get_device_properties(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, checked(device)), "get_device_properties");
  return {properties.name,      properties.totalGlobalMem,     properties.major,
          properties.minor,     properties.multiProcessorCount, properties.warpSize,
          properties.maxThreadsPerBlock, properties.sharedMemPerBlock};
}

std::string get_device_name(int device) { return get_device_properties(device).name; }

std::pair<int, int> get_device_capability(int device) {
  const DeviceProperties properties = get_device_properties(device);
  return {properties.major, properties.minor};
}

int current_device() { return t_state.cuda_device; }

void set_device(int device) {
  WICK_CHECK(device >= 0, "invalid device id ", device);
  check(cudaSetDevice(checked(device)), "set_device");
  t_state.cuda_device = static_cast<signed char>(device);
}

void synchronize(int device, std::source_location where) {
  const DeviceGuard guard(checked(device));
  wait_for_device("synchronize", where, [] { return cudaDeviceSynchronize(); });
}

void manual_seed(uint64_t seed) { seed_generators(seed); }
void manual_seed_all(uint64_t seed) { seed_generators(seed); }

}  // namespace wick::cuda
