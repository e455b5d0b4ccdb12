#include "wick/tests/cuda_sim/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>

#include "wick/tests/cuda_sim/access_record.h"
#include "wick/tests/cuda_sim/graphs.h"
#include "wick/tests/cuda_sim/runtime.h"
#include "wick/tests/cuda_sim/streams.h"

namespace cuda_sim {

Range device_region;

namespace {

constexpr size_t kGranule = 256;  // blocks begin at a multiple
// Addresses, not memory. Before the first block as many as a negative index of 32 bits reaches.
constexpr size_t kRegion = size_t{36} << 30, kMargin = size_t{4} << 30;
constexpr size_t kHugePage = size_t{2} << 20, kPage = 4096;
// How much of a block is filled with 0xff: a larger one may never be touched beyond, and takes no memory there.
constexpr size_t kFilledBytes = size_t{64} << 20;
// Freed blocks that keep their place, so that a use after free is seen.
constexpr size_t kKeptBytes = size_t{64} << 20, kKeptBlocks = 4096;

// Memory that is used only where it is touched.
void* reserve(size_t bytes, int protection) {
  void* const memory = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return memory;
}

class Region {
 public:
  Region() {
    char* const reserved = static_cast<char*>(reserve(kRegion + kHugePage, PROT_NONE));
    begin_ = reserved + (kHugePage - reinterpret_cast<uintptr_t>(reserved) % kHugePage);
    first_ = begin_ + kMargin;
    madvise(first_, kRegion - kMargin, MADV_HUGEPAGE);
    owner_ = static_cast<uint32_t*>(reserve(kRegion / kGranule * sizeof(uint32_t), PROT_READ | PROT_WRITE));
    device_region = {begin_, kRegion};
    free_[first_] = kRegion - kMargin;
    open_end_ = end_ = first_;
  }

  DeviceBlock* find(const void* p) {
    if (!device_region.contains(p)) return nullptr;
    const uint32_t owner = owner_[static_cast<size_t>(static_cast<const char*>(p) - begin_) / kGranule];
    return owner == 0 ? nullptr : &blocks_[owner - 1];
  }

  char* allocate(size_t bytes) {
    const size_t place = place_of(bytes);
    auto range = free_.begin();
    while (range != free_.end() && range->second < place) ++range;
    if (range == free_.end()) return nullptr;
    char* const begin = range->first;
    const size_t rest = range->second - place;
    free_.erase(range);
    if (rest != 0) free_[begin + place] = rest;
    blocks_.push_back({begin, bytes, false, static_cast<unsigned>(blocks_.size()), nullptr});
    set_owner(begin, place, static_cast<uint32_t>(blocks_.size()));
    allocated_ += bytes;
    end_ = std::max(end_, begin + place);
    OpenMemory open;
    std::memset(begin, 0xff, std::min(place, kFilledBytes));
    return begin;
  }

  void free(DeviceBlock& block) {
    block.freed = true;
    allocated_ -= block.size;
    kept_.push_back(&block);
    kept_bytes_ += block.size;
    while (kept_bytes_ > kKeptBytes || kept_.size() > kKeptBlocks) {
      give_back(*kept_.front());
      kept_bytes_ -= kept_.front()->size;
      kept_.pop_front();
    }
  }

  void free_all() {
    for (DeviceBlock& block : blocks_) {
      if (!block.freed) free(block);
    }
  }

  // Opens what has been handed out so far.
  void open() {
    ++opened_;
    if (end_ <= open_end_) return;
    open_end_ = first_ + (static_cast<size_t>(end_ - first_) + kHugePage - 1) / kHugePage * kHugePage;
    mprotect(first_, static_cast<size_t>(open_end_ - first_), PROT_READ | PROT_WRITE);
  }
  void close() {
    if (--opened_ > 0 || open_end_ == first_) return;
    mprotect(first_, static_cast<size_t>(open_end_ - first_), PROT_NONE);
    open_end_ = first_;
  }

  size_t allocated() const { return allocated_; }

 private:
  static size_t place_of(size_t bytes) { return (bytes + kGranule - 1) / kGranule * kGranule + kGranule; }

