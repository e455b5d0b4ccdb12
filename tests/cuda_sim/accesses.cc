#include "wick/tests/cuda_sim/accesses.h"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "wick/tests/cuda_sim/access_record.h"
#include "wick/tests/cuda_sim/fibers.h"
#include "wick/tests/cuda_sim/memory.h"
#include "wick/tests/cuda_sim/range.h"
#include "wick/tests/cuda_sim/report.h"
#include "wick/tests/cuda_sim/runtime.h"

extern "C" const char __start_cuda_sim_coordinates[], __stop_cuda_sim_coordinates[];  // of coordinates.cc, by the linker

namespace cuda_sim {
namespace {

size_t records_size(size_t bytes) { return (bytes + kWordBytes - 1) / kWordBytes * sizeof(AccessRecord); }

// ---- Where static shared memory is ------------------------------------------------------------------------------------------------------

// A program or library: its variables, among them the static shared memory of its kernels, and what cannot be written.
struct Object {
  Range code, variables;
  std::vector<Range> constants;
  AccessRecord* records = nullptr;  // of the variables
};

std::vector<Object>& objects() {
  static auto* const instance = new std::vector<Object>;
  return *instance;
}

int add_object(dl_phdr_info* info, size_t, void*) {
  Object object;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const Range range{reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz};
    if (segment.p_flags & PF_W) {
      object.variables = range;
    } else {
      object.constants.push_back(range);
      if (segment.p_flags & PF_X) object.code = range;
    }
  }
  const auto known = std::find_if(objects().begin(), objects().end(), [&](const Object& o) { return o.code.begin == object.code.begin; });
  if (known == objects().end()) objects().push_back(object);
  return 0;
}

Object& object_of(const void* function) {
  for (;;) {
    for (Object& object : objects()) {
      if (object.code.contains(function)) return object;
    }
    dl_iterate_phdr(&add_object, nullptr);
  }
}

Object* g_object = nullptr;  // of the running kernel
AccessRecord* dynamic_records() {
  static AccessRecord* const records = new_records(kMaxDynamicShared);
  return records;
}

bool is_constant(const void* p) {
  return std::any_of(objects().begin(), objects().end(), [&](const Object& object) {
    return std::any_of(object.constants.begin(), object.constants.end(), [&](const Range& range) { return range.contains(p); });
  });
}

// ---- Reports ----------------------------------------------------------------------------------------------------------------------------

std::string verb(AccessKind kind) { return kind == AccessKind::kRead ? "read" : kind == AccessKind::kWrite ? "write" : "atomic operation"; }

std::string text(const Access& access) {
  return verb(access.kind) + " of " + std::to_string(access.bytes) + " bytes at " + access.site.text();
}

void report_access(cudaError_t error, const Access& access, const std::string& what) { report(error, text(access) + ": " + what); }

void report_race(const Access& access, const char* memory, const AccessRecord::Entry& other, AccessKind other_kind) {
  const bool same_block = other.interval >= logical_time.block_start;
  report(cudaErrorLaunchFailure, std::string("race in ") + memory + " memory: " + text(access) + ", after the " + verb(other_kind) +
                                     " at " + other.site().text() + " by thread " + std::to_string(other.thread) +
                                     (same_block ? " of the same block" : " of block " + block_at(other.interval)) +
                                     (same_block ? ", with no barrier between them" : ", and blocks have no order"));
}

// ---- Races ------------------------------------------------------------------------------------------------------------------------------

// What the running thread leaves in each word; which bytes of it, is still to be said.
AccessRecord::Entry entry_of(const Access& access) {
  AccessRecord::Entry entry{};
  entry.interval = logical_time.interval;
  entry.warp_interval = logical_time.warp[current_thread / kWarpSize];
  entry.thread = current_thread;
  entry.set_site(access.site);
  return entry;
}

// Whether the running thread's access has no order with an earlier one.
bool unordered(const AccessRecord::Entry& earlier, const AccessRecord::Entry& own, bool global) {
  if (!(earlier.bytes & own.bytes)) return false;
  if (earlier.interval < logical_time.block_start) {
    return global && earlier.interval >= logical_time.launch_start && earlier.interval > logical_time.published;
  }
  if (earlier.interval != own.interval || earlier.thread == own.thread) return false;
  return earlier.thread / kWarpSize != own.thread / kWarpSize || earlier.warp_interval == own.warp_interval;
}

void record_read(AccessRecord& record, const AccessRecord::Entry& own) {
  const bool first = record.read.interval != own.interval || record.read.thread == own.thread;
  (first ? record.read : record.other_read) = own;
}

// Checks one word and records the access. Returns false where it was a race.
bool check_word(AccessRecord& record, const AccessRecord::Entry& own, const Access& access, const char* memory, bool global) {
  struct Earlier {
    const AccessRecord::Entry& entry;
    AccessKind kind;
  };
  for (const Earlier& earlier : {Earlier{record.write, AccessKind::kWrite}, Earlier{record.atomic, AccessKind::kAtomic},
                                 Earlier{record.read, AccessKind::kRead}, Earlier{record.other_read, AccessKind::kRead}}) {
    if (earlier.kind == access.kind && access.kind != AccessKind::kWrite) continue;
    if (!unordered(earlier.entry, own, global)) continue;
    report_race(access, memory, earlier.entry, earlier.kind);
    return false;
  }
  switch (access.kind) {
    case AccessKind::kRead: record_read(record, own); break;
    case AccessKind::kWrite: record.write = own; break;
    case AccessKind::kAtomic: record.atomic = own; break;
  }
  return true;
}

// f(record, bytes of the word that the access touches) for each word.
template <class F>
void each_word(AccessRecord* records, size_t offset, size_t bytes, F f) {
  for (size_t end = offset + bytes; offset < end;) {
    const size_t first = offset % kWordBytes, count = std::min(kWordBytes - first, end - offset);
    if (!f(records[offset / kWordBytes], ((1u << count) - 1) << first)) return;
    offset += count;
  }
}

void check_races(AccessRecord* records, size_t offset, const Access& access, const char* memory, bool global) {
  bool raced = false;
  AccessRecord::Entry own = entry_of(access);
  each_word(records, offset, access.bytes, [&](AccessRecord& record, unsigned mask) {
    own.bytes = mask;
    raced = !check_word(record, own, access, memory, global);
    return !raced;
  });
  if (raced) stop();
}

// ---- Kinds of memory --------------------------------------------------------------------------------------------------------------------

void check_global(const Access& access) {
  DeviceBlock* const block = find_block(access.address);
  if (!block || block->freed || !block->contains(access.address, access.bytes)) {
    report_access(cudaErrorIllegalAddress, access, describe_address(access.address));
    stop();
  }
  if (!options().global_races) return;
  if (!block->records) block->records = new_records(block->size);
  check_races(block->records, static_cast<size_t>(access.address - block->begin), access, "global", true);
}

void check_shared(AccessRecord* records, size_t offset, const Access& access) {
  bool written = true;
  if (access.kind != AccessKind::kWrite) {
    each_word(records, offset, access.bytes, [&](const AccessRecord& record, unsigned) {
      written = std::max(record.write.interval, record.atomic.interval) >= logical_time.block_start;
      return written;
    });
  }
  if (!written) {
    report_access(cudaErrorLaunchFailure, access,
                  "shared memory that the block has not written so far; is a barrier missing? (Or it is a variable of the host.)");
    stop();
  }
  check_races(records, offset, access, "shared", false);
}

void check_dynamic_shared(const Access& access) {
  const Range& shared = dynamic_shared_memory;
  const auto offset = static_cast<size_t>(access.address - shared.begin);
  if (offset > shared.size || access.bytes > shared.size - offset) {
    report_access(cudaErrorIllegalAddress, access,
                  "byte " + std::to_string(offset) + " of the dynamic shared memory, of which the launch asked for " +
                      std::to_string(shared.size) + " bytes");
    stop();
  }
  check_shared(dynamic_records(), offset, access);
}

void check_variable(const Access& access) {
  if (!g_object->records) g_object->records = new_records(g_object->variables.size);
  check_shared(g_object->records, static_cast<size_t>(access.address - g_object->variables.begin), access);
}

void check_elsewhere(const Access& access) {
  if (is_pinned(access.address, access.bytes)) return;
  if (access.kind == AccessKind::kRead && is_constant(access.address)) return;
  if (is_below_stack(access.address)) {
    report_access(cudaErrorLaunchFailure, access, "overflow of the thread's stack, which has 256 KiB");
  } else if (reinterpret_cast<uintptr_t>(access.address) < 4096) {
    report_access(cudaErrorIllegalAddress, access,
                  "null pointer (address " + std::to_string(reinterpret_cast<uintptr_t>(access.address)) + ")");
  } else {
    report_access(cudaErrorIllegalAddress, access, "pointer to memory of the host");
  }
  stop();
}

}  // namespace

