// The CUDA devices of the machine. Everything here exists in every build; without a device the questions are answered, and what needs
// one throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <utility>

#include "wick/framework/core/device.h"

namespace wick::cuda {

// Whether tensors can live on an NVIDIA GPU: this build has the CUDA backend, and the machine a driver and a device.
bool is_available();
// How many such devices there are; 0 where is_available() is false.
int device_count();

struct DeviceProperties {
  std::string name;
  size_t total_memory = 0;        // bytes
  int major = 0, minor = 0;       // the compute capability
  int multi_processor_count = 0;
  int warp_size = 0;
  int max_threads_per_block = 0;
  size_t shared_memory_per_block = 0;  // bytes, without asking for more
};

// Of a device, by default the current one. Throws for one that is not there.
DeviceProperties get_device_properties(int device = -1);
std::string get_device_name(int device = -1);
std::pair<int, int> get_device_capability(int device = -1);

// The device on which this thread makes tensors of kCUDA without a number; 0 at first.
int current_device();
void set_device(int device);

// Waits for all that has been enqueued on the device; throws where some of it failed.
void synchronize(int device = -1, std::source_location where = std::source_location::current());

// Restarts the random numbers of the devices, of which each has its own stream for one seed. wick::manual_seed does this, too.
void manual_seed(uint64_t seed);
void manual_seed_all(uint64_t seed);

// Makes a device the current one for as long as it lives; does nothing for a negative number.
class DeviceGuard {
 public:
  explicit DeviceGuard(int device) : before_(current_device()) {
    if (device >= 0 && device != before_) set_device(device);
  }
  explicit DeviceGuard(Device device) : DeviceGuard(device.is_cuda() ? device.index() : -1) {}
  ~DeviceGuard() {
    if (current_device() != before_) set_device(before_);
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  int before_;
};

}  // namespace wick::cuda
