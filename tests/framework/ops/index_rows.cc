#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {

std::vector<Row> index_rows() {
  Family f("index");
  const Sample x34{{3, 4}}, x24{{2, 4}};
  f.add("index_select", {x34, indices({5}, 3)}, CALL(index_select(x[0], 0, x[1]))).as("a.index_select(0, b)");
  f.add("index_select/last", {x34, indices({6}, 4)}, CALL(index_select(x[0], -1, x[1]))).as("a.index_select(-1, b)");
  f.add("index_select/none", {x34, indices({0}, 3)}, CALL(index_select(x[0], 0, x[1]))).as("a.index_select(0, b)");
  f.add("gather", {x34, indices({2, 4}, 3)}, CALL(gather(x[0], 0, x[1]))).as("a.gather(0, b)");
  f.add("gather/last", {x34, indices({3, 6}, 4)}, CALL(gather(x[0], 1, x[1]))).as("a.gather(1, b)");
  // Along dimension 1 of this one every place is written once: the order of writes does not matter.
  f.add("scatter", {{{3, 7}}, indices({3, 1}, 7), {{3, 2}}}, CALL(scatter(x[0], 1, x[1], x[2]))).as("a.scatter(1, b, c)")
      .in_place(INPLACE(x[0].scatter_(1, x[1], x[2])));
  f.add("scatter/number", {x34, indices({2, 4}, 3)}, CALL(scatter(x[0], 0, x[1], 2))).as("a.scatter(0, b, 2)")
      .in_place(INPLACE(x[0].scatter_(0, x[1], 2)));
  f.add("scatter_add", {x34, indices({2, 4}, 3), x24}, CALL(scatter_add(x[0], 0, x[1], x[2]))).as("a.scatter_add(0, b, c)")
      .in_place(INPLACE(x[0].scatter_add_(0, x[1], x[2])));
  f.add("index_add", {x34, indices({2}, 3), x24}, CALL(index_add(x[0], 0, x[1], x[2]))).as("a.index_add(0, b, c)")
      .in_place(INPLACE(x[0].index_add_(0, x[1], x[2])));
  f.add("index_add/alpha", {x34, indices({2}, 3), x24}, CALL(index_add(x[0], 0, x[1], x[2], 3))).as("a.index_add(0, b, c, alpha=3)")
      .in_place(INPLACE(x[0].index_add_(0, x[1], x[2], 3)));
  f.add("index_copy", {x34, indices({2}, 3), x24}, CALL(index_copy(x[0], 0, x[1], x[2]))).as("a.index_copy(0, b, c)")
      .in_place(INPLACE(x[0].index_copy_(0, x[1], x[2])));
  f.add("index_fill", {x34, indices({2}, 3)}, CALL(index_fill(x[0], 0, x[1], 2))).as("a.index_fill(0, b, 2)")
      .in_place(INPLACE(x[0].index_fill_(0, x[1], 2)));
  using Indices = std::vector<std::optional<Tensor>>;
  f.add("index", {x34, indices({5}, 3)}, CALL(index(x[0], Indices{x[1]}))).as("a[b]");
  f.add("index/second", {x34, indices({2, 3}, 4)}, CALL(index(x[0], Indices{std::nullopt, x[1]}))).as("a[:, b]");
  f.add("index/two", {x34, indices({3, 1}, 3), indices({2}, 4)}, CALL(index(x[0], Indices{x[1], x[2]}))).as("a[b, c]");
  f.add("index/apart", {{{3, 2, 4}}, indices({3}, 3), indices({3}, 4)}, CALL(index(x[0], Indices{x[1], std::nullopt, x[2]})))
      .as("a[b, :, c]");
  f.add("index/mask", {x34, mask({3})}, CALL(index(x[0], Indices{x[1]}))).as("a[b]").reading_values();
  f.add("index_put", {x34, indices({2}, 3), x24}, CALL(index_put(x[0], Indices{x[1]}, x[2]))).as("a.index_put((b,), c)")
      .in_place(INPLACE(x[0].index_put_(Indices{x[1]}, x[2])));
  f.add("index_put/accumulate", {x34, indices({5}, 3), {{4}}}, CALL(index_put(x[0], Indices{x[1]}, x[2], true)))
      .as("a.index_put((b,), c, accumulate=True)").in_place(INPLACE(x[0].index_put_(Indices{x[1]}, x[2], true)));
  f.add("masked_fill", {x34, mask({3, 4})}, CALL(masked_fill(x[0], x[1], 2))).as("a.masked_fill(b, 2)")
      .in_place(INPLACE(x[0].masked_fill_(x[1], 2)));
  f.add("masked_fill/broadcast", {x34, mask({4})}, CALL(masked_fill(x[0], x[1], 2))).as("a.masked_fill(b, 2)");
  f.add("masked_fill/tensor", {x34, mask({3, 4}), {{}}}, CALL(masked_fill(x[0], x[1], x[2]))).as("a.masked_fill(b, c)")
      .in_place(INPLACE(x[0].masked_fill_(x[1], x[2]))).reading_values();
  f.add("masked_select", {x34, mask({3, 4})}, CALL(masked_select(x[0], x[1]))).reading_values();
  f.add("masked_select/broadcast", {x34, mask({4})}, CALL(masked_select(x[0], x[1]))).reading_values();
  f.add("nonzero", {mask({3, 4})}, CALL(nonzero(x[0]))).derivatives(0).reading_values();
  f.add("nonzero/values", {x34}, CALL(nonzero(x[0]))).derivatives(0).reading_values();
  return f.rows();
}

}  // namespace wick::test
