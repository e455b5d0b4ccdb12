#include "wick/framework/ops/from_blob.h"

#include "wick/framework/core/cuda_slot.h"

namespace wick {

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset, const Deleter& deleter,
                 const TensorOptions& options) {
  WICK_CHECK(storage_offset >= 0, "from_blob: storage_offset must not be negative, got ", storage_offset);
  const ScalarType dtype = options.dtype();
  WICK_CHECK(!options.requires_grad() || is_floating(dtype) || is_complex(dtype),
             "Only Tensors of floating point and complex dtype can require gradients\n  This one is to be ", dtype_name(dtype), ".");
  // A tensor without memory does all checks of the shape and has the right extent.
  const TensorBase shape = empty_strided_base(sizes, strides, dtype, kMeta);
  const size_t offset_bytes = static_cast<size_t>(checked_nbytes(storage_offset, element_size(dtype)));
  const Device device = resolve_device(options.device());
  WICK_CHECK(data || shape.numel() == 0 || device.is_meta(), "from_blob: data is null, but the shape ", sizes, " has elements");
  auto impl = Ref<TensorImpl>::adopt(new_tensor_impl());
  impl->dtype = dtype;
  impl->device = device;
  impl->set(TensorImpl::kInference, t_state.inference);
  impl->set_shape(sizes, strides);
  impl->storage_offset = storage_offset;
  impl->storage = borrow_storage(data, shape.storage_ref()->nbytes + offset_bytes, device, deleter);
  impl->refresh_data();
  Tensor x(std::move(impl));
  return options.requires_grad() ? x.requires_grad_() : x;
}

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const Deleter& deleter, const TensorOptions& options) {
  return from_blob(data, sizes, strides, 0, deleter, options);
}

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  return from_blob(data, sizes, strides, 0, nullptr, options);
}

Tensor from_blob(void* data, IntArrayRef sizes, const Deleter& deleter, const TensorOptions& options) {
  return from_blob(data, sizes, contiguous_strides(sizes), 0, deleter, options);
}

Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options) {
  return from_blob(data, sizes, contiguous_strides(sizes), 0, nullptr, options);
}

}  // namespace wick
