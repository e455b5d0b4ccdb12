// Rows of a table by their numbers.
#include "wick/framework/ops/op.h"

namespace wick::ops {
namespace {

struct Embedding {
  static constexpr OpInfo info = make_info<Embedding>("embedding", "EmbeddingBackward0");

  static Tensor forward(Context& ctx, const Tensor& weight, const Tensor& rows, int64_t padding_idx, bool scale_grad_by_freq) {
    ctx.save(rows);
    ctx.save_numbers(padding_idx, scale_grad_by_freq, weight.size(0));
    return weight.index_select(0, rows);
  }
  static void backward(const Gradients& g) {
    const Tensor rows = g.saved(0);
    const int64_t padding_idx = g.number(0), count = g.number(2);
    Tensor gradient = g.output();
    if (padding_idx >= 0) gradient = gradient.masked_fill(rows.eq(padding_idx).unsqueeze(1), 0);
    if (g.number(1)) {
      const Tensor uses = zeros({count}, gradient.options()).index_add(0, rows, ones(rows.sizes(), gradient.options()));
      gradient = gradient / uses.index_select(0, rows).unsqueeze(1);
    }
    g.set(0, zeros({count, gradient.size(1)}, gradient.options()).index_add(0, rows, gradient));
  }
};

}  // namespace
}  // namespace wick::ops

namespace wick {

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx, bool scale_grad_by_freq, bool sparse) {
  WICK_CHECK(weight.dim() == 2, "'weight' must be 2-D");
  WICK_CHECK(indices.scalar_type() == kLong || indices.scalar_type() == kInt,
             "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.",
             indices.scalar_type(), "Tensor instead (while checking arguments for embedding)");
  WICK_CHECK_NOT_IMPLEMENTED(!sparse, "embedding: there are no sparse gradients; leave `sparse` out");
  const Tensor rows = indices.to(kLong).reshape({-1});
  return ops::apply<ops::Embedding>(weight, rows, padding_idx, scale_grad_by_freq)
      .reshape(joined_dims({indices.sizes(), {weight.size(1)}}));
}

}  // namespace wick
