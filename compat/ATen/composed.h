// LibTorch's functions that are short formulas over others.
#pragma once

#include <ATen/names.h>

#include <cmath>
#include <optional>
#include <ostream>
#include <string_view>
#include <tuple>
#include <vector>

#include "wick/framework/ops/elementwise.h"

namespace at {

using wick::can_cast;
using wick::promote_types;

// The dtype of an operation on both: a tensor with dimensions counts for more than one without, and that for more than a number.
inline ScalarType result_type(const Tensor& a, const Tensor& b) {
  const wick::ops::Operand both[] = {a, b};
  return wick::ops::result_type(both, 2);
}
inline ScalarType result_type(const Tensor& a, const Scalar& b) {
  const wick::ops::Operand both[] = {a, b};
  return wick::ops::result_type(both, 2);
}
inline ScalarType result_type(const Scalar& a, const Tensor& b) { return result_type(b, a); }
inline ScalarType result_type(const Scalar& a, const Scalar& b) { return result_type(wick::scalar_tensor(a), b); }

inline int64_t numel(const Tensor& self) { return self.numel(); }
inline int64_t size(const Tensor& self, int64_t dim) { return self.size(dim); }
inline int64_t stride(const Tensor& self, int64_t dim) { return self.stride(dim); }
inline bool is_floating_point(const Tensor& self) { return self.is_floating_point(); }
inline bool is_complex(const Tensor& self) { return self.is_complex(); }
using wick::is_complex;
inline bool is_inference(const Tensor& self) { return self.is_inference(); }
inline bool is_signed(const Tensor& self) { return self.scalar_type() != kByte && self.scalar_type() != kBool; }
inline bool is_same_size(const Tensor& self, const Tensor& other) { return self.sizes() == other.sizes(); }

inline Tensor positive(const Tensor& self) {
  TORCH_CHECK_NOT_IMPLEMENTED(self.scalar_type() != kBool, "The `+` operator, on a bool tensor is not supported.");
  return self;
}
inline Tensor fill(const Tensor& self, const Scalar& value) { return wick::full_like(self, value); }
inline Tensor fill(const Tensor& self, const Tensor& value) { return self.clone().fill_(value); }
inline Tensor zero(const Tensor& self) { return wick::zeros_like(self); }
inline Tensor ldexp(const Tensor& self, const Tensor& other) { return self * wick::pow(2.0, other); }

// In another dtype: what Python's x.float() is. Programs of LibTorch's first years have it.
#define WICK_CAST(name, dtype) \
  inline Tensor _cast_##name(const Tensor& self, bool non_blocking = false) { return self.to(dtype, non_blocking); }
WICK_CAST(Byte, kByte)
WICK_CAST(Char, kChar)
WICK_CAST(Double, kDouble)
WICK_CAST(Float, kFloat)
WICK_CAST(Half, kHalf)
WICK_CAST(Int, kInt)
WICK_CAST(Long, kLong)
WICK_CAST(Short, kShort)
#undef WICK_CAST

// ---- Shapes ------------------------------------------------------------------------------------------------------------------------

inline Tensor moveaxis(const Tensor& self, IntArrayRef source, IntArrayRef destination) { return self.movedim(source, destination); }
inline Tensor moveaxis(const Tensor& self, int64_t source, int64_t destination) { return self.movedim(source, destination); }
inline Tensor concatenate(TensorList tensors, int64_t dim = 0) { return wick::cat(tensors, dim); }

inline Tensor atleast_1d(const Tensor& self) { return self.dim() == 0 ? self.reshape({1}) : self; }
inline Tensor atleast_2d(const Tensor& self) { return self.dim() < 2 ? self.reshape({1, self.numel()}) : self; }
// A vector [n] becomes [1, n, 1], a matrix [n, m] [n, m, 1].
inline Tensor atleast_3d(const Tensor& self) {
  if (self.dim() < 2) return self.reshape({1, self.numel(), 1});
  return self.dim() == 2 ? self.unsqueeze(-1) : self;
}
#define WICK_AT_LEAST(name)                                   \
  inline std::vector<Tensor> name(TensorList tensors) {       \
    std::vector<Tensor> result;                               \
    for (const Tensor& x : tensors) result.push_back(name(x)); \
    return result;                                            \
  }
WICK_AT_LEAST(atleast_1d)
WICK_AT_LEAST(atleast_2d)
WICK_AT_LEAST(atleast_3d)
#undef WICK_AT_LEAST

inline std::vector<Tensor> dsplit(const Tensor& self, int64_t sections) {
  TORCH_CHECK(self.dim() >= 3, "torch.dsplit requires a tensor with at least 3 dimension, but got a tensor with ", self.dim(),
              " dimensions!");
  TORCH_CHECK(sections > 0 && self.size(2) % sections == 0, "torch.dsplit attempted to split along dimension 2, but the size of the "
              "dimension ", self.size(2), " is not divisible by the split_size ", sections, "!");
  return wick::tensor_split(self, sections, 2);
}
inline std::vector<Tensor> dsplit(const Tensor& self, IntArrayRef indices) {
  TORCH_CHECK(self.dim() >= 3, "torch.dsplit requires a tensor with at least 3 dimension, but got a tensor with ", self.dim(),
              " dimensions!");
  return wick::tensor_split(self, indices, 2);
}

// self and indices broadcast against each other but for `dim`; without one both count as vectors.
inline Tensor take_along_dim(const Tensor& self, const Tensor& indices, std::optional<int64_t> dim = std::nullopt) {
  if (!dim) return self.reshape(-1).gather(0, indices.reshape(-1));
  TORCH_CHECK(self.dim() == indices.dim(), "torch.take_along_dim(): input and indices should have the same number of dimensions, but got ",
              self.dim(), " dimensions for input, and ", indices.dim(), " dimensions for indices");
  const int64_t axis = wick::wrap_dim(*dim, self.dim());
  std::vector<int64_t> of_self = indices.sizes().vec(), of_indices = self.sizes().vec();
  for (int64_t d = 0; d < self.dim(); ++d) {
    const auto i = static_cast<size_t>(d);
    if (d == axis) std::swap(of_self[i], of_indices[i]);
    else of_self[i] = of_indices[i] = self.size(d) == 1 ? indices.size(d) : self.size(d);
  }
  // From the end where negative.
  const Tensor places = wick::where(indices.lt(0), indices + self.size(axis), indices);
  return self.expand(of_self).gather(axis, places.expand(of_indices));
}

// In LibTorch these promise that the results are not written to; here they are what they are without the promise.
inline std::vector<Tensor> unsafe_chunk(const Tensor& self, int64_t chunks, int64_t dim = 0) { return self.chunk(chunks, dim); }
inline std::vector<Tensor> unsafe_split(const Tensor& self, int64_t split_size, int64_t dim = 0) { return self.split(split_size, dim); }
inline std::vector<Tensor> unsafe_split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0) {
  return self.split_with_sizes(split_sizes, dim);
}
inline Tensor narrow_copy(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  return self.narrow(dim, start, length).clone(MemoryFormat::Contiguous);
}

