#include "wick/framework/cuda/loss_log.h"

#include <limits>
#include <utility>

#include "wick/framework/cuda/loss_log_kernel.h"
#include "wick/framework/ops/copy.h"

namespace wick {
namespace {

void append(const LogArgs& args) {
  double* const ring = args.buffers[0].as<double>();
  auto count = static_cast<int64_t>(ring[args.capacity]);
  for (int i = 0; i < args.count; ++i) {
    const Buffer& value = args.buffers[1 + i];
    ring[count++ % args.capacity] = args.dtype == kDouble ? *value.as<double>() : *value.as<float>();
  }
  ring[args.capacity] = static_cast<double>(count);
}

}  // namespace

constinit Kernel<LogArgs> log_kernel = Kernel<LogArgs>::make<append, append>("log_value");

// ---- AsyncItem ---------------------------------------------------------------------------------------------------------------------

AsyncItem Tensor::item_async(std::source_location where) const {
  WICK_CHECK(numel() == 1, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
  WICK_CHECK(!is_meta(), "Tensor.item() cannot be called on meta tensors");
  note_host_read("item_async");
  AsyncItem item;
  NoGradGuard no_grad;
  if (is_cpu()) {
    item.value_ = clone();
    return item;
  }
  item.value_ = to(TensorOptions(Device(kCPU)), true, true, where);
  item.event_ = std::make_shared<cuda::Event>();
  item.event_->record(cuda::current_stream(device().index()));
  return item;
}

Scalar AsyncItem::get(std::source_location where) const {
  WICK_CHECK(value_.defined(), "AsyncItem::get: it was default-constructed; Tensor::item_async() makes one");
  if (!ready()) event_->synchronize(where);
  return value_.item(where);
}

// ---- LossLog -----------------------------------------------------------------------------------------------------------------------

LossLog::LossLog(int64_t capacity) : capacity_(capacity) {
  WICK_CHECK_VALUE(capacity >= 2 * kLogBlock, "LossLog: the capacity must be at least ", 2 * kLogBlock, ", got ", capacity);
}

void LossLog::record(const Tensor& given) {
  WICK_CHECK(given.numel() == 1, "LossLog: a tensor of one element is wanted, got one of ", given.sizes());
  NoGradGuard no_grad;
  const bool plain = given.scalar_type() == kFloat || given.scalar_type() == kDouble;
  const Tensor value = plain ? given : given.to(kDouble);
  if (!ring_.defined()) {
    LaunchListener* const listener = std::exchange(t_state.listener, nullptr);  // a captured step finds the ring, and does not make it
    ring_ = zeros({capacity_ + 1}, TensorOptions(kDouble).device(value.device()));
    t_state.listener = listener;
  }
  WICK_CHECK(value.device() == ring_.device(), "LossLog: the values before were on ", ring_.device(), ", this one is on ", value.device());
  if (value.scalar_type() != dtype_) flush();
  dtype_ = value.scalar_type();
  const Kept kept{value.storage_ref(), value.data_ptr(), value.impl().version()};
  if (t_state.listener) {
    flush();
    return write(&kept, 1);
  }
  ++recorded_;
  kept_.push_back(kept);
  if (kept.version != 0 || kept_.size() == kLogBlock) flush();
}

void LossLog::write(const Kept* kept, size_t count) {
  LogArgs args;
  args.buffers[0] = Buffer(ring_);
  for (size_t i = 0; i < kLogBlock; ++i) {
    args.buffers[1 + i] = Buffer(nullptr);
    if (i >= count) continue;
    args.buffers[1 + i].data = kept[i].data;
    args.buffers[1 + i].storage = kept[i].storage.get();
  }
  args.capacity = capacity_;
  args.count = static_cast<int>(count);
  args.dtype = dtype_;
  launch(log_kernel, ring_.device(), args);
}

void LossLog::flush() {
  if (kept_.empty()) return;
  const std::vector<Kept> block = std::exchange(kept_, {});
  for (const Kept& kept : block) {
    WICK_CHECK(kept.storage->version == kept.version, "LossLog: a recorded tensor has been written to in place since");
  }
  LaunchListener* const listener = std::exchange(t_state.listener, nullptr);
  write(block.data(), block.size());
  t_state.listener = listener;
  if (ring_.is_cpu()) return take(ring_);
  if (block.size() < kLogBlock) return;
  if (in_flight_ && recorded_ - static_cast<int64_t>(values_.size()) > capacity_ / 2) event_.synchronize();
  arrived();
  if (in_flight_) return;
  NoGradGuard no_grad;
  arriving_ = ring_.to(TensorOptions(Device(kCPU)), true, true);
  event_.record(cuda::current_stream(ring_.device().index()));
  in_flight_ = true;
}

void LossLog::take(const Tensor& ring) {
  const double* const from = ring.const_data_ptr<double>();
  const auto count = static_cast<int64_t>(from[capacity_]);
  for (auto i = static_cast<int64_t>(values_.size()); i < count; ++i) {
    values_.push_back(count - i > capacity_ ? std::numeric_limits<double>::quiet_NaN() : from[i % capacity_]);
  }
}

const std::vector<double>& LossLog::arrived() {
  if (ring_.defined() && ring_.is_cpu()) take(ring_);
  if (in_flight_ && event_.query()) {
    take(arriving_);
    in_flight_ = false;
  }
  return values_;
}

const std::vector<double>& LossLog::values(std::source_location where) {
  if (!ring_.defined()) return values_;
  note_host_read("LossLog::values");
  flush();
  const TensorBase here = empty_base(ring_.sizes(), kDouble, kCPU);
  ops::copy_data(here, ring_, {"LossLog::values", false, where});
  take(Tensor(here));
  in_flight_ = false;
  return values_;
}

void LossLog::reset() { *this = LossLog(capacity_); }

}  // namespace wick
