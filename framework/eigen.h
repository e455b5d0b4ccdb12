// A tensor as a matrix of Eigen's, for programs that include Eigen themselves.
#pragma once

#include <Eigen/Core>

#include "wick/framework/tensor.h"

namespace wick {

template <class T>
using EigenMapBase = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, Eigen::Unaligned,
                                Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

// A matrix [n, m], or a vector [n] as a column, of T on the CPU with any strides; throws for any other tensor. What is written to it is
// written to the tensor, out of autograd's sight. For as long as it lives, so does the tensor.
template <class T>
class EigenMap : public EigenMapBase<T> {
 public:
  explicit EigenMap(Tensor x)
      : EigenMapBase<T>(checked(x), x.size(0), x.dim() == 2 ? x.size(1) : 1, {x.stride(0), x.dim() == 2 ? x.stride(1) : 1}),
        tensor_(std::move(x)) {}
  using EigenMapBase<T>::operator=;

 private:
  static T* checked(const Tensor& x) {
    WICK_CHECK(x.is_cpu() && (x.dim() == 1 || x.dim() == 2), "EigenMap: expected a vector or a matrix on the CPU, got ", x.sizes());
    return x.data_ptr<T>();
  }
  Tensor tensor_;
};

}  // namespace wick
