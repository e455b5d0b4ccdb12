// Ref: an intrusive smart pointer. The count lives in the object, so a handle is one pointer and needs no control block.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "wick/framework/core/macros.h"

namespace wick {

// A reference count to derive from. The last reference calls `destroy(object)`, found by argument-dependent lookup.
class RefCounted {
 public:
  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  // True when the caller held the last reference. A sole owner need not pay for a locked instruction: nobody else can
  // bring the count up again.
  bool drop() const noexcept {
    if (count_.load(std::memory_order_acquire) == 1) return true;
    return count_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  int32_t use_count() const noexcept { return count_.load(std::memory_order_relaxed); }

 protected:
  RefCounted() = default;
  ~RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

 private:
  mutable std::atomic<int32_t> count_{1};
};

template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  // Takes over a reference that the caller owns.
  static Ref adopt(T* object) noexcept {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  static Ref share(T* object) noexcept {
    if (object) object->retain();
    return adopt(object);
  }
  Ref(const Ref& other) noexcept : object_(other.object_) {
    if (object_) object_->retain();
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(const Ref& other) noexcept {
    Ref(other).swap(*this);
    return *this;
  }
  Ref& operator=(Ref&& other) noexcept {
    Ref(std::move(other)).swap(*this);
    return *this;
  }
  ~Ref() { reset(); }

  void reset() noexcept {
    T* object = std::exchange(object_, nullptr);
    if (object && object->drop()) destroy(object);
  }
  T* release() noexcept { return std::exchange(object_, nullptr); }
  void swap(Ref& other) noexcept { std::swap(object_, other.object_); }
  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  // For programs that keep nodes as LibTorch hands them out, and hand them back.
  Ref(const std::shared_ptr<T>& pointer) noexcept : Ref(share(pointer.get())) {}
  operator std::shared_ptr<T>() const { return std::shared_ptr<T>(object_, [kept = *this](T*) {}); }
  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace wick
