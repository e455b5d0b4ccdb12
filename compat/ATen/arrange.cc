#include <ATen/arrange.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "wick/framework/core/launch.h"

namespace at {

// ---- Numbers -----------------------------------------------------------------------------------------------------------------------

std::tuple<Tensor, Tensor> frexp(const Tensor& self) {
  TORCH_CHECK(self.is_floating_point(), "torch.frexp() only supports floating-point dtypes");
  // In double, where no float is subnormal; a subnormal double is first brought up by 2^54.
  const Tensor x = self.detach().to(kDouble).abs(), ordinary = x.isfinite().logical_and(x.gt(0)), tiny = x.lt(0x1p-1000);
  const Tensor safe = wick::where(ordinary, wick::where(tiny, x * 0x1p54, x), 1);
  Tensor exponent = safe.log2().floor() + 1;
  const Tensor half = (exponent / 2).floor();
  const Tensor mantissa = safe * wick::pow(2, -half) * wick::pow(2, half - exponent);  // rounding of log2 may be off by one step
  exponent = exponent + mantissa.ge(1) - mantissa.lt(0.5).to(kDouble);
  exponent = wick::where(ordinary, exponent - tiny * 54, 0);
  const Tensor first = (exponent / 2).floor();
  const Tensor result = (self.to(kDouble) * wick::pow(2, -first) * wick::pow(2, first - exponent)).to(self.scalar_type());
  return {result, exponent.to(kInt)};
}

namespace {

struct Axis {
  int64_t dim;
  Tensor coordinates;  // undefined where the samples are `width` apart
  double width;
};

// Of 0 ... dim - 1, those that are asked for.
std::vector<int64_t> axes_of(const Tensor& self, std::optional<IntArrayRef> dims) {
  std::vector<int64_t> axes;
  if (!dims) {
    for (int64_t d = 0; d < self.dim(); ++d) axes.push_back(d);
    return axes;
  }
  for (int64_t d : *dims) {
    const int64_t axis = wick::wrap_dim(d, self.dim());
    TORCH_CHECK(std::find(axes.begin(), axes.end(), axis) == axes.end(), "dim ", axis, " appears multiple times in the list of dims");
    axes.push_back(axis);
  }
  return axes;
}

// Inside, the slopes on both sides, each weighted with the other's step; at an end that of its side or, of order 2, that of the parabola
// through the last three samples.
Tensor slope(const Tensor& self, const Axis& axis, int64_t edge_order) {
  const int64_t d = axis.dim, n = self.size(d);
  std::vector<int64_t> along(static_cast<size_t>(self.dim()), 1);
  along[static_cast<size_t>(d)] = -1;
  const Tensor widths = axis.coordinates.defined() ? axis.coordinates.diff().reshape(along) : wick::scalar_tensor(axis.width);
  const auto width = [&](int64_t start, int64_t length) { return widths.dim() == 0 ? widths : widths.narrow(d, start, length); };
  const Tensor rises = self.diff(1, d) / widths;
  const auto rise = [&](int64_t start, int64_t length) { return rises.narrow(d, start, length); };
  const Tensor h = width(0, n - 2), k = width(1, n - 2);
  const Tensor inside = (rise(0, n - 2) * k + rise(1, n - 2) * h) / (h + k);
  if (edge_order == 1) return wick::cat({rise(0, 1), inside, rise(n - 2, 1)}, d);
  const Tensor first = rise(0, 1) + (rise(0, 1) - rise(1, 1)) * width(0, 1) / (width(0, 1) + width(1, 1));
  const Tensor last = rise(n - 2, 1) + (rise(n - 2, 1) - rise(n - 3, 1)) * width(n - 2, 1) / (width(n - 2, 1) + width(n - 3, 1));
  return wick::cat({first, inside, last}, d);
}

// space(i): the distances along the i-th of the dimensions.
template <class Space>
std::vector<Tensor> slopes(const Tensor& self, std::optional<IntArrayRef> dims, std::optional<size_t> spaces, int64_t edge_order,
                           Space space) {
  const std::vector<int64_t> axes = axes_of(self, dims);
  TORCH_CHECK(!spaces || *spaces == axes.size() || dims,
              "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal "
              "to 'self.dim() = ",
              self.dim(), "', since dim argument was not given, but got a list of length ", *spaces);
  TORCH_CHECK(!spaces || *spaces == axes.size(),
              "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments "
              "to have the same length, but got a spacing argument of length ",
              *spaces, " and a dim argument of length ", axes.size(), ".");
  TORCH_CHECK(edge_order == 1 || edge_order == 2, "torch.gradient only supports edge_order=1 and edge_order=2.");
  std::vector<Tensor> results;
  for (int64_t d : axes) {
    TORCH_CHECK(self.size(d) >= edge_order + 1, "torch.gradient expected each dimension size to be at least edge_order+1");
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    Axis axis{axes[i], {}, 1};
    space(i, axis);
    TORCH_CHECK(!axis.coordinates.defined() || axis.coordinates.dim() == 1, "torch.gradient expected each element of spacing to have one "
                "dimension, but got an element with ", axis.coordinates.dim(), " dimensions!");
    results.push_back(slope(self, axis, edge_order));
  }
  return results;
}

std::optional<IntArrayRef> as_list(const std::optional<int64_t>& dim) { return dim ? std::optional(IntArrayRef(*dim)) : std::nullopt; }

}  // namespace

std::vector<Tensor> gradient(const Tensor& self, const std::optional<Scalar>& spacing, std::optional<int64_t> dim, int64_t edge_order) {
  return slopes(self, as_list(dim), std::nullopt, edge_order, [&](size_t, Axis& axis) { axis.width = spacing.value_or(1).toDouble(); });
}
std::vector<Tensor> gradient(const Tensor& self, const Scalar& spacing, IntArrayRef dim, int64_t edge_order) {
  return slopes(self, dim, std::nullopt, edge_order, [&](size_t, Axis& axis) { axis.width = spacing.toDouble(); });
}
std::vector<Tensor> gradient(const Tensor& self, IntArrayRef dim, int64_t edge_order) {
  return slopes(self, dim, std::nullopt, edge_order, [](size_t, Axis&) {});
}
std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, std::optional<int64_t> dim, int64_t edge_order) {
  return slopes(self, as_list(dim), spacing.size(), edge_order, [&](size_t i, Axis& axis) { axis.width = spacing[i].toDouble(); });
}
std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, IntArrayRef dim, int64_t edge_order) {
  return slopes(self, dim, spacing.size(), edge_order, [&](size_t i, Axis& axis) { axis.width = spacing[i].toDouble(); });
}
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, std::optional<int64_t> dim, int64_t edge_order) {
  return slopes(self, as_list(dim), spacing.size(), edge_order, [&](size_t i, Axis& axis) { axis.coordinates = spacing[i]; });
}
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, IntArrayRef dim, int64_t edge_order) {
  return slopes(self, dim, spacing.size(), edge_order, [&](size_t i, Axis& axis) { axis.coordinates = spacing[i]; });
}

