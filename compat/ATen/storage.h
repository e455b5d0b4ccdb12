// x.storage(): the memory of a tensor under LibTorch's names.
#pragma once

#include "wick/framework/tensor.h"

namespace wick {

// A handle to the memory of a tensor, x.storage(), which keeps it alive.
class Storage {
 public:
  // Where the memory is, and what came with memory of somebody else's: null unless from_blob() got a deleter.
  struct DataPtr {
    StorageImpl* storage;
    void* get() const { return storage->data; }
    void* get_context() const { return storage->context; }
    Device device() const { return storage->device; }
    explicit operator bool() const { return get() != nullptr; }
  };

  Storage() = default;
  explicit Storage(Ref<StorageImpl> impl) : impl_(std::move(impl)) {}
  explicit operator bool() const { return static_cast<bool>(impl_); }
  StorageImpl* unsafeGetStorageImpl() const { return impl_.get(); }
  DataPtr data_ptr() const { return {impl_.get()}; }
  void* data() const { return impl_->data; }
  void* mutable_data() const { return impl_->data; }
  size_t nbytes() const { return impl_->nbytes; }
  Device device() const { return impl_->device; }
  bool is_alias_of(const Storage& other) const { return impl_ == other.impl_; }
  size_t use_count() const { return impl_ ? static_cast<size_t>(impl_->use_count()) : 0; }

 private:
  Ref<StorageImpl> impl_;
};

inline auto TensorBase::storage() const { return Storage(storage_ref()); }

}  // namespace wick
