#include "wick/framework/core/tensor_base.h"

#include <numeric>

#include "wick/framework/core/thread_state.h"

namespace wick {

void TensorBase::undefined_error() {
  detail::raise<Error>("tensor is undefined\n  It was default-constructed, or moved from, and holds nothing yet.");
}

void TensorBase::dtype_error(ScalarType expected) const {
  detail::raise<Error>("expected scalar type ", expected, " but found ", scalar_type(), "\n  Read it as ", cpp_type_name(scalar_type()),
                       ", or convert it with .to(dtype).");
}

size_t TensorBase::checked_dim(int64_t d) const {
  const int64_t ndim = dim();
  WICK_CHECK_INDEX(ndim > 0, "dimension specified as ", d, " but tensor has no dimensions");
  return static_cast<size_t>(wrap_dim(d, ndim));
}

bool TensorBase::is_contiguous(MemoryFormat format) const {
  if (WICK_LIKELY(format == MemoryFormat::Contiguous)) return impl().has(TensorImpl::kContiguous);
  const size_t spatial = format == MemoryFormat::ChannelsLast ? 2 : 3;
  if (format == MemoryFormat::Preserve || static_cast<size_t>(dim()) != spatial + 2) return false;
  // Innermost first: channels, then the spatial dimensions from the last, then the batch.
  Dims order{1};
  for (size_t i = spatial; i > 0; --i) order.push_back(static_cast<int64_t>(i + 1));
  order.push_back(0);
  int64_t expected = 1;
  for (int64_t d : order) {
    const int64_t size = sizes()[d];
    if (size == 0) return true;
    if (size != 1 && strides()[d] != expected) return false;
    expected *= size;
  }
  return true;
}

bool TensorBase::is_non_overlapping_and_dense() const {
  if (impl().has(TensorImpl::kContiguous)) return true;
  const IntArrayRef sizes = this->sizes(), strides = this->strides();
  Dims order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return strides[a] < strides[b]; });
  int64_t expected = 1;
  for (int64_t d : order) {
    if (sizes[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

namespace {

Ref<TensorImpl> new_impl(ScalarType dtype, Device device, Ref<StorageImpl> storage) {
  WICK_CHECK_NOT_IMPLEMENTED(WICK_LIKELY(!is_complex(dtype)) || !device.is_cuda(),
                             "Could not run with arguments from the 'CUDA' backend.\n  The kernel slots of '", dtype,
                             "' are empty: wick's complex tensors live on the CPU. Move their parts, view_as_real(z).");
  auto impl = Ref<TensorImpl>::adopt(new_tensor_impl());
  impl->dtype = dtype;
  impl->device = device;
  if (WICK_UNLIKELY(t_state.inference)) impl->flags = TensorImpl::kInference;
  impl->data = storage->data;
  impl->storage = std::move(storage);
  return impl;
}

Ref<StorageImpl> storage_for(int64_t elements, ScalarType dtype, Device device) {
  WICK_CHECK(dtype != ScalarType::Undefined, "cannot make a tensor of undefined dtype");
  return allocate_storage(static_cast<size_t>(checked_nbytes(elements, element_size(dtype))), device);
}

// The elements that a tensor of this shape needs behind its first one, that one included.
int64_t span(IntArrayRef sizes, IntArrayRef strides) {
  int64_t last = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return 0;
    int64_t reach;
    const bool overflow = __builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) || __builtin_add_overflow(last, reach, &last);
    WICK_CHECK(!overflow, "Storage size calculation overflowed with sizes=", sizes, " and strides=", strides);
  }
  return last;
}

}  // namespace

TensorBase empty_base(IntArrayRef sizes, ScalarType dtype, Device device) {
  const int64_t numel = checked_numel(sizes);
  Ref<TensorImpl> impl = new_impl(dtype, device, storage_for(numel, dtype, device));
  impl->set_contiguous_shape(sizes, numel);
  return TensorBase(std::move(impl));
}

TensorBase empty_like_base(const TensorImpl& like, ScalarType dtype) {
  Ref<TensorImpl> impl = new_impl(dtype, like.device, allocate_storage(static_cast<size_t>(like.numel * element_size(dtype)), like.device));
  impl->copy_shape(like);
  return TensorBase(std::move(impl));
}

TensorBase empty_strided_base(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, Device device) {
  WICK_CHECK(sizes.size() == strides.size(), "dimensionality of sizes (", sizes.size(), ") must match dimensionality of strides (",
             strides.size(), ")");
  checked_numel(sizes);
  for (int64_t stride : strides) WICK_CHECK(stride >= 0, "Tensor: negative strides are not supported, got ", strides);
  Ref<TensorImpl> impl = new_impl(dtype, device, storage_for(span(sizes, strides), dtype, device));
  impl->set_shape(sizes, strides);
  return TensorBase(std::move(impl));
}

TensorBase alias_base(const TensorBase& x, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset) {
  const TensorImpl& from = x.impl();
  Ref<TensorImpl> impl = new_impl(from.dtype, from.device, from.storage);
  impl->flags = from.flags & (TensorImpl::kInference | TensorImpl::kUntracked);
  impl->set_shape(sizes, strides);
  impl->storage_offset = storage_offset;
  impl->refresh_data();
  return TensorBase(std::move(impl));
}

TensorBase alias_base(const TensorBase& x) {
  const TensorImpl& from = x.impl();
  Ref<TensorImpl> impl = new_impl(from.dtype, from.device, from.storage);
  impl->flags = from.flags & (TensorImpl::kInference | TensorImpl::kUntracked);
  impl->copy_shape(from);
  impl->storage_offset = from.storage_offset;
  impl->data = from.data;
  return TensorBase(std::move(impl));
}

bool resize_base(const TensorBase& x, IntArrayRef sizes) {
  TensorImpl& impl = x.impl();
  if (IntArrayRef(impl.sizes(), impl.ndim) == sizes) return false;
  const int64_t numel = checked_numel(sizes);
  int64_t elements;
  WICK_CHECK(!__builtin_add_overflow(numel, impl.storage_offset, &elements), "Storage size calculation overflowed with sizes=", sizes);
  resize_storage(*impl.storage, static_cast<size_t>(checked_nbytes(elements, element_size(impl.dtype))));
  impl.set_shape(sizes, contiguous_strides(sizes));
  impl.refresh_data();
  return true;
}

}  // namespace wick