Tensor range(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options) {
  const double from = start.toDouble(), to = end.toDouble(), by = step.toDouble();
  TORCH_CHECK(by != 0, "step must be nonzero");
  TORCH_CHECK(std::isfinite(from) && std::isfinite(to), "unsupported range: ", from, " -> ", to);
  TORCH_CHECK((by > 0 && to >= from) || (by < 0 && to <= from), "upper bound and lower bound inconsistent with step sign");
  const int64_t count = static_cast<int64_t>((to - from) / by) + 1;
  return (wick::arange(count, TensorOptions(kDouble).device(options.device())) * by + from)
      .to(options.dtype(options.dtype_opt().value_or(wick::default_dtype())));
}

// ---- Histograms --------------------------------------------------------------------------------------------------------------------

namespace {

// The points [n, D] that count: those inside all edges, in which cell.
std::tuple<Tensor, std::vector<Tensor>> count_cells(const Tensor& self, std::vector<Tensor> edges, const std::optional<Tensor>& weight,
                                                    bool density) {
  const NoGradGuard no_grad;
  const Tensor points = self.reshape({-1, self.size(-1)});
  TORCH_CHECK_NOT_IMPLEMENTED(self.is_floating_point(), "\"histogramdd\" not implemented for '", self.scalar_type(), "'");
  TORCH_CHECK(!weight || weight->sizes() == self.sizes().slice(0, self.sizes().size() - 1),
              "torch.histogramdd: if weight tensor is provided it "
              "should have the same shape as the input tensor excluding its innermost dimension, but got input with shape ",
              self.sizes(), " and weight with shape ", weight->sizes());
  Tensor inside = wick::ones({points.size(0)}, points.options().dtype(kBool)),
         cell = wick::zeros({points.size(0)}, points.options().dtype(kLong));
  std::vector<int64_t> shape;
  int64_t cells = 1;
  for (size_t d = 0; d < edges.size(); ++d) {
    const Tensor x = points.select(1, static_cast<int64_t>(d)).contiguous(), e = edges[d].contiguous();
    const int64_t parts = std::max<int64_t>(e.numel() - 1, 0);
    shape.push_back(parts);
    cells *= parts;
    if (parts == 0) continue;
    inside = inside.logical_and(x.ge(e[0])).logical_and(x.le(e[parts]));
    cell = cell * parts + (wick::searchsorted(e, x, false, /*right=*/true) - 1).clamp(0, parts - 1);
  }
  const Tensor weights = weight ? weight->reshape({-1}).to(self.scalar_type()) : wick::ones({points.size(0)}, points.options());
  Tensor counts = wick::zeros({cells}, points.options());
  if (cells > 0) counts.index_add_(0, cell, weights * inside);
  counts = counts.view(shape);
  if (density) {
    counts = counts / counts.sum();
    for (size_t d = 0; d < edges.size(); ++d) {
      std::vector<int64_t> along(edges.size(), 1);
      along[d] = -1;
      counts = counts / edges[d].diff().view(along);
    }
  }
  return {counts, std::move(edges)};
}

// Edges at equal distances: over the range given, or what the points span.
std::vector<Tensor> even_edges(const Tensor& self, IntArrayRef bins, std::optional<ArrayRef<double>> range) {
  const int64_t dims = self.size(-1);
  TORCH_CHECK(static_cast<int64_t>(bins.size()) == dims,
              "histogramdd: The size of bins must be equal to the innermost dimension of the input.");
  TORCH_CHECK(!range || static_cast<int64_t>(range->size()) == 2 * dims, "torch.histogramdd: for a ", dims,
              "-dimensional histogram range should "
              "have ",
              2 * dims, " elements, but got ", range->size());
  const Tensor points = self.detach().reshape({-1, dims});
  std::vector<Tensor> edges;
  for (size_t d = 0; d < bins.size(); ++d) {
    TORCH_CHECK(bins[d] > 0 && bins[d] < INT64_MAX, dims == 1 ? "torch.histogram()" : "torch.histogramdd()", ": bins must be > 0, but got ",
                bins[d], " for dimension ", d);
    double low = 0, high = 1;
    if (range) {
      low = (*range)[2 * d], high = (*range)[2 * d + 1];
    } else if (points.numel() > 0) {
      const Tensor x = points.select(1, static_cast<int64_t>(d));
      low = x.min().item<double>(), high = x.max().item<double>();
    }
    TORCH_CHECK(std::isfinite(low) && std::isfinite(high), "torch.histogramdd: dimension ", d, "'s range [", low, ", ", high,
                "] is not finite");
    TORCH_CHECK(low <= high, "torch.histogramdd: min should not exceed max, but got min ", low, " max ", high, " for dimension ", d);
    if (low == high) low -= 0.5, high += 0.5;
    edges.push_back(wick::linspace(low, high, bins[d] + 1, points.options()));
  }
  return edges;
}

void check_points(const Tensor& self) { TORCH_CHECK(self.dim() >= 2, "torch.histogramdd: input tensor should have at least 2 dimensions"); }

}  // namespace

