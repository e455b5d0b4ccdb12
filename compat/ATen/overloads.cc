#include <ATen/overloads.h>

#include <ATen/composed.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace at {

Tensor round(const Tensor& self, int64_t decimals) {
  TORCH_CHECK_NOT_IMPLEMENTED(self.is_floating_point() || decimals == 0, "\"round_cpu\" not implemented for '", self.scalar_type(), "'");
  if (decimals == 0) return wick::round(self);
  const double power = std::pow(10.0, std::fabs(static_cast<double>(decimals)));
  return decimals > 0 ? wick::round(self * power) / power : wick::round(self / power) * power;
}

Tensor clamp(const Tensor& self, const std::optional<Tensor>& min, const std::optional<Tensor>& max) {
  const bool below = min && min->defined(), above = max && max->defined();
  TORCH_CHECK(below || above, "torch.clamp: At least one of 'min' or 'max' must not be None");
  if (below && above) return wick::clamp(self, *min, *max);
  return below ? wick::clamp_min(self, *min) : wick::clamp_max(self, *max);
}

Tensor remainder(const Scalar& self, const Tensor& other) {
  return wick::remainder(wick::full({}, self, other.options().dtype(result_type(other, self))), other);
}
Tensor bitwise_left_shift(const Tensor& self, const Scalar& other) {
  return wick::bitwise_left_shift(self, wick::full({}, other, self.options()));
}
Tensor bitwise_right_shift(const Tensor& self, const Scalar& other) {
  return wick::bitwise_right_shift(self, wick::full({}, other, self.options()));
}

Tensor var(const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction, bool keepdim) {
  const Tensor mean_square = wick::var(self, dim, /*unbiased=*/false, keepdim);
  const double count = static_cast<double>(self.numel()) / static_cast<double>(std::max<int64_t>(1, mean_square.numel()));
  return mean_square * (count / std::max(0.0, count - static_cast<double>(correction.value_or(1))));
}
Tensor std(const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction, bool keepdim) {
  return var(self, dim, correction, keepdim).sqrt();
}

Tensor norm(const Tensor& self, const std::optional<Scalar>& p, ScalarType dtype) { return self.to(dtype).norm(p.value_or(2)); }
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim, ScalarType dtype) {
  return self.to(dtype).norm(p, dim, keepdim);
}

Tensor diff(const Tensor& self, int64_t n, int64_t dim, const std::optional<Tensor>& prepend, const std::optional<Tensor>& append) {
  TORCH_CHECK(self.dim() > 0, "diff expects input to be at least one-dimensional");
  TORCH_CHECK(n >= 0, "order must be non-negative but got ", n);
  if (n == 0) return self.clone();
  std::vector<Tensor> parts;
  for (const auto& part : {prepend, std::optional<Tensor>(self), append}) {
    if (!part || !part->defined()) continue;
    TORCH_CHECK(part->dim() == self.dim(), "diff expects prepend or append to be the same dimension as input");
    parts.push_back(*part);
  }
  return wick::diff(wick::cat(parts, dim), n, dim);
}
Tensor argsort(const Tensor& self, bool, int64_t dim, bool descending) { return wick::argsort(self, dim, descending); }

Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) {
  return wick::scatter(self, dim, index, wick::full({}, value, self.options()).expand(index.sizes()), reduce);
}

Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& value) {
  TORCH_CHECK(value.dim() == 0, "index_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
              " dimension(s).");
  // A place that occurs twice gets the value, and its gradient, once.
  return wick::where(wick::zeros_like(self, kBool).index_fill(dim, index, 1), value.to(self.scalar_type()), self);
}

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& attn_mask,
                                    double dropout_p, bool is_causal, std::optional<double> scale, bool enable_gqa) {
  const bool masked = attn_mask && attn_mask->defined();
  TORCH_CHECK(query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2,
              "Expected query, key, and value to all be at least 2 dimensional, but got query.dim(): ", query.dim(), ", key.dim(): ",
              key.dim(), " and value.dim(): ", value.dim(), " instead.");
  TORCH_CHECK(query.scalar_type() == key.scalar_type() && query.scalar_type() == value.scalar_type(),
              "Expected query, key, and value to have the same dtype, but got query.dtype: ", query.dtype(), " key.dtype: ", key.dtype(),
              " and value.dtype: ", value.dtype(), " instead.");
  TORCH_CHECK(!masked || !is_causal, "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  // Scores of half precision would be too coarse for the softmax.
  if (query.scalar_type() == kHalf || query.scalar_type() == kBFloat16) {
    const std::optional<Tensor> mask = masked && attn_mask->scalar_type() != kBool ? attn_mask->to(kFloat) : attn_mask;
    return scaled_dot_product_attention(query.to(kFloat), key.to(kFloat), value.to(kFloat), mask, dropout_p, is_causal, scale, enable_gqa)
        .to(query.scalar_type());
  }
  const auto for_each_head = [&](const Tensor& x) {
    if (!enable_gqa || x.size(-3) == query.size(-3)) return x;
    TORCH_CHECK(query.size(-3) % x.size(-3) == 0, "Number of heads in key and value must divide the number of heads in query");
    return x.repeat_interleave(query.size(-3) / x.size(-3), -3);
  };
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1))));
  Tensor scores = wick::matmul(query * factor, for_each_head(key).transpose(-2, -1));
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  if (is_causal) {
    const Tensor seen = wick::ones({query.size(-2), key.size(-2)}, query.options().dtype(kBool)).tril();
    scores = scores.masked_fill(seen.logical_not(), kNever);
  } else if (masked) {
    TORCH_CHECK(attn_mask->scalar_type() == kBool || attn_mask->scalar_type() == query.scalar_type(),
                "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: ", attn_mask->dtype(),
                " and  query.dtype: ", query.dtype(), " instead.");
    scores = attn_mask->scalar_type() == kBool ? scores.masked_fill(attn_mask->logical_not(), kNever) : scores + *attn_mask;
  }
  // The softmax of nothing but -inf is NaN.
  const Tensor blind = masked ? scores.detach().eq(kNever).all(-1, /*keepdim=*/true) : Tensor();
  if (masked) scores = scores.masked_fill(blind, 0);
  Tensor weights = scores.softmax(-1);
  if (masked) weights = weights.masked_fill(blind, 0);
  return wick::matmul(wick::dropout(weights, dropout_p, dropout_p > 0), for_each_head(value));
}

}  // namespace at