  void set_owner(const char* begin, size_t size, uint32_t owner) {
    std::fill_n(owner_ + static_cast<size_t>(begin - begin_) / kGranule, size / kGranule, owner);
  }

  // Whole huge pages only: one that is broken up into small ones makes each opening and closing slow.
  static void drop_pages(char* begin, size_t size) {
    const uintptr_t first = (reinterpret_cast<uintptr_t>(begin) + kHugePage - 1) / kHugePage * kHugePage;
    const uintptr_t last = (reinterpret_cast<uintptr_t>(begin) + size) / kHugePage * kHugePage;
    if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  }

  // A block that has been kept long enough.
  void give_back(DeviceBlock& block) {
    size_t size = place_of(block.size);
    char* const begin = block.begin;
    set_owner(begin, size, 0);
    if (block.records) delete_records(block.records, block.size);
    block.records = nullptr;
    drop_pages(begin, size);
    // Joins its free neighbours.
    auto after = free_.lower_bound(begin);
    if (after != free_.end() && after->first == begin + size) {
      size += after->second;
      after = free_.erase(after);
    }
    if (after != free_.begin() && std::prev(after)->first + std::prev(after)->second == begin) {
      std::prev(after)->second += size;
    } else {
      free_[begin] = size;
    }
  }

  char* begin_;
  char* first_;      // where the first block lies
  uint32_t* owner_;  // of each granule: the number of its block, from 1
  std::deque<DeviceBlock> blocks_;
  std::map<char*, size_t> free_;
  std::deque<DeviceBlock*> kept_;
  size_t kept_bytes_ = 0, allocated_ = 0;
  char* end_;       // of what was ever handed out
  char* open_end_;  // of what is open to the host
  int opened_ = 0;
};

Region& region() {
  static Region* const instance = new Region;
  return *instance;
}

// Pinned memory, by its end.
struct Pinned {
  char* begin;
  bool ours;  // cudaHostAlloc, not cudaHostRegister
};
std::map<const char*, Pinned>& pinned() {
  static auto* const map = new std::map<const char*, Pinned>;
  return *map;
}

cudaError_t host_alloc(void** p, size_t bytes) {
  return api([&]() -> cudaError_t {
    if (!p) return refuse(cudaErrorInvalidValue, "no place for the address");
    *p = nullptr;
    CUDA_SIM_TRY(forbid_in_capture("allocation of pinned memory"));
    if (bytes == 0) return cudaSuccess;
    char* const memory = static_cast<char*>(std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage));
    if (!memory) return cudaErrorMemoryAllocation;
    pinned()[memory + bytes] = {memory, true};
    *p = memory;
    return cudaSuccess;
  });
}

cudaError_t unpin(void* p, bool ours) {
  return api([&]() -> cudaError_t {
    if (!p) return cudaSuccess;
    const auto found = std::find_if(pinned().begin(), pinned().end(),
                                    [&](const auto& entry) { return entry.second.begin == p && entry.second.ours == ours; });
    if (found == pinned().end()) return refuse(cudaErrorInvalidValue, "the address was not given by cudaHostAlloc or is not registered");
    finish_all_work();  // copies from and to it
    pinned().erase(found);
    if (ours) std::free(p);
    return cudaSuccess;
  });
}

}  // namespace

OpenMemory::OpenMemory() { region().open(); }
OpenMemory::~OpenMemory() { region().close(); }

DeviceBlock* find_block(const void* p) { return region().find(p); }
void free_all_memory() { region().free_all(); }

std::string describe_address(const void* p) {
  const auto name = [](const DeviceBlock& block) {
    return std::string("the ") + (block.freed ? "freed " : "") + "device block " + std::to_string(block.number) + " (" +
           std::to_string(block.size) + " bytes)";
  };
  const char* const address = static_cast<const char*>(p);
  const DeviceBlock* const block = find_block(p);
  const DeviceBlock* const next = find_block(address + kGranule);
  if (next && next != block && (!block || next->begin - address < address - (block->begin + block->size))) {
    return std::to_string(next->begin - address) + " bytes before " + name(*next);
  }
  return block ? "byte " + std::to_string(address - block->begin) + " of " + name(*block) : "a device address that no block holds";
}

