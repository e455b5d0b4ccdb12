// What the caching allocator of device memory holds. framework/cuda/runtime/allocator.h says how it works.
#pragma once

#include <cstdint>

namespace wick::cuda {

// Of one device, in bytes but for the last three.
struct MemoryStats {
  int64_t allocated = 0;       // of blocks that are in use
  int64_t reserved = 0;        // held from the driver: blocks in use and cached ones
  int64_t peak_allocated = 0;  // since the start or reset_peak_memory_stats()
  int64_t peak_reserved = 0;
  int64_t allocations = 0;         // blocks handed out
  int64_t device_allocations = 0;  // those of them for which the driver was asked
  int64_t retries = 0;             // times that the cache was given back because the driver had no more
};

// By default of the current device. All zeros where there is no device.
MemoryStats memory_stats(int device = -1);
void reset_peak_memory_stats(int device = -1);
inline int64_t memory_allocated(int device = -1) { return memory_stats(device).allocated; }
inline int64_t memory_reserved(int device = -1) { return memory_stats(device).reserved; }
inline int64_t max_memory_allocated(int device = -1) { return memory_stats(device).peak_allocated; }

// Returns cached memory of all devices, and cached pinned memory of the host, to the driver. Waits for the devices.
void empty_cache();

}  // namespace wick::cuda
