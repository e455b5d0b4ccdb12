// Multi-head attention. Vaswani et al., "Attention is all you need", 2017.
#pragma once

#include "wick/framework/core/arg.h"
#include "wick/nn/linear.h"

namespace wick::nn {

struct MultiheadAttentionOptions {
  MultiheadAttentionOptions(int64_t embed_dim, int64_t num_heads)
      : embed_dim_(embed_dim), num_heads_(num_heads), kdim_(embed_dim), vdim_(embed_dim) {}
  WICK_ARG(int64_t, embed_dim);     // E
  WICK_ARG(int64_t, num_heads);     // H; each head sees E / H features
  WICK_ARG(double, dropout) = 0.0;  // on the attention weights
  WICK_ARG(bool, bias) = true;
  WICK_ARG(bool, add_bias_kv) = false;    // one more key and value, which are learned
  WICK_ARG(bool, add_zero_attn) = false;  // one more key and value, which are zero
  WICK_ARG(int64_t, kdim);                // features of the keys and values: E unless set
  WICK_ARG(int64_t, vdim);
};

namespace functional {

struct MultiheadAttentionForwardFuncOptions {
  MultiheadAttentionForwardFuncOptions(int64_t embed_dim_to_check, int64_t num_heads, Tensor in_proj_weight, Tensor in_proj_bias,
                                       Tensor bias_k, Tensor bias_v, bool add_zero_attn, double dropout_p, Tensor out_proj_weight,
                                       Tensor out_proj_bias)
      : embed_dim_to_check_(embed_dim_to_check), num_heads_(num_heads), in_proj_weight_(in_proj_weight), in_proj_bias_(in_proj_bias),
        bias_k_(bias_k), bias_v_(bias_v), add_zero_attn_(add_zero_attn), dropout_p_(dropout_p), out_proj_weight_(out_proj_weight),
        out_proj_bias_(out_proj_bias) {}
  WICK_ARG(int64_t, embed_dim_to_check);
  WICK_ARG(int64_t, num_heads);
  WICK_ARG(Tensor, in_proj_weight);  // [3 E, E]: of query, key and value
  WICK_ARG(Tensor, in_proj_bias);    // [3 E], or undefined
  WICK_ARG(Tensor, bias_k);          // [1, 1, E], or undefined
  WICK_ARG(Tensor, bias_v);
  WICK_ARG(bool, add_zero_attn);
  WICK_ARG(double, dropout_p);
  WICK_ARG(Tensor, out_proj_weight);  // [E, E]
  WICK_ARG(Tensor, out_proj_bias);    // [E], or undefined
  WICK_ARG(bool, training) = true;
  WICK_ARG(Tensor, key_padding_mask) = {};  // [N, S] bool: true where a key is to be ignored, or added to the scores
  WICK_ARG(bool, need_weights) = true;
  WICK_ARG(Tensor, attn_mask) = {};  // [L, S] or [N H, L, S]: added to the scores, or bool: true where there is to be no attention
  WICK_ARG(bool, use_separate_proj_weight) = false;  // the next three in place of in_proj_weight
  WICK_ARG(Tensor, q_proj_weight) = {};  // [E, E], [E, kdim], [E, vdim]
  WICK_ARG(Tensor, k_proj_weight) = {};
  WICK_ARG(Tensor, v_proj_weight) = {};
  WICK_ARG(Tensor, static_k) = {};  // [N H, S, E / H]: used in place of the projected keys and values
  WICK_ARG(Tensor, static_v) = {};
  WICK_ARG(bool, average_attn_weights) = true;
};

// query [L, N, E], key [S, N, kdim], value [S, N, vdim]: N sequences of L queries and S keys. With q, k, v the projections of one head:
//   softmax(q kᵀ / sqrt(E / H) + mask) v
// for each head, side by side, projected by out_proj. Returns the output [L, N, E] and, with need_weights, the attention weights:
// [N, L, S], their mean over the heads, or [N, H, L, S]. Without N, and a key_padding_mask of [S], for one sequence.
std::tuple<Tensor, Tensor> multi_head_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                        const MultiheadAttentionForwardFuncOptions& options);

}  // namespace functional

// Matrices start by Xavier's uniform rule, biases of the projections at zero, bias_k and bias_v by Xavier's normal rule. Throws unless E is
// a multiple of H.
class MultiheadAttentionImpl : public Cloneable<MultiheadAttentionImpl> {
 public:
  MultiheadAttentionImpl(int64_t embed_dim, int64_t num_heads) : MultiheadAttentionImpl(MultiheadAttentionOptions(embed_dim, num_heads)) {}
  explicit MultiheadAttentionImpl(const MultiheadAttentionOptions& options_);

  void reset() override;
  void _reset_parameters();  // the name in LibTorch
  void pretty_print(std::ostream& stream) const override;

  std::tuple<Tensor, Tensor> forward(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& key_padding_mask = {},
                                     bool need_weights = true, const Tensor& attn_mask = {}, bool average_attn_weights = true);

  MultiheadAttentionOptions options;
  // Parameters with the shapes of the function's options; those that are not used are undefined.
  Tensor in_proj_weight, in_proj_bias, bias_k, bias_v;
  Linear out_proj = nullptr;
  Tensor q_proj_weight, k_proj_weight, v_proj_weight;
  bool _qkv_same_embed_dim;  // kdim = vdim = E: in_proj_weight has all three projections
  int64_t head_dim;          // E / H

 protected:
  ForwardDefaults forward_default_args() const override;
};

WICK_LAYER(MultiheadAttention);

}  // namespace wick::nn
