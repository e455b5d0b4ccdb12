#include "wick/nn/embedding.h"

#include <cmath>

#include "wick/nn/any_module.h"
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
  WICK_CHECK(max_norm >= 0, "renorm: expected maxnorm to be >= 0 but got ", max_norm);
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

// The positions in `input` of each bag's rows, filled up with 0 to the longest bag, and which of them count, [bags, longest].
static std::pair<Tensor, Tensor> bags_of(const Tensor& input, const EmbeddingBagFuncOptions& o) {
  if (input.dim() == 2) {
    WICK_CHECK(!o.offsets().defined(), "If input is 2D, then offsets has to be null, as input is treated is a mini-batch of fixed length "
               "sequences. However, found offsets of type Tensor");
    return {arange(input.numel(), kLong).view(input.sizes()), ones(input.sizes(), kBool)};
  }
  WICK_CHECK(input.dim() == 1, "input has to be 1D or 2D Tensor, but got Tensor of dimension ", input.dim());
  WICK_CHECK(o.offsets().defined(), "offsets has to be a 1D Tensor but got null");
  WICK_CHECK(o.offsets().dim() == 1 && o.offsets().numel() > 0, "offsets has to be a 1D Tensor");
  WICK_CHECK(is_integral(o.offsets().scalar_type(), false),
             "Expected tensor for argument #1 'offsets' to have one of the following scalar types: Long, Int; but got torch.",
             o.offsets().scalar_type(), "Tensor instead (while checking arguments for embedding_bag)");
  const int64_t rows = input.size(0), first = o.offsets()[0].item<int64_t>(), last = o.offsets()[-1].item<int64_t>();
  WICK_CHECK(first == 0, "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got ",
             first);
  WICK_CHECK(last <= rows, "offsets[-1] can not be greater than input's length({", rows, "}), but got offsets[-1] of {", last, "}");
  const Tensor edges = o.include_last_offset() ? o.offsets().to(kLong) : cat({o.offsets().to(kLong), full({1}, rows, kLong)});
  const int64_t bags = edges.numel() - 1;
  const Tensor starts = edges.narrow(0, 0, bags).unsqueeze(1), ends = edges.narrow(0, 1, bags).unsqueeze(1);
  WICK_CHECK(starts.le(ends).all().item<bool>(), "embedding_bag: offsets must not decrease");
  const int64_t longest = bags ? (ends - starts).max().item<int64_t>() : 0;
  const Tensor positions = starts + arange(longest, kLong);
  return {where(positions.lt(ends), positions, zeros({}, kLong)), positions.lt(ends)};
}

Tensor embedding_bag(const Tensor& input, const Tensor& weight, const EmbeddingBagFuncOptions& o) {
  const Tensor& factors = o.per_sample_weights();
  WICK_CHECK(!factors.defined() || factors.sizes() == input.sizes(), "embedding_bag: If per_sample_weights (", factors.sizes(),
             ") is not null, then it must have the same shape as the input (", input.sizes(), ")");
  const bool is_max = holds_alternative<enumtype::kMax>(o.mode());
  WICK_CHECK(!is_max || !o.scale_grad_by_freq(), "max mode does not support scaling the gradient by the frequency");
  WICK_CHECK(!factors.defined() || holds_alternative<enumtype::kSum>(o.mode()), "embedding_bag: per_sample_weights was not null. "
             "per_sample_weights is only supported for mode='kSum' (got mode='", enumtype::get_enum_name(o.mode()),
             "').Please open a feature request on GitHub.");
  auto [positions, counts] = bags_of(input, o);
  const int64_t padding_idx = checked_padding(o.padding_idx(), weight.size(0));
  if (positions.numel() == 0) return wick::embedding(weight, positions).sum({1});
  if (o.max_norm()) scale_down(weight, input, *o.max_norm(), o.norm_type());
  const Tensor rows = input.flatten().index_select(0, positions.flatten()).view(positions.sizes());
  if (padding_idx >= 0) counts = counts.logical_and(rows.ne(padding_idx));
  Tensor found = wick::embedding(weight, input.flatten(), padding_idx, o.scale_grad_by_freq(), o.sparse()).index({positions});
  const Tensor hidden = counts.logical_not().unsqueeze(2), filled = counts.sum({1}, true);
  if (is_max) return std::get<0>(found.masked_fill(hidden, -HUGE_VAL).max(1)).masked_fill(filled.eq(0), 0);
  if (factors.defined()) found = found * factors.flatten().index_select(0, positions.flatten()).view(positions.sizes()).unsqueeze(2);
  const Tensor sum = found.masked_fill(hidden, 0).sum({1});
  return holds_alternative<enumtype::kSum>(o.mode()) ? sum : sum / filled.clamp_min(1).to(sum.scalar_type());
}

}  // namespace functional

