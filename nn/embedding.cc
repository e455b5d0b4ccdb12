#include "wick/nn/embedding.h"

#include "wick/nn/init.h"

namespace wick::nn {
namespace {

// -1 stands for none, as in the operation.
int64_t checked_padding(const std::optional<int64_t>& padding_idx, int64_t count) {
  if (!padding_idx) return -1;
  WICK_CHECK(*padding_idx < count && *padding_idx >= -count, "Padding_idx must be within num_embeddings");
  return *padding_idx < 0 ? *padding_idx + count : *padding_idx;
}

void scale_down(const Tensor& weight, const Tensor& input, double max_norm, double norm_type) {
  NoGradGuard no_grad;
  const Tensor rows = input.to(kLong).reshape({-1}), found = weight.index_select(0, rows);
  const Tensor norms = found.norm(norm_type, 1, /*keepdim=*/true);
  // A row that is looked up twice is written twice, with the same numbers.
  weight.index_copy_(0, rows, where(norms.gt(max_norm), found * (max_norm / (norms + 1e-7)), found));
}

}  // namespace

namespace functional {

Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options) {
  const int64_t padding_idx = checked_padding(options.padding_idx(), weight.size(0));
  if (options.max_norm()) scale_down(weight, input, *options.max_norm(), options.norm_type());
  return wick::embedding(weight, input, padding_idx, options.scale_grad_by_freq(), options.sparse());
}

}  // namespace functional

WICK_LAYER_DEFINITION(Embedding);

EmbeddingImpl::EmbeddingImpl(EmbeddingOptions options_) : options(std::move(options_)) { EmbeddingImpl::reset(); }

void EmbeddingImpl::reset() {
  if (options.padding_idx()) options.padding_idx(checked_padding(options.padding_idx(), options.num_embeddings()));
  const Tensor& given = options._weight();
  if (!given.defined()) {
    weight = register_parameter("weight", empty({options.num_embeddings(), options.embedding_dim()}));
    return reset_parameters();
  }
  WICK_CHECK(given.sizes() == IntArrayRef({options.num_embeddings(), options.embedding_dim()}),
             "Shape of _weight does not match num_embeddings and embedding_dim");
  weight = register_parameter("weight", given.detach());
}

void EmbeddingImpl::reset_parameters() {
  init::normal_(weight);
  if (!options.padding_idx()) return;
  NoGradGuard no_grad;
  weight[*options.padding_idx()].fill_(0);
}

void EmbeddingImpl::describe(Fields& fields) const {
  fields.layer("Embedding").add("num_embeddings", options.num_embeddings()).add("embedding_dim", options.embedding_dim());
  if (options.padding_idx()) fields.add("padding_idx", *options.padding_idx());
  if (options.max_norm()) fields.add("max_norm", *options.max_norm());
  if (options.norm_type() != 2) fields.add("norm_type", options.norm_type());
  if (options.scale_grad_by_freq()) fields.add("scale_grad_by_freq", true);
}

Tensor EmbeddingImpl::forward(const Tensor& input) {
  return functional::embedding(input, weight,
                               functional::EmbeddingFuncOptions()
                                   .padding_idx(options.padding_idx())
                                   .max_norm(options.max_norm())
                                   .norm_type(options.norm_type())
                                   .scale_grad_by_freq(options.scale_grad_by_freq())
                                   .sparse(options.sparse()));
}

Embedding Embedding::from_pretrained(const Tensor& embeddings, const EmbeddingFromPretrainedOptions& options) {
  WICK_CHECK(embeddings.dim() == 2, "Embeddings parameter is expected to be 2-dimensional");
  Embedding layer(EmbeddingOptions(embeddings.size(0), embeddings.size(1))
                      ._weight(embeddings)
                      .padding_idx(options.padding_idx())
                      .max_norm(options.max_norm())
                      .norm_type(options.norm_type())
                      .scale_grad_by_freq(options.scale_grad_by_freq())
                      .sparse(options.sparse()));
  layer->weight.set_requires_grad(!options.freeze());
  return layer;
}

}  // namespace wick::nn
