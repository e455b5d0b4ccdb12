// The Transformer: layers, stacks of them, and the whole. Vaswani et al., "Attention is all you need", 2017; normalisation comes after
// each addition, as there.
//
// src [S, N, E], tgt [T, N, E]; masks [S, S], [T, T] and [T, S] are added to the scores; key padding masks [N, S] and [N, T] are true
// where a position is to be ignored. All without N for one sequence.
#pragma once

#include <functional>
#include <variant>

#include "wick/nn/activation.h"
#include "wick/nn/any_module.h"
#include "wick/nn/attention.h"
#include "wick/nn/dropout.h"
#include "wick/nn/module_list.h"
#include "wick/nn/normalization.h"

namespace wick::nn {

using activation_t = std::variant<enumtype::kReLU, enumtype::kGELU, std::function<Tensor(const Tensor&)>>;

struct TransformerEncoderLayerOptions {
  TransformerEncoderLayerOptions(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {}
  WICK_ARG(int64_t, d_model);  // E
  WICK_ARG(int64_t, nhead);
  WICK_ARG(int64_t, dim_feedforward) = 2048;
  WICK_ARG(double, dropout) = 0.1;
  WICK_ARG(activation_t, activation) = kReLU;
};
using TransformerDecoderLayerOptions = TransformerEncoderLayerOptions;

namespace detail {

// The parts of both layers; an encoder layer leaves those that are a decoder's empty.
template <class Derived, bool decodes>
class TransformerLayer : public Cloneable<Derived> {
 public:
  explicit TransformerLayer(const TransformerEncoderLayerOptions& options_);
  TransformerLayer(int64_t d_model, int64_t nhead);
  void reset() override;
  void reset_parameters();

  TransformerEncoderLayerOptions options;
  MultiheadAttention self_attn = nullptr, multihead_attn = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;
  LayerNorm norm1 = nullptr, norm2 = nullptr, norm3 = nullptr;
  Dropout dropout = nullptr, dropout1 = nullptr, dropout2 = nullptr, dropout3 = nullptr;

 protected:
  ForwardDefaults forward_default_args() const override;
  Tensor feed_forward(const Tensor& x);  // linear2(dropout(activation(linear1(x))))
};

}  // namespace detail

// x = norm1(src + dropout1(self_attn(src)));  norm2(x + dropout2(feed_forward(x)))
class TransformerEncoderLayerImpl : public detail::TransformerLayer<TransformerEncoderLayerImpl, false> {
 public:
  using TransformerLayer::TransformerLayer;
  Tensor forward(const Tensor& src, const Tensor& src_mask = {}, const Tensor& src_key_padding_mask = {});
};
// x = norm1(tgt + dropout1(self_attn(tgt)));  x = norm2(x + dropout2(multihead_attn(x, memory)));  norm3(x + dropout3(feed_forward(x)))
class TransformerDecoderLayerImpl : public detail::TransformerLayer<TransformerDecoderLayerImpl, true> {
 public:
  using TransformerLayer::TransformerLayer;
  Tensor forward(Tensor tgt, const Tensor& memory, const Tensor& tgt_mask = {}, const Tensor& memory_mask = {},
                 const Tensor& tgt_key_padding_mask = {}, const Tensor& memory_key_padding_mask = {});
};
WICK_LAYER(TransformerEncoderLayer);
WICK_LAYER(TransformerDecoderLayer);

// The layers are clones of `layer`; norm, unless empty, is of what the last one puts out.
#define WICK_TRANSFORMER_OPTIONS(Kind, layer)                                                                                 \
  struct Transformer##Kind##Options {                                                                                         \
    Transformer##Kind##Options(Transformer##Kind##Layer layer, int64_t num_layers);                                           \
    Transformer##Kind##Options(const Transformer##Kind##LayerOptions& options, int64_t num_layers);                           \
    WICK_ARG(Transformer##Kind##Layer, layer) = nullptr;                                                                      \
    WICK_ARG(int64_t, num_layers);                                                                                            \
    WICK_ARG(AnyModule, norm);                                                                                                \
  }
WICK_TRANSFORMER_OPTIONS(Encoder, encoder_layer);
WICK_TRANSFORMER_OPTIONS(Decoder, decoder_layer);
#undef WICK_TRANSFORMER_OPTIONS

namespace detail {

// A stack of layers, and a norm.
template <class Derived, class Options>
class TransformerStack : public Cloneable<Derived> {
 public:
  explicit TransformerStack(Options options_);
  void reset() override;
  void reset_parameters();  // of the layers; norm is made anew from the options