std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, TensorList bins, std::optional<ArrayRef<double>>,
                                                    const std::optional<Tensor>& weight, bool density) {
  check_points(self);
  TORCH_CHECK(static_cast<int64_t>(bins.size()) == self.size(-1),
              "histogramdd: The size of bins must be equal to the innermost dimension of the "
              "input.");
  for (size_t d = 0; d < bins.size(); ++d) {
    TORCH_CHECK(bins[d].dim() == 1, "torch.histogramdd: bins tensor should have one dimension, but got ", bins[d].dim(),
                " dimensions in the bins "
                "tensor for dimension ",
                d);
    TORCH_CHECK(bins[d].scalar_type() == self.scalar_type(),
                "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got "
                "input with dtype ",
                self.scalar_type(), " and bins for dimension ", d, " with dtype ", bins[d].scalar_type());
  }
  return count_cells(self, bins.vec(), weight, density);
}
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, IntArrayRef bins, std::optional<ArrayRef<double>> range,
                                                    const std::optional<Tensor>& weight, bool density) {
  check_points(self);
  return count_cells(self, even_edges(self, bins, range), weight, density);
}
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, int64_t bins, std::optional<ArrayRef<double>> range,
                                                    const std::optional<Tensor>& weight, bool density) {
  check_points(self);
  return histogramdd(self, std::vector<int64_t>(static_cast<size_t>(self.size(-1)), bins), range, weight, density);
}

