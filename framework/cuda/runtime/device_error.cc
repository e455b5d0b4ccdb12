#include "wick/framework/cuda/runtime/device_error.h"

#include <atomic>
#include <new>

#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/plan/softmax.h"

namespace wick::cuda {
namespace {

DeviceError* make_record() {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, sizeof(DeviceError), cudaHostAllocPortable | cudaHostAllocMapped), "cudaHostAlloc");
  return new (memory) DeviceError{};
}

constinit std::atomic<DeviceError*> known_record = nullptr;

}  // namespace

DeviceError* device_error_record() {
  static DeviceError* const record = make_record();
  known_record.store(record, std::memory_order_relaxed);
  return record;
}

void check_device_error() {
  volatile DeviceError* const record = known_record.load(std::memory_order_relaxed);
  if (!record) return;
  if (WICK_LIKELY(record->kind == DeviceErrorKind::kNone)) return;
  const DeviceError error{1, record->kind, record->value, record->dim, record->size};
  record->kind = DeviceErrorKind::kNone;
  record->claimed = 0;
  switch (error.kind) {
    case DeviceErrorKind::kTarget: target_error(error.value, error.size);
    case DeviceErrorKind::kIndexDimension: index_error(IndexCheck::kDimension, error.value, error.dim, error.size);
    case DeviceErrorKind::kIndexWrap: index_error(IndexCheck::kWrap, error.value, error.dim, error.size);
    default: index_error(IndexCheck::kSelf, error.value, error.dim, error.size);
  }
}

}  // namespace wick::cuda
