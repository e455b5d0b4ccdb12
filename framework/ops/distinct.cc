// What follows from sorted rows: distinct elements, the most frequent one, quantiles, and places in sorted sequences.
#include "wick/framework/ops/op.h"
#include "wick/framework/ops/sort.h"

namespace wick {
namespace {

// ---- Distinct elements -------------------------------------------------------------------------------------------------------------

// Where a slice along the first dimension differs from the one before it; the first one does.
Tensor changes_in(const Tensor& slices) {
  const int64_t n = slices.size(0);
  Tensor changes = ones({n}, slices.options().dtype(kBool));
  if (n < 2) return changes;
  const Tensor differ = slices.narrow(0, 1, n - 1).ne(slices.narrow(0, 0, n - 1));
  changes.narrow(0, 1, n - 1).copy_(differ.dim() > 1 ? differ.flatten(1).any(1) : differ);
  return changes;
}

// The first places, the inverse and the counts of runs of equal slices; `order` says which slice stands where, if that was changed.
struct Runs {
  Tensor first, inverse, counts;

  Runs(const Tensor& slices, const Tensor& order, bool return_inverse, bool return_counts) {
    const Tensor changes = changes_in(slices);
    first = changes.nonzero().reshape({-1});
    inverse = counts = empty({0}, first.options());
    if (return_inverse) {
      const Tensor number = changes.cumsum(0) - 1;
      inverse = order.defined() ? empty_like(number).scatter_(0, order, number) : number;
    }
    if (return_counts) counts = cat({first, full({1}, slices.size(0), first.options())}).diff();
  }
};

}  // namespace

TensorTriple _unique2(const Tensor& self, bool, bool return_inverse, bool return_counts) {
  const auto [sorted, order] = self.detach().reshape({-1}).sort();
  const Runs runs(sorted, order, return_inverse, return_counts);
  return {sorted.index_select(0, runs.first), return_inverse ? runs.inverse.reshape(self.sizes()) : runs.inverse, runs.counts};
}

TensorTriple unique_dim(const Tensor& self, int64_t dim, bool, bool return_inverse, bool return_counts) {
  const int64_t d = wrap_dim(dim, self.dim());
  const int64_t n = self.size(d);
  WICK_CHECK(n == 0 || self.numel() > 0, "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
  const Tensor slices = self.detach().movedim(d, 0).reshape({n, n ? self.numel() / n : 0});
  // Lexicographic: by the last column first, since sorting keeps the order of equals.
  Tensor order = arange(slices.size(0), self.options().dtype(kLong));
  for (int64_t c = slices.size(1); c-- > 0;) order = order.index_select(0, slices.select(1, c).index_select(0, order).argsort());
  const Runs runs(slices.index_select(0, order), order, return_inverse, return_counts);
  return {self.detach().index_select(d, order.index_select(0, runs.first)), runs.inverse, runs.counts};
}

TensorTriple unique_consecutive(const Tensor& self, bool return_inverse, bool return_counts, std::optional<int64_t> dim) {
  const Tensor x = dim ? self.detach() : self.detach().reshape({-1});
  const int64_t d = dim ? wrap_dim(*dim, self.dim()) : 0;
  const Runs runs(x.movedim(d, 0), {}, return_inverse, return_counts);
  return {x.index_select(d, runs.first), return_inverse && !dim ? runs.inverse.reshape(self.sizes()) : runs.inverse, runs.counts};
}

// Of several the smallest, and its last place.
TensorPair mode(const Tensor& self, int64_t dim, bool keepdim) {
  const int64_t d = wrap_dim(dim, self.dim());
  if (self.dim() == 0) return {self.clone(), zeros({}, self.options().dtype(kLong))};
  const int64_t n = self.size(d);
  WICK_CHECK_INDEX(n > 0, "mode(): Expected reduction dim ", d, " to have non-zero size.");
  const auto [sorted, order] = self.detach().movedim(d, -1).sort();
  const Tensor place = arange(n, order.options());
  const Tensor repeats = cat({zeros_like(sorted.narrow(-1, 0, 1), kBool), sorted.narrow(-1, 1, n - 1).eq(sorted.narrow(-1, 0, n - 1))}, -1);
  const Tensor length = place - std::get<0>(place.expand_as(order).masked_fill(repeats, 0).cummax(-1));
  const Tensor index = order.gather(-1, length.argmax(-1, /*keepdim=*/true)).movedim(-1, d), value = self.gather(d, index);
  return keepdim ? TensorPair{value, index} : TensorPair{value.squeeze(d), index.squeeze(d)};
}

// ---- Quantiles ---------------------------------------------------------------------------------------------------------------------

static void check_quantile(const char* op, const Tensor& x, const Tensor& q, std::string_view how) {
  WICK_CHECK(x.numel() > 0, op, "() input tensor must be non-empty");
  WICK_CHECK(q.dim() <= 1, op, "() q must be a scalar or 1D tensor");
  WICK_CHECK(x.scalar_type() == kFloat || x.scalar_type() == kDouble, op, "() input tensor must be either float or double dtype");
  WICK_CHECK(x.scalar_type() == q.scalar_type(), op, "() q tensor must be same dtype as the input tensor");
  WICK_CHECK(q.ge(0).logical_and(q.le(1)).all().item<bool>(), op, "() q values must be in the range [0, 1]");
  WICK_CHECK(how == "linear" || how == "lower" || how == "higher" || how == "midpoint" || how == "nearest", op,
             "() interpolation must be one of linear, lower, higher, midpoint or nearest, but got ", how);
}

// Where each of the quantiles q [n] lies in the rows of `sorted` [..., size], with a fraction between two places: [..., n]. NaNs stand
// behind the numbers of a row; either they do not count, or the last place, a NaN, is the answer for the whole row.
static Tensor quantile_places(const Tensor& sorted, const Tensor& q, bool ignore_nan) {
  const Tensor nan = sorted.detach().isnan();
  if (ignore_nan) return q * (nan.logical_not().sum(-1, true) - 1).clamp_min(0);
  const int64_t last = sorted.size(-1) - 1;
  Dims shape(sorted.sizes());
  shape.back() = q.numel();
  return (q * last).expand(shape).masked_fill(nan.any(-1, true), last);
}

static Tensor quantile_of(const char* op, const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim, std::string_view how,
                          bool ignore_nan) {
  check_quantile(op, x, q, how);
  const int64_t d = dim ? wrap_dim(*dim, x.dim()) : 0;
  const Tensor sorted = std::get<0>((dim && x.dim() ? x.movedim(d, -1) : x.reshape({-1})).sort());
  // float32 does not count so far.
  Tensor place = quantile_places(sorted, (sorted.size(-1) >> 23 ? q.to(kDouble) : q).reshape({-1}), ignore_nan);
  if (how == "lower") place = place.floor();
  if (how == "higher") place = place.ceil();
  if (how == "nearest") place = place.round();
  const Tensor below = place.to(kLong), above = place.ceil().to(kLong);
  const Tensor weight = (how == "midpoint" ? full_like(place, 0.5) : place - below).to(x.scalar_type());
  Tensor y = lerp(sorted.gather(-1, below), sorted.gather(-1, above), weight).movedim(-1, 0);
  if (keepdim && x.dim()) {
    Dims shape(x.sizes().size() + 1, 1);
    shape[0] = q.numel();
    y = dim ? y.unsqueeze(d + 1) : y.reshape(shape);
  }
  return q.dim() ? y : y.squeeze(0);
}

#define WICK_DEFINE_QUANTILE(name, ignore_nan)                                                                                            \
  Tensor name(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim, std::string_view interpolation) {            \
    return quantile_of(#name, self, q, dim, keepdim, interpolation, ignore_nan);                                                          \
  }                                                                                                                                       \
  Tensor name(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim, std::string_view interpolation) {                   \
    WICK_CHECK(q >= 0 && q <= 1, #name "() q must be in the range [0, 1] but got ", q);                                                   \
    return name(self, scalar_tensor(q, self.options()), dim, keepdim, interpolation);                                                     \
  }
WICK_DEFINE_QUANTILE(quantile, false)
WICK_DEFINE_QUANTILE(nanquantile, true)

// ---- Places in sorted sequences ----------------------------------------------------------------------------------------------------

Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& self, bool out_int32, bool right, std::optional<std::string_view> side,
                    const Tensor& sorter) {
  WICK_CHECK(!side || *side == "left" || *side == "right", "torch.searchsorted(): side can only be 'left' or 'right' but got ", *side);
  WICK_CHECK(!side || *side == "right" || !right, "torch.searchsorted(): side and right can't be set to opposites, got side of ", *side,
             " while right was True");
  WICK_CHECK(!sorter.defined() || sorter.sizes() == sorted_sequence.sizes(),
             "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor ", sorted_sequence.sizes(),
             "and got sorter tensor ", sorter.defined() ? sorter.sizes() : IntArrayRef());
  const auto leading = [](const Tensor& x) { return x.sizes().slice(0, x.sizes().size() - 1); };
  const bool one = sorted_sequence.dim() == 1;
  WICK_CHECK(
      one || (sorted_sequence.dim() > 0 && self.dim() == sorted_sequence.dim() && leading(self) == leading(sorted_sequence)),
      "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value "
      "tensor must match, but we got boundaries tensor ",
      sorted_sequence.sizes(), " and input value tensor ", self.sizes());
  const ScalarType common = promote_types(sorted_sequence.scalar_type(), self.scalar_type());
  const ScalarType both = is_floating(common) && sorted_sequence.scalar_type() != self.scalar_type() ? kDouble : common;
  WICK_CHECK_NOT_IMPLEMENTED(both != kBool && !is_complex(both), "\"searchsorted_out_cpu\" not implemented for '", self.scalar_type(), "'");
  const Tensor sorted = (sorter.defined() ? sorted_sequence.gather(-1, sorter) : sorted_sequence).to(both).contiguous(),
      values = self.to(both).contiguous();
  Tensor places = empty(self.sizes(), self.options().dtype(kLong));
  ops::launch_search(places, sorted, values, one ? 1 : values.numel() / std::max<int64_t>(values.size(-1), 1), right || side == "right");
  return out_int32 ? places.to(kInt) : places;
}

namespace {

const Tensor& one_dimensional(const Tensor& boundaries) {
  WICK_CHECK(boundaries.dim() == 1, "boundaries tensor must be 1 dimension, but got dim(", boundaries.dim(), ")");
  return boundaries;
}

}  // namespace

Tensor searchsorted(const Tensor& sorted_sequence, const Scalar& self, bool out_int32, bool right, std::optional<std::string_view> side,
                    const Tensor& sorter) {
  return searchsorted(sorted_sequence, scalar_tensor(self, sorted_sequence.options().dtype(self.type())), out_int32, right, side, sorter);
}
Tensor bucketize(const Tensor& self, const Tensor& boundaries, bool out_int32, bool right) {
  return searchsorted(one_dimensional(boundaries), self, out_int32, right, std::nullopt, {});
}
Tensor bucketize(const Scalar& self, const Tensor& boundaries, bool out_int32, bool right) {
  return searchsorted(one_dimensional(boundaries), self, out_int32, right, std::nullopt, {});
}

}  // namespace wick
