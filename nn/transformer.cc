#include "wick/nn/transformer.h"

#include <limits>

#include "wick/nn/init.h"

namespace wick::nn {
namespace {

Tensor activate(const Tensor& x, const activation_t& activation) {
  if (std::holds_alternative<enumtype::kReLU>(activation)) return wick::relu(x);
  if (std::holds_alternative<enumtype::kGELU>(activation)) return wick::gelu(x);
  return std::get<std::function<Tensor(const Tensor&)>>(activation)(x);
}

// Arguments `first` to `last` may be left out, and are then undefined tensors.
ForwardDefaults undefined_tensors(unsigned first, unsigned last) {
  ForwardDefaults arguments;
  for (unsigned i = first; i <= last; ++i) arguments.emplace_back(i, AnyValue(Tensor()));
  return arguments;
}

MultiheadAttention attention(const TransformerEncoderLayerOptions& o) {
  return MultiheadAttention(MultiheadAttentionOptions(o.d_model(), o.nhead()).dropout(o.dropout()));
}

const TransformerEncoderLayer& layer_of(const TransformerEncoderOptions& o) { return o.encoder_layer(); }
const TransformerDecoderLayer& layer_of(const TransformerDecoderOptions& o) { return o.decoder_layer(); }

}  // namespace

// ---- Layers ------------------------------------------------------------------------------------------------------------------------

namespace detail {

template <class Derived, bool decodes>
TransformerLayer<Derived, decodes>::TransformerLayer(const TransformerEncoderLayerOptions& options_) : options(options_) {
  TransformerLayer::reset();
}
template <class Derived, bool decodes>
TransformerLayer<Derived, decodes>::TransformerLayer(int64_t d_model, int64_t nhead)
    : TransformerLayer(TransformerEncoderLayerOptions(d_model, nhead)) {}

template <class Derived, bool decodes>
void TransformerLayer<Derived, decodes>::reset() {
  const auto add_norm = [&](const char* name) { return this->register_module(name, LayerNorm(LayerNormOptions({options.d_model()}))); };
  const auto add_dropout = [&](const char* name) { return this->register_module(name, Dropout(options.dropout())); };
  self_attn = this->register_module("self_attn", attention(options));
  if (decodes) multihead_attn = this->register_module("multihead_attn", attention(options));
  linear1 = this->register_module("linear1", Linear(options.d_model(), options.dim_feedforward()));
  dropout = add_dropout("dropout");
  linear2 = this->register_module("linear2", Linear(options.dim_feedforward(), options.d_model()));
  norm1 = add_norm("norm1");
  norm2 = add_norm("norm2");
  if (decodes) norm3 = add_norm("norm3");
  dropout1 = add_dropout("dropout1");
  dropout2 = add_dropout("dropout2");
  if (decodes) dropout3 = add_dropout("dropout3");
}

template <class Derived, bool decodes>
void TransformerLayer<Derived, decodes>::reset_parameters() {
  for (auto* attention : {&self_attn, &multihead_attn}) {
    if (!attention->is_empty()) (*attention)->_reset_parameters();
  }
  for (auto* linear : {&linear1, &linear2}) (*linear)->reset_parameters();
  for (auto* norm : {&norm1, &norm2, &norm3}) {
    if (!norm->is_empty()) (*norm)->reset_parameters();
  }
}

template <class Derived, bool decodes>
ForwardDefaults TransformerLayer<Derived, decodes>::forward_default_args() const {
  return decodes ? undefined_tensors(2, 5) : undefined_tensors(1, 2);
}

template <class Derived, bool decodes>
Tensor TransformerLayer<Derived, decodes>::feed_forward(const Tensor& x) {
  return linear2(dropout(activate(linear1(x), options.activation())));
}

template class TransformerLayer<TransformerEncoderLayerImpl, false>;
template class TransformerLayer<TransformerDecoderLayerImpl, true>;

}  // namespace detail

Tensor TransformerEncoderLayerImpl::forward(const Tensor& src, const Tensor& src_mask, const Tensor& src_key_padding_mask) {
  const Tensor x = norm1(src + dropout1(std::get<0>(self_attn(src, src, src, src_key_padding_mask, /*need_weights=*/false, src_mask))));
  return norm2(x + dropout2(feed_forward(x)));
}

Tensor TransformerDecoderLayerImpl::forward(Tensor tgt, const Tensor& memory, const Tensor& tgt_mask, const Tensor& memory_mask,
                                            const Tensor& tgt_key_padding_mask, const Tensor& memory_key_padding_mask) {
  tgt = norm1(tgt + dropout1(std::get<0>(self_attn(tgt, tgt, tgt, tgt_key_padding_mask, /*need_weights=*/false, tgt_mask))));
  const auto attended = multihead_attn(tgt, memory, memory, memory_key_padding_mask, /*need_weights=*/false, memory_mask);
  tgt = norm2(tgt + dropout2(std::get<0>(attended)));
  return norm3(tgt + dropout3(feed_forward(tgt)));
}

// ---- Stacks ------------------------------------------------------------------------------------------------------------------------

#define WICK_TRANSFORMER_STACK(Kind, layer)                                                                                        \
  Transformer##Kind##Options::Transformer##Kind##Options(Transformer##Kind##Layer layer, int64_t num_layers)                       \
      : layer##_(std::move(layer)), num_layers_(num_layers) {}                                                                     \
  Transformer##Kind##Options::Transformer##Kind##Options(const Transformer##Kind##LayerOptions& options, int64_t num_layers)       \
      : Transformer##Kind##Options(Transformer##Kind##Layer(options), num_layers) {}                                               \
  Transformer##Kind##Impl::Transformer##Kind##Impl(Transformer##Kind##Layer layer, int64_t num_layers)                             \
      : Transformer##Kind##Impl(Transformer##Kind##Options(std::move(layer), num_layers)) {}
WICK_TRANSFORMER_STACK(Encoder, encoder_layer)
WICK_TRANSFORMER_STACK(Decoder, decoder_layer)

namespace detail {

template <class Derived, class Options>
TransformerStack<Derived, Options>::TransformerStack(Options options_) : options(std::move(options_)) { TransformerStack::reset(); }

template <class Derived, class Options>
void TransformerStack<Derived, Options>::reset() {
  layers = this->register_module("layers", ModuleList());
  for (int64_t i = 0; i < options.num_layers(); ++i) layers->push_back(layer_of(options)->clone());
  make_norm();
}

template <class Derived, class Options>
void TransformerStack<Derived, Options>::make_norm() {
  norm = options.norm().is_empty() ? AnyModule() : options.norm().clone();
  if (!norm.is_empty()) this->register_module("norm", norm.ptr());
}

template <class Derived, class Options>
void TransformerStack<Derived, Options>::reset_parameters() {
  using Layer = std::decay_t<decltype(*layer_of(options))>;
  WICK_CHECK(layers->size() == static_cast<size_t>(options.num_layers()), "a stack of ", options.num_layers(), " layers has ",
             layers->size());
  for (size_t i = 0; i < layers->size(); ++i) layers->template at<Layer>(i).reset_parameters();
  if (!norm.is_empty()) this->unregister_module("norm");
  make_norm();
}

template <class Derived, class Options>
ForwardDefaults TransformerStack<Derived, Options>::forward_default_args() const {
  constexpr bool encodes = std::is_same_v<Options, TransformerEncoderOptions>;
  return encodes ? undefined_tensors(1, 2) : undefined_tensors(2, 5);
}

template class TransformerStack<TransformerEncoderImpl, TransformerEncoderOptions>;
template class TransformerStack<TransformerDecoderImpl, TransformerDecoderOptions>;

}  // namespace detail

Tensor TransformerEncoderImpl::forward(const Tensor& src, const Tensor& src_mask, const Tensor& src_key_padding_mask) {
  Tensor x = src;
  for (size_t i = 0; i < layers->size(); ++i) {
    x = call(layers->at<TransformerEncoderLayerImpl>(i), x, src_mask, src_key_padding_mask);
  }
  return norm.is_empty() ? x : norm.forward<Tensor>(x);
}

Tensor TransformerDecoderImpl::forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask, const Tensor& memory_mask,
                                       const Tensor& tgt_key_padding_mask, const Tensor& memory_key_padding_mask) {
  Tensor x = tgt;
  for (size_t i = 0; i < layers->size(); ++i) {
    x = call(layers->at<TransformerDecoderLayerImpl>(i), x, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask);
  }
  return norm.is_empty() ? x : norm.forward<Tensor>(x);
}