// view(), of which autograd need not know that the memory is shared; here it does.
inline Tensor _unsafe_view(const Tensor& self, IntArrayRef size) { return self.view(size); }
inline std::tuple<Tensor, Tensor> _unique(const Tensor& self, bool sorted = true, bool return_inverse = false) {
  auto [values, inverse, counts] = wick::_unique2(self, sorted, return_inverse, false);
  return {values, inverse};
}

inline Tensor msort(const Tensor& self) { return std::get<0>(self.sort(0)); }

// ---- Products ----------------------------------------------------------------------------------------------------------------------

inline Tensor chain_matmul(TensorList matrices) { return matrices.size() == 1 ? matrices[0] : wick::linalg_multi_dot(matrices); }
inline Tensor linalg_matmul(const Tensor& self, const Tensor& other) { return wick::matmul(self, other); }
inline Tensor linalg_vecdot(const Tensor& x, const Tensor& y, int64_t dim = -1) {
  TORCH_CHECK_NOT_IMPLEMENTED(x.is_floating_point() || x.is_complex(),
                              "linalg.vecdot: Expected a floating point or complex tensor as input. Got ", x.scalar_type());
  return (x.conj() * y).sum(dim);
}
// driver: which of cuSOLVER's methods; the CPU has one.
inline std::tuple<Tensor, Tensor, Tensor> linalg_svd(const Tensor& A, bool full_matrices, std::optional<std::string_view> driver) {
  TORCH_CHECK(!driver || A.is_cuda(),
              "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.");
  return wick::linalg_svd(A, full_matrices);
}
inline Tensor linalg_diagonal(const Tensor& self, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1) {
  return self.diagonal(offset, dim1, dim2);
}

