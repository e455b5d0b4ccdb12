#include "wick/nn/attention.h"

#include <cmath>
#include <ostream>

#include "wick/nn/any_module.h"
#include "wick/nn/dropout.h"
#include "wick/nn/init.h"

namespace wick::nn {
namespace {

// Query, key and value, each times its weight. Where the three are one tensor this is one product.
std::array<Tensor, 3> project(const std::array<Tensor, 3>& x, const functional::MultiheadAttentionForwardFuncOptions& o) {
  const Tensor& bias = o.in_proj_bias();
  if (!o.use_separate_proj_weight() && x[0].is_same(x[1]) && x[1].is_same(x[2])) {
    const auto all = wick::linear(x[0], o.in_proj_weight(), bias).chunk(3, -1);
    return {all[0], all[1], all[2]};
  }
  const int64_t width = o.embed_dim_to_check();
  const auto part = [&](const Tensor& of, int64_t i) { return of.defined() ? of.narrow(0, i * width, width) : of; };
  std::array<Tensor, 3> weights{o.q_proj_weight(), o.k_proj_weight(), o.v_proj_weight()}, result;
  for (size_t i = 0; i < 3; ++i) {
    if (!o.use_separate_proj_weight()) weights[i] = part(o.in_proj_weight(), static_cast<int64_t>(i));
    result[i] = wick::linear(x[i], weights[i], part(bias, static_cast<int64_t>(i)));
  }
  return result;
}

int64_t width_of_head(int64_t width, int64_t heads) {
  WICK_CHECK(width > 0 && heads > 0, "embed_dim and num_heads must be greater than 0, got embed_dim=", width, " and num_heads=", heads,
             " instead");
  WICK_CHECK(width % heads == 0, "embed_dim must be divisible by num_heads\n  got embed_dim=", width, " and num_heads=", heads);
  return width / heads;
}

void check_inputs(const Tensor& query, const Tensor& key, const Tensor& value, const functional::MultiheadAttentionForwardFuncOptions& o) {
  WICK_CHECK(query.dim() == 3 && key.dim() == 3 && value.dim() == 3, "query, key and value should have 3 dimensions, but got ",
             query.sizes(), ", ", key.sizes(), " and ", value.sizes());
  WICK_CHECK(query.size(2) == o.embed_dim_to_check(), "was expecting embedding dimension of ", o.embed_dim_to_check(), ", but got ",
             query.size(2));
  WICK_CHECK(key.size(0) == value.size(0) && key.size(1) == value.size(1), "key's sequence and batch dims ", key.sizes(),
             " do not match value's ", value.sizes());
  WICK_CHECK(o.bias_k().defined() == o.bias_v().defined(), "bias_k and bias_v go together");
  WICK_CHECK(!o.bias_k().defined() || !o.static_k().defined(), "bias cannot be added to static key.");
  WICK_CHECK(!o.bias_k().defined() || !o.static_v().defined(), "bias cannot be added to static value.");
}

// One more key, which nothing masks.
void extend_mask(Tensor& mask) {
  if (!mask.defined()) return;
  Dims sizes(mask.sizes());
  sizes[sizes.size() - 1] = 1;
  mask = cat({mask, zeros(sizes, mask.options())}, -1);
}

Tensor masked(const Tensor& scores, const Tensor& mask, const char* name) {
  const ScalarType t = mask.scalar_type();
  WICK_CHECK(is_floating(t) || t == kBool || t == kByte, "only bool and floating types of ", name, " are supported\n  got ", t);
  return is_floating(t) ? scores + mask.to(scores.scalar_type()) : scores.masked_fill(mask.to(kBool), -HUGE_VAL);
}

// softmax(q kᵀ) over the keys that neither mask hides, and NaN where they hide all: [B heads, L, S].
Tensor weights_of_keys(const Tensor& q, const Tensor& k, const Tensor& mask, const Tensor& padding, int64_t heads) {
  Tensor scores = bmm(q, k.transpose(1, 2));
  if (mask.defined()) {
    WICK_CHECK(mask.dim() == 2 || mask.dim() == 3, "attn_mask's dimension ", mask.dim(), " is not supported.");
    WICK_CHECK(mask.sizes() == scores.sizes().slice(static_cast<size_t>(3 - mask.dim())), "The size of the ", mask.dim(),
               "D attn_mask is not correct.\n  got ", mask.sizes(), " for scores of ", scores.sizes());
    scores = masked(scores, mask, "attn_mask");
  }
  if (padding.defined()) {
    scores = masked(scores.unflatten(0, {-1, heads}), padding.unsqueeze(1).unsqueeze(2), "key_padding_mask").flatten(0, 1);
  }
  return wick::softmax(scores, -1);
}

}  // namespace

namespace functional {

std::tuple<Tensor, Tensor> multi_head_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                        const MultiheadAttentionForwardFuncOptions& o) {
  if (query.dim() == 2 && key.dim() == 2 && value.dim() == 2) {
    MultiheadAttentionForwardFuncOptions one(o);
    if (o.key_padding_mask().defined()) one.key_padding_mask(o.key_padding_mask().unsqueeze(0));
    const auto [y, weights] = multi_head_attention_forward(query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1), one);
    return {y.squeeze(1), weights.defined() ? weights.squeeze(0) : weights};
  }
  check_inputs(query, key, value, o);
  const int64_t length = query.size(0), batch = query.size(1), width = query.size(2), heads = o.num_heads();
  const int64_t head_width = width_of_head(width, heads);
  auto [q, k, v] = project({query, key, value}, o);
  q = q * (1 / std::sqrt(static_cast<double>(head_width)));
  Tensor mask = o.attn_mask(), padding = o.key_padding_mask();
  const auto append_key = [&](const Tensor& one_k, const Tensor& one_v, int64_t dim) {
    k = cat({k, one_k}, dim);
    v = cat({v, one_v}, dim);
    extend_mask(mask);
    extend_mask(padding);
  };
  if (o.bias_k().defined()) append_key(o.bias_k().expand({1, batch, width}), o.bias_v().expand({1, batch, width}), 0);
  const auto by_head = [&](const Tensor& x) { return x.reshape({x.size(0), batch * heads, head_width}).transpose(0, 1); };
  q = by_head(q);
  k = o.static_k().defined() ? o.static_k() : by_head(k);
  v = o.static_v().defined() ? o.static_v() : by_head(v);
  WICK_CHECK(k.size(0) == batch * heads && k.size(2) == head_width && v.size(0) == batch * heads && v.size(2) == head_width,
             "static_k and static_v should have the sizes ", Dims{batch * heads, -1, head_width}, ", but got ", k.sizes(), " and ",
             v.sizes());
  if (o.add_zero_attn()) append_key(zeros({k.size(0), 1, head_width}, k.options()), zeros({v.size(0), 1, head_width}, v.options()), 1);
  WICK_CHECK(!padding.defined() || (padding.dim() == 2 && padding.size(0) == batch && padding.size(1) == k.size(1)),
             "key_padding_mask should have the sizes ", Dims{batch, k.size(1)}, ", but got ", padding.sizes());

