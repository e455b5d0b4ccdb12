// Sorting, the largest elements, medians, and draws from weights. NaN counts as larger than any number, and equal elements keep their
// order.
#include <cmath>

#include "wick/framework/ops/sort.h"
#include "wick/framework/plan/sort.h"

namespace wick::ops {

void launch_search(const Tensor& places, const Tensor& sorted, const Tensor& values, int64_t rows, bool right) {
  if (values.numel() == 0) return;
  const int64_t n = sorted.size(-1), m = values.numel() / rows;
  launch(search_kernel, sorted.device(), SearchArgs{{places, sorted, values}, sorted.scalar_type(), right, rows, n, m});
}

namespace {

// The first k along dimension `dim` of x, which is not 0-dimensional.
TensorPair sort_along(const Tensor& x, int64_t dim, int64_t k, bool descending) {
  const bool last = dim == x.dim() - 1;
  const Tensor rows = (last ? x : x.movedim(dim, -1)).contiguous();
  Dims sizes(rows.sizes());
  sizes.back() = k;
  Tensor values = empty_base(sizes, x.scalar_type(), x.device()), indices = empty_base(sizes, kLong, x.device());
  const int64_t n = rows.size(-1), count = n ? rows.numel() / n : 0;
  launch(sort_kernel, x.device(), SortArgs{{values, indices, rows}, x.scalar_type(), descending, count, n, k});
  if (last) return {values, indices};
  return {values.movedim(-1, dim).contiguous(), indices.movedim(-1, dim).contiguous()};
}

// The first k along a dimension: what sort, topk and kthvalue are. To these elements their gradients return.
struct Selection {
  static TensorPair forward(Context& ctx, const Tensor& x, int64_t k, int64_t dim, bool descending) {
    const TensorPair y = x.dim() ? sort_along(x, dim, k, descending) : TensorPair{x.clone(), zeros({}, x.options().dtype(kLong))};
    ctx.save(std::get<1>(y));
    ctx.save_numbers(dim);
    ctx.save_extra(DimsExtra(x.sizes()));
    return y;
  }
  static void backward(const Gradients& g) {
    const Tensor gradient = g.output();
    if (!gradient.defined()) return;
    const Tensor zero = zeros(g.dims(), gradient.options());
    g.set(0, zero.dim() ? zero.scatter(g.number(0), g.saved(0), gradient) : gradient);
  }
};
using Sort = Named<Selection, "sort", "SortBackward0">;
using Topk = Named<Selection, "topk", "TopkBackward0">;

// The lower one of the two in the middle: of the numbers, or where there is a NaN, that.
TensorPair middle(const Tensor& self, int64_t dim, bool keepdim, bool ignore_nan) {
  WICK_CHECK_NOT_IMPLEMENTED(self.scalar_type() != kBool, "\"median_cpu\" not implemented for 'Bool'");
  const int64_t d = wrap_dim(dim, self.dim());
  if (self.dim() == 0) return {self.clone(), zeros({}, self.options().dtype(kLong))};
  const int64_t n = self.size(d);
  WICK_CHECK_INDEX(n > 0, "median(): Expected reduction dim ", d, " to have non-zero size.");
  const Tensor order = argsort(self, d), numbers = isnan(self.detach()).logical_not().sum(d, /*keepdim=*/true);
  const Tensor place = ignore_nan ? floor_divide(numbers - 1, 2).clamp_min(0) : where(numbers.lt(n), numbers, (n - 1) / 2);
  const Tensor index = order.gather(d, place), value = self.gather(d, index);
  return keepdim ? TensorPair{value, index} : TensorPair{value.squeeze(d), index.squeeze(d)};
}
Tensor middle(const Tensor& self, bool ignore_nan) {
  if (self.numel() == 0) return full({}, self.is_floating_point() ? Scalar(NAN) : Scalar(0), self.options());
  const Tensor flat = self.reshape({-1}), value = std::get<0>(middle(flat.detach(), 0, false, ignore_nan));
  if (!wants_grad(self)) return value;
  // The largest of the elements that are equal to it (or NaN, as it is): so that these share the gradient.
  const Tensor others = flat.ne(value).logical_and(flat.isnan().logical_and(value.isnan()).logical_not());
  return flat.masked_fill(others, -INFINITY).amax();
}

// n draws from each row of weights, each by the distribution that the row makes.
Tensor draw_with_replacement(const Tensor& weights, int64_t n, const std::optional<Generator>& generator) {
  const Tensor rows = weights.dim() == 1 ? weights.unsqueeze(0) : weights;
  Tensor sums = rows.to(kDouble).cumsum(1);
  sums = (sums / sums.narrow(1, rows.size(1) - 1, 1)).contiguous();
  const Tensor uniform = rand({rows.size(0), n}, generator, sums.options());
  Tensor places = empty_base(uniform.sizes(), kLong, weights.device());
  launch_search(places, sums, uniform, rows.size(0), false);
  return weights.dim() == 1 ? places.squeeze(0) : places;
}

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

TensorPair sort(const Tensor& self, int64_t dim, bool descending) {
  const int64_t d = wrap_dim(dim, self.dim());
  return apply<Sort>(self, self.dim() ? self.size(d) : 1, d, descending);
}

TensorPair topk(const Tensor& self, int64_t k, int64_t dim, bool largest, bool) {
  WICK_CHECK_NOT_IMPLEMENTED(self.scalar_type() != kBool, "topk does not support bool dtypes on CPU");
  const int64_t d = wrap_dim(dim, self.dim());
  WICK_CHECK(k >= 0 && k <= (self.dim() ? self.size(d) : 1), "selected index k out of range\n  topk: k is ", k,
             ", and the input has the shape ", self.sizes());
  if (self.dim() > 0) return apply<Topk>(self, k, d, largest);
  const auto [values, indices] = apply<Topk>(self.reshape({1}), k, d, largest);
  if (k == 0) return {values, indices};
  return {values.reshape(IntArrayRef()), indices.reshape(IntArrayRef())};
}

TensorPair kthvalue(const Tensor& self, int64_t k, int64_t dim, bool keepdim) {
  WICK_CHECK_NOT_IMPLEMENTED(self.scalar_type() != kBool, "\"kthvalue_cpu\" not implemented for 'Bool'");
  const int64_t d = wrap_dim(dim, self.dim());
  WICK_CHECK(k >= 1 && k <= (self.dim() ? self.size(d) : 1), "kthvalue(): selected number k out of range for dimension ", d);
  if (self.dim() == 0) return {self.clone(), zeros({}, self.options().dtype(kLong))};
  const auto [values, indices] = topk(self, k, d, /*largest=*/false);
  const auto last = [&](const Tensor& x) { return keepdim ? x.narrow(d, k - 1, 1) : x.select(d, k - 1); };
  return {last(values).contiguous(), last(indices).contiguous()};
}

TensorPair median(const Tensor& self, int64_t dim, bool keepdim) { return middle(self, dim, keepdim, false); }
TensorPair nanmedian(const Tensor& self, int64_t dim, bool keepdim) { return middle(self, dim, keepdim, true); }
Tensor median(const Tensor& self) { return middle(self, false); }
Tensor nanmedian(const Tensor& self) { return middle(self, true); }

Tensor multinomial(const Tensor& self, int64_t num_samples, bool replacement, std::optional<Generator> generator) {
  WICK_CHECK(self.is_floating_point(), "multinomial only supports floating-point dtypes for input, got: ", self.scalar_type());
  WICK_CHECK(self.dim() == 1 || self.dim() == 2, "prob_dist must be 1 or 2 dim");
  WICK_CHECK(num_samples > 0, "cannot sample n_sample <= 0 samples");
  WICK_CHECK(replacement || num_samples <= self.size(-1), "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  const Tensor weights = self.detach();
  const Tensor total = weights.sum(-1);
  WICK_CHECK(isfinite(total).all().item<bool>() && weights.ge(0).all().item<bool>(),
             "probability tensor contains either `inf`, `nan` or element < 0");
  WICK_CHECK(total.gt(0).all().item<bool>(), "invalid multinomial distribution (sum of probabilities <= 0)");
  if (replacement && num_samples > 1) return draw_with_replacement(weights, num_samples, generator);
  // The smallest of exponential variables with these rates: Efraimidis and Spirakis, "Weighted random sampling with a reservoir" (2006).
  // In float64 no key of a positive weight is 0.
  const Tensor keys = weights.to(kDouble) / empty_like(weights).exponential_(1, generator);
  return num_samples == 1 ? keys.argmax(-1, /*keepdim=*/true) : std::get<1>(keys.topk(num_samples, -1));
}

}  // namespace wick