// [n] to [n, N]: powers from N - 1 down to 0, or rising.
inline Tensor vander(const Tensor& x, std::optional<int64_t> N = std::nullopt, bool increasing = false) {
  TORCH_CHECK(x.dim() == 1, "x must be a one-dimensional tensor.");
  const int64_t n = N.value_or(x.size(0));
  TORCH_CHECK(n >= 0, "N must be non-negative.");
  const Tensor powers = x.unsqueeze(1).pow(wick::arange(n, x.options().dtype(kLong)));
  return increasing ? powers : powers.flip(1);
}

// ---- Integrals ---------------------------------------------------------------------------------------------------------------------

// The areas under y between neighbours along dim, by the rule of trapezoids; x: where the samples are, a vector or of y's shape.
namespace detail {
inline void check_trapezoid(const char* name, const Tensor& y) {
  TORCH_CHECK_NOT_IMPLEMENTED(y.scalar_type() != kBool, name, ": received a bool input for `x` or `y`, but bool is not supported");
}
inline Tensor trapezoids(const Tensor& y, const Tensor& width, int64_t dim) {
  const int64_t n = y.size(dim);
  return (y.narrow(dim, 0, n - 1) + y.narrow(dim, 1, n - 1)) * width / 2;
}
inline Tensor sample_widths(const char* name, const Tensor& y, const Tensor& x, int64_t dim) {
  const int64_t axis = wick::wrap_dim(dim, y.dim());
  const bool vector = x.dim() == 1 && y.dim() != 1;
  const int64_t n = x.dim() == 0 ? -1 : vector ? x.size(0) : x.size(axis);
  TORCH_CHECK(n == y.size(axis), name, ": There must be one `x` value for each sample point");
  if (!vector) return x.diff(1, axis);
  std::vector<int64_t> shape(static_cast<size_t>(y.dim()), 1);
  shape[static_cast<size_t>(axis)] = n - 1;
  return x.diff().reshape(shape);
}
}  // namespace detail

inline Tensor trapezoid(const Tensor& y, const Tensor& x, int64_t dim = -1) {
  detail::check_trapezoid("trapezoid", y);
  detail::check_trapezoid("trapezoid", x);
  if (y.size(dim) == 0) return y.sum(dim);
  return detail::trapezoids(y, detail::sample_widths("trapezoid", y, x, dim), dim).sum(dim);
}
inline Tensor trapezoid(const Tensor& y, const Scalar& dx = 1, int64_t dim = -1) {
  detail::check_trapezoid("trapezoid", y);
  if (y.size(dim) == 0) return y.sum(dim);
  return detail::trapezoids(y, wick::scalar_tensor(dx), dim).sum(dim);
}
inline Tensor trapz(const Tensor& y, const Tensor& x, int64_t dim = -1) { return trapezoid(y, x, dim); }
inline Tensor trapz(const Tensor& y, double dx = 1, int64_t dim = -1) { return trapezoid(y, dx, dim); }
inline Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, int64_t dim = -1) {
  detail::check_trapezoid("cumulative_trapezoid", y);
  detail::check_trapezoid("cumulative_trapezoid", x);
  return detail::trapezoids(y, detail::sample_widths("cumulative_trapezoid", y, x, dim), dim).cumsum(dim);
}
inline Tensor cumulative_trapezoid(const Tensor& y, const Scalar& dx = 1, int64_t dim = -1) {
  detail::check_trapezoid("cumulative_trapezoid", y);
  return detail::trapezoids(y, wick::scalar_tensor(dx), dim).cumsum(dim);
}

// ---- Statistics --------------------------------------------------------------------------------------------------------------------

