#include "wick/framework/ops/copy.h"

#include <cmath>

#include "wick/framework/core/cuda_slot.h"
#include "wick/framework/core/warning.h"
#include "wick/framework/ops/elementwise.h"
#include "wick/framework/plan/layout.h"

namespace wick::ops {

Dims strides_for(MemoryFormat format, const TensorBase& like) {
  const IntArrayRef sizes = like.sizes();
  if (format == MemoryFormat::Preserve) return dense_strides(like);
  if (format == MemoryFormat::Contiguous) return contiguous_strides(sizes);
  const size_t ndim = format == MemoryFormat::ChannelsLast ? 4 : 5;
  WICK_CHECK(sizes.size() == ndim, "required rank ", ndim, " tensor to use ", ndim == 4 ? "channels_last" : "channels_last_3d", " format");
  Dims strides(ndim);
  int64_t stride = 1;
  const auto place = [&](size_t d) {
    strides[d] = stride;
    stride *= std::max<int64_t>(sizes[d], 1);
  };
  place(1);
  for (size_t d = ndim - 1; d > 1; --d) place(d);
  place(0);
  return strides;
}

Tensor allocate_like(const TensorBase& x, ScalarType dtype, Device device, MemoryFormat format) {
  const bool row_major = x.is_contiguous() && (format == MemoryFormat::Preserve || format == MemoryFormat::Contiguous);
  if (WICK_LIKELY(row_major)) return empty_base(x.sizes(), dtype, device);
  return empty_strided_base(x.sizes(), strides_for(format, x), dtype, device);
}

Tensor allocate_pinned_like(const TensorBase& x, ScalarType dtype, MemoryFormat format) {
  Tensor y = allocate_like(x, dtype, kMeta, format);
  y.impl().device = kCPU;
  y.impl().storage = allocate_pinned_storage(y.storage_ref()->nbytes);
  y.impl().refresh_data();
  return y;
}

namespace {

// Only bytes go from device to device: dtype and order of the elements are brought about before, on x's device, or behind, on y's.
void copy_across(const TensorBase& y, const TensorBase& x, const Transfer& transfer) {
  WICK_CHECK_NOT_IMPLEMENTED(!x.is_meta(), "Cannot copy out of meta tensor; no data!");
  note_host_read(transfer.op);
  if (y.numel() == 0) return;
  TensorBase from = x, to = y;
  const bool same = x.scalar_type() == y.scalar_type() && x.sizes() == y.sizes() && x.strides() == y.strides();
  if (!same || !x.is_non_overlapping_and_dense()) {
    if (!x.is_contiguous() || x.scalar_type() != y.scalar_type()) copy_data(from = empty_base(x.sizes(), y.scalar_type(), x.device()), x);
    if (!y.is_contiguous() || x.sizes() != y.sizes()) to = empty_base(x.sizes(), y.scalar_type(), y.device());
  }
  const bool blocking = !transfer.non_blocking || (y.is_cpu() && !to.is_same(y));
  cuda_slot()->copy(*to.storage_ref(), to.data_ptr(), *from.storage_ref(), from.data_ptr(), static_cast<size_t>(to.nbytes()), blocking,
                    transfer.op, transfer.where);
  if (!to.is_same(y)) copy_data(y, to);
}

// y = x, or the number where x is null.
void launch_copy(const TensorBase& y, const TensorBase* x, ScalarType compute, const Param& number) {
  ElementwiseArgs args;
  for (Buffer& buffer : args.buffers) buffer = nullptr;
  args.buffers[0] = y;
  if (x) args.buffers[1] = *x;
  args.compute = compute;
  args.number[1] = number;
  const TensorBase* operands[] = {&y, x};
  make_plan(args.plan, operands, 2);
  launch(copy_kernel, y.device(), args);
}

}  // namespace

void copy_data(const TensorBase& y, const TensorBase& x, const Transfer& transfer) {
  if (y.device().is_meta()) return;
  if (WICK_UNLIKELY(!(y.device() == x.device()))) return copy_across(y, x, transfer);
  launch_copy(y, &x, x.scalar_type(), 0.0);
}

void check_fits(const Scalar& value, ScalarType dtype) {
  dispatch_any_dtype(dtype, "fill", [&]<class T>() { static_cast<void>(value.to<T>()); });
}

void fill_data(const TensorBase& y, const Scalar& value) {
  if (y.device().is_meta()) return;
  if (WICK_UNLIKELY(value.isComplex())) return y.is_complex() ? copy_data(y, wrapped(value)) : fill_data(y, value.toDouble());
  launch_copy(y, nullptr, value.isFloatingPoint() ? kDouble : kLong, value);
}

namespace {

struct Copy {
  static constexpr OpInfo info = make_info<Copy>("copy_", "CopyBackwards");
  static void forward(Context&, const Tensor& self, const Tensor& src, const Transfer& transfer) { copy_data(self, src, transfer); }
  static void backward(const Gradients& g) {
    if (g.wants(0)) g.set(0, zeros_like(g.output()));
    g.set(1, g.output());
  }
};

// Nothing of the old value is left. What made it still gets a gradient, as in PyTorch: zeros.
struct FillNumber {
  static constexpr OpInfo info = make_info<FillNumber>("fill_", "FillBackward0");
  static void forward(Context&, const Tensor& self, const Scalar& value) {
    check_fits(value, self.scalar_type());
    fill_data(self, value);
  }
  static void backward(const Gradients& g) { g.set(0, zeros_like(g.output())); }
};

struct Clone {
  static constexpr OpInfo info = make_info<Clone>("clone", "CloneBackward0");
  static Tensor forward(Context&, const Tensor& x, MemoryFormat format) {
    Tensor y = allocate_like(x, x.scalar_type(), x.device(), format);
    copy_data(y, x);
    return y;
  }
  static void backward(const Gradients& g) { g.set(0, g.output()); }
};

struct Convert {
  static constexpr OpInfo info = make_info<Convert>("to", "ToCopyBackward0");
  static Tensor forward(Context&, const Tensor& x, ScalarType dtype, Device device, MemoryFormat format, const Transfer& transfer) {
    const bool pinned = transfer.non_blocking && x.is_cuda() && device.is_cpu();  // or the host would have to wait
    Tensor y = pinned ? allocate_pinned_like(x, dtype, format) : allocate_like(x, dtype, device, format);
    copy_data(y, x, transfer);
    return y;
  }
  static void backward(const Gradients& g) { g.set(0, g.output()); }
};

void warn_of_real(const Tensor& from, ScalarType to) {
  if (WICK_LIKELY(!from.is_complex()) || is_complex(to) || to == kBool) return;
  WICK_WARN_ONCE("Casting complex values to real discards the imaginary part");
}

Tensor convert(const Tensor& x, ScalarType dtype, Device device, bool copy, MemoryFormat format, const Transfer& transfer) {
  device = resolve_device(device);
  warn_of_real(x, dtype);
  const bool same_format = format == MemoryFormat::Preserve || x.is_contiguous(format);
  if (!copy && x.scalar_type() == dtype && x.device() == device && same_format) return x;
  return apply<Convert>(x, dtype, device, format, transfer);
}

}  // namespace
}  // namespace wick::ops

