// TensorAccessor: elements of a tensor by their indices, without the cost of an operation: a[i][j].
//
// Made by x.accessor<float, 2>() for a tensor on the CPU, which checks dtype and number of dimensions once. Nothing is checked after
// that, neither bounds nor autograd; the tensor must outlive it.
#pragma once

#include "wick/framework/core/array_ref.h"
#include "wick/framework/core/macros.h"

namespace wick {

template <class T>
struct DefaultPtrTraits { using PtrType = T*; };

template <class T, size_t N, template <class> class Traits = DefaultPtrTraits, class Index = int64_t>
class TensorAccessor {
 public:
  using PtrType = typename Traits<T>::PtrType;

  WICK_HD TensorAccessor(PtrType data, const Index* sizes, const Index* strides) : data_(data), sizes_(sizes), strides_(strides) {}

  // The next dimension's accessor; for the last one, the element.
  WICK_HD decltype(auto) operator[](Index i) const {
    PtrType const at = data_ + i * strides_[0];
    if constexpr (N == 1) return static_cast<T&>(*at);
    else return TensorAccessor<T, N - 1, Traits, Index>(at, sizes_ + 1, strides_ + 1);
  }

  WICK_HD PtrType data() const { return data_; }
  ArrayRef<Index> sizes() const { return ArrayRef<Index>(sizes_, N); }
  ArrayRef<Index> strides() const { return ArrayRef<Index>(strides_, N); }
  WICK_HD Index size(Index d) const { return sizes_[d]; }
  WICK_HD Index stride(Index d) const { return strides_[d]; }

 private:
  PtrType data_;
  const Index* sizes_;
  const Index* strides_;
};

}  // namespace wick
