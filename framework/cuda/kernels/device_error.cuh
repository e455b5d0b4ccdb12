// How a kernel reports an error.
#pragma once

#include "wick/framework/cuda/runtime/device_error.h"

namespace wick::cuda {

// The first report stays.
__device__ inline void report_error(DeviceError* record, DeviceErrorKind kind, int64_t value, int64_t dim, int64_t size) {
  if (atomicCAS(&record->claimed, 0, 1) != 0) return;
  record->value = value;
  record->dim = dim;
  record->size = size;
  __threadfence_system();
  record->kind = kind;
}

}  // namespace wick::cuda