namespace {

std::optional<Tensor> as_vector(const std::optional<Tensor>& weight) {
  return weight ? std::optional(weight->reshape({-1})) : std::nullopt;
}

}  // namespace

std::tuple<Tensor, Tensor> histogram(const Tensor& self, const Tensor& bins, const std::optional<Tensor>& weight, bool density) {
  const auto [counts, edges] = histogramdd(self.reshape({-1, 1}), TensorList(bins), std::nullopt, as_vector(weight), density);
  return {counts, edges[0]};
}
std::tuple<Tensor, Tensor> histogram(const Tensor& self, int64_t bins, std::optional<ArrayRef<double>> range,
                                     const std::optional<Tensor>& weight, bool density) {
  const auto [counts, edges] = histogramdd(self.reshape({-1, 1}), IntArrayRef(bins), range, as_vector(weight), density);
  return {counts, edges[0]};
}

// ---- Random counts -----------------------------------------------------------------------------------------------------------------

namespace {

double uniform_number(wick::GeneratorImpl& generator) { return static_cast<double>(generator.random64() & ((1ull << 53) - 1)) * 0x1p-53; }

// For small rates the steps of a Poisson process until time 1; for others W. Hörmann, "The transformed rejection method for generating
// Poisson random variables", 1993: PTRS.
double draw_poisson(double rate, wick::GeneratorImpl& generator) {
  TORCH_CHECK(rate >= 0, "invalid Poisson rate, expected rate to be non-negative");
  if (rate == 0) return 0;
  if (rate < 10) {
    const double until = std::exp(-rate);
    double product = 1;
    for (double steps = 0;; ++steps) {
      product *= uniform_number(generator);
      if (product <= until) return steps;
    }
  }
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b, inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double sure = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = uniform_number(generator) - 0.5, v = uniform_number(generator), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= sure) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b) <= -rate + k * std::log(rate) - std::lgamma(k + 1)) return k;
  }
}

// ln k! less the leading terms of Stirling's formula.
double stirling_rest(double k) { return std::lgamma(k + 1) - (k + 0.5) * std::log(k + 1) + (k + 1) - 0.5 * std::log(2 * M_PI); }

// W. Hörmann, "The generation of binomial random variates", 1993: BTRS.
double draw_binomial_by_rejection(double count, double p, wick::GeneratorImpl& generator) {
  const double deviation = std::sqrt(count * p * (1 - p)), b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double c = count * p + 0.5, sure = 0.92 - 4.2 / b, r = p / (1 - p), alpha = (2.83 + 5.1 / b) * deviation;
  const double m = std::floor((count + 1) * p);
  for (;;) {
    const double u = uniform_number(generator) - 0.5, v = uniform_number(generator), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + c);
    if (us >= 0.07 && v <= sure) return k;
    if (k < 0 || k > count) continue;
    const double bound = (m + 0.5) * std::log((m + 1) / (r * (count - m + 1))) + (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(r * (count - k + 1) / (k + 1)) + stirling_rest(m) + stirling_rest(count - m) -
                         stirling_rest(k) - stirling_rest(count - k);
    if (std::log(v * alpha / (a / (us * us) + b)) <= bound) return k;
  }
}

