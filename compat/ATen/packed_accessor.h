// Accessors with sizes and strides inside: x.packed_accessor32<float, 2>(). Kernels of one's own take them by value, whatever the device,
// and count in 32 bits.
#pragma once

#include "wick/framework/tensor.h"

namespace wick {

// Nothing else refers to the elements that a kernel writes to.
template <class T>
struct RestrictPtrTraits { using PtrType = T* __restrict__; };

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

template <class T, size_t N, template <class> class Traits>
auto Tensor::packed_accessor64() const& {
  WICK_CHECK(dim() == static_cast<int64_t>(N), "TensorAccessor expected ", N, " dims but tensor has ", dim());
  return PackedTensorAccessor64<T, N, Traits>(data_ptr<T>(), sizes().data(), strides().data());
}
template <class T, size_t N, template <class> class Traits>
auto Tensor::packed_accessor32() const& {
  WICK_CHECK(numel() <= INT32_MAX, "numel needs to be smaller than int32_t max; otherwise, please use packed_accessor64");
  WICK_CHECK(dim() == static_cast<int64_t>(N), "TensorAccessor expected ", N, " dims but tensor has ", dim());
  return PackedTensorAccessor32<T, N, Traits>(data_ptr<T>(), sizes().data(), strides().data());
}
template <class T, size_t N, template <class> class Traits, class Index>
auto Tensor::packed_accessor() const& {
  if constexpr (sizeof(Index) == 4) return packed_accessor32<T, N, Traits>();
  else return packed_accessor64<T, N, Traits>();
}

}  // namespace wick
