// TensorAccessor: elements of a tensor by their indices, without the cost of an operation: a[i][j].
//
// Made by x.accessor<float, 2>() for a tensor on the CPU, which checks dtype and number of dimensions once. Nothing is checked after
// that, neither bounds nor autograd; the tensor must outlive it. x.packed_accessor32<float, 2>() has sizes and strides inside: kernels of
// one's own take it by value, whatever the device, and count in 32 bits.
#pragma once

#include "wick/framework/core/array_ref.h"
#include "wick/framework/core/macros.h"

namespace wick {

template <class T>
struct DefaultPtrTraits { using PtrType = T*; };
// Nothing else refers to the elements that a kernel writes to.
template <class T>
struct RestrictPtrTraits { using PtrType = T* __restrict__; };

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

template <class T, size_t N, template <class> class Traits = DefaultPtrTraits, class Index = int64_t>
class GenericPackedTensorAccessor {
 public:
  using PtrType = typename Traits<T>::PtrType;

  GenericPackedTensorAccessor(PtrType data, const int64_t* sizes, const int64_t* strides) : data_(data) {
    for (size_t d = 0; d < N; ++d) {
      sizes_[d] = static_cast<Index>(sizes[d]);
      strides_[d] = static_cast<Index>(strides[d]);
    }
  }

  WICK_HD decltype(auto) operator[](Index i) const { return TensorAccessor<T, N, Traits, Index>(data_, sizes_, strides_)[i]; }
  WICK_HD PtrType data() const { return data_; }
  WICK_HD Index size(Index d) const { return sizes_[d]; }
  WICK_HD Index stride(Index d) const { return strides_[d]; }

 private:
  PtrType data_;
  Index sizes_[N], strides_[N];
};
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Traits, int32_t>;
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Traits, int64_t>;

}  // namespace wick
