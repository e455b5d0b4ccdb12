// LibTorch's functions name_(self, ...), which write to their argument: of operations that wick has in place as methods only, and of
// activations that it has out of place.
#pragma once

#include <ATen/names.h>

#include <optional>

namespace at {

#define WICK_OF_METHOD(name, params, args)                                           \
  inline Tensor& name params { return self.name args; }
#define WICK_UNARY_OF_METHOD(name) WICK_OF_METHOD(name, (Tensor & self), ())
#define WICK_BINARY_OF_METHOD(name) WICK_OF_METHOD(name, (Tensor & self, const Tensor& other), (other))
WICK_UNARY_OF_METHOD(absolute_)
WICK_UNARY_OF_METHOD(arccos_)
WICK_UNARY_OF_METHOD(arccosh_)
WICK_UNARY_OF_METHOD(arcsin_)
WICK_UNARY_OF_METHOD(arcsinh_)
WICK_UNARY_OF_METHOD(arctan_)
WICK_UNARY_OF_METHOD(arctanh_)
WICK_UNARY_OF_METHOD(deg2rad_)
WICK_UNARY_OF_METHOD(detach_)
WICK_UNARY_OF_METHOD(fix_)
WICK_UNARY_OF_METHOD(negative_)
WICK_UNARY_OF_METHOD(rad2deg_)
WICK_BINARY_OF_METHOD(gcd_)
WICK_BINARY_OF_METHOD(lcm_)
WICK_BINARY_OF_METHOD(xlogy_)
WICK_OF_METHOD(xlogy_, (Tensor & self, const Scalar& other), (other))
WICK_OF_METHOD(logit_, (Tensor & self, std::optional<double> eps = std::nullopt), (eps))
WICK_OF_METHOD(nan_to_num_,
               (Tensor & self, std::optional<double> nan = std::nullopt, std::optional<double> posinf = std::nullopt,
                std::optional<double> neginf = std::nullopt),
               (nan, posinf, neginf))
WICK_OF_METHOD(addmv_, (Tensor & self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1),
               (mat, vec, beta, alpha))
#undef WICK_BINARY_OF_METHOD
#undef WICK_UNARY_OF_METHOD
#undef WICK_OF_METHOD

// The last argument is the function's value.
#define WICK_OVERWRITE(name, params, value)                                                        \
  inline Tensor& name##_ params {                                                                  \
    const Tensor before = wick::method::source(self);                                              \
    wick::method::overwrite(#name, self, value);                                                   \
    return self;                                                                                   \
  }
WICK_OVERWRITE(ldexp, (Tensor & self, const Tensor& other), before * wick::pow(2.0, other))
WICK_OVERWRITE(celu, (Tensor & self, const Scalar& alpha = 1.0), wick::celu(before, alpha))
WICK_OVERWRITE(elu, (Tensor & self, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1),
               wick::elu(before, alpha, scale, input_scale))
WICK_OVERWRITE(gelu, (Tensor & self, std::string_view approximate = "none"), wick::gelu(before, approximate))
WICK_OVERWRITE(hardsigmoid, (Tensor & self), wick::hardsigmoid(before))
WICK_OVERWRITE(hardswish, (Tensor & self), wick::hardswish(before))
WICK_OVERWRITE(mish, (Tensor & self), wick::mish(before))
WICK_OVERWRITE(relu6, (Tensor & self), wick::relu6(before))
WICK_OVERWRITE(selu, (Tensor & self), wick::selu(before))
WICK_OVERWRITE(threshold, (Tensor & self, const Scalar& threshold, const Scalar& value), wick::threshold(before, threshold, value))
#undef WICK_OVERWRITE

}  // namespace at
