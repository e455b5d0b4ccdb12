// The elements of a tensor as a std::span.
#pragma once

#include <span>

#include "wick/framework/tensor.h"

namespace wick {

// The elements of a contiguous tensor of T on the CPU, row by row; throws for any other. For as long as it lives, so does the tensor; a
// plain std::span made from it does not keep the tensor.
template <class T>
class TensorSpan : public std::span<T> {
 public:
  explicit TensorSpan(Tensor x) : std::span<T>(checked(x), static_cast<size_t>(x.numel())), tensor_(std::move(x)) {}

 private:
  static T* checked(const Tensor& x) {
    WICK_CHECK(x.is_cpu() && x.is_contiguous(), "TensorSpan: the tensor must be contiguous and on the CPU\n  Take x.cpu().contiguous().");
    return x.data_ptr<T>();
  }
  Tensor tensor_;
};

}  // namespace wick
