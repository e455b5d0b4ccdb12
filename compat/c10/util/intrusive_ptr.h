// intrusive_ptr: a smart pointer whose count lies in the object, over wick::Ref.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "wick/framework/core/ref.h"

namespace c10 {

class intrusive_ptr_target : public wick::RefCounted {
 public:
  virtual ~intrusive_ptr_target() = default;

 protected:
  intrusive_ptr_target() = default;
  // A copy is counted for itself.
  intrusive_ptr_target(const intrusive_ptr_target&) {}
  intrusive_ptr_target& operator=(const intrusive_ptr_target&) { return *this; }
};
inline void destroy(intrusive_ptr_target* object) { delete object; }

template <class T>
class intrusive_ptr {
 public:
  using element_type = T;

  intrusive_ptr() = default;
  intrusive_ptr(std::nullptr_t) {}
  template <class From, class = std::enable_if_t<std::is_convertible_v<From*, T*>>>
  intrusive_ptr(const intrusive_ptr<From>& other) : ref_(wick::Ref<T>::share(other.get())) {}
  template <class From, class = std::enable_if_t<std::is_convertible_v<From*, T*>>>
  intrusive_ptr(intrusive_ptr<From>&& other) : ref_(wick::Ref<T>::adopt(other.release())) {}
  template <class... Args>
  static intrusive_ptr make(Args&&... args) { return reclaim(new T(std::forward<Args>(args)...)); }
  // Takes over a reference: one that release() gave up, or that of a new object.
  static intrusive_ptr reclaim(T* object) {
    intrusive_ptr pointer;
    pointer.ref_ = wick::Ref<T>::adopt(object);
    return pointer;
  }
  static intrusive_ptr unsafe_steal_from_new(T* object) { return reclaim(object); }

  T* get() const noexcept { return ref_.get(); }
  T* operator->() const noexcept { return ref_.get(); }
  T& operator*() const noexcept { return *ref_; }
  explicit operator bool() const noexcept { return defined(); }
  bool defined() const noexcept { return static_cast<bool>(ref_); }
  size_t use_count() const noexcept { return defined() ? static_cast<size_t>(ref_->use_count()) : 0; }
  bool unique() const noexcept { return use_count() == 1; }
  void reset() noexcept { ref_.reset(); }
  void swap(intrusive_ptr& other) noexcept { ref_.swap(other.ref_); }
  T* release() noexcept { return ref_.release(); }
  friend bool operator==(const intrusive_ptr& a, const intrusive_ptr& b) noexcept { return a.ref_ == b.ref_; }
  friend bool operator==(const intrusive_ptr& a, std::nullptr_t) noexcept { return !a.defined(); }

 private:
  wick::Ref<T> ref_;
};

template <class T, class... Args>
intrusive_ptr<T> make_intrusive(Args&&... args) {
  return intrusive_ptr<T>::make(std::forward<Args>(args)...);
}
template <class To, class From>
intrusive_ptr<To> static_intrusive_pointer_cast(intrusive_ptr<From> pointer) {
  return intrusive_ptr<To>::reclaim(static_cast<To*>(pointer.release()));
}
template <class To, class From>
intrusive_ptr<To> dynamic_intrusive_pointer_cast(intrusive_ptr<From> pointer) {
  To* object = dynamic_cast<To*>(pointer.get());
  if (object) pointer.release();
  return intrusive_ptr<To>::reclaim(object);
}

}  // namespace c10

namespace torch {
// What a class that programs keep in an intrusive_ptr derives from.
struct CustomClassHolder : c10::intrusive_ptr_target {};
}  // namespace torch
