// LibTorch's functions about numbers and places: differences, histograms, random counts, shapes, several tensors as one.
#pragma once

#include <ATen/names.h>

#include <optional>
#include <tuple>
#include <vector>

namespace at {

// ---- Numbers -----------------------------------------------------------------------------------------------------------------------

// self = mantissa 2^exponent with 0.5 <= |mantissa| < 1; the exponent (int32) of 0, infinity and NaN is 0.
std::tuple<Tensor, Tensor> frexp(const Tensor& self);
// The slope of self along each of the dimensions: central differences, at both ends one-sided ones of order edge_order (1 or 2).
// spacing: the distance of the samples, one for all dimensions or for each; or where they are, a vector for each dimension.
std::vector<Tensor> gradient(const Tensor& self, const std::optional<Scalar>& spacing = std::nullopt,
                             std::optional<int64_t> dim = std::nullopt, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, const Scalar& spacing, IntArrayRef dim, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, IntArrayRef dim, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, std::optional<int64_t> dim = std::nullopt,
                             int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, IntArrayRef dim, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, std::optional<int64_t> dim = std::nullopt, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, IntArrayRef dim, int64_t edge_order = 1);

// From start to end, both included.
Tensor range(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options = {});
inline Tensor range(const Scalar& start, const Scalar& end, const TensorOptions& options = {}) { return range(start, end, 1, options); }

// ---- Histograms --------------------------------------------------------------------------------------------------------------------

// How many elements, or how much weight, lie between neighbouring edges, the last one included, and the edges. bins: the edges, or how
// many parts `range` (or what self spans) is cut into. density: divided by the total and by the width.
std::tuple<Tensor, Tensor> histogram(const Tensor& self, const Tensor& bins, const std::optional<Tensor>& weight = {},
                                     bool density = false);
std::tuple<Tensor, Tensor> histogram(const Tensor& self, int64_t bins = 100, std::optional<ArrayRef<double>> range = std::nullopt,
                                     const std::optional<Tensor>& weight = {}, bool density = false);
// Of points self [..., D]; one set of edges for each dimension.
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, TensorList bins,
                                                    std::optional<ArrayRef<double>> range = std::nullopt,
                                                    const std::optional<Tensor>& weight = {}, bool density = false);
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, IntArrayRef bins,
                                                    std::optional<ArrayRef<double>> range = std::nullopt,
                                                    const std::optional<Tensor>& weight = {}, bool density = false);
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, int64_t bins, std::optional<ArrayRef<double>> range = std::nullopt,
                                                    const std::optional<Tensor>& weight = {}, bool density = false);

// ---- Random counts, with PyTorch's streams -----------------------------------------------------------------------------------------

// Drawn from the Poisson distribution of each rate. The gradient is zero, as in LibTorch.
Tensor poisson(const Tensor& self, std::optional<Generator> generator = std::nullopt);
// The successes in `count` trials of probability prob.
Tensor binomial(const Tensor& count, const Tensor& prob, std::optional<Generator> generator = std::nullopt);
// A tensor like self, from U(from, to).
inline Tensor uniform(const Tensor& self, double from = 0, double to = 1, std::optional<Generator> generator = std::nullopt) {
  return wick::empty_like(self).uniform_(from, to, generator);
}

// ---- Shapes ------------------------------------------------------------------------------------------------------------------------

// A copy of self in which the elements that size, stride and offset name are those of src.
Tensor as_strided_scatter(const Tensor& self, const Tensor& src, IntArrayRef size, IntArrayRef stride,
                          std::optional<int64_t> storage_offset = std::nullopt);
inline const Tensor& resize_as_(const Tensor& self, const Tensor& the_template) { return self.resize_(the_template.sizes()); }
inline std::tuple<Tensor, Tensor, Tensor> unique_dim_consecutive(const Tensor& self, int64_t dim, bool return_inverse = false,
                                                                 bool return_counts = false) {
  return wick::unique_consecutive(self, return_inverse, return_counts, dim);
}
// The places of the elements that are not zero, a vector for each dimension.
inline std::vector<Tensor> nonzero_numpy(const Tensor& self) { return wick::where(self); }

// Several tensors as one vector, and back: views of `flat` with the shapes of `tensors`. A tensor without elements is no view but has
// memory of its own.
Tensor flatten_dense_tensors(TensorList tensors);
std::vector<Tensor> unflatten_dense_tensors(const Tensor& flat, TensorList tensors);

}  // namespace at
