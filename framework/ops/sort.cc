// Sorting, the largest elements, medians, and draws from weights. NaN counts as larger than any number, and equal elements keep their
// order.
#include <cmath>

#include "wick/framework/ops/sort.h"
#include "wick/framework/plan/sort.h"

namespace wick::ops {

void launch_search(const Tensor& places, const Tensor& sorted, const Tensor& values, int64_t rows, bool right) {
  if (values.numel() == 0) return;
  SearchArgs args;
  args.buffers[0] = Buffer(places);
  args.buffers[1] = Buffer(sorted);
  args.buffers[2] = Buffer(values);
  args.dtype = sorted.scalar_type();
  args.right = right;
  args.rows = rows;
  args.n = sorted.size(-1);
  args.m = values.numel() / rows;
  launch(search_kernel, sorted.device(), args);
}

namespace {

struct Sorted {
  Tensor values, indices;
};

// The first k along dimension `dim` of x, which is not 0-dimensional.
Sorted sort_along(const Tensor& x, int64_t dim, int64_t k, bool descending) {
  const bool last = dim == x.dim() - 1;
  const Tensor rows = (last ? x : x.movedim(dim, -1)).contiguous();
  Dims sizes(rows.sizes());
  sizes.back() = k;
  Tensor values = empty_base(sizes, x.scalar_type(), x.device()), indices = empty_base(sizes, kLong, x.device());
  SortArgs args;
  args.buffers[0] = Buffer(values);
  args.buffers[1] = Buffer(indices);
  args.buffers[2] = Buffer(rows);
  args.dtype = x.scalar_type();
  args.descending = descending;
  args.n = rows.size(-1);
  args.rows = args.n ? rows.numel() / args.n : 0;
  args.k = k;
  launch(sort_kernel, x.device(), args);
  if (last) return {values, indices};
  return {values.movedim(-1, dim).contiguous(), indices.movedim(-1, dim).contiguous()};
}

// What sort, topk, kthvalue and median share: a selection of elements, to which their gradients return.
template <class Op>
struct Selection {
  static void remember(Context& ctx, const Tensor& x, const Tensor& indices, int64_t dim) {
    ctx.save(indices);
    ctx.save_numbers(dim);
    ctx.save_extra(DimsExtra(x.sizes()));
  }
  static void backward(const Gradients& g) {
    const Tensor gradient = g.output();
    if (!gradient.defined()) return;
    const Tensor zero = zeros(g.dims(), gradient.options());
    g.set(0, zero.dim() ? zero.scatter(g.number(0), g.saved(0), gradient) : gradient);
  }
};

struct Sort : Selection<Sort> {
  static constexpr OpInfo info = make_info<Sort>("sort", "SortBackward0");
  static TensorPair forward(Context& ctx, const Tensor& x, int64_t dim, bool descending) {
    const Sorted y = x.dim() ? sort_along(x, dim, x.size(dim), descending) : Sorted{x.clone(), zeros({}, x.options().dtype(kLong))};
    remember(ctx, x, y.indices, dim);
    return {y.values, y.indices};
  }
};

struct Topk : Selection<Topk> {
  static constexpr OpInfo info = make_info<Topk>("topk", "TopkBackward0");
  static TensorPair forward(Context& ctx, const Tensor& x, int64_t k, int64_t dim, bool largest) {
    const Sorted y = sort_along(x, dim, k, largest);
    remember(ctx, x, y.indices, dim);
    return {y.values, y.indices};
  }
};

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

TensorPair sort(const Tensor& self, int64_t dim, bool descending) { return apply<Sort>(self, wrap_dim(dim, self.dim()), descending); }
TensorPair sort(const Tensor& self, std::optional<bool>, int64_t dim, bool descending) { return sort(self, dim, descending); }
Tensor argsort(const Tensor& self, int64_t dim, bool descending) { return std::get<1>(sort(self.detach(), dim, descending)); }

TensorPair topk(const Tensor& self, int64_t k, int64_t dim, bool largest, bool) {
  const int64_t d = wrap_dim(dim, self.dim());
  WICK_CHECK(k >= 0 && k <= (self.dim() ? self.size(d) : 1), "selected index k out of range\n  topk: k is ", k,
             ", and the input has the shape ", self.sizes());
  if (self.dim() > 0) return apply<Topk>(self, k, d, largest);
  const auto [values, indices] = apply<Topk>(self.reshape({1}), k, d, largest);
  if (k == 0) return {values, indices};
  return {values.reshape(IntArrayRef()), indices.reshape(IntArrayRef())};
}

TensorPair kthvalue(const Tensor& self, int64_t k, int64_t dim, bool keepdim) {
  const int64_t d = wrap_dim(dim, self.dim());
  WICK_CHECK(k >= 1 && k <= (self.dim() ? self.size(d) : 1), "kthvalue(): selected number k out of range for dimension ", d);
  if (self.dim() == 0) return {self.clone(), zeros({}, self.options().dtype(kLong))};
  const auto [values, indices] = topk(self, k, d, /*largest=*/false);
  const auto last = [&](const Tensor& x) { return keepdim ? x.narrow(d, k - 1, 1) : x.select(d, k - 1); };
  return {last(values), last(indices)};
}

namespace {

// The lower one of the two in the middle: of the numbers, or where there is a NaN, that.
TensorPair middle(const Tensor& self, int64_t dim, bool keepdim, bool ignore_nan) {
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

}  // namespace

TensorPair median(const Tensor& self, int64_t dim, bool keepdim) { return middle(self, dim, keepdim, false); }
TensorPair nanmedian(const Tensor& self, int64_t dim, bool keepdim) { return middle(self, dim, keepdim, true); }
Tensor median(const Tensor& self) { return middle(self, false); }
Tensor nanmedian(const Tensor& self) { return middle(self, true); }

namespace {

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
  const Tensor keys = weights / empty_like(weights).exponential_(1, generator);
  return num_samples == 1 ? keys.argmax(-1, /*keepdim=*/true) : std::get<1>(keys.topk(num_samples, -1));
}

}  // namespace wick