  Tensor weights = wick::dropout(weights_of_keys(q, k, mask, padding, heads), o.dropout_p(), o.training());
  const Tensor output =
      wick::linear(bmm(weights, v).transpose(0, 1).reshape({length, batch, width}), o.out_proj_weight(), o.out_proj_bias());
  if (!o.need_weights()) return {output, Tensor()};
  weights = weights.unflatten(0, {batch, heads});
  return {output, o.average_attn_weights() ? weights.mean(1) : weights};
}

}  // namespace functional

WICK_LAYER_DEFINITION(MultiheadAttention);

MultiheadAttentionImpl::MultiheadAttentionImpl(const MultiheadAttentionOptions& o) : options(o) { MultiheadAttentionImpl::reset(); }

void MultiheadAttentionImpl::reset() {
  const int64_t width = options.embed_dim();
  _qkv_same_embed_dim = options.kdim() == width && options.vdim() == width;
  head_dim = width_of_head(width, options.num_heads());
  const auto parameter = [&](const char* name, bool has, IntArrayRef sizes) {
    return register_parameter(name, has ? empty(sizes) : Tensor(), /*requires_grad=*/has);
  };
  q_proj_weight = parameter("q_proj_weight", !_qkv_same_embed_dim, {width, width});
  k_proj_weight = parameter("k_proj_weight", !_qkv_same_embed_dim, {width, options.kdim()});
  v_proj_weight = parameter("v_proj_weight", !_qkv_same_embed_dim, {width, options.vdim()});
  in_proj_weight = parameter("in_proj_weight", _qkv_same_embed_dim, {3 * width, width});
  in_proj_bias = parameter("in_proj_bias", options.bias(), {3 * width});
  out_proj = register_module("out_proj", Linear(LinearOptions(width, width).bias(options.bias())));
  bias_k = parameter("bias_k", options.add_bias_kv(), {1, 1, width});
  bias_v = parameter("bias_v", options.add_bias_kv(), {1, 1, width});
  _reset_parameters();
}

void MultiheadAttentionImpl::_reset_parameters() {
  for (const Tensor& weight : {in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight}) {
    if (weight.defined()) init::xavier_uniform_(weight);
  }
  if (in_proj_bias.defined()) {
    init::zeros_(in_proj_bias);
    init::zeros_(out_proj->bias);
  }
  for (const Tensor& bias : {bias_k, bias_v}) {
    if (bias.defined()) init::xavier_normal_(bias);
  }
}

void MultiheadAttentionImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::MultiheadAttention"; }

ForwardDefaults MultiheadAttentionImpl::forward_default_args() const {
  return {{3, AnyValue(Tensor())}, {4, AnyValue(true)}, {5, AnyValue(Tensor())}, {6, AnyValue(true)}};
}

std::tuple<Tensor, Tensor> MultiheadAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                           const Tensor& key_padding_mask, bool need_weights, const Tensor& attn_mask,
                                                           bool average_attn_weights) {
  return functional::multi_head_attention_forward(
      query, key, value,
      functional::MultiheadAttentionForwardFuncOptions(options.embed_dim(), options.num_heads(), in_proj_weight, in_proj_bias, bias_k,
                                                       bias_v, options.add_zero_attn(), options.dropout(), out_proj->weight, out_proj->bias)
          .training(is_training())
          .key_padding_mask(key_padding_mask)
          .need_weights(need_weights)
          .attn_mask(attn_mask)
          .use_separate_proj_weight(!_qkv_same_embed_dim)
          .q_proj_weight(q_proj_weight)
          .k_proj_weight(k_proj_weight)
          .v_proj_weight(v_proj_weight)
          .average_attn_weights(average_attn_weights));
}

}  // namespace wick::nn
