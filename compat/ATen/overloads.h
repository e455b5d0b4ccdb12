// Forms of functions that LibTorch has beside those in wick's lists, and attention over heads.
#pragma once

#include <ATen/names.h>

#include <optional>
#include <string_view>

namespace at {

// To so many decimals; to tens, hundreds, ... where it is negative. Ties go to the even one, as the scaled number in self's dtype says.
// Integers: with no decimals only.
Tensor round(const Tensor& self, int64_t decimals);
// With bounds for each element, of which one may be left out.
Tensor clamp(const Tensor& self, const std::optional<Tensor>& min, const std::optional<Tensor>& max = {});
// number mod other, and number shifted in tensors: self 2^other, self 2^-other.
Tensor remainder(const Scalar& self, const Tensor& other);
Tensor bitwise_left_shift(const Tensor& self, const Scalar& other);
Tensor bitwise_right_shift(const Tensor& self, const Scalar& other);

// sum (x - mean)^2 / max(0, n - correction), and its root; a correction that is left out is 1.
Tensor var(const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction, bool keepdim = false);
Tensor std(const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction, bool keepdim = false);
// Of self in another dtype.
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, ScalarType dtype);
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim, ScalarType dtype);
// Of self between `prepend` and `append`, along dim.
Tensor diff(const Tensor& self, int64_t n, int64_t dim, const std::optional<Tensor>& prepend, const std::optional<Tensor>& append = {});
// wick's sorting is stable in any case.
Tensor argsort(const Tensor& self, bool stable, int64_t dim, bool descending);

// reduce: "add" or "multiply".
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce);
// value: of no dimensions; it gets a gradient.
Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& value);

// softmax(query key^T scale + mask) value over the last two dimensions: query [..., L, E], key [..., S, E], value [..., S, Ev], the
// dimensions before broadcast; result [..., L, Ev]. attn_mask broadcasts to [..., L, S]: bool, true where a key takes part, or numbers to
// add. is_causal: query i sees keys 0 to i. scale: 1 / sqrt(E) unless given. A query that sees no key gets zeros. With enable_gqa key and
// value have fewer heads (dimension -3), each for several neighbouring ones of query. (Vaswani et al., "Attention is all you need", 2017.)
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const std::optional<Tensor>& attn_mask = {}, double dropout_p = 0, bool is_causal = false,
                                    std::optional<double> scale = std::nullopt, bool enable_gqa = false);

}  // namespace at
