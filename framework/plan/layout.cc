#include "wick/framework/plan/layout.h"

#include <utility>

namespace wick {

// Positive where dimension a belongs outside b, negative where inside, 0 where they cannot be compared.
static int compare(const TensorBase& x, int64_t a, int64_t b) {
  const int64_t sa = x.strides()[a], sb = x.strides()[b];
  if (sa == 0 || sb == 0) return 0;
  if (sa != sb) return sa < sb ? -1 : 1;
  return x.sizes()[a] > x.sizes()[b] ? 1 : 0;
}

Dims memory_order(const TensorBase& x) {
  const size_t ndim = x.sizes().size();
  Dims order(ndim);  // innermost first until the end
  for (size_t i = 0; i < ndim; ++i) order[i] = static_cast<int64_t>(ndim - 1 - i);
  for (size_t i = 1; i < ndim; ++i) {
    size_t at = i;
    for (size_t j = i; j-- > 0;) {
      const int outside = compare(x, order[j], order[at]);
      if (outside < 0) break;
      if (outside > 0) std::swap(order[j], order[std::exchange(at, j)]);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Dims dense_strides(const TensorBase& x) {
  if (x.is_non_overlapping_and_dense()) return x.strides();
  const Dims order = memory_order(x);
  Dims strides(order.size());
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[static_cast<size_t>(order[i])] = stride;
    stride *= std::max<int64_t>(x.sizes()[static_cast<size_t>(order[i])], 1);
  }
  return strides;
}

}  // namespace wick
