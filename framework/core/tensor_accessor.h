// TensorAccessor: elements of a tensor on the CPU by their indices, without the cost of an operation: a[i][j].
//
// Made by x.accessor<float, 2>(), which checks dtype and number of dimensions once. Nothing is checked after that, neither bounds nor
// autograd; the tensor must outlive it.
#pragma once

#include "wick/framework/core/array_ref.h"

namespace wick {

template <class T, size_t N>
class TensorAccessor {
 public:
  TensorAccessor(T* data, const int64_t* sizes, const int64_t* strides) : data_(data), sizes_(sizes), strides_(strides) {}

  // The next dimension's accessor; for the last one, the element.
  decltype(auto) operator[](int64_t i) const {
    T* const at = data_ + i * strides_[0];
    if constexpr (N == 1) return static_cast<T&>(*at);
    else return TensorAccessor<T, N - 1>(at, sizes_ + 1, strides_ + 1);
  }

  T* data() const { return data_; }
  IntArrayRef sizes() const { return IntArrayRef(sizes_, N); }
  IntArrayRef strides() const { return IntArrayRef(strides_, N); }
  int64_t size(int64_t d) const { return sizes_[d]; }
  int64_t stride(int64_t d) const { return strides_[d]; }

 private:
  T* data_;
  const int64_t* sizes_;
  const int64_t* strides_;
};

}  // namespace wick
