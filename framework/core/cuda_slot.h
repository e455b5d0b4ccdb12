// Where the CUDA backend plugs in what is not a kernel, for those above it that must not know it.
#pragma once

#include <functional>
#include <memory>
#include <source_location>

#include "wick/framework/core/storage.h"

namespace wick {

struct KernelInfo;
struct ElementwiseArgs;
struct MatmulArgs;
enum class MatmulEpilogue : uint8_t;

// Kernel calls that one launch starts on a device.
struct DeviceGraph {
  virtual ~DeviceGraph() = default;
  virtual void launch() = 0;
};

struct CudaSlot {
  int (*device_count)();  // 0 where there is no driver; never throws
  int (*current_device)();
  void (*set_device)(int index);
  // Memory of a CUDA device; for kCPU pinned memory of the host.
  Ref<StorageImpl> (*allocate)(size_t nbytes, Device device);
  // Bytes from device to device, or between a device and the host, on the current stream. The host waits for it where it is told to
  // (`blocking`) or must, and the wait is counted for the operation `op` at the place of the call.
  void (*copy)(const StorageImpl& to, void* data, const StorageImpl& from, const void* source, size_t nbytes, bool blocking, const char* op,
               const std::source_location& where);
  void (*seed)(uint64_t seed);  // of the default generators
  // What `issue` launches on the device, without running it.
  std::unique_ptr<DeviceGraph> (*capture)(Device device, const std::function<void()>& issue);
  // Which epilogue (plan/matmul.h) would let the product do the work of a call behind it, or kNone.
  MatmulEpilogue (*epilogue_of)(const MatmulArgs& product, const KernelInfo& kernel, const void* args);
  // Whether fused_elementwise_kernel (plan/elementwise_slots.h) can make the call together with others.
  bool (*is_fused)(const KernelInfo& kernel, const ElementwiseArgs& args);
};

// The backend, whose kernel slots are filled by the first call; null in a build without it.
const CudaSlot* cuda_slot();

// A device as tensors have it: cuda:0 for cuda, cpu for cpu:0. Throws for a CUDA device that is not there.
Device resolve_device(Device device);

}  // namespace wick
