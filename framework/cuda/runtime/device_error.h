// Errors that only a kernel can see: an index out of range, a target that is no class. The kernel notes the first of them in a record that
// the host can read and goes on with a harmless value; the host throws when it next waits for the device.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "wick/framework/plan/index.h"

namespace wick::cuda {

enum class DeviceErrorKind : int32_t { kNone, kTarget, kIndexDimension, kIndexWrap, kIndexSelf };

struct DeviceError {
  int32_t claimed;  // set by the first thread that has something to report
  DeviceErrorKind kind;
  int64_t value, dim, size;
};

// The record, in pinned memory: kernels write there.
DeviceError* device_error_record();

// Throws what a kernel has reported, and forgets it. To be called after each wait for the device; costs one load.
void check_device_error();

inline DeviceErrorKind index_error_kind(IndexCheck check) {
  return check == IndexCheck::kDimension ? DeviceErrorKind::kIndexDimension
         : check == IndexCheck::kWrap    ? DeviceErrorKind::kIndexWrap
                                         : DeviceErrorKind::kIndexSelf;
}

}  // namespace wick::cuda
