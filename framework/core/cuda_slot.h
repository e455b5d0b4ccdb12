// Where the CUDA backend plugs in what is not a kernel. Empty in a build without it.
#pragma once

namespace wick {

struct CudaSlot {
  int (*device_count)();
};

// Assigned, like the pointers of the kernel slots, by the backend's one explicit function.
extern constinit CudaSlot cuda_slot;

}  // namespace wick
