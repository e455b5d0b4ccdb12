// Bytes between devices, and between a device and the host.
#pragma once

#include <cstddef>
#include <source_location>

#include "wick/framework/core/storage.h"

namespace wick::cuda {

// CudaSlot::copy. What the host waits for:
//   device to host: the copy, unless it is told not to (`blocking` false) and the host's memory is pinned;
//   host to device: nothing up to 32 MiB, since a copy of the bytes is made in pinned memory first; above, the copy, unless the host's
//     memory is pinned and `blocking` false;
//   device to device: nothing.
void copy_bytes(const StorageImpl& to, void* data, const StorageImpl& from, const void* source, size_t nbytes, bool blocking,
                const char* op, const std::source_location& where);

}  // namespace wick::cuda
