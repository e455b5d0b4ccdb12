// Ref: an intrusive smart pointer. The count lives in the object, so a handle is one pointer and needs no control block.
#pragma once

#include <sys/single_threaded.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "wick/framework/core/macros.h"

namespace wick {

// A reference count to derive from. The last reference calls `destroy(object)`, found by argument-dependent lookup. A locked instruction
// takes as long as twenty others, so it is left out where the process has one thread, and where the caller is the sole owner: then nobody
// else can bring the count up again.
class RefCounted {
 public:
  void retain() const noexcept { add(1, std::memory_order_relaxed); }
  // True when the caller held the last reference.
  bool drop() const noexcept { return count_.load(std::memory_order_acquire) == 1 || add(-1, std::memory_order_acq_rel) == 1; }
  int32_t use_count() const noexcept { return count_.load(std::memory_order_relaxed); }

 protected:
  RefCounted() = default;
  ~RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

 private:
  // Returns the count before.
  int32_t add(int32_t n, std::memory_order order) const noexcept {
    if (!__libc_single_threaded) return count_.fetch_add(n, order);
    const int32_t before = count_.load(std::memory_order_relaxed);
    count_.store(before + n, std::memory_order_relaxed);
    return before;
  }

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
