// c10::SmallVector and at::DimVector under their names: standard vectors, which keep nothing inline.
#pragma once

#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <vector>

namespace c10 {

template <class T, unsigned N = 0>
class SmallVector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  SmallVector() = default;
  explicit SmallVector(ArrayRef<T> items) : std::vector<T>(items.begin(), items.end()) {}
  T pop_back_val() {
    T last = std::move(this->back());
    this->pop_back();
    return last;
  }
  template <class Iterator>
  void append(Iterator begin, Iterator end) { this->insert(this->end(), begin, end); }
  void append(size_t count, const T& item) { this->insert(this->end(), count, item); }
};

}  // namespace c10

namespace at {
inline constexpr unsigned kDimVectorStaticSize = 5;
using DimVector = c10::SmallVector<int64_t, kDimVectorStaticSize>;
}  // namespace at