// For few expected successes the waiting times between them.
double draw_binomial(double count, double p, wick::GeneratorImpl& generator) {
  if (count <= 0 || p <= 0) return 0;
  if (p >= 1) return count;
  if (p > 0.5) return count - draw_binomial(count, 1 - p, generator);
  if (std::isnan(p)) return p;
  if (count * p >= 10) return draw_binomial_by_rejection(count, p, generator);
  const double log_failure = std::log1p(-p);
  double waited = 0;
  for (double successes = 0;; ++successes) {
    waited += std::ceil(std::log(uniform_number(generator)) / log_failure);
    if (waited > count) return successes;
  }
}

// draw(x, y) for each element, in order, on the host.
template <class Draw>
Tensor drawn(const char* name, const Tensor& x, const Tensor& y, const std::optional<Generator>& generator, Draw draw) {
  TORCH_CHECK_NOT_IMPLEMENTED(x.is_floating_point(), '"', name, "_cpu\" not implemented for '", x.scalar_type(), "'");
  wick::note_host_read(name);
  const Tensor first = x.detach().to(kCPU, kDouble).contiguous(), second = y.detach().to(kCPU, kDouble).contiguous();
  const Tensor result = wick::empty(first.sizes(), first.options());
  const Generator source = generator && generator->defined() ? *generator : wick::default_cpu_generator();
  const std::lock_guard lock(source.mutex());
  for (int64_t i = 0; i < result.numel(); ++i) {
    result.data_ptr<double>()[i] = draw(first.data_ptr<double>()[i], second.data_ptr<double>()[i], *source.impl());
  }
  return result.to(x.options().requires_grad(false));
}

}  // namespace

Tensor poisson(const Tensor& self, std::optional<Generator> generator) {
  const Tensor counts =
      drawn("poisson", self, self, generator, [](double rate, double, wick::GeneratorImpl& g) { return draw_poisson(rate, g); });
  return self.requires_grad() ? counts + wick::zeros_like(self) * self : counts;
}
Tensor binomial(const Tensor& count, const Tensor& prob, std::optional<Generator> generator) {
  const auto both = wick::broadcast_tensors({count, prob});
  const Tensor counts = drawn("binomial", both[0], both[1], generator, draw_binomial);
  return prob.requires_grad() ? counts + wick::zeros_like(prob) * prob : counts;
}

// ---- Shapes ------------------------------------------------------------------------------------------------------------------------

Tensor as_strided_scatter(const Tensor& self, const Tensor& src, IntArrayRef size, IntArrayRef stride,
                          std::optional<int64_t> storage_offset) {
  const Tensor y = self.clone(), part = y.as_strided(size, stride, storage_offset);
  TORCH_CHECK(part.sizes() == src.sizes(), "expected src to have a size equal to the slice of self. src size = ", src.sizes(),
              ", slice size = ", part.sizes());
  part.copy_(src);
  return y;
}

Tensor flatten_dense_tensors(TensorList tensors) {
  std::vector<Tensor> flat;
  flat.reserve(tensors.size());
  for (const Tensor& x : tensors) flat.push_back(x.contiguous().view({-1}));
  return wick::cat(flat);
}

std::vector<Tensor> unflatten_dense_tensors(const Tensor& flat, TensorList tensors) {
  std::vector<Tensor> parts;
  parts.reserve(tensors.size());
  int64_t offset = 0;
  for (const Tensor& x : tensors) {
    const int64_t n = x.numel();
    parts.push_back(n == 0 ? wick::empty({0}, flat.options()) : flat.narrow(0, offset, n).view(x.sizes()));
    offset += n;
  }
  return parts;
}

}  // namespace at
