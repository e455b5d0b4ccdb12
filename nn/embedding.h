// Embedding and EmbeddingBag: options, functions and modules.
#pragma once

#include <optional>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/enum.h"

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

#define WICK_LOOKUP_OPTIONS                                       \
  WICK_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;   \
  WICK_ARG(std::optional<double>, max_norm) = std::nullopt;       \
  WICK_ARG(double, norm_type) = 2.0;                              \
  WICK_ARG(bool, scale_grad_by_freq) = false;                     \
  WICK_ARG(bool, sparse) = false
#define WICK_BAG_OPTIONS                                                                   \
  WICK_LOOKUP_OPTIONS;                                                                     \
  WICK_ARG(EmbeddingBagMode, mode) = kMean; /* of the rows of a bag */                     \
  WICK_ARG(bool, include_last_offset) = false /* the last offset is where the last bag ends */

struct EmbeddingFromPretrainedOptions {
  WICK_ARG(bool, freeze) = true;
  WICK_LOOKUP_OPTIONS;
};

using EmbeddingBagMode = OneOf<enumtype::kSum, enumtype::kMean, enumtype::kMax>;
struct EmbeddingBagOptions {
  EmbeddingBagOptions(int64_t num_embeddings, int64_t embedding_dim) : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}
  WICK_ARG(int64_t, num_embeddings);
  WICK_ARG(int64_t, embedding_dim);
  WICK_BAG_OPTIONS;  // a row of padding_idx does not count in its bag
  WICK_ARG(Tensor, _weight);
};
struct EmbeddingBagFromPretrainedOptions {
  WICK_ARG(bool, freeze) = true;
  WICK_BAG_OPTIONS;
};

namespace functional {

struct EmbeddingFuncOptions {
  WICK_LOOKUP_OPTIONS;
};
struct EmbeddingBagFuncOptions {
  WICK_ARG(Tensor, offsets);             // where each bag starts in an input of one dimension
  WICK_ARG(Tensor, per_sample_weights);  // with kSum: as input, by which its rows are multiplied
  WICK_BAG_OPTIONS;
};
#undef WICK_LOOKUP_OPTIONS
#undef WICK_BAG_OPTIONS

// weight[input]: input [...] of int64 or int32, weight [V, D], result [..., D]. With max_norm, writes to weight.
Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options = {});
// The sum, mean or maximum of the rows of each bag, [bags, D]; zero for an empty one. input: [bags, rows], or [rows] with offsets.
Tensor embedding_bag(const Tensor& input, const Tensor& weight, const EmbeddingBagFuncOptions& options = {});
inline Tensor one_hot(const Tensor& tensor, int64_t num_classes = -1) { return wick::one_hot(tensor, num_classes); }

}  // namespace functional

// The rows start as N(0, 1).
class EmbeddingImpl : public Cloneable<EmbeddingImpl> {
 public:
  EmbeddingImpl(int64_t num_embeddings, int64_t embedding_dim) : EmbeddingImpl(EmbeddingOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingImpl(EmbeddingOptions options_) : options(std::move(options_)) { EmbeddingImpl::reset(); }
  void reset() override;
  void reset_parameters();
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input);

  EmbeddingOptions options;
  Tensor weight;  // [num_embeddings, embedding_dim]
};

class EmbeddingBagImpl : public Cloneable<EmbeddingBagImpl> {
 public:
  EmbeddingBagImpl(int64_t num_embeddings, int64_t embedding_dim) : EmbeddingBagImpl(EmbeddingBagOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingBagImpl(EmbeddingBagOptions options_) : options(std::move(options_)) { EmbeddingBagImpl::reset(); }
  void reset() override;
  void reset_parameters();
  void describe(Fields& fields) const override;
  Tensor forward(const Tensor& input, const Tensor& offsets = {}, const Tensor& per_sample_weights = {});

  EmbeddingBagOptions options;
  Tensor weight;  // [num_embeddings, embedding_dim]

 protected:
  ForwardDefaults forward_default_args() const override;
};

// The holders can be made of the rows of a matrix [V, D], which they share.
#define WICK_EMBEDDING_LAYER(Name)                                                                          \
  extern template class Cloneable<Name##Impl>;                                                              \
  extern template class ModuleHolder<Name##Impl>;                                                           \
  class Name : public ModuleHolder<Name##Impl> {                                                            \
   public:                                                                                                  \
    using ModuleHolder<Name##Impl>::ModuleHolder;                                                           \
    using Impl [[maybe_unused]] = Name##Impl;                                                               \
    static Name from_pretrained(const Tensor& embeddings, const Name##FromPretrainedOptions& options = {}); \
  }
WICK_EMBEDDING_LAYER(Embedding);
WICK_EMBEDDING_LAYER(EmbeddingBag);
#undef WICK_EMBEDDING_LAYER

}  // namespace wick::nn
