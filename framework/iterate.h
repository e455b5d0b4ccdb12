// for (Tensor row : x): the slices of a tensor along its first dimension, views as x[i] is, as in Python.
#pragma once

#include "wick/framework/tensor.h"

namespace wick {

class RowIterator {
 public:
  RowIterator(const Tensor& x, int64_t row) : x_(x), row_(row) {}
  Tensor operator*() const { return x_.select(0, row_); }
  RowIterator& operator++() { return ++row_, *this; }
  friend bool operator==(const RowIterator& a, const RowIterator& b) { return a.row_ == b.row_; }

 private:
  Tensor x_;
  int64_t row_;
};

// Throws for a tensor without dimensions.
inline RowIterator begin(const Tensor& x) {
  WICK_CHECK_TYPE(x.dim() > 0, "iteration over a 0-d tensor");
  return {x, 0};
}
inline RowIterator end(const Tensor& x) { return {x, x.size(0)}; }

}  // namespace wick
