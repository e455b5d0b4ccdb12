#include "wick/optim/detail/batch.h"

namespace wick::optim::detail {

bool same_dense_layout(const TensorBase& a, const TensorBase& b) {
  return a.sizes() == b.sizes() && a.strides() == b.strides() && a.is_non_overlapping_and_dense();
}

Tensor new_state(const Tensor& param) {
  PastCapture at_once;
  return zeros_like(param);
}

Tensor new_step(const Tensor& param, int64_t steps) {
  PastCapture at_once;
  return full({}, steps, TensorOptions(kLong).device(param.device()));
}

}  // namespace wick::optim::detail
