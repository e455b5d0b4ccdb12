// irange(n) and irange(begin, end): the integers of a range, for `for (auto i : c10::irange(n))`.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace c10 {

template <class I>
class integer_range {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = I;
    using difference_type = std::ptrdiff_t;
    using pointer = I*;
    using reference = I&;

    explicit iterator(I value) : value_(value) {}
    I operator*() const { return value_; }
    I const* operator->() const { return &value_; }
    iterator& operator++() {
      ++value_;
      return *this;
    }
    iterator operator++(int) { return iterator(value_++); }
    bool operator==(const iterator&) const = default;

   private:
    I value_;
  };

  // Empty where the end comes before the beginning.
  integer_range(I begin, I end) : begin_(begin), end_(end < begin ? begin : end) {}
  iterator begin() const { return begin_; }
  iterator end() const { return end_; }

 private:
  iterator begin_, end_;
};

template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
integer_range<I> irange(I end) {
  return {I(0), end};
}
template <class I, class J, class = std::enable_if_t<std::is_integral_v<I> && std::is_integral_v<J>>>
integer_range<J> irange(I begin, J end) {
  return {static_cast<J>(begin), end};
}

}  // namespace c10
