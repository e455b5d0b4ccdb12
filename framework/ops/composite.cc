// The functions of composite_list.h, and the _out and in-place forms that the lists make.
#include <algorithm>
#include <cmath>

#include "wick/framework/ops/complex.h"
#include "wick/framework/ops/copy.h"
#include "wick/framework/ops/elementwise.h"
#include "wick/framework/ops/tensor_literal.h"

namespace wick {

// What an in-place operation reads: another tensor, where a node may keep it for the backward pass.
Tensor method::source(const Tensor& self) { return t_state.grad_enabled ? self.clone() : self; }

void method::overwrite(const char* op, const Tensor& self, const Tensor& value) {
  WICK_CHECK(can_cast(value.scalar_type(), self.scalar_type()), "result type ", value.scalar_type(),
             " can't be cast to the desired output type ", self.scalar_type(), "\n  in ", op, "_");
  WICK_CHECK(value.sizes() == self.sizes(), "output with shape ", self.sizes(), " doesn't match the broadcast shape ", value.sizes(),
             "\n  in ", op, "_");
  self.copy_(value);
}

Tensor& detail::write_out(const char* op, Tensor& out, const Tensor& result) {
  WICK_CHECK(can_cast(result.scalar_type(), out.scalar_type()), "result type ", result.scalar_type(),
             " can't be cast to the desired output type ", out.scalar_type(), "\n  in ", op, "_out");
  WICK_CHECK(!result.requires_grad() && !(t_state.grad_enabled && out.requires_grad()), op,
             "(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.");
  ops::check_same_device(op, {&out, &result});
  ops::check_not_inference(out);
  if (out.sizes() == result.sizes()) check_no_overlap(out, nullptr, 0);
  else resize_base(out, result.sizes());
  ops::copy_data(out, result);
  out.impl().bump_version();
  return out;
}

namespace {

using ops::wrapped;

template <class F>
std::vector<Tensor> mapped(TensorList list, const F& f) {
  std::vector<Tensor> result;
  for (const Tensor& x : list) result.push_back(f(x));
  return result;
}

// ---- Elements ----------------------------------------------------------------------------------------------------------------------

Tensor clamp_between(const Tensor& x, const Tensor& min, const Tensor& max) {
  WICK_CHECK(min.defined() || max.defined(), "torch.clamp: At least one of 'min' or 'max' must not be None");
  WICK_CHECK_NOT_IMPLEMENTED(!x.is_complex(), "clamp is not supported for complex types");
  const Tensor bounded = min.defined() ? maximum(x, min) : x;
  return max.defined() ? minimum(bounded, max) : bounded;
}

Tensor widest(const Tensor& x) { return x.to(x.is_complex() ? kComplexDouble : kDouble); }

TensorPair extremes(const Tensor& x, std::optional<int64_t> dim, bool keepdim) {
  WICK_CHECK(dim || x.numel() > 0, "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
  WICK_CHECK_INDEX(!dim || x.dim() == 0 || x.size(*dim) > 0, "aminmax: Expected reduction dim ", *dim, " to have non-zero size.");
  return dim ? TensorPair{x.amin(*dim, keepdim), x.amax(*dim, keepdim)} : TensorPair{x.amin({}, keepdim), x.amax({}, keepdim)};
}

int64_t vector_size(const Tensor& repeats) {
  WICK_CHECK(repeats.dim() == 1, "repeat_interleave only accept 1D vector as repeat");
  return repeats.numel();
}

Tensor rounded_quotient(const Tensor& a, const Tensor& b, std::optional<std::string_view> mode) {
  if (!mode) return a / b;
  WICK_CHECK(*mode == "trunc" || *mode == "floor", "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '", *mode,
             "'");
  const bool sloped = GradMode::is_enabled() && (a.requires_grad() || b.requires_grad());
  const Tensor y = [&] {
    const NoGradGuard no_grad;
    const Tensor down = floor_divide(a, b);
    if (*mode == "floor") return down;
    // Of integers in their own dtype, which a quotient of floating point numbers need not hold.
    return down.is_floating_point() ? (a / b).trunc() : down + (down.lt(0) & (down * b).ne(a)).to(down.scalar_type());
  }();
  // A staircase: its slope is 0, also where the quotient is infinite.
  return sloped ? y + (a + b).masked_fill(ones({}, y.options().dtype(kBool)), 0) : y;
}

const Tensor& floating(const char* kernel, const Tensor& x) {
  ops::check_floating(kernel, x);
  return x;
}

Tensor is_member(const Tensor& x, const Tensor& list, bool invert) {
  const Tensor found = x.unsqueeze(-1).eq(list.reshape({-1})).any(-1);
  return invert ? found.logical_not() : found;
}

// ---- Reductions --------------------------------------------------------------------------------------------------------------------

Tensor without_nan(const Tensor& x) {
  WICK_CHECK_NOT_IMPLEMENTED(!x.is_complex(), "nansum on CPU does not support complex inputs");
  return x.is_floating_point() ? x.masked_fill(x.detach().isnan(), 0) : x;
}

Tensor nan_mean(const Tensor& x, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  WICK_CHECK(x.is_floating_point(), "nanmean(): expected input to have floating point or complex dtype but got ", x.scalar_type());
  return x.nansum(dim, keepdim, dtype) / x.detach().isnan().logical_not().sum(dim, keepdim);
}

Tensor distances(const Tensor& a, const Tensor& b, double p) {
  WICK_CHECK(a.is_floating_point() && b.is_floating_point(), "cdist only supports floating-point dtypes, ",
             a.is_floating_point() ? "X2" : "X1", " got: ", (a.is_floating_point() ? b : a).scalar_type());
  WICK_CHECK(p >= 0, "cdist only supports non-negative p values");
  WICK_CHECK(a.size(-1) == b.size(-1), "X1 and X2 must have the same number of columns. X1: ", a.size(-1), " X2: ", b.size(-1));
  return (a.unsqueeze(-2) - b.unsqueeze(-3)).norm(p, -1, false);
}

Tensor differences(const Tensor& x, int64_t n, int64_t dim) {
  WICK_CHECK(x.dim() > 0, "diff expects input to be at least one-dimensional");
  WICK_CHECK(n >= 0, "order must be non-negative but got ", n);
  Tensor y = x;
  for (n = std::min(n, x.size(dim)); n > 0; --n) {
    const int64_t length = std::max<int64_t>(y.size(dim) - 1, 0), first = y.size(dim) - length;
    const Tensor a = y.narrow(dim, first, length), b = y.narrow(dim, 0, length);
    y = y.scalar_type() == kBool ? a.logical_xor(b) : a - b;
  }
  return y;
}

Tensor counted(const Tensor& x, const Tensor& weights, int64_t minlength) {
  WICK_CHECK(minlength >= 0, "minlength should be >= 0");
  WICK_CHECK(x.dim() == 1 && is_integral(x.scalar_type(), false) && (x.numel() == 0 || x.min().item<int64_t>() >= 0),
             "bincount only supports 1-d non-negative integral inputs.");
  WICK_CHECK(!weights.defined() || weights.sizes() == x.sizes(), "weights should be 1-d and have the same length as input");
  const int64_t most = x.numel() ? x.max().item<int64_t>() : -1, bins = std::max(minlength, std::min(most, INT64_MAX - 1) + 1);
  WICK_CHECK(most < INT64_MAX, "maximum value of input overflowed, it should be < ", INT64_MAX, " but got ", most);
  Tensor w = weights.defined() ? weights : ones(x.sizes(), x.options().dtype(kLong));
  if (weights.defined() && weights.scalar_type() != kFloat) w = weights.to(kDouble);
  return zeros(bins, w.options()).index_add(0, x.to(kLong), w.detach());
}

Tensor histogram_counts(const Tensor& x, int64_t bins, const Scalar& min, const Scalar& max) {
  WICK_CHECK(bins > 0, "bins must be > 0");
  const Tensor flat = floating("histogram_cpu", x).detach().reshape({-1});
  double low = min.toDouble(), high = max.toDouble();
  if (low == high && flat.numel()) low = flat.min().item<double>(), high = flat.max().item<double>();
  if (low == high) low -= 1, high += 1;
  WICK_CHECK(std::isfinite(low) && std::isfinite(high), "torch.histc: range of [", low, ", ", high, "] is not finite");
  WICK_CHECK(low < high, "torch.histc: max must be larger than min");
  const Tensor inside = flat.masked_select(flat.ge(low).logical_and(flat.le(high)));
  const Tensor bin = ((inside - low) * (static_cast<double>(bins) / (high - low))).to(kLong).clamp_max(bins - 1);
  return counted(bin, {}, bins).to(x.scalar_type());
}

// ---- Distances and products --------------------------------------------------------------------------------------------------------

// Slices along dim whose norm exceeds maxnorm shrink to it.
Tensor renorm_factor(const Tensor& x, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  WICK_CHECK(p.toDouble() > 0, "renorm: non-positive-norm not supported");
  WICK_CHECK(maxnorm.toDouble() >= 0, "renorm: expected maxnorm to be >= 0 but got ", maxnorm.toDouble());
  WICK_CHECK(x.dim() > 1, "renorm: input needs at least 2 dimensions, got ", x.dim(), " dimensions");
  Dims others;
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (d != wrap_dim(dim, x.dim())) others.push_back(d);
  }
  const Tensor length = x.norm(p, others, /*keepdim=*/true);
  return where(length.gt(maxnorm), maxnorm.toDouble() / (length + 1e-7), 1.0);
}

const Tensor& matrix(const Tensor& x) {
  WICK_CHECK(x.dim() == 2, "trace: expected a matrix, but got tensor with dim ", x.dim());
  return x;
}

Tensor kronecker(const Tensor& a, const Tensor& b) {
  const int64_t n = std::max(a.dim(), b.dim());
  Dims from_a, from_b, shape;  // every dimension of the result is one of a's and one of b's behind it
  for (int64_t d = 0; d < n; ++d) {
    const int64_t p = d < n - a.dim() ? 1 : a.size(d - n + a.dim());
    const int64_t q = d < n - b.dim() ? 1 : b.size(d - n + b.dim());
    from_a = joined_dims({from_a, {p, 1}});
    from_b = joined_dims({from_b, {1, q}});
    shape.push_back(checked_numel({p, q}));
  }
  return (a.reshape(from_a) * b.reshape(from_b)).reshape(shape);
}

// ---- Arrangements ------------------------------------------------------------------------------------------------------------------

// A mask of the elements of a matrix on or above (below) a diagonal.
Tensor triangle(const Tensor& x, int64_t diagonal, bool upper) {
  WICK_CHECK(x.dim() >= 2, upper ? "triu" : "tril", ": input tensor must have at least 2 dimensions");
  const TensorOptions options = TensorOptions(kLong).device(x.device());
  const Tensor row = arange(x.size(-2), options).unsqueeze(1), distance = arange(x.size(-1), options).unsqueeze(0) - row;
  return upper ? distance.ge(diagonal) : distance.le(diagonal);
}

TensorList not_empty(const char* op, TensorList tensors) {
  WICK_CHECK(!tensors.empty(), op, " expects a non-empty TensorList");
  return tensors;
}
Tensor flat(const Tensor& x) { return x.reshape({-1}); }
Tensor at_least_1d(const Tensor& x) { return x.dim() ? x : x.reshape({1}); }
Tensor as_rows(const Tensor& x) { return x.dim() < 2 ? x.reshape({1, -1}) : x; }
Tensor as_columns(const Tensor& x) { return x.dim() < 2 ? x.reshape({-1, 1}) : x; }
Tensor at_least_3d(const Tensor& x) {
  const Tensor y = as_rows(x);
  return y.dim() == 2 ? y.unsqueeze(2) : y;
}

const Tensor& at_least(int64_t ndim, const char* op, const Tensor& x) {
  WICK_CHECK(x.dim() >= ndim, "Input must be >= ", ndim, "-d.\n  in ", op, ", got ", x.sizes());
  return x;
}

std::vector<Tensor> parts_at(const Tensor& x, IntArrayRef indices, int64_t dim) {
  WICK_CHECK(x.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ", x.dim(), " dims");
  std::vector<Tensor> parts;
  int64_t start = 0;
  for (int64_t end : indices) parts.push_back(x.slice(dim, std::exchange(start, end), end));
  parts.push_back(x.slice(dim, start));
  return parts;
}
std::vector<Tensor> even_parts(const Tensor& x, int64_t sections, int64_t dim) {
  WICK_CHECK(x.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ", x.dim(), " dims");
  WICK_CHECK(sections > 0, "number of sections must be larger than 0, got ", sections);
  WICK_CHECK(sections <= INT32_MAX / 64, "tensor_split: ", sections, " tensors are too many");
  const int64_t n = x.size(dim), least = n / sections, larger = n % sections;
  std::vector<int64_t> ends;
  for (int64_t i = 1; i < sections; ++i) ends.push_back(i * least + std::min(i, larger));
  return parts_at(x, ends, dim);
}

std::vector<Tensor> equal_parts(const char* op, const Tensor& x, int64_t sections, int64_t dim, int64_t least) {
  WICK_CHECK(x.dim() >= least, "torch.", op, " requires a tensor with at least ", least, " dimension, but got a tensor with ", x.dim(),
             " dimensions!");
  WICK_CHECK(sections > 0 && x.size(dim) % sections == 0, "torch.", op, " attempted to split along dimension ", dim,
             ", but the size of the dimension ", x.size(dim), " is not divisible by the split_size ", sections, "!");
  return x.tensor_split(sections, dim);
}

Tensor quarter_turns(const Tensor& x, int64_t k, IntArrayRef dims) {
  WICK_CHECK(dims.size() == 2, "expected total rotation dims == 2, but got dims = ", dims.size());
  WICK_CHECK(x.dim() >= 2, "expected total dims >= 2, but got total dims = ", x.dim());
  WICK_CHECK(dims[0] != dims[1] && std::abs(dims[0] - dims[1]) != x.dim(),
             "expected rotation dims to be different, but got dim0 = ", dims[0], " and dim1 = ", dims[1]);
  switch ((k % 4 + 4) % 4) {
    case 1: return x.flip(dims[1]).transpose(dims[0], dims[1]);
    case 2: return x.flip(dims);
    case 3: return x.flip(dims[0]).transpose(dims[0], dims[1]);
    default: return x.clone(MemoryFormat::Contiguous);
  }
}

Tensor drawn_around(const Tensor& mean, const Tensor& std, const std::optional<Generator>& generator) {
  WICK_CHECK(std.is_meta() || std.numel() == 0 || std.detach().min().ge(0).item<bool>(), "normal expects all elements of std >= 0.0");
  const Tensor y = randn(broadcast_shapes(mean.sizes(), std.sizes()), generator, mean.options());
  return (y * std.detach() + mean.detach()).to(mean.scalar_type());
}

Tensor squeezed(const Tensor& x, IntArrayRef dims) {
  Dims order = ops::wrap_dims(dims, x.dim());
  std::sort(order.begin(), order.end(), std::greater<int64_t>());
  Tensor y = x;
  for (int64_t d : order) y = y.squeeze(d);
  return y;
}

// x with `src` in the place of a part of it.
template <class Part>
Tensor with_part(const Tensor& x, const Tensor& src, const Part& part) {
  Tensor y = x.clone();
  const Tensor place = part(y);
  WICK_CHECK(place.sizes() == src.sizes(), "expected src to have a size equal to the slice of self. src size = ", src.sizes(),
             ", slice size = ", place.sizes());
  place.copy_(src);
  return y;
}

Tensor embedded_diagonal(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2) {
  const int64_t ndim = x.dim() + 1, first = wrap_dim(dim1, ndim), second = wrap_dim(dim2, ndim);
  WICK_CHECK(first != second, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  Dims shape(x.sizes());
  WICK_CHECK(std::abs(offset / 2) < INT64_MAX / 4, "diag_embed: offset ", offset, " is out of range");
  const int64_t n = shape.back() + std::abs(offset);
  shape.pop_back();
  shape.insert(static_cast<size_t>(std::min(first, second)), n);
  shape.insert(static_cast<size_t>(std::max(first, second)), n);
  Tensor y = zeros(shape, x.options());
  y.diagonal(offset, first, second).copy_(x);
  return y;
}

// The rows of positions i < j < ... (or i <= j <= ...) of r elements among n, in lexicographic order.
Tensor combined(const Tensor& x, int64_t r, bool with_replacement) {
  WICK_CHECK(x.dim() == 1, "Expect a 1D vector, but got shape ", x.sizes());
  WICK_CHECK(r >= 0, "Expect a non-negative number, but got ", r);
  if (r == 0) return empty({0}, x.options());
  const int64_t n = x.numel(), step = with_replacement ? 0 : 1;
  std::vector<int64_t> at(static_cast<size_t>(r)), rows;
  for (int64_t k = 0; k < r; ++k) at[static_cast<size_t>(k)] = k * step;
  const auto last = [&](int64_t k) { return n - 1 - (r - 1 - k) * step; };
  for (int64_t k = n > 0 && last(0) >= 0 ? r - 1 : -1; k >= 0;) {
    rows.insert(rows.end(), at.begin(), at.end());
    for (k = r - 1; k >= 0 && at[static_cast<size_t>(k)] == last(k);) --k;
    if (k >= 0) ++at[static_cast<size_t>(k)];
    for (int64_t i = k + 1; k >= 0 && i < r; ++i) at[static_cast<size_t>(i)] = at[static_cast<size_t>(i - 1)] + step;
  }
  return x.index_select(0, tensor(rows, kLong).to(x.device())).reshape({-1, r});
}

Tensor blocks_on_diagonal(TensorList tensors) {
  int64_t rows = 0, columns = 0;
  for (const Tensor& x : tensors) {
    WICK_CHECK(x.dim() <= 2, "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input ", &x - tensors.data(), " has ",
               x.dim(), " dimensions");
  }
  std::vector<Tensor> blocks = mapped(tensors, as_rows);
  for (Tensor& x : blocks) rows += x.size(0), columns += x.size(1);
  std::vector<Tensor> bands;
  int64_t left = 0;
  for (const Tensor& x : blocks) {
    bands.push_back(constant_pad_nd(x, {left, columns - left - x.size(1)}));
    left += x.size(1);
  }
  return bands.empty() ? empty({1, 0}) : cat(bands, 0);
}

// ---- Places ------------------------------------------------------------------------------------------------------------------------

std::vector<std::optional<Tensor>> places_in(const Tensor& index) {
  WICK_CHECK(index.scalar_type() == kLong, "take(): Expected a long tensor for index, but got ", index.scalar_type());
  return {index};
}

Tensor values_at(const Tensor& index, const Tensor& source) {
  WICK_CHECK(source.numel() == index.numel(),
             "put_(): Expected source and index to have the same number of elements, but got source.numel() = ", source.numel(),
             ", index.numel() = ", index.numel());
  return source.reshape(index.sizes());
}

Tensor filled_from(const Tensor& x, const Tensor& mask, const Tensor& source) {
  WICK_CHECK(mask.scalar_type() == kBool, "masked_scatter_ only supports boolean masks, but got mask with dtype ", mask.scalar_type());
  WICK_CHECK(x.scalar_type() == source.scalar_type(), "masked_scatter: expected self and source to have same dtypes but got ",
             x.scalar_type(), " and ", source.scalar_type());
  const Dims shape = broadcast_shapes(x.sizes(), mask.sizes());
  const Tensor chosen = mask.expand(shape);
  WICK_CHECK(mask.is_meta() || chosen.sum().item<int64_t>() <= source.numel(), "Number of elements of source < number of ones in mask");
  if (source.numel() == 0) return x.expand(shape).clone();
  const Tensor place = (chosen.reshape({-1}).cumsum(0) - 1).clamp(0, source.numel() - 1);
  return where(chosen, source.reshape({-1}).index_select(0, place).reshape(shape), x);
}

std::string_view reduction_named(std::string_view reduce) {
  WICK_CHECK(reduce == "add" || reduce == "multiply", "reduce argument must be either add or multiply.");
  return reduce == "add" ? "sum" : "prod";
}

// A vector of indices along dim, one for each element of the source.
Tensor spread_index(const Tensor& index, const Tensor& source, int64_t dim) {
  Dims shape(source.sizes().size(), 1);
  shape[static_cast<size_t>(wrap_dim(dim, source.dim()))] = index.numel();
  return index.reshape(shape).expand_as(source);
}

}  // namespace

// ---- The list ----------------------------------------------------------------------------------------------------------------------

#define WICK_OR(...)  // a definition has no default arguments
#define WICK_DEFINE(R, name, params, args, ...) R name(const Tensor& self WICK_TAIL params) { return __VA_ARGS__; }
#define WICK_DEFINE_METHOD(R, name, params, args, ...) R method::name(const Tensor& self WICK_TAIL params) { return __VA_ARGS__; }
#define WICK_DEFINE_FREE(R, name, params, ...) R name params { return __VA_ARGS__; }
#define WICK_DEFINE_FREE_OUT(R, name, params, args, ...) R name params { return __VA_ARGS__; }
#define WICK_NO_LINE(...)
WICK_COMPOSITE_FUNCTIONS(/*B*/ WICK_DEFINE, /*M*/ WICK_DEFINE_METHOD, /*I*/ WICK_NO_LINE, /*V*/ WICK_NO_LINE, /*F*/ WICK_DEFINE_FREE,
                         /*O*/ WICK_DEFINE, /*A*/ WICK_DEFINE, /*P*/ WICK_DEFINE_FREE_OUT)

}  // namespace wick