AccessRecord* new_records(size_t bytes) {
  void* const memory = mmap(nullptr, records_size(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return static_cast<AccessRecord*>(memory);
}
void delete_records(AccessRecord* records, size_t bytes) { munmap(records, records_size(bytes)); }

void enter_kernel(const void* function) { g_object = &object_of(function); }

void check_access(const Access& access) {
  const char* const address = access.address;
  const Range coordinates{__start_cuda_sim_coordinates, static_cast<size_t>(__stop_cuda_sim_coordinates - __start_cuda_sim_coordinates)};
  if (current_stack.contains(address) || coordinates.contains(address)) return;
  if (reinterpret_cast<uintptr_t>(address) % access.alignment != 0) {
    report_access(cudaErrorMisalignedAddress, access,
                  "misaligned: " + (is_device_address(address) ? describe_address(address) : "shared or other memory"));
    stop();
  }
  if (is_device_address(address)) {
    check_global(access);
  } else if (Range{dynamic_shared_memory.begin, kMaxDynamicShared + kSharedMargin}.contains(address)) {
    check_dynamic_shared(access);
  } else if (g_object->variables.contains(address, access.bytes)) {
    check_variable(access);
  } else {
    check_elsewhere(access);
  }
}

void atomic_access(const void* address, size_t bytes, const Where& where) {
  SimulatorCode simulator;
  check_access({AccessKind::kAtomic, static_cast<const char*>(address), bytes, bytes, Site(where)});
}

}  // namespace cuda_sim
