// TensorBase: a handle to a TensorImpl with everything that needs no operation. Tensor (framework/tensor.h) adds the operations.
#pragma once

#include <utility>

#include "wick/framework/core/scalar.h"
#include "wick/framework/core/tensor_impl.h"
#include "wick/framework/core/tensor_options.h"

namespace wick {

class TensorBase {
 public:
  TensorBase() = default;
  explicit TensorBase(Ref<TensorImpl> impl) : impl_(std::move(impl)) {}

  bool defined() const { return static_cast<bool>(impl_); }
  explicit operator bool() const { return defined(); }
  bool is_same(const TensorBase& other) const { return impl_ == other.impl_; }
  void reset() { impl_.reset(); }
  size_t use_count() const { return impl_ ? static_cast<size_t>(impl_->use_count()) : 0; }
  TensorImpl* unsafeGetTensorImpl() const { return impl_.get(); }
  TensorImpl& impl() const {
    if (WICK_UNLIKELY(!impl_)) undefined_error();
    return *impl_;
  }
  const Ref<TensorImpl>& impl_ref() const { return impl_; }

  // Shape, in elements.
  int64_t dim() const { return impl().ndim; }
  int64_t ndimension() const { return dim(); }
  int64_t numel() const { return impl_ ? impl_->numel : 0; }
  IntArrayRef sizes() const { return IntArrayRef(impl().sizes(), impl().ndim); }
  IntArrayRef strides() const { return IntArrayRef(impl().strides(), impl().ndim); }
  int64_t size(int64_t d) const { return impl().sizes()[checked_dim(d)]; }
  int64_t stride(int64_t d) const { return impl().strides()[checked_dim(d)]; }
  int64_t storage_offset() const { return impl().storage_offset; }
  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
  bool is_non_overlapping_and_dense() const;

  // What it is made of.
  ScalarType scalar_type() const { return impl().dtype; }
  TypeMeta dtype() const { return TypeMeta(scalar_type()); }
  Device device() const { return impl().device; }
  DeviceIndex get_device() const { return device().index(); }
  Layout layout() const { return kStrided; }
  TensorOptions options() const { return TensorOptions(scalar_type(), device(), kStrided); }
  int64_t element_size() const { return wick::element_size(scalar_type()); }
  int64_t itemsize() const { return element_size(); }
  int64_t nbytes() const { return numel() * element_size(); }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_cuda() const { return device().is_cuda(); }
  bool is_meta() const { return device().is_meta(); }
  bool is_pinned() const { return impl().storage->pinned; }
  bool is_sparse() const { return false; }
  bool is_quantized() const { return false; }
  bool is_floating_point() const { return is_floating(scalar_type()); }
  bool is_complex() const { return wick::is_complex(scalar_type()); }
  bool is_signed() const { return scalar_type() != kByte && scalar_type() != kBool; }
  bool is_inference() const { return impl().has(TensorImpl::kInference); }

  // Memory. Views share it; a tensor keeps it alive.
  const Ref<StorageImpl>& storage_ref() const { return impl().storage; }
  auto storage() const;  // for programs that include compat/ATen/storage.h, which defines it
  bool is_alias_of(const TensorBase& other) const { return impl().storage == other.impl().storage; }
  // Null where there is no element.
  void* data_ptr() const { return impl().numel ? impl_->data : nullptr; }
  const void* const_data_ptr() const { return data_ptr(); }
  void* mutable_data_ptr() const { return data_ptr(); }
  // The first element, as a T; throws where that is not the element type.
  template <class T>
  T* data_ptr() const {
    using Element = std::remove_const_t<T>;
    if (WICK_UNLIKELY(impl().dtype != dtype_of<Element>)) dtype_error(dtype_of<Element>);
    return static_cast<T*>(impl_->data);
  }
  template <class T>
  const T* const_data_ptr() const { return data_ptr<const T>(); }
  template <class T>
  T* mutable_data_ptr() const { return data_ptr<T>(); }

  // Autograd.
  bool requires_grad() const { return impl().requires_grad() || impl_->has(TensorImpl::kInferenceLeaf); }
  bool is_leaf() const { return !impl().grad_fn; }
  bool is_view() const { return static_cast<bool>(impl().base); }
  bool _is_view() const { return is_view(); }
  int64_t output_nr() const { return impl().output_nr; }
  // How often the memory has been written to in place. Throws for an inference tensor.
  int64_t _version() const { return impl().version_counter().current_version(); }

 protected:
  size_t checked_dim(int64_t d) const;

  Ref<TensorImpl> impl_;

 private:
  [[noreturn]] WICK_COLD static void undefined_error();
  [[noreturn]] WICK_COLD void dtype_error(ScalarType expected) const;
};

// A new tensor with memory that is not initialised. Throws for sizes that cannot exist, before anything is allocated.
TensorBase empty_base(IntArrayRef sizes, ScalarType dtype, Device device);
// The same with the sizes of a contiguous tensor, of which nothing need be checked any more.
TensorBase empty_like_base(const TensorImpl& like, ScalarType dtype);
TensorBase empty_strided_base(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, Device device);
// Another tensor on the same memory. Joins no graph; the caller sets base, grad_fn and flags.
TensorBase alias_base(const TensorBase& x, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset);
TensorBase alias_base(const TensorBase& x);
// PyTorch's rule for an output the user passes: a tensor of another shape is resized in place. Returns whether it was.
bool resize_base(const TensorBase& x, IntArrayRef sizes);

}  // namespace wick
