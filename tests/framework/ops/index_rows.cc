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
  // Along dimension 1 each target is written once, so that the order of writes does not matter.
  f.add("scatter_", {{{3, 7}}, indices({3, 1}, 7), {{3, 2}}}, CALL(clone(x[0]).scatter_(1, x[1], x[2]))).as("a.clone().scatter_(1, b, c)");
  f.add("scatter_/number", {x34, indices({2, 4}, 3)}, CALL(clone(x[0]).scatter_(0, x[1], 2))).as("a.clone().scatter_(0, b, 2)");
  f.add("scatter_add_", {x34, indices({2, 4}, 3), x24}, CALL(clone(x[0]).scatter_add_(0, x[1], x[2])))
      .as("a.clone().scatter_add_(0, b, c)");
  f.add("index_add_", {x34, indices({2}, 3), x24}, CALL(clone(x[0]).index_add_(0, x[1], x[2]))).as("a.clone().index_add_(0, b, c)");
  f.add("index_add_/alpha", {x34, indices({2}, 3), x24}, CALL(clone(x[0]).index_add_(0, x[1], x[2], 3)))
      .as("a.clone().index_add_(0, b, c, alpha=3)");
  f.add("masked_fill", {x34, mask({3, 4})}, CALL(masked_fill(x[0], x[1], 2))).as("a.masked_fill(b, 2)")
      .in_place(INPLACE(x[0].masked_fill_(x[1], 2)));
  f.add("masked_fill/broadcast", {x34, mask({4})}, CALL(masked_fill(x[0], x[1], 2))).as("a.masked_fill(b, 2)");
  f.add("masked_select", {x34, mask({3, 4})}, CALL(masked_select(x[0], x[1]))).reading_values();
  f.add("masked_select/broadcast", {x34, mask({4})}, CALL(masked_select(x[0], x[1]))).reading_values();
  f.add("nonzero", {mask({3, 4})}, CALL(nonzero(x[0]))).derivatives(0).reading_values();
  f.add("nonzero/values", {x34}, CALL(nonzero(x[0]))).derivatives(0).reading_values();
  return f.rows();
}

}  // namespace wick::test
