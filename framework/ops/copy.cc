#include "wick/framework/ops/copy.h"

#include "wick/framework/plan/elementwise_slots.h"
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

void copy_data(const TensorBase& y, const TensorBase& x) {
  if (y.device().is_meta()) return;
  check_same_device("copy_", {&y, &x});
  ElementwiseArgs args;
  for (Buffer& buffer : args.buffers) buffer = Buffer(nullptr);
  args.buffers[0] = Buffer(y);
  args.buffers[1] = Buffer(x);
  args.compute = x.scalar_type();
  const TensorBase* operands[] = {&y, &x};
  make_plan(args.plan, operands, 2);
  launch(copy_kernel, y.device(), args);
}

void fill_data(const TensorBase& y, const Scalar& value) {
  if (y.device().is_meta()) return;
  ElementwiseArgs args;
  for (Buffer& buffer : args.buffers) buffer = Buffer(nullptr);
  args.buffers[0] = Buffer(y);
  args.compute = value.isFloatingPoint() ? kDouble : kLong;
  args.number[1] = Param(value);
  const TensorBase* operands[] = {&y, nullptr};
  make_plan(args.plan, operands, 2);
  launch(copy_kernel, y.device(), args);
}

namespace {

struct Copy {
  static constexpr OpInfo info = make_info<Copy>("copy_", "CopyBackwards");
  static void forward(Context&, const Tensor& self, const Tensor& src) { copy_data(self, src); }
  static void backward(const Gradients& g) {
    if (g.wants(0)) g.set(0, zeros_like(g.output()));
    g.set(1, g.output());
  }
};

// Nothing of the old value is left. What made it still gets a gradient, as in PyTorch: zeros.
struct FillNumber {
  static constexpr OpInfo info = make_info<FillNumber>("fill_", "FillBackward0");
  static void forward(Context&, const Tensor& self, const Scalar& value) { fill_data(self, value); }
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
  static Tensor forward(Context&, const Tensor& x, ScalarType dtype, Device device, MemoryFormat format) {
    Tensor y = allocate_like(x, dtype, device, format);
    copy_data(y, x);
    return y;
  }
  static void backward(const Gradients& g) { g.set(0, g.output()); }
};

Tensor convert(const Tensor& x, ScalarType dtype, Device device, bool copy, MemoryFormat format) {
  // A device without a number is the current one of its type; there is but one CPU.
  if (device.is_cpu()) device = Device(kCPU);
  const bool same_format = format == MemoryFormat::Preserve || x.is_contiguous(format);
  if (!copy && x.scalar_type() == dtype && x.device() == device && same_format) return x;
  return apply<Convert>(x, dtype, device, format);
}

}  // namespace
}  // namespace wick::ops

namespace wick {

using ops::apply;
using ops::apply_inplace;

void method::copy_(const Tensor& self, const Tensor& src, bool) {
  if (self.is_same(src)) return;
  ops::check_broadcasts_to(self, src);
  const TensorBase* source = &src;
  check_no_overlap(self, &source, 1);
  apply_inplace<ops::Copy>(self, src);
}

void method::fill_(const Tensor& self, const Scalar& value) {
  check_no_overlap(self, nullptr, 0);
  apply_inplace<ops::FillNumber>(self, value);
}

void method::fill_(const Tensor& self, const Tensor& value) {
  WICK_CHECK(value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ", value.dim(), " dimensions.");
  check_no_overlap(self, nullptr, 0);
  apply_inplace<ops::Copy>(self, value);
}

void method::zero_(const Tensor& self) { fill_(self, 0); }

Tensor clone(const Tensor& self, std::optional<MemoryFormat> format) {
  return apply<ops::Clone>(self, format.value_or(MemoryFormat::Preserve));
}

Tensor method::contiguous(const Tensor& self, MemoryFormat format) {
  WICK_CHECK(format != MemoryFormat::Preserve, "preserve memory format is unsupported by the contiguous operator");
  return self.is_contiguous(format) ? self : wick::clone(self, format);
}

Tensor method::to(const Tensor& self, const TensorOptions& options, bool, bool copy) {
  const Tensor y = ops::convert(self, options.dtype_opt().value_or(self.scalar_type()), options.device_opt().value_or(self.device()), copy,
                                options.memory_format_opt().value_or(MemoryFormat::Preserve));
  WICK_CHECK(!options.requires_grad(), "to(options) expects unset requires_grad flag, but got options.requires_grad set as true");
  return y;
}
Tensor method::to(const Tensor& self, Device device, ScalarType dtype, bool, bool copy) {
  return ops::convert(self, dtype, device, copy, MemoryFormat::Preserve);
}
Tensor method::to(const Tensor& self, ScalarType dtype, bool, bool copy) {
  return ops::convert(self, dtype, self.device(), copy, MemoryFormat::Preserve);
}
Tensor method::to(const Tensor& self, const Tensor& other, bool, bool copy) {
  return ops::convert(self, other.scalar_type(), other.device(), copy, MemoryFormat::Preserve);
}
Tensor method::type_as(const Tensor& self, const Tensor& other) { return self.to(other); }
Tensor method::toType(const Tensor& self, ScalarType dtype) { return self.to(dtype); }

Tensor detach(const Tensor& self) { return alias_base(self); }

Tensor Tensor::cpu(std::source_location) const { return to(TensorOptions(Device(kCPU))); }

Scalar Tensor::item(std::source_location) const {
  WICK_CHECK(numel() == 1, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
  WICK_CHECK(!is_meta(), "Tensor.item() cannot be called on meta tensors");
  note_host_read("item");
  return dispatch_dtype(scalar_type(), "item", [&]<class T>() { return Scalar(*static_cast<const T*>(data_ptr())); });
}

const Tensor& Tensor::resize_(IntArrayRef size) const {
  WICK_CHECK(!requires_grad(), "cannot resize variables that require grad");
  resize_base(*this, size);
  return *this;
}

}  // namespace wick