namespace {

// A new weight, or the one given; resolves a padding_idx that counts from the end.
template <class Options>
Tensor initial_weight(Options& options) {
  if (options.padding_idx()) options.padding_idx(checked_padding(options.padding_idx(), options.num_embeddings()));
  const Tensor& given = options._weight();
  if (!given.defined()) return empty({options.num_embeddings(), options.embedding_dim()});
  WICK_CHECK(given.sizes() == IntArrayRef({options.num_embeddings(), options.embedding_dim()}),
             "Shape of _weight does not match num_embeddings and embedding_dim");
  return given.detach();
}

template <class Options>
void describe_lookup(Fields& fields, const Options& options, bool padding_first) {
  const bool python = fields.is_python();
  fields.add(python ? "" : "num_embeddings", options.num_embeddings()).add(python ? "" : "embedding_dim", options.embedding_dim());
  if (padding_first && options.padding_idx()) fields.add("padding_idx", *options.padding_idx());
  if (options.max_norm()) fields.add("max_norm", *options.max_norm());
  if (options.norm_type() != 2) fields WICK_FIELD(norm_type);
  fields WICK_FLAG(scale_grad_by_freq) WICK_FLAG(sparse);
}

template <class To, class From, class... Sizes>
To lookup_options(const From& from, Sizes... sizes) {
  return To(sizes...).padding_idx(from.padding_idx()).max_norm(from.max_norm()).norm_type(from.norm_type())
      .scale_grad_by_freq(from.scale_grad_by_freq()).sparse(from.sparse());
}

template <class Options, class Given>
Options pretrained_options(const Tensor& embeddings, const Given& given) {
  WICK_CHECK(embeddings.dim() == 2, "Embeddings parameter is expected to be 2-dimensional");
  Options options = lookup_options<Options>(given, embeddings.size(0), embeddings.size(1));
  if constexpr (requires { given.mode(); }) options.mode(given.mode()).include_last_offset(given.include_last_offset());
  return options._weight(embeddings);
}

}  // namespace

void EmbeddingImpl::describe(Fields& fields) const { describe_lookup(fields.layer("Embedding"), options, true); }
Tensor EmbeddingImpl::forward(const Tensor& input) {
  return functional::embedding(input, weight, lookup_options<functional::EmbeddingFuncOptions>(options));
}

void EmbeddingBagImpl::describe(Fields& fields) const {
  describe_lookup(fields.layer("EmbeddingBag"), options, false);
  const std::string mode = enumtype::get_enum_name(options.mode());
  if (mode != "kMean" && !fields.is_python()) fields.add_text("mode", mode);
  else if (fields.is_python()) fields.add("mode", std::string_view(mode == "kSum" ? "sum" : mode == "kMax" ? "max" : "mean"));
  if (!fields.is_python()) fields WICK_FLAG(include_last_offset);
  if (options.padding_idx()) fields.add("padding_idx", *options.padding_idx());
}
Tensor EmbeddingBagImpl::forward(const Tensor& input, const Tensor& offsets, const Tensor& per_sample_weights) {
  return functional::embedding_bag(input, weight, lookup_options<functional::EmbeddingBagFuncOptions>(options)
                                                      .mode(options.mode())
                                                      .include_last_offset(options.include_last_offset())
                                                      .offsets(offsets)
                                                      .per_sample_weights(per_sample_weights));
}
ForwardDefaults EmbeddingBagImpl::forward_default_args() const {
  return {{1, AnyValue(Tensor())}, {2, AnyValue(Tensor())}};
}

// What both layers have.
#define WICK_EMBEDDING_LAYER(Name)                                                                                    \
  WICK_LAYER_DEFINITION(Name);                                                                                        \
  void Name##Impl::reset() {                                                                                          \
    weight = register_parameter("weight", initial_weight(options));                                                   \
    if (!options._weight().defined()) reset_parameters();                                                             \
  }                                                                                                                   \
  void Name##Impl::reset_parameters() {                                                                               \
    init::normal_(weight);                                                                                            \
    NoGradGuard no_grad;                                                                                              \
    if (options.padding_idx()) weight[*options.padding_idx()].fill_(0);                                               \
  }                                                                                                                   \
  Name Name::from_pretrained(const Tensor& embeddings, const Name##FromPretrainedOptions& options) {                  \
    Name layer(pretrained_options<Name##Options>(embeddings, options));                                               \
    layer->weight.set_requires_grad(!options.freeze());                                                               \
    return layer;                                                                                                     \
  }
WICK_EMBEDDING_LAYER(Embedding)
WICK_EMBEDDING_LAYER(EmbeddingBag)
#undef WICK_EMBEDDING_LAYER

}  // namespace wick::nn
