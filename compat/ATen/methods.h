// Tensor's methods that wick has as functions of compat only; their declarations are in wick/framework/ops/compat_list.h.
#pragma once

#include <ATen/arrange.h>
#include <ATen/composed.h>
#include <ATen/core/DeprecatedTypeProperties.h>
#include <ATen/decompositions.h>
#include <ATen/overloads.h>
#include <ATen/special.h>
#include <ATen/spectral.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace wick::method {

// Another view of the memory takes the place of self. Nothing of that is recorded.
Tensor& as_strided_(const Tensor& self, IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset);
// The main diagonal; that of a matrix begins anew below its square where `wrap` is set.
Tensor& fill_diagonal_(const Tensor& self, const Scalar& fill_value, bool wrap);
bool is_set_to(const Tensor& self, const Tensor& tensor);
inline Tensor meta(const Tensor& self) { return self.to(TensorOptions(kMeta)); }
Tensor new_empty_strided(const Tensor& self, IntArrayRef size, IntArrayRef stride, const TensorOptions& options);
Tensor& polygamma_(const Tensor& self, int64_t n);
// "[CPUFloatType [2, 3]]" on std::cerr.
void print(const Tensor& self);
// self becomes a tensor without elements, or another handle on the memory of source.
Tensor& set_(const Tensor& self);
Tensor& set_(const Tensor& self, const Tensor& source);
Tensor& set_(const Tensor& self, const Tensor& source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride);
// The format in which a result like self is made: channels_last where self has it.
MemoryFormat suggest_memory_format(const Tensor& self);
// The sum over what broadcasting `size` to the shape of self would stretch.
Tensor sum_to_size(const Tensor& self, IntArrayRef size);
inline Tensor& swapaxes_(const Tensor& self, int64_t axis0, int64_t axis1) { return self.transpose_(axis0, axis1); }
inline Tensor& swapdims_(const Tensor& self, int64_t dim0, int64_t dim1) { return self.transpose_(dim0, dim1); }
// LibTorch's names for a & b, a | b, a ^ b.
#define WICK_BITWISE(name, function)                                                                          \
  inline Tensor name(const Tensor& self, const Tensor& other) { return wick::function(self, other); }         \
  inline Tensor name(const Tensor& self, const Scalar& other) { return wick::function(self, other); }
WICK_BITWISE(__and__, bitwise_and)
WICK_BITWISE(__or__, bitwise_or)
WICK_BITWISE(__xor__, bitwise_xor)
#undef WICK_BITWISE
inline std::string toString(const Tensor& self) { return self.defined() ? self.type().toString() : "UndefinedType"; }
inline Tensor to_dense(const Tensor& self, std::optional<ScalarType> dtype) { return dtype ? self.to(*dtype) : self; }

}  // namespace wick::method

namespace wick {
#define WICK_OR(...)
#define WICK_AT_METHOD(name, params, args) \
  inline decltype(auto) Tensor::name params const { return at::name(*this WICK_TAIL args); }
#define WICK_AT_METHOD_INPLACE(name, params, args)                                           \
  inline decltype(auto) Tensor::name##_ params const {                                       \
    method::overwrite(#name, *this, at::name(method::source(*this) WICK_TAIL args));         \
    return const_cast<Tensor&>(*this);                                                       \
  }
#define WICK_OWN_METHOD(name, params, args) \
  inline decltype(auto) Tensor::name params const { return method::name(*this WICK_TAIL args); }
#define WICK_NONE(...)
WICK_COMPAT_METHODS(WICK_AT_METHOD, WICK_AT_METHOD_INPLACE, WICK_OWN_METHOD, WICK_NONE)
#undef WICK_NONE
#undef WICK_OWN_METHOD
#undef WICK_AT_METHOD_INPLACE
#undef WICK_AT_METHOD
#undef WICK_OR
}  // namespace wick

namespace wick {
// What operator<< writes, in lines of `linesize` characters.
std::ostream& print(std::ostream& stream, const Tensor& tensor, int64_t linesize);
// The same on std::cout.
void print(const Tensor& tensor, int64_t linesize = 80);
}  // namespace wick

namespace at {
using wick::print;
using wick::method::__and__;
using wick::method::__or__;
using wick::method::__xor__;
inline const Tensor& as_strided_(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                                 std::optional<int64_t> storage_offset = std::nullopt) {
  return self.as_strided_(size, stride, storage_offset);
}
}  // namespace at