namespace wick {

using ops::apply;
using ops::apply_inplace;

void method::copy_(const Tensor& self, const Tensor& src, bool non_blocking, std::source_location where) {
  if (self.is_same(src)) {
    ops::check_inplace(self, ops::should_record(self));
    return self.impl().bump_version();
  }
  ops::check_broadcasts_to(self, src);
  const TensorBase* source = &src;
  check_no_overlap(self, &source, 1);
  ops::warn_of_real(src, self.scalar_type());
  apply_inplace<ops::Copy>(self, src, ops::Transfer{"copy_", non_blocking, where});
}

void method::fill_(const Tensor& self, const Scalar& value) {
  apply_inplace<ops::FillNumber>(self, value);
}

void method::fill_(const Tensor& self, const Tensor& value) {
  WICK_CHECK(value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ", value.dim(), " dimensions.");
  apply_inplace<ops::Copy>(self, value, ops::Transfer{"fill_"});
}

void method::zero_(const Tensor& self) { fill_(self, 0); }

Tensor clone(const Tensor& self, std::optional<MemoryFormat> format) {
  return apply<ops::Clone>(self, format.value_or(MemoryFormat::Preserve));
}

Tensor method::contiguous(const Tensor& self, MemoryFormat format) {
  WICK_CHECK(format != MemoryFormat::Preserve, "preserve memory format is unsupported by the contiguous operator");
  return self.is_contiguous(format) ? self : wick::clone(self, format);
}

Tensor method::to(const Tensor& self, const TensorOptions& options, bool non_blocking, bool copy, std::source_location where) {
  const Tensor y = ops::convert(self, options.dtype_opt().value_or(self.scalar_type()), options.device_opt().value_or(self.device()), copy,
                                options.memory_format_opt().value_or(MemoryFormat::Preserve), {"to", non_blocking, where});
  WICK_CHECK(!options.requires_grad(), "to(options) expects unset requires_grad flag, but got options.requires_grad set as true");
  return y;
}
Tensor method::to(const Tensor& self, Device device, ScalarType dtype, bool non_blocking, bool copy, std::source_location where) {
  return ops::convert(self, dtype, device, copy, MemoryFormat::Preserve, {"to", non_blocking, where});
}
Tensor method::to(const Tensor& self, ScalarType dtype, bool non_blocking, bool copy) {
  return ops::convert(self, dtype, self.device(), copy, MemoryFormat::Preserve, {"to", non_blocking});
}
Tensor method::to(const Tensor& self, const Tensor& other, bool non_blocking, bool copy, std::source_location where) {
  return ops::convert(self, other.scalar_type(), other.device(), copy, MemoryFormat::Preserve, {"to", non_blocking, where});
}

Tensor detach(const Tensor& self) { return alias_base(self); }

Tensor Tensor::cpu(std::source_location where) const {
  return ops::convert(*this, scalar_type(), kCPU, false, MemoryFormat::Preserve, {"cpu", false, where});
}

Tensor Tensor::pin_memory() const {
  WICK_CHECK(is_cpu(), "cannot pin '", device(), "' only dense CPU tensors can be pinned");
  if (is_pinned()) return *this;
  Tensor y = ops::allocate_pinned_like(*this, scalar_type());
  ops::copy_data(y, *this);
  return y;
}

Scalar Tensor::item(std::source_location where) const {
  WICK_CHECK(numel() == 1, "a Tensor with ", numel(),
             " elements cannot be converted to Scalar\n  item() reads one number: reduce the tensor first (sum, mean), or index it.");
  WICK_CHECK(!is_meta(), "Tensor.item() cannot be called on meta tensors");
  note_host_read("item");
  TensorBase here = *this;
  if (WICK_UNLIKELY(!is_cpu())) ops::copy_data(here = empty_base(sizes(), scalar_type(), kCPU), *this, {"item", false, where});
  return dispatch_any_dtype(scalar_type(), "item", [&]<class T>() { return Scalar(*static_cast<const T*>(here.data_ptr())); });
}

const Tensor& Tensor::resize_(IntArrayRef size) const {
  WICK_CHECK(!requires_grad(), "cannot resize variables that require grad");
  resize_base(*this, size);
  return *this;
}

}  // namespace wick