// ---- The whole ---------------------------------------------------------------------------------------------------------------------

TransformerImpl::TransformerImpl(TransformerOptions options_) : options(std::move(options_)) { TransformerImpl::reset(); }

void TransformerImpl::reset() {
  const auto layer = TransformerEncoderLayerOptions(options.d_model(), options.nhead())
                         .dim_feedforward(options.dim_feedforward()).dropout(options.dropout()).activation(options.activation());
  const LayerNorm norm(LayerNormOptions({options.d_model()}));
  if (!options.custom_encoder().is_empty()) encoder = options.custom_encoder().clone();
  else encoder = AnyModule(TransformerEncoder(TransformerEncoderOptions(layer, options.num_encoder_layers()).norm(AnyModule(norm))));
  register_module("encoder", encoder.ptr());
  if (!options.custom_decoder().is_empty()) decoder = options.custom_decoder().clone();
  else decoder = AnyModule(TransformerDecoder(TransformerDecoderOptions(layer, options.num_decoder_layers()).norm(AnyModule(norm))));
  register_module("decoder", decoder.ptr());
  reset_parameters();
}

void TransformerImpl::reset_parameters() {
  for (const Tensor& parameter : parameters()) {
    if (parameter.dim() > 1) init::xavier_uniform_(parameter);
  }
}

