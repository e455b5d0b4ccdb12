// Device memory: a region of addresses that the host cannot touch while neither a kernel nor a copy runs.
//
// Blocks are filled with 0xff (NaN, -1; the first 64 MiB of them), lie 256 bytes apart, and are not handed out again for a while after
// they are freed: so an access past the end, before the beginning or to a freed block is known for what it is.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "wick/tests/cuda_sim/range.h"

namespace cuda_sim {

struct AccessRecord;

struct DeviceBlock {
  char* begin = nullptr;
  size_t size = 0;
  bool freed = false;
  unsigned number = 0;
  AccessRecord* records = nullptr;  // of accesses.cc: who touched which word last

  bool contains(const void* p, size_t bytes) const {
    const auto offset = static_cast<size_t>(static_cast<const char*>(p) - begin);
    return offset <= size && bytes <= size - offset;
  }
};

// Where all blocks are.
extern Range device_region;
inline bool is_device_address(const void* p) { return device_region.contains(p); }
// The block, perhaps a freed one, that holds the address or ends less than 256 bytes before it; nullptr where there is none.
DeviceBlock* find_block(const void* p);
// "byte 40 of block 3 (32 bytes)"; says so where it was freed.
std::string describe_address(const void* p);

// Memory of the host that kernels may use and copies need not wait for.
bool is_pinned(const void* p, size_t bytes = 1);

// Whether `bytes` at p may be read or written by a copy; refuses otherwise. `p` on the device or on the host.
cudaError_t check_range(const void* p, size_t bytes, const char* what);
// Whether `bytes` at `data`, which a library's call reads or writes, are the device's or pinned, and there; the device has a fault
// otherwise. The caller's and the operand's names are for its text.
bool is_there(const char* caller, const char* name, const void* data, size_t bytes);

// While one lives the device's memory is open to the host. They nest.
class OpenMemory {
 public:
  OpenMemory();
  ~OpenMemory();
  OpenMemory(const OpenMemory&) = delete;
};

// cudaDeviceReset: every block is gone.
void free_all_memory();

}  // namespace cuda_sim