  Options options;
  ModuleList layers = nullptr;
  AnyModule norm;

 protected:
  ForwardDefaults forward_default_args() const override;

 private:
  void make_norm();
};

}  // namespace detail

class TransformerEncoderImpl : public detail::TransformerStack<TransformerEncoderImpl, TransformerEncoderOptions> {
 public:
  using TransformerStack::TransformerStack;
  TransformerEncoderImpl(TransformerEncoderLayer layer, int64_t num_layers);
  Tensor forward(const Tensor& src, const Tensor& src_mask = {}, const Tensor& src_key_padding_mask = {});
};
class TransformerDecoderImpl : public detail::TransformerStack<TransformerDecoderImpl, TransformerDecoderOptions> {
 public:
  using TransformerStack::TransformerStack;
  TransformerDecoderImpl(TransformerDecoderLayer layer, int64_t num_layers);
  Tensor forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask = {}, const Tensor& memory_mask = {},
                 const Tensor& tgt_key_padding_mask = {}, const Tensor& memory_key_padding_mask = {});
};
WICK_LAYER(TransformerEncoder);
WICK_LAYER(TransformerDecoder);

struct TransformerOptions {
  TransformerOptions() = default;
  TransformerOptions(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {}
  TransformerOptions(int64_t d_model, int64_t nhead, int64_t num_encoder_layers, int64_t num_decoder_layers)
      : d_model_(d_model), nhead_(nhead), num_encoder_layers_(num_encoder_layers), num_decoder_layers_(num_decoder_layers) {}
  WICK_ARG(int64_t, d_model) = 512;
  WICK_ARG(int64_t, nhead) = 8;
  WICK_ARG(int64_t, num_encoder_layers) = 6;
  WICK_ARG(int64_t, num_decoder_layers) = 6;
  WICK_ARG(int64_t, dim_feedforward) = 2048;
  WICK_ARG(double, dropout) = 0.1;
  WICK_ARG(activation_t, activation) = kReLU;
  WICK_ARG(AnyModule, custom_encoder);  // called with src, src_mask, src_key_padding_mask
  WICK_ARG(AnyModule, custom_decoder);  // called with tgt, memory, tgt_mask, memory_mask and the two key padding masks
};

// decoder(tgt, encoder(src)). Matrices start by Xavier's uniform rule.
class TransformerImpl : public Cloneable<TransformerImpl> {
 public:
  explicit TransformerImpl(TransformerOptions options_ = {});
  void reset() override;
  void reset_parameters();
  Tensor forward(const Tensor& src, const Tensor& tgt, const Tensor& src_mask = {}, const Tensor& tgt_mask = {},
                 const Tensor& memory_mask = {}, const Tensor& src_key_padding_mask = {}, const Tensor& tgt_key_padding_mask = {},
                 const Tensor& memory_key_padding_mask = {});
  // [sz, sz]: minus infinity above the diagonal, so that no position sees a later one; else 0.
  static Tensor generate_square_subsequent_mask(int64_t sz);

  TransformerOptions options;
  AnyModule encoder, decoder;

 protected:
  ForwardDefaults forward_default_args() const override;
};
WICK_LAYER(Transformer);

}  // namespace wick::nn