// self: [variables, observations], or one variable. fweights says how often an observation occurred, aweights how much it counts.
inline Tensor cov(const Tensor& self, int64_t correction = 1, const std::optional<Tensor>& fweights = {},
                  const std::optional<Tensor>& aweights = {}) {
  TORCH_CHECK(self.dim() <= 2, "cov(): expected input to have two or fewer dimensions but got an input with ", self.dim(), " dimensions");
  TORCH_CHECK(self.scalar_type() != kBool, "cov(): bool dtype is not supported for input");
  const Tensor x = self.dim() < 2 ? self.reshape({1, self.numel()}) : self;
  const int64_t observations = x.size(1);
  const Tensor often = fweights.value_or(Tensor()), much = aweights.value_or(Tensor());
  for (const auto& [name, weights, whole] : {std::tuple{"fweights", often, true}, {"aweights", much, false}}) {
    if (!weights.defined()) continue;
    TORCH_CHECK(weights.dim() <= 1, "cov(): expected ", name, " to have one or fewer dimensions but got ", name, " with ", weights.dim(),
                " dimensions");
    TORCH_CHECK(whole ? wick::is_integral(weights.scalar_type(), false) : weights.is_floating_point(), "cov(): expected ", name,
                whole ? " to have integral dtype but got " : " to have floating point dtype but got ", name, " with ",
                weights.scalar_type(), " dtype");
    TORCH_CHECK(weights.numel() == observations, "cov(): expected ", name,
                " to have the same numel as there are observations in the input but got ", weights.numel(), " != ", observations);
    TORCH_CHECK(observations == 0 || weights.ge(0).all().item<bool>(), "cov(): ", name, " cannot be negative");
  }
  const Tensor weights = !much.defined() ? often : often.defined() ? often * much : much;
  const Tensor sum = weights.defined() ? weights.sum() : wick::scalar_tensor(observations);
  const Tensor numbers = x.is_floating_point() || x.is_complex() ? x : x.to(wick::default_dtype());
  const Tensor mean = weights.defined() ? (x * weights).sum(1, true) / sum : numbers.mean(1, true);
  Tensor freedom = sum - correction;
  if (much.defined()) freedom = sum - (weights * much).sum() / sum * correction;
  const Tensor centered = x - mean;
  const Tensor products = centered.matmul((weights.defined() ? centered * weights : centered).t().conj());
  return (products / freedom.clamp_min(0)).squeeze();
}
inline Tensor corrcoef(const Tensor& self) {
  TORCH_CHECK(self.dim() <= 2, "corrcoef(): expected input to have two or fewer dimensions but got an input with ", self.dim(),
              " dimensions");
  const Tensor c = cov(self);
  if (c.dim() == 0) return c / c;
  const Tensor deviation = c.diagonal().sqrt();
  const Tensor y = c / deviation.unsqueeze(1) / deviation;
  return y.is_complex() ? wick::complex(wick::real(y).clamp(-1, 1), wick::imag(y).clamp(-1, 1)) : y.clamp(-1, 1);
}

// ---- Windows -----------------------------------------------------------------------------------------------------------------------

// Over window_length samples; a periodic window is one of a sample more without its last.
#define WICK_WINDOW(name, formula)                                                                                               \
  inline Tensor name(int64_t window_length, bool periodic, const TensorOptions& options = {}) {                                  \
    TORCH_CHECK(window_length >= 0, #name " requires non-negative window_length, got window_length=", window_length);            \
    const ScalarType dtype = options.dtype_opt().value_or(wick::default_dtype());                                                \
    TORCH_CHECK(wick::is_floating(dtype), #name " expects floating point dtypes, got: ", dtype);                                 \
    if (window_length <= 1) return wick::ones({window_length}, options);                                                         \
    const double last = static_cast<double>(periodic ? window_length : window_length - 1);                                       \
    const Tensor t = wick::arange(window_length, TensorOptions(kDouble)) / last;                                                 \
    return (formula).to(options.dtype(dtype));                                                                                   \
  }                                                                                                                              \
  inline Tensor name(int64_t window_length, const TensorOptions& options = {}) { return name(window_length, true, options); }
WICK_WINDOW(hann_window, 0.5 - 0.5 * (t * (2 * M_PI)).cos())
WICK_WINDOW(hamming_window, 0.54 - 0.46 * (t * (2 * M_PI)).cos())
WICK_WINDOW(blackman_window, 0.42 - 0.5 * (t * (2 * M_PI)).cos() + 0.08 * (t * (4 * M_PI)).cos())
WICK_WINDOW(bartlett_window, 1 - (t * 2 - 1).abs())
#undef WICK_WINDOW

}  // namespace at
