// A value of its own, or a pointer to somebody else's, which must outlive it.
#pragma once

#include <optional>
#include <utility>

namespace c10 {

template <class T>
class MaybeOwned {
 public:
  MaybeOwned() : own_(T()) {}
  static MaybeOwned borrowed(const T& value) { return MaybeOwned(&value, std::nullopt); }
  static MaybeOwned owned(T value) { return MaybeOwned(nullptr, std::move(value)); }
  template <class... Args>
  static MaybeOwned owned(std::in_place_t, Args&&... args) { return owned(T(std::forward<Args>(args)...)); }

  const T& operator*() const& { return own_ ? *own_ : *other_; }
  T operator*() && { return own_ ? std::move(*own_) : *other_; }
  const T* operator->() const { return &**this; }
  bool unsafeIsBorrowed() const { return !own_; }

 private:
  MaybeOwned(const T* other, std::optional<T> own) : other_(other), own_(std::move(own)) {}

  const T* other_ = nullptr;
  std::optional<T> own_;
};

}  // namespace c10