bool is_pinned(const void* p, size_t bytes) {
  const char* const begin = static_cast<const char*>(p);
  const auto found = pinned().upper_bound(begin);
  return found != pinned().end() && found->second.begin <= begin && begin + bytes <= found->first;
}

cudaError_t check_range(const void* p, size_t bytes, const char* what) {
  if (bytes == 0) return cudaSuccess;
  if (!p) return refuse(cudaErrorInvalidValue, std::string(what) + " is null");
  if (!is_device_address(p)) return cudaSuccess;
  const DeviceBlock* const block = find_block(p);
  if (block && !block->freed && block->contains(p, bytes)) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, std::string(what) + " does not hold " + std::to_string(bytes) + " bytes: " + describe_address(p));
}

bool is_there(const char* caller, const char* name, const void* data, size_t bytes) {
  if (bytes == 0) return true;
  const std::string what = std::string(caller) + ": " + name;
  if (!is_device_address(data) && !is_pinned(data, bytes)) {
    set_fault(cudaErrorIllegalAddress, what + " is " + (data ? "memory of the host" : "null"));
    return false;
  }
  if (check_range(data, bytes, what.c_str()) == cudaSuccess) return true;
  set_fault(cudaErrorIllegalAddress, what + " needs " + std::to_string(bytes) + " bytes from " + describe_address(data));
  return false;
}

}  // namespace cuda_sim

using namespace cuda_sim;

extern "C" {

cudaError_t cudaMalloc(void** p, size_t bytes) {
  return api([&]() -> cudaError_t {
    if (!p) return refuse(cudaErrorInvalidValue, "no place for the address");
    *p = nullptr;
    CUDA_SIM_TRY(forbid_in_capture("cudaMalloc"));
    if (bytes == 0) return cudaSuccess;
    ++mutable_counters().mallocs;
    const size_t capacity = options().memory_bytes;
    if (bytes > capacity || region().allocated() > capacity - bytes) return cudaErrorMemoryAllocation;
    *p = region().allocate(bytes);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}

cudaError_t cudaFree(void* p) {
  return api([&]() -> cudaError_t {
    if (!p) return cudaSuccess;
    CUDA_SIM_TRY(forbid_in_capture("cudaFree"));
    DeviceBlock* const block = find_block(p);
    if (!block || block->begin != p) return refuse(cudaErrorInvalidValue, "cudaFree of an address that cudaMalloc did not give");
    if (block->freed) return refuse(cudaErrorInvalidValue, "cudaFree of " + describe_address(p));
    finish_all_work();
    region().free(*block);
    return fault();
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return api([&] {
    const size_t capacity = options().memory_bytes, allocated = region().allocated();
    *total = capacity;
    *free = capacity - std::min(capacity, allocated);
    return cudaSuccess;
  });
}

cudaError_t cudaHostAlloc(void** p, size_t bytes, unsigned) { return host_alloc(p, bytes); }
cudaError_t cudaMallocHost(void** p, size_t bytes) { return host_alloc(p, bytes); }
cudaError_t cudaFreeHost(void* p) { return unpin(p, true); }

cudaError_t cudaHostRegister(void* p, size_t bytes, unsigned) {
  return api([&]() -> cudaError_t {
    if (!p || bytes == 0) return refuse(cudaErrorInvalidValue, "nothing to register");
    if (is_pinned(p)) return cudaErrorHostMemoryAlreadyRegistered;
    pinned()[static_cast<char*>(p) + bytes] = {static_cast<char*>(p), false};
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* p) { return unpin(p, false); }

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return api([&]() -> cudaError_t {
    if (!is_pinned(host)) return refuse(cudaErrorInvalidValue, "the memory is not pinned");
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
  return api([&] {
    *attributes = {};
    const DeviceBlock* const block = find_block(p);
    if (block && !block->freed) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->devicePointer = const_cast<void*>(p);
    } else if (is_pinned(p)) {
      attributes->type = cudaMemoryTypeHost;
      attributes->devicePointer = attributes->hostPointer = const_cast<void*>(p);
    } else {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = -2;
      attributes->hostPointer = const_cast<void*>(p);
    }
    return cudaSuccess;
  });
}

}  // extern "C"