ForwardDefaults TransformerImpl::forward_default_args() const { return undefined_tensors(2, 7); }

Tensor TransformerImpl::forward(const Tensor& src, const Tensor& tgt, const Tensor& src_mask, const Tensor& tgt_mask,
                                const Tensor& memory_mask, const Tensor& src_key_padding_mask, const Tensor& tgt_key_padding_mask,
                                const Tensor& memory_key_padding_mask) {
  WICK_CHECK(src.dim() == tgt.dim() && (src.dim() == 2 || src.dim() == 3), "src and tgt should have 3 dimensions, but got ", src.dim(),
             " and ", tgt.dim());
  WICK_CHECK(src.dim() == 2 || src.size(1) == tgt.size(1), "src and tgt should have equal batch size (at dim 1), but got ", src.size(1),
             " and ", tgt.size(1));
  WICK_CHECK(src.size(-1) == options.d_model() && tgt.size(-1) == options.d_model(),
             "src and tgt should have same feature size as d_model (at dim 2), but got ", src.size(-1), " and ", tgt.size(-1),
             " while d_model is ", options.d_model());
  const Tensor memory = encoder.forward<Tensor>(src, src_mask, src_key_padding_mask);
  return decoder.forward<Tensor>(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask);
}

Tensor TransformerImpl::generate_square_subsequent_mask(int64_t sz) {
  WICK_CHECK(sz >= 0, "Input size must be non-negative to generate a valid square subsequent mask, but got ", sz);
  return full({sz, sz}, -std::numeric_limits<float>::infinity()).triu(1);
}

WICK_LAYER_DEFINITION(TransformerEncoderLayer);
WICK_LAYER_DEFINITION(TransformerDecoderLayer);
WICK_LAYER_DEFINITION(TransformerEncoder);
WICK_LAYER_DEFINITION(TransformerDecoder);
WICK_LAYER_DEFINITION(Transformer);

}  // namespace wick::nn
