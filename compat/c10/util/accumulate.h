// Sums and products of integers as 64-bit numbers, whatever the elements are: of a container, of a range, or of a part of a shape.
#pragma once

#include <c10/util/Exception.h>

#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <type_traits>

namespace c10 {

template <class It, class = typename std::iterator_traits<It>::iterator_category>
int64_t sum_integers(It begin, It end) {
  static_assert(std::is_integral_v<typename std::iterator_traits<It>::value_type>);
  return std::accumulate(begin, end, int64_t{0});
}
template <class It, class = typename std::iterator_traits<It>::iterator_category>
int64_t multiply_integers(It begin, It end) {
  static_assert(std::is_integral_v<typename std::iterator_traits<It>::value_type>);
  return std::accumulate(begin, end, int64_t{1}, std::multiplies<>());
}
template <class C, class = typename C::value_type>
int64_t sum_integers(const C& container) { return sum_integers(container.begin(), container.end()); }
template <class C, class = typename C::value_type>
int64_t multiply_integers(const C& container) { return multiply_integers(container.begin(), container.end()); }

// The elements of a shape from dimension k on, before k, and between the two in either order.
template <class C, class = typename C::value_type>
int64_t numelements_from_dim(int k, const C& dims) {
  return k > static_cast<int>(dims.size()) ? 1 : multiply_integers(dims.begin() + k, dims.end());
}
template <class C, class = typename C::value_type>
int64_t numelements_to_dim(int k, const C& dims) {
  TORCH_INTERNAL_ASSERT(k >= 0 && k <= static_cast<int>(dims.size()));
  return multiply_integers(dims.begin(), dims.begin() + k);
}
template <class C, class = typename C::value_type>
int64_t numelements_between_dim(int k, int l, const C& dims) {
  TORCH_INTERNAL_ASSERT(k >= 0 && l >= 0 && k <= static_cast<int>(dims.size()) && l <= static_cast<int>(dims.size()));
  return k < l ? multiply_integers(dims.begin() + k, dims.begin() + l) : multiply_integers(dims.begin() + l, dims.begin() + k);
}

}  // namespace c10
