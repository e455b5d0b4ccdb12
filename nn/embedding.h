// Embedding: options, function and module.
#pragma once

#include <optional>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"

namespace wick::nn {

struct EmbeddingOptions {
  EmbeddingOptions(int64_t num_embeddings, int64_t embedding_dim) : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}
  WICK_ARG(int64_t, num_embeddings);
  WICK_ARG(int64_t, embedding_dim);
  WICK_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;  // a row without gradient, zero at first; may count from the end
  WICK_ARG(std::optional<double>, max_norm) = std::nullopt;      // rows that are looked up are first scaled down to this norm
  WICK_ARG(double, norm_type) = 2.0;
  WICK_ARG(bool, scale_grad_by_freq) = false;                    // divides a row's gradient by how often it was looked up
  WICK_ARG(bool, sparse) = false;                                // not supported
  WICK_ARG(Tensor, _weight);                                     // [num_embeddings, embedding_dim], used as it is
};

struct EmbeddingFromPretrainedOptions {
  WICK_ARG(bool, freeze) = true;
  WICK_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
  WICK_ARG(std::optional<double>, max_norm) = std::nullopt;
  WICK_ARG(double, norm_type) = 2.0;
  WICK_ARG(bool, scale_grad_by_freq) = false;
  WICK_ARG(bool, sparse) = false;
};

namespace functional {

struct EmbeddingFuncOptions {
  WICK_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
  WICK_ARG(std::optional<double>, max_norm) = std::nullopt;
  WICK_ARG(double, norm_type) = 2.0;
  WICK_ARG(bool, scale_grad_by_freq) = false;
  WICK_ARG(bool, sparse) = false;
};

// weight[input]: input [...] of int64 or int32, weight [V, D], result [..., D]. With max_norm, writes to weight.
Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options = {});
inline Tensor one_hot(const Tensor& tensor, int64_t num_classes = -1) { return wick::one_hot(tensor, num_classes); }

}  // namespace functional

// The rows start as N(0, 1).
class EmbeddingImpl : public Cloneable<EmbeddingImpl> {
 public:
  EmbeddingImpl(int64_t num_embeddings, int64_t embedding_dim) : EmbeddingImpl(EmbeddingOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingImpl(EmbeddingOptions options_);
  void reset() override;
  void reset_parameters();
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input);

  EmbeddingOptions options;
  Tensor weight;  // [num_embeddings, embedding_dim]
};

extern template class Cloneable<EmbeddingImpl>;
extern template class ModuleHolder<EmbeddingImpl>;

class Embedding : public ModuleHolder<EmbeddingImpl> {
 public:
  using ModuleHolder<EmbeddingImpl>::ModuleHolder;
  using Impl [[maybe_unused]] = EmbeddingImpl;

  // Has the rows of a matrix [V, D], which it shares.
  static Embedding from_pretrained(const Tensor& embeddings, const EmbeddingFromPretrainedOptions& options = {});
};

}  // namespace wick::nn
