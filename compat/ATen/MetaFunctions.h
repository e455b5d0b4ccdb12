// at::meta: the shapes and dtypes of results without the results, for tensors on any device.
#pragma once

#include <ATen/ATen.h>

namespace wick::detail {
// The argument, or the shape of the tensor that it is.
template <class T>
decltype(auto) shape_of(const T& argument) {
  if constexpr (std::is_base_of_v<TensorBase, T>) return empty_like(argument, TensorOptions(kMeta));
  else return argument;
}
}  // namespace wick::detail

namespace at::meta {

#define WICK_META(name)                                   \
  template <class... Args>                                \
  decltype(auto) name(const Args&... args) {              \
    return ::wick::name(wick::detail::shape_of(args)...); \
  }
#define WICK_META_OP(Op, name, ...) WICK_META(name)
WICK_UNARY_OPS(WICK_META_OP)
WICK_COMPARISON_OPS(WICK_META_OP)
WICK_EXTREMUM_OPS(WICK_META_OP)
WICK_META(add)
WICK_META(sub)
WICK_META(mul)
WICK_META(div)
WICK_META(pow)
WICK_META(mm)
WICK_META(bmm)
WICK_META(addmm)
WICK_META(cat)
WICK_META(sum)
WICK_META(mean)
WICK_META(argmax)
WICK_META(argmin)
#undef WICK_META_OP
#undef WICK_META

}  // namespace at::meta
