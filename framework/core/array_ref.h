// ArrayRef: a view of elements that lie one after the other somewhere else, as sizes, strides and lists of tensors are passed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "wick/framework/core/error.h"

namespace wick {

// Does not own its elements: whoever made them keeps them alive. An initializer list lives until the end of the full expression,
// which is enough for an argument.
template <class T>
class ArrayRef {
 public:
  using value_type = T;
  using iterator = const T*;
  using const_iterator = const T*;
  using size_type = size_t;
  using reverse_iterator = std::reverse_iterator<const T*>;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T& element) : data_(&element), size_(1) {}
  constexpr ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  constexpr ArrayRef(const T* begin, const T* end) : data_(begin), size_(static_cast<size_t>(end - begin)) {}
#ifndef __clang__  // it has no such warning
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  constexpr ArrayRef(std::initializer_list<T> list) : data_(list.begin()), size_(list.size()) {}
#ifndef __clang__
#pragma GCC diagnostic pop
#endif
  template <size_t N>
  constexpr ArrayRef(const T (&array)[N]) : data_(array), size_(N) {}
  // From any container with data() and size() (vector, array, span, Dims, ...).
  template <class C, class = std::enable_if_t<!std::is_same_v<C, ArrayRef> &&
                                              std::is_convertible_v<decltype(std::declval<const C&>().data()), const T*> &&
                                              std::is_convertible_v<decltype(std::declval<const C&>().size()), size_t>>>
  constexpr ArrayRef(const C& container) : data_(container.data()), size_(static_cast<size_t>(container.size())) {
    static_assert(!std::is_same_v<C, std::vector<bool>>, "std::vector<bool> has no elements to refer to");
  }

  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr const T* cbegin() const { return begin(); }
  constexpr const T* cend() const { return end(); }
  constexpr reverse_iterator rbegin() const { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const { return reverse_iterator(begin()); }

  constexpr const T& operator[](size_t i) const { return data_[i]; }
  const T& at(size_t i) const {
    WICK_CHECK_INDEX(i < size_, "ArrayRef: invalid index Index = ", i, "; Length = ", size_);
    return data_[i];
  }
  const T& front() const {
    WICK_CHECK(size_ > 0, "ArrayRef: attempted to access front() of empty list");
    return data_[0];
  }
  const T& back() const {
    WICK_CHECK(size_ > 0, "ArrayRef: attempted to access back() of empty list");
    return data_[size_ - 1];
  }
  ArrayRef slice(size_t start, size_t length) const {
    WICK_CHECK(start <= size_ && length <= size_ - start, "ArrayRef: invalid slice, N = ", start, "; M = ", length, "; size = ", size_);
    return ArrayRef(data_ + start, length);
  }
  ArrayRef slice(size_t start) const {
    WICK_CHECK(start <= size_, "ArrayRef: invalid slice, N = ", start, "; size = ", size_);
    return slice(start, size_ - start);
  }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }

  constexpr bool equals(ArrayRef other) const {
    if (size_ != other.size_) return false;
    for (size_t i = 0; i < size_; ++i) {
      if (!(data_[i] == other.data_[i])) return false;
    }
    return true;
  }
  friend constexpr bool operator==(ArrayRef a, ArrayRef b) { return a.equals(b); }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

using IntArrayRef = ArrayRef<int64_t>;

// "[2, 3]"
template <class T>
void append_text(std::string& out, ArrayRef<T> list) {
  out += '[';
  for (size_t i = 0; i < list.size(); ++i) {
    if (i) out += ", ";
    detail::append_any(out, list[i]);
  }
  out += ']';
}
template <class T>
void append_text(std::string& out, const std::vector<T>& list) {
  append_text(out, ArrayRef<T>(list));
}

}  // namespace wick
